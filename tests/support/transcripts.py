"""Whole matches written down: readable transcripts, logs as they are stored, and counts of reachable positions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from tafelrunde.domain.game import DecisionId, Event, Placing, Seat
from tafelrunde.domain.match import BotName, MatchId, MatchSettings, PlayerId, Spectators, Status
from tafelrunde.domain.match.commands import (
    Abort,
    AdjudicateMatch,
    AgreeRematch,
    BotPlay,
    Branch,
    ClearSeat,
    DayDeal,
    Expire,
    LeaveSeat,
    MatchCommand,
    OpenMatch,
    OpenRematch,
    Play,
    SeatBot,
    Seating,
    StartMatch,
    TakeHint,
    TakeSeat,
    TimeOut,
    VoidMatch,
)
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.events import ExpiryReason
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import Dealing, OptionValue
from tafelrunde.service.matches.codec import Codec, Envelope, digest_of, plain_of
from tests.support.cases import GAMES, Case, begin, folded
from tests.support.dice import Dice
from tests.support.stored import stored

CODEC = Codec(GAMES)
NOON_MS = 1_700_000_000_000
SECOND_MS = 1_000
SECRET, COMMITMENT = "5" * 64, "c" * 64
ANNA, BERT = PlayerId("anna"), PlayerId("bert")
TIMES_UP = 0.03
POSITIONS = 1_000
DEPTH = 8


class Entry(NamedTuple):
    """A command, what it caused, and the match after it."""

    command: MatchCommand
    events: list[Event]
    digest: bytes


class Recording:
    """A match, and all that happened in it."""

    def __init__(self, seed: int) -> None:
        self.match = Match(GAMES)
        self.entries: list[Entry] = []
        self.seed = seed

    def do(self, *commands: MatchCommand) -> None:
        """Carry out some commands, one second apart."""
        for command in commands:
            number = len(self.entries)
            events, self.match, _ = decide(self.match, command, Dice((self.seed, number)), NOON_MS + number * SECOND_MS)
            self.entries.append(Entry(command, events, digest_of(self.match)))

    def answer(self, rng: random.Random) -> None:
        """Let an asked seat answer at random, or the time pass."""
        ask, decision = self.match.pending(), self.match.open_decision()
        assert ask is not None
        assert decision is not None
        if rng.random() < TIMES_UP:
            self.do(TimeOut(decision))
            return
        seat = rng.choice(ask.open)
        command = rng.choice(self.match.game.legal(self.match.table, seat))
        chair = self.match.chairs[seat]
        by_bot = chair.bot is not None or chair.player is None
        self.do(BotPlay(seat, decision, command) if by_bot else Play(PlayerId(str(chair.player)), decision, command))

    def finish(self, rng: random.Random) -> None:
        """Play on at random to the end."""
        while self.match.status is Status.RUNNING:
            self.answer(rng)

    def events(self) -> Iterator[Event]:
        """Yield all events."""
        for entry in self.entries:
            yield from entry.events

    def tags(self) -> set[str]:
        """Return the tags of all events."""
        return {str(type(event).__struct_config__.tag) for event in self.events()}


def opening(case: Case, seating: tuple[Seating, ...], *, start: bool) -> OpenMatch:
    """Return the opening of a match for a case."""
    options: dict[str, OptionValue] = msgspec.to_builtins(case.options)
    return OpenMatch(
        settings=MatchSettings(game=case.game.id, seats=case.seats, options=options, spectators=Spectators.PUBLIC),
        host=ANNA,
        secret=SECRET,
        commitment=COMMITMENT,
        seating=seating,
        start=start,
    )


def record(case: Case, seed: int) -> Recording:
    """Return a random match between Anna, Bert and bots."""
    recording = Recording(seed)
    bots = [Seating(seat=Seat(seat), bot=BotName("random")) for seat in range(2, case.seats)]
    people = [Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT, nonce="b")]
    recording.do(opening(case, (*people, *bots), start=True))
    recording.finish(random.Random(f"{case.name}/{seed}"))
    return recording


def record_all_that_a_match_knows(case: Case) -> list[Recording]:
    """Return matches in which everything happens that can happen around a table.

    One commits to its cards, one is corrected, one takes another up, one has hints, one is a lesson, one the deal of a day, one
    a rematch, and one waits for its players.
    """
    ended, aborted = Recording(1), Recording(2)
    for recording in (ended, aborted):
        recording.do(opening(case, (), start=False))
        recording.do(SeatBot(ANNA, Seat(0), BotName("random")), ClearSeat(ANNA, Seat(0)))
        recording.do(TakeSeat(player=ANNA, nonce="a"), TakeSeat(player=BERT), LeaveSeat(BERT), TakeSeat(player=BERT))
        recording.do(StartMatch(ANNA))
    _absent(ended)
    ended.finish(random.Random(3))
    ended.do(AgreeRematch(ANNA), AgreeRematch(BERT), OpenRematch(MatchId("m-2")))
    _abort_after_all(aborted)
    committed = Recording(3)
    people = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT, nonce="b"))
    committed.do(msgspec.structs.replace(opening(case, people, start=True), dealing=Dealing.CARDS))
    committed.finish(random.Random(5))
    corrected = Recording(4)
    corrected.do(opening(case, people, start=True))
    corrected.finish(random.Random(6))
    placings = tuple(Placing(Seat(seat), 1 + seat) for seat in range(2))
    corrected.do(VoidMatch("Nobody knows what happened."), AdjudicateMatch(placings, "Now we know."))
    hinted = Recording(6)
    begun = opening(case, people, start=True)
    allowed = msgspec.structs.replace(begun.settings, hints=True, rated=False)
    hinted.do(msgspec.structs.replace(begun, settings=allowed))
    hinted.do(TakeHint(ANNA))
    hinted.finish(random.Random(8))
    taken_up = _branched(case, corrected)
    taught = _taught(case)
    others = [taken_up, hinted, *_of_the_second_edition(case), taught, _drawn_by_labels(case), _daily(case)]
    return [ended, aborted, committed, corrected, *others, _played_again(case), _left(case)]


def _of_the_second_edition(case: Case) -> list[Recording]:
    """Return a match that is forfeited after a return and a second host, and an abandoned one."""
    forfeited, expired = Recording(7), Recording(8)
    for recording in (forfeited, expired):
        recording.do(msgspec.structs.replace(opening(case, (), start=False), edition=2))
    host = PlayerId("carl")
    forfeited.do(TakeSeat(player=host), TakeSeat(player=ANNA, guest=True), ClearSeat(ANNA, Seat(0)), TakeSeat(player=BERT))
    forfeited.do(LeaveSeat(ANNA), TakeSeat(player=PlayerId("dora")), StartMatch(BERT), LeaveSeat(BERT))
    _play(forfeited, BERT)
    forfeited.do(LeaveSeat(BERT))
    _play(forfeited, BERT)
    _play(forfeited, PlayerId("dora"))
    forfeited.do(LeaveSeat(PlayerId("dora")), Abort(BERT))
    expired.do(Expire(ExpiryReason.UNUSED))
    return [forfeited, expired]


def _drawn_by_labels(case: Case) -> Recording:
    """Return a match that notes what chance decides."""
    recording = Recording(10)
    people = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT))
    recording.do(msgspec.structs.replace(opening(case, people, start=True), draws=2))
    recording.finish(random.Random(9))
    return recording


def _played_again(case: Case) -> Recording:
    """Return a rematch, which begins when both have come."""
    recording = Recording(12)
    kept = (Seating(seat=Seat(0), player=ANNA, reserved=True), Seating(seat=Seat(1), player=BERT, reserved=True))
    begun = opening(case, kept, start=False)
    recording.do(msgspec.structs.replace(begun, parent=MatchId("m-1"), dealing=Dealing.CARDS, edition=2, draws=2))
    recording.do(TakeSeat(player=BERT, nonce="b"), TakeSeat(player=ANNA, nonce="a"))
    recording.finish(random.Random(11))
    return recording


def _daily(case: Case) -> Recording:
    """Return a match that is the deal of a day."""
    recording = Recording(11)
    people = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), bot=BotName("random")))
    begun = opening(case, people, start=True)
    deal = DayDeal(day="2023-11-14", ends_ms=1_700_006_400_000)
    unrated = msgspec.structs.replace(begun.settings, rated=False)
    recording.do(msgspec.structs.replace(begun, settings=unrated, draws=2, daily=deal))
    recording.finish(random.Random(10))
    return recording


def _left(case: Case) -> Recording:
    """Return a match whose table waits for its players: one comes back in time, then none."""
    recording = Recording(12)
    people = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT))
    begun = opening(case, people, start=True)
    clock = msgspec.structs.replace(begun.settings.clock, away_seconds=300)
    recording.do(msgspec.structs.replace(begun, settings=msgspec.structs.replace(begun.settings, clock=clock), edition=3))
    recording.do(LeaveSeat(ANNA), LeaveSeat(BERT), TakeSeat(player=ANNA), LeaveSeat(ANNA))
    recording.finish(random.Random(11))
    return recording


def _branched(case: Case, other: Recording) -> Recording:
    """Return a match that takes up another one before its first decision."""
    recording = Recording(5)
    people = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), bot=BotName("random")))
    branch = Branch(match=MatchId("m-4"), decision=DecisionId(1), version=4, chain="a" * 64, history=_set_up(case, other))
    begun = opening(case, people, start=True)
    unrated = msgspec.structs.replace(begun.settings, rated=False)
    recording.do(msgspec.structs.replace(begun, settings=unrated, dealing=Dealing.CARDS, branch=branch))
    recording.finish(random.Random(7))
    return recording


def _set_up(case: Case, other: Recording) -> tuple[Mapping[str, object], ...]:
    """Return what another match did to its table before its first decision."""
    return tuple(msgspec.to_builtins(event) for event in other.entries[0].events if isinstance(event, case.game.event_types))


def _taught(case: Case) -> Recording:
    """Return a lesson."""
    recording = Recording(10)
    begun = opening(case, (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), bot=BotName("random"))), start=True)
    unrated = msgspec.structs.replace(begun.settings, rated=False)
    recording.do(msgspec.structs.replace(begun, settings=unrated, dealing=Dealing.CARDS, edition=2, lesson=1, draws=2))
    recording.finish(random.Random(9))
    return recording


def _absent(recording: Recording) -> None:
    """Let Anna miss one decision and answer, then both miss two and Anna come back."""
    _time_out(recording)
    while (ask := recording.match.pending()) is not None and ask.open[0] != 0:
        recording.answer(random.Random(4))
    _play(recording, ANNA)
    _time_out(recording)
    _time_out(recording)
    recording.do(TakeSeat(player=BERT), LeaveSeat(BERT))


def _abort_after_all(recording: Recording) -> None:
    """Let both agree to abort, though the first takes it back once."""
    for player in (ANNA, BERT):
        _play(recording, player)
    leader = recording.match.pending()
    assert leader is not None
    player = recording.match.chairs[leader.open[0]].player or ANNA
    recording.do(Abort(player))
    _play(recording, player)
    recording.do(Abort(ANNA), Abort(BERT))


def _time_out(recording: Recording) -> None:
    decision = recording.match.open_decision()
    assert decision is not None
    recording.do(TimeOut(decision))


def _play(recording: Recording, player: PlayerId) -> None:
    seat = recording.match.seat_of(player)
    decision = recording.match.open_decision()
    assert seat is not None
    assert decision is not None
    recording.do(Play(player, decision, recording.match.game.legal(recording.match.table, seat)[0]))


def transcript(recording: Recording) -> str:
    """Return a match as readable JSON: a line for each command and each event, and a short digest of each state."""
    blocks = [
        [
            f'"command": {_line(plain_of(CODEC.command(entry.command)))}',
            '"events": [\n   ' + ",\n   ".join(_line(event) for event in entry.events) + "\n  ]",
            f'"state": "{entry.digest[:8].hex()}"',
        ]
        for entry in recording.entries
    ]
    steps = ",\n".join(" {" + ",\n  ".join(block) + "}" for block in blocks)
    return f"[\n{steps}\n]\n"


def _line(value: Mapping[str, object] | Event) -> str:
    return msgspec.json.encode(value).decode()


def log(recording: Recording) -> list[str]:
    """Return a match as a store keeps it, each entry in hex."""
    return [
        CODEC.encode(Envelope(NOON_MS, "clock", str(number), "", CODEC.raw(event), b"", digest)).hex()
        for number, entry in enumerate(recording.entries)
        for event, digest in zip(entry.events, [b""] * (len(entry.events) - 1) + [entry.digest], strict=True)
    ]


def read(entries: list[str]) -> tuple[Match, set[str]]:
    """Fold a stored match and check every digest in it; return the match and the tags it was stored with."""
    match = Match(GAMES)
    tags = set[str]()
    for entry in entries:
        envelope, event = CODEC.decode(bytes.fromhex(entry))
        match.fold(event)
        tags.add(msgspec.msgpack.decode(envelope.event)["type"])
        assert envelope.digest in {b"", digest_of(match)}
    return match, tags


def counts(case: Case) -> list[int]:
    """Return how many different positions can be reached with 0, 1, 2 ... commands from one deal."""
    level = [begin(case, "count").after]
    found = [1]
    while level and found[-1] < POSITIONS and len(found) <= DEPTH:
        reached = {
            stored(after.digest_form()): after
            for table in level
            for seat in map(Seat, range(case.seats))
            for command in case.game.legal(table, seat)
            for after in [folded(case.game, table, case.game.decide(table, seat, command, Dice("count")))]
        }
        level = list(reached.values())
        found.append(len(level))
    return found
