"""Whatever is asked of a match, it answers, or refuses for a reason."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tafelrunde.domain.game import DecisionId, InvalidOptions, Placing, RuleViolation, Seat
from tafelrunde.domain.match import BotName, Clock, PlayerId, Status
from tafelrunde.domain.match.commands import (
    Abort,
    AdjudicateMatch,
    AgreeRematch,
    BotPlay,
    ClearSeat,
    LeaveSeat,
    MatchCommand,
    OpenRematch,
    PassHost,
    Play,
    ReleaseSeat,
    ReserveSeat,
    SeatBot,
    Seating,
    StartMatch,
    TakeSeat,
    TimeOut,
    VoidMatch,
)
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.view import view
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, NOON_MS, OTHER, SECRET, opening
from tests.support.dice import Dice
from tests.support.duel.messages import Bid, PlayCard
from tests.support.own import GAMES
from tests.support.stored import decoder, stored

players = st.sampled_from([PlayerId(name) for name in ("anna", "bert", "carl", "dora")])
seats = st.integers(-1, 4).map(Seat)
bots = st.sampled_from([BotName("steady"), BotName("random"), BotName("none")])
decisions = st.integers(0, 20).map(DecisionId)
moves = st.one_of(st.integers(-1, 5).map(Bid), st.integers(-1, 18).map(PlayCard))
commands: st.SearchStrategy[MatchCommand] = st.one_of(
    st.builds(TakeSeat, player=players, seat=st.none() | seats),
    st.builds(ReserveSeat, players),
    st.builds(ReleaseSeat, players),
    st.builds(LeaveSeat, players),
    st.builds(SeatBot, players, seats, bots),
    st.builds(ClearSeat, players, seats),
    st.builds(PassHost, players, players),
    st.builds(StartMatch, players),
    st.builds(Play, players, decisions, moves),
    st.builds(BotPlay, seats, decisions, moves),
    st.builds(TimeOut, decisions),
    st.builds(Abort, players),
    st.builds(AgreeRematch, players),
    st.just(OpenRematch(OTHER)),
    st.builds(VoidMatch, st.just("why")),
    st.builds(AdjudicateMatch, st.lists(st.builds(Placing, seats, st.integers(0, 3)), max_size=4).map(tuple), st.just("why")),
    st.just(opening()),
)
clocks = st.integers(0, 3).map(lambda limit: Clock(stand_in_after=limit))


class AnyMatch(RuleBasedStateMachine):
    """A match of Duel under random commands; half of the time under fitting ones, so that it gets somewhere."""

    match: Match
    folded: Match
    steps: int

    @initialize(count=st.integers(2, 4), cards=st.integers(1, 3), clock=clocks, kept=st.integers(0, 2))
    def open(self, count: int, cards: int, clock: Clock, kept: int) -> None:
        self.match = Match(GAMES)
        self.folded = Match(GAMES)
        self.steps = 0
        reserved = [Seating(seat=Seat(seat), player=player, reserved=True) for seat, player in enumerate((ANNA, BERT))]
        self.carry_out(opening(count, {"cards": cards}, clock=clock, seating=tuple(reserved[:kept])))

    def carry_out(self, command: MatchCommand) -> None:
        """Decide; the input stays as it is, and the stored facts fold to what was decided."""
        before = stored(self.match.digest_form())
        self.steps += 1
        try:
            caused, after, _ = decide(self.match, command, Dice(self.steps), NOON_MS)
        except (RuleViolation, InvalidOptions):
            return
        finally:
            assert stored(self.match.digest_form()) == before
        self.match = after
        for event in caused:
            self.folded.fold(READER.decode(stored(event)))
            for viewer in (*range(len(self.match.chairs)), None):
                visible = redact(event, None if viewer is None else Seat(viewer))
                assert SECRET.encode() not in stored(visible) or self.match.status in {Status.OVER, Status.ABORTED}

    @rule(command=commands)
    def anything(self, command: MatchCommand) -> None:
        """Any command at any time."""
        self.carry_out(command)

    @precondition(lambda self: self.match.status is Status.OPEN)
    @rule(player=players, bot=bots, by_bot=st.booleans())
    def sit_down(self, player: PlayerId, bot: BotName, by_bot: bool) -> None:
        """A player takes the first empty seat, or the match starts."""
        empty = next((Seat(seat) for seat, chair in enumerate(self.match.chairs) if chair.empty), None)
        if empty is None:
            self.carry_out(StartMatch(self.match.facts.host))
        else:
            self.carry_out(SeatBot(self.match.facts.host, empty, bot) if by_bot else TakeSeat(player=player))

    @precondition(lambda self: self.match.status is Status.RUNNING)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        """An asked seat gives a legal answer: by its player, even if a bot stands in, or by the bot."""
        ask, decision = self.match.pending(), self.match.open_decision()
        assert ask is not None
        assert decision is not None
        seat = data.draw(st.sampled_from(ask.open))
        move = data.draw(st.sampled_from(self.match.game.legal(self.match.table, seat)))
        chair = self.match.chairs[seat]
        by_player = chair.player is not None and (chair.bot is None or data.draw(st.booleans()))
        self.carry_out(Play(chair.player, decision, move) if by_player and chair.player else BotPlay(seat, decision, move))

    @precondition(lambda self: self.match.status is Status.RUNNING)
    @rule()
    def time_passes(self) -> None:
        """The time for the open decision is up."""
        decision = self.match.open_decision()
        assert decision is not None
        self.carry_out(TimeOut(decision))
        assert self.match.open_decision() != decision

    @invariant()
    def folding_gives_the_live_match(self) -> None:
        """What is stored is all there is."""
        assert stored(self.folded.digest_form()) == stored(self.match.digest_form())

    @invariant()
    def a_running_match_asks_somebody(self) -> None:
        """A match has seats to wait for exactly while it runs, and the decision it records is its table's."""
        ask = self.match.pending()
        assert (ask is not None) == (self.match.status is Status.RUNNING)
        assert (ask.decision if ask is not None else None) == self.match.open_decision()
        assert ask is None or set(ask.open) <= set(ask.seats)

    @invariant()
    def everybody_has_a_view(self) -> None:
        """Every seat and every spectator can look at any time, without seeing the secret."""
        for viewer in (*(Seat(seat) for seat in range(len(self.match.chairs))), None):
            assert SECRET.encode() not in stored(view(self.match, viewer))


READER = decoder(GAMES.values())
TestAnyMatch: Any = AnyMatch.TestCase
