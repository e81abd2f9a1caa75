"""The size of a finished match on the server, before and after it is archived, and how long archiving takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

import msgspec
import uvloop
from redis import Redis

from bench.scale import size
from tafelrunde.domain.game import AnyGame, InvalidOptions, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.redis_store import RedisStores, keys
from tafelrunde.service.settings import LimitSettings, Settings

MATCHES = size(10, 1)
HOST = PlayerId("p" + "0" * 26)
RANDOM = BotName("random")


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of a game played by bots: events in one, bytes per event as a log and as an archive, ms to archive one."""

    game: str
    seats: int
    events: float
    log_bytes: float
    archive_bytes: float
    archive_ms: float


def run(url: str) -> list[Kept]:
    """Return the figures of every game, with its fewest and most seats."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return [runner.run(_measure(url, game, seats)) for game, seats in tables()]


def tables() -> Iterator[tuple[AnyGame, int]]:
    """Yield every game with its fewest and most seats; in tiny sizes with its fewest."""
    for game in GAMES.values():
        offered = [seats for seats in range(game.min_seats, game.max_seats + 1) if _offered(game, seats)]
        for seats in size(sorted({offered[0], offered[-1]}), offered[:1]):
            yield game, seats


def _offered(game: AnyGame, seats: int) -> bool:
    """Return whether a game can be played with that number of seats without further options."""
    try:
        game.check(game.options_type(), seats)
    except InvalidOptions:
        return False
    return True


async def _measure(url: str, game: AnyGame, seats: int) -> Kept:
    async with await RedisStores.connect(url) as stores:
        application = Application(stores, Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False)))
        matches = [await played(application, game, seats, number) for number in range(MATCHES)]
        before = bytes_of(url, matches)
        began = time.perf_counter()
        events = sum([(await application.finalizer.archive(match)).events for match in matches])
        seconds = time.perf_counter() - began
        return Kept(
            game=game.id,
            seats=seats,
            events=events / MATCHES,
            log_bytes=round(before / events, 1),
            archive_bytes=round(bytes_of(url, matches) / events, 1),
            archive_ms=round(1000 * seconds / MATCHES, 2),
        )


async def played(application: Application, game: AnyGame, seats: int, number: int) -> MatchId:
    """Let bots play a match at random."""
    bots = {Seat(seat): RANDOM for seat in range(seats)}
    new = NewMatch(game=game.id, seats=seats, seat=None, bots=bots, start=True)
    match = (await application.matches.open(HOST, new, f"{game.id}-{seats}-{number}")).match
    await application.process_manager.play_bots(match)
    return match


def bytes_of(url: str, matches: Sequence[MatchId]) -> int:
    """Return the memory that matches take on the server, in bytes."""
    names = [name(match) for match in matches for name in (keys.entries, keys.head, keys.written, keys.archive)]
    with Redis.from_url(url, protocol=2) as client:  # pyright: ignore[reportUnknownMemberType] - untyped keywords
        return sum(msgspec.convert(client.memory_usage(name, samples=0), int | None) or 0 for name in names)  # pyright: ignore[reportUnknownMemberType] - untyped in the library
