"""Finished matches of every game, kept permanently: `make archive-matches` adds what is missing, and never rewrites.

`tests/archive/<game>.ndjson.zst` has one line for each match, in as many frames as there were additions. A line is what cannot
be made from anything else: the entries as a store keeps them, and the hashes that they had when they were written.
"""

from __future__ import annotations

import base64
import hashlib
import io
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import zstandard

from tafelrunde.domain.game import AnyGame, Command, DecisionId, InvalidOptions, Options, Placing, Seat
from tafelrunde.domain.match import BotName, MatchId, MatchSettings, PlayerId, Spectators, Status
from tafelrunde.domain.match.commands import (
    Abort,
    AdjudicateMatch,
    AgreeRematch,
    BotPlay,
    LeaveSeat,
    MatchCommand,
    OpenMatch,
    OpenRematch,
    Play,
    Seating,
    TakeHint,
    TakeSeat,
    TimeOut,
    VoidMatch,
)
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import DRAWS, Dealing
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.dealing.dealer import commitment_to, dealer_for
from tafelrunde.service.features.records.record import software
from tafelrunde.service.matches.branching import WhatIf, taking_up
from tafelrunde.service.matches.codec import Codec, Envelope, digest_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tests.support.cases import Case, cases, chosen, values
from tests.support.facts import facts_of
from tests.support.paths import ROOT
from tools.commands import alone

FOLDER = ROOT / "tests" / "archive"
CODEC = Codec(GAMES)
LEVEL = 19
LEAST = 104
"""The number of matches of each version of each game's rules."""
NOON_MS = 1_767_268_800_000
ANNA, BERT = PlayerId("anna"), PlayerId("bert")
TIMES_UP, AWAY, TIRED = 0.02, 0.03, 0.04
"""Cumulative probabilities: time runs out, a player leaves or returns, a player agrees to end."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """One match: its plan, its writer, its hashes then, and its entries in base64."""

    plan: str
    software: str
    rules_version: int
    match: MatchId
    status: Status
    chain: str
    state: str
    entries: tuple[str, ...]

    def raw(self) -> list[bytes]:
        """Return the entries."""
        return [base64.b64decode(entry) for entry in self.entries]


class Plan(NamedTuple):
    """A match that the archive should have: its name describes all that happens in it."""

    name: str
    case: Case
    style: str


STYLES = ("random", "people", "bots", "aborted")
"""Random answers; mostly a bot's answers, with people who are late, leave and return; bots alone; ended by agreement."""


def path_of(game: AnyGame) -> Path:
    """Return where the archive of a game is."""
    return FOLDER / f"{game.id}.ndjson.zst"


def kept(path: Path) -> Iterator[Kept]:
    """Yield all matches of an archive."""
    if not path.exists():
        return
    with path.open("rb") as file:
        reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        for line in io.BufferedReader(reader):
            yield msgspec.json.decode(line, type=Kept)


def plans(game: AnyGame) -> Iterator[Plan]:
    """Yield the matches that an archive should have: each case in each style, then small ones with random options."""
    count = 0
    for case in cases(game):
        for style in STYLES:
            yield Plan(f"{case.name}/{style}", case, style)
            count += 1
    for number in range(max(0, LEAST - count)):
        yield Plan(f"{game.id}-mixed-{number}/{STYLES[number % 4]}", mixed(game, number), STYLES[number % 4])


def mixed(game: AnyGame, number: int) -> Case:
    """Return a case with random options, and mostly with the fewest seats they allow."""
    rng = random.Random(f"{game.id}/mixed/{number}")
    while True:
        seats = rng.choice([game.min_seats] * 3 + [*range(game.min_seats, game.max_seats + 1)])
        options = _some_options(game, rng)
        try:
            game.check(options, seats)
        except InvalidOptions:
            continue
        return Case(game, seats, options, f"{game.id}-mixed-{number}")


def _some_options(game: AnyGame, rng: random.Random) -> Options:
    fields = msgspec.structs.fields(game.options_type)
    wanted = {field.name: rng.choice([field.default, *values(field.type)]) for field in fields}
    if (more := facts_of(game.id).random_options) is not None:
        wanted |= more(rng)
    return game.options_type(**wanted)


