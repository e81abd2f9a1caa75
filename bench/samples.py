"""Finished matches to measure proofs on: ordinary ones played by random bots, and long ones that end at their limit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from bench.archive import HOST, bytes_of, played, tables
from bench.courses import COUP
from bench.growth import SECONDS
from bench.peak import Log
from bench.scale import size
from tafelrunde.domain.game import AnyGame
from tafelrunde.domain.match import Clock, MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings

GUEST = PlayerId("p" + "1" * 26)
BATCH = size(10, 1)
SEARCHED = size(60, 1)
"""Number of matches of each table that are played to find the longest."""


class Sample(msgspec.Struct, frozen=True):
    """Some matches of a kind."""

    name: str
    logs: Sequence[Log]

    @property
    def events(self) -> int:
        """The number of events in all of them."""
        return sum(len(log.entries) for log in self.logs)


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes per event of one match: as a log on the server, and as an archive there."""

    events: int
    log_bytes: float
    archive_bytes: float


def ordinary() -> list[Sample]:
    """Return matches of random bots: of every game, with its fewest and most seats."""
    return [asyncio.run(_batch(game, seats)) for game, seats in tables()]


async def _batch(game: AnyGame, seats: int) -> Sample:
    application = Application(memory_stores(), Settings(bot_pause_ms=0))
    return Sample(
        f"{game.id}, {seats} seats",
        [await log_of(application, await played(application, game, seats, number)) for number in range(BATCH)],
    )


async def log_of(application: Application, match: MatchId) -> Log:
    """Return a match as the store has it."""
    loaded = await application.repository.load_latest(match)
    return Log(match, loaded.entries[: loaded.version])


def longest() -> tuple[str, int]:
    """Return the table at which random bots played the longest match, and its number of events."""
    return max((asyncio.run(_longest(game, seats)) for game, seats in tables()), key=lambda found: found[1])


async def _longest(game: AnyGame, seats: int) -> tuple[str, int]:
    application = Application(memory_stores(), Settings(bot_pause_ms=0))
    lengths = [
        len((await log_of(application, await played(application, game, seats, number))).entries) for number in range(SEARCHED)
    ]
    return f"{game.id}, {seats} seats", max(lengths)


def long(url: str, decisions: int) -> tuple[Sample, Size]:
    """Play Coup for a number of decisions: two seats steal from each other until the match's limit is reached."""
    return asyncio.run(_long(url, decisions))


async def _long(url: str, decisions: int) -> tuple[Sample, Size]:
    async with await RedisStores.connect(url) as stores:
        application = Application(stores, Settings())
        options = {**COUP.options, "max_decisions": decisions}
        clock = Clock(turn_seconds=SECONDS, reaction_seconds=SECONDS)
        new = NewMatch(game=COUP.game, seats=2, options=options, clock=clock)
        match = (await application.matches.open(HOST, new, f"long-{decisions}")).match
        await application.matches.take_seat(GUEST, match, None, "", "sit")
        await application.matches.start(HOST, match, "start")
        await _play(application, match)
        log = await log_of(application, match)
        before = bytes_of(url, [match])
        events = len(log.entries)
        await application.finalizer.archive(match)
        size = Size(
            events=events,
            log_bytes=round(before / events, 1),
            archive_bytes=round(bytes_of(url, [match]) / events, 1),
        )
        return Sample(f"coup, 2 seats, {decisions:,} decisions", [log]), size


async def _play(application: Application, match: MatchId) -> None:
    count = 0
    while (ask := (loaded := await application.repository.load_cached(match)).match.pending()) is not None:
        player = loaded.match.chairs[ask.open[0]].player
        assert player is not None
        command = COUP.choose(loaded.match.game.legal(loaded.match.table, ask.open[0]))
        count += 1
        await application.matches.play(player, match, ask.decision, command, f"play-{count}")
