"""How cost grows with the length of a match: everything a request does, without HTTP, on a real server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import uvloop

from tafelrunde.domain.coup.messages import ClaimSteal, LetPass
from tafelrunde.domain.game import Command, GameId
from tafelrunde.domain.match import Clock, MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings

REPEAT = 9
PAGE = 50
SECONDS = 600_000
ANNA, BERT = PlayerId("anna"), PlayerId("bert")


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """Durations (median, ms) in a match with that many decisions and log entries."""

    decisions: int
    entries: int
    load_cold_ms: float
    command_warm_ms: float
    view_ms: float
    feed_page_ms: float
    feed_cold_ms: float


def run(url: str, lengths: Sequence[int]) -> list[Cost]:
    """Return the costs at these numbers of decisions."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(url, lengths))


async def _measure(url: str, lengths: Sequence[int]) -> list[Cost]:
    async with await RedisStores.connect(url) as stores:
        table = _Table(stores)
        await table.open()
        return [await table.cost_at(length) for length in lengths]


class _Table:
    """One long match of Coup with two players, who steal from each other and let it pass: no seat ever loses an influence."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._application = Application(stores, Settings())
        self._match = MatchId("")
        self._played = 0

    async def open(self) -> None:
        """Begin."""
        clock = Clock(turn_seconds=SECONDS, reaction_seconds=SECONDS)
        new = NewMatch(game=GameId("coup"), seats=2, options={"first_seat": 0, "max_decisions": 10_000}, clock=clock)
        self._match = (await self._application.matches.open(ANNA, new, f"{time.time_ns()}")).match
        await self._application.matches.take_seat(BERT, self._match, None, "", "sit")
        await self._application.matches.start(ANNA, self._match, "start")

    async def step(self) -> None:
        """Let the asked player answer."""
        loaded = await self._application.repository.load_cached(self._match)
        ask = loaded.match.pending()
        assert ask is not None, "the course has ended too early"
        seat = ask.open[0]
        command = _steal_or_pass(loaded.match.game.legal(loaded.match.table, seat))
        player = loaded.match.chairs[seat].player
        assert player is not None
        self._played += 1
        await self._application.matches.play(player, self._match, ask.decision, command, f"play-{self._played}")

    async def cost_at(self, decisions: int) -> Cost:
        """Play on to that number of decisions and measure there."""
        while self._played < decisions - REPEAT:
            await self.step()
        command_ms = await _median(self.step)
        anna = await self._application.queries.viewer(ANNA, self._match)
        return Cost(
            decisions=self._played,
            entries=(await self._application.repository.load_cached(self._match)).version,
            load_cold_ms=await _median(self._load_cold),
            command_warm_ms=command_ms,
            view_ms=await _median(lambda: self._application.queries.view(anna, self._match)),
            feed_page_ms=await _median(lambda: self._application.queries.feed(anna, self._match, None, PAGE)),
            feed_cold_ms=await _median(self._feed_cold),
        )

    async def _load_cold(self) -> None:
        await Application(self._stores, Settings()).repository.load_latest(self._match)

    async def _feed_cold(self) -> None:
        application = Application(self._stores, Settings())
        await application.queries.feed(await application.queries.viewer(ANNA, self._match), self._match, None, PAGE)


def _steal_or_pass(legal: Sequence[Command]) -> Command:
    return next(command for wanted in (ClaimSteal, LetPass) for command in legal if isinstance(command, wanted))


async def _median(action: Callable[[], Awaitable[object]]) -> float:
    times: list[float] = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        await action()
        times.append(time.perf_counter() - began)
    return round(1000 * sorted(times)[REPEAT // 2], 3)