class Writer:
    """Plays one planned match and writes it as the service does. The same plan gives the same match."""

    def __init__(self, plan: Plan, rules_version: int) -> None:
        self.plan = plan
        self.rng = random.Random(f"{plan.name}/{rules_version}")
        digest = hashlib.sha256(f"{plan.name}/{rules_version}".encode())
        self.secret = digest.hexdigest()
        self.name = MatchId("m" + base64.b32encode(digest.digest()[:15]).decode().lower())
        self.match = Match(GAMES)
        self.entries: list[bytes] = []
        self.now_ms = NOON_MS

    def do(self, actor: str, command: MatchCommand) -> None:
        """Execute a command."""
        self.now_ms += self.rng.randrange(100, 20_000)
        version = len(self.entries)
        events, match, _ = decide(self.match, command, dealer_for(self.name, self.match, command, version), self.now_ms)
        for number, event in enumerate(events):
            envelope = Envelope(
                time_ms=self.now_ms,
                actor=actor,
                command_id=f"{actor.rpartition(':')[2]}:{version}",
                correlation_id="",
                event=CODEC.raw(event),
                command=b"" if number else CODEC.command(command),
                digest=digest_of(match) if number == len(events) - 1 else b"",
            )
            self.entries.append(CODEC.encode(envelope))
        self.match = match

    def written(self) -> Kept:
        """Play to the end and return what is kept."""
        self.do(f"player:{ANNA}", self.opening())
        while self.match.status is Status.RUNNING:
            self.step()
        self.afterwards()
        return Kept(
            plan=self.plan.name,
            software=software(),
            rules_version=self.match.facts.rules_version,
            match=self.name,
            status=self.match.status,
            chain=chain_over(GENESIS, self.entries).hex(),
            state=digest_of(self.match).hex(),
            entries=tuple(base64.b64encode(entry).decode() for entry in self.entries),
        )

    def opening(self) -> OpenMatch:
        """Return the opening: two people, or one against bots, and bots on all other seats."""
        case = self.plan.case
        people = [ANNA] if self.plan.style == "bots" else [ANNA, BERT]
        names = list(case.game.bots())
        seating = [Seating(seat=Seat(seat), player=player, nonce=f"of-{player}") for seat, player in enumerate(people)]
        seating += [Seating(seat=Seat(seat), bot=BotName(self.rng.choice(names))) for seat in range(len(people), case.seats)]
        return OpenMatch(
            settings=MatchSettings(
                game=case.game.id,
                seats=case.seats,
                options=msgspec.to_builtins(case.options),
                spectators=self.rng.choice(list(Spectators)),
            ),
            host=ANNA,
            secret=self.secret,
            commitment=commitment_to(self.name, self.secret),
            seating=tuple(seating),
            start=True,
            dealing=Dealing.CARDS,
        )

    def step(self) -> None:
        """Let a random event happen."""
        chance, decision = self.rng.random(), self.match.open_decision()
        assert decision is not None
        if self.plan.style == "aborted" and len(self.entries) > 40 and chance < 0.1:
            self.agree()
        elif self.plan.style == "people" and chance < TIRED:
            self.disturb(decision, chance)
        else:
            self.answer(decision)

    def disturb(self, decision: DecisionId, chance: float) -> None:
        """Let the time run out, Bert leave or return, or Anna propose to end while Bert is there."""
        away = self.match.chairs[1].bot is not None
        if chance < TIMES_UP:
            self.do("clock", TimeOut(decision))
        elif chance < AWAY or away or self.match.chairs[0].agrees_to_abort:
            self.do(f"player:{BERT}", TakeSeat(player=BERT) if away else LeaveSeat(BERT))
        else:
            self.do(f"player:{ANNA}", Abort(ANNA))

    def agree(self) -> None:
        """Let both players agree to abort."""
        for player in (ANNA, BERT):
            self.do(f"player:{player}", Abort(player))

    def answer(self, decision: DecisionId) -> None:
        """Let an asked seat answer, as its player or bot."""
        ask = self.match.pending()
        assert ask is not None
        seat = self.rng.choice(ask.open)
        chair = self.match.chairs[seat]
        command = self.command(seat)
        if chair.bot is not None:
            self.do(f"bot:{chair.bot}:{seat}", BotPlay(seat, decision, command))
        else:
            self.do(f"player:{chair.player}", Play(PlayerId(str(chair.player)), decision, command))

    def command(self, seat: Seat) -> Command:
        """Return a seat's answer."""
        share = 0.0 if self.plan.style == "random" else 0.9
        return chosen(self.plan.case, self.match.table, seat, self.rng, share)

    def afterwards(self) -> None:
        """Add events after the end of some matches: a rematch, a correction."""
        if self.match.status is not Status.OVER or self.rng.random() < 0.7:
            return
        if self.rng.random() < 0.5:
            for player in (ANNA, BERT)[: 1 if self.plan.style == "bots" else 2]:
                self.do(f"player:{player}", AgreeRematch(player))
            self.do("clock", OpenRematch(MatchId("m" + "a" * 24)))
            return
        placings = tuple(Placing(Seat(seat), 1) for seat in range(self.plan.case.seats))
        self.do("operator:console", VoidMatch("It was played twice."))
        self.do("operator:console", AdjudicateMatch(placings, "All shared it."))


