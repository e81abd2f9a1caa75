"""A match of Duel that a test plays step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import UnsetType

from tafelrunde.domain.game import Command, DecisionId, Event, GameId, RuleViolation, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, MatchSettings, PlayerId, Spectators
from tafelrunde.domain.match.commands import BotPlay, MatchCommand, OpenMatch, Play, Seating, StartMatch, TakeSeat, TimeOut
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import EDITION, OptionValue
from tests.support.dice import Dice
from tests.support.own import DUEL, GAMES

ANNA, BERT, CARL = PlayerId("anna"), PlayerId("bert"), PlayerId("carl")
STEADY = BotName("steady")
SECRET, COMMITMENT = "f" * 64, "c" * 64
NOON_MS = 1_700_000_000_000
OTHER = MatchId("m-2")


def opening(
    seats: int = 2,
    options: Mapping[str, OptionValue] | None = None,
    *,
    game: GameId = DUEL.id,
    clock: Clock | None = None,
    seating: tuple[Seating, ...] = (),
    start: bool = False,
    rated: bool = True,
    hints: bool = False,
    edition: int | UnsetType = EDITION,
) -> OpenMatch:
    """Return the opening of a match of Anna's."""
    return OpenMatch(
        settings=MatchSettings(
            game=game,
            seats=seats,
            options={"first_seat": 0} if options is None else options,
            clock=clock or Clock(),
            spectators=Spectators.PUBLIC,
            rated=rated,
            hints=hints,
        ),
        host=ANNA,
        secret=SECRET,
        commitment=COMMITMENT,
        seating=seating,
        start=start,
        edition=edition,
    )


class Scene:
    """A match, all its events so far, and what the last command caused."""

    def __init__(self, command: OpenMatch, seed: int = 0) -> None:
        self.match = Match(GAMES)
        self.events: list[Event] = []
        self.caused: list[Event] = []
        self.now_ms = NOON_MS
        self.seed = seed
        self.do(command)

    def do(self, command: MatchCommand) -> Sequence[Event]:
        """Carry a command out and return what it caused."""
        chance = Dice((self.seed, len(self.events)))
        self.caused, self.match, _ = decide(self.match, command, chance, self.now_ms)
        self.events += self.caused
        return self.caused

    def refused(self, command: MatchCommand) -> str:
        """Return the code that a command is refused with."""
        try:
            decide(self.match, command, Dice(self.seed), self.now_ms)
        except RuleViolation as violation:
            return violation.refusal.code
        return ""

    @property
    def decision(self) -> DecisionId:
        """The open decision."""
        decision = self.match.open_decision()
        assert decision is not None
        return decision

    def asked(self) -> Seat:
        """Return the first seat that has not answered yet."""
        ask = self.match.pending()
        assert ask is not None
        return ask.open[0]

    def legal(self, seat: int, which: int = 0) -> Command:
        """Return a legal command of a seat."""
        return self.match.game.legal(self.match.table, Seat(seat))[which]

    def play(self, player: PlayerId, which: int = 0) -> Sequence[Event]:
        """Let a player answer with one of its legal commands."""
        seat = self.match.seat_of(player)
        assert seat is not None
        return self.do(Play(player, self.decision, self.legal(seat, which)))

    def play_bot(self, seat: int) -> Sequence[Event]:
        """Let a bot answer with its first legal command."""
        return self.do(BotPlay(Seat(seat), self.decision, self.legal(seat)))

    def time_out(self) -> Sequence[Event]:
        """Let the time for the open decision pass."""
        return self.do(TimeOut(self.decision))

    def step(self) -> None:
        """Let one asked seat answer, as its player or its bot."""
        seat = self.asked()
        chair = self.match.chairs[seat]
        if chair.bot is None and chair.player is not None:
            self.play(chair.player)
        else:
            self.play_bot(seat)

    def finish(self) -> None:
        """Play on to the end."""
        while self.match.pending() is not None:
            self.step()

    def until(self, reached: Callable[[], bool]) -> None:
        """Play on until something is so."""
        while not reached():
            self.step()


def table_for_two(options: Mapping[str, OptionValue] | None = None, clock: Clock | None = None) -> Scene:
    """Return a running match of Anna (seat 0) and Bert (seat 1)."""
    scene = Scene(opening(options=options, clock=clock))
    scene.do(TakeSeat(player=ANNA))
    scene.do(TakeSeat(player=BERT))
    scene.do(StartMatch(ANNA))
    return scene


def table_for_three(clock: Clock | None = None, options: Mapping[str, OptionValue] | None = None) -> Scene:
    """Return a running match of Anna (seat 0), Bert (seat 1) and a bot (seat 2)."""
    seating = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT), Seating(seat=Seat(2), bot=STEADY))
    return Scene(opening(3, options, clock=clock, seating=seating, start=True))