class Again(Writer):
    """Branches off a stored match before one of its decisions."""

    def __init__(self, plan: Plan, rules_version: int, origin: Kept) -> None:
        super().__init__(plan, rules_version)
        self._origin = origin

    def opening(self) -> OpenMatch:
        """Return the opening of a what-if."""
        loaded = loaded_of(self._origin)
        wish = WhatIf(decision=DecisionId(3), seat=Seat(0), nonce="again")
        opening = taking_up(self.name, ANNA, wish, self._origin.match, loaded, CODEC)
        return msgspec.structs.replace(opening, secret=self.secret, commitment=commitment_to(self.name, self.secret))


class Hinted(Writer):
    """Plays with hints, which Anna takes now and then."""

    def opening(self) -> OpenMatch:
        """Return the opening of a match that allows hints."""
        opening = super().opening()
        return msgspec.structs.replace(opening, settings=msgspec.structs.replace(opening.settings, hints=True, rated=False))

    def answer(self, decision: DecisionId) -> None:
        """Let Anna take a hint when she is asked, once for each decision."""
        if self.match.hinted.get(Seat(0)) != decision and self.match.game.legal(self.match.table, Seat(0)):
            self.do(f"player:{ANNA}", TakeHint(ANNA))
        super().answer(decision)


class Keyed(Writer):
    """Plays with draws of version 2."""

    def opening(self) -> OpenMatch:
        """Return the opening of a match whose draws are named by what they are for."""
        return msgspec.structs.replace(super().opening(), draws=DRAWS)


def loaded_of(match: Kept) -> Loaded:
    """Return a kept match as the service has it: folded, with its chain."""
    state = Match(GAMES)
    entries = match.raw()
    for entry in entries:
        state.fold(CODEC.decode(entry)[1])
    return Loaded(state, Version(len(entries)), chain_over(GENESIS, entries), entries)


def missing(game: AnyGame, path: Path) -> Iterator[Kept]:
    """Yield matches that an archive should have for today's rules but lacks."""
    version = game.rules_version
    have = {each.plan: each for each in kept(path) if each.rules_version == version}
    for plan in plans(game):
        if plan.name not in have:
            have[plan.name] = Writer(plan, version).written()
            yield have[plan.name]
    again = Plan(f"{game.id}-what-if", next(plans(game)).case, "bots")
    if again.name not in have:
        yield Again(again, version, next(iter(have.values()))).written()
    hinted = Plan(f"{game.id}-hinted", next(plans(game)).case, "bots")
    if hinted.name not in have:
        yield Hinted(hinted, version).written()
    for style in STYLES:
        drawn = Plan(f"{game.id}-keyed/{style}", next(plans(game)).case, style)
        if drawn.name not in have:
            yield Keyed(drawn, version).written()


def add(path: Path, matches: Iterable[Kept]) -> int:
    """Append matches to an archive, as a frame of its own; return how many."""
    lines = [msgspec.json.encode(match) + b"\n" for match in matches]
    if lines:
        path.parent.mkdir(exist_ok=True)
        with path.open("ab") as file:
            file.write(zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(b"".join(lines)))
    return len(lines)


if __name__ == "__main__":
    alone(__doc__)
    for each in GAMES.values():
        where = path_of(each)
        sys.stdout.write(f"{each.id}: {add(where, missing(each, where))} matches added, {where.stat().st_size} bytes\n")
