"""One run: matches of all games are played while the processes of `serve` are killed; then all is compared."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import Any

import httpx
import msgspec

from tafelrunde.client import AsyncClient
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.deployment import connect
from tafelrunde.service.errors import NotFound
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve
from tests.support.soak.audit import Audit, Fault
from tests.support.soak.kills import KINDS, Killer, deployment_of, megabytes
from tests.support.soak.ledger import Ledger
from tests.support.soak.players import ClientPlayer, PlainPlayer, Player, SocketPlayer

LOST = "lost"
STUCK_SECONDS = 4 * PATIENCE_SECONDS
"""No match goes on for that long after the last kill, on however busy a machine."""
ABSENT = {"turn_seconds": 1, "reaction_seconds": 1, "stand_in_after": 2, "away_seconds": 2}
PRESENT = {"turn_seconds": 5, "reaction_seconds": 5, "stand_in_after": 2, "away_seconds": 2}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to do: matches at once, kills or minutes, whichever ends first, the kinds of kills, and how long to wait between."""

    seed: int
    tables: int
    kills: int = 1_000_000
    kinds: Sequence[str] = KINDS
    minutes: float = 600.0
    pause_seconds: tuple[float, float] = (0.5, 4.5)
    stop_seconds: float = 20.0


class Report(msgspec.Struct, kw_only=True):
    """What was done and what came of it. *faults* are counted by kind; *examples* says where the first ones are."""

    seed: int
    durability: str
    seconds: float = 0.0
    serve: int = 0
    serve_is_the_same: bool = False
    kills: Mapping[str, int] = {}
    jobs_lost: int = 0
    matches: int = 0
    gone: int = 0
    games: Mapping[str, int] = {}
    ended: int = 0
    verified: int = 0
    acknowledged: int = 0
    replayed: int = 0
    over_sockets: int = 0
    heard: int = 0
    resets: int = 0
    faults: Mapping[str, int] = {}
    examples: Sequence[Fault] = ()
    unexpected: Mapping[str, int] = {}
    clocks: int = 0
    late_ms: Mapping[str, int] = {}
    megabytes: Mapping[str, Mapping[str, float]] = {}

    @property
    def killed(self) -> int:
        """All kills."""
        return sum(self.kills.values())


class Run:
    """A run on a service. *lose* kills a server that `serve` does not watch over."""

    def __init__(self, serve: Serve, plan: Plan, lose: Callable[[random.Random], str] | None = None) -> None:
        self._serve = serve
        self._plan = plan
        self._rng = random.Random(plan.seed)
        self._killer = Killer(
            serve,
            random.Random(plan.seed + 1),
            self._heard,
            pause_seconds=plan.pause_seconds,
            stop_seconds=plan.stop_seconds,
            kinds=plan.kinds,
            lose=lose,
        )
        self._numbers = itertools.count()
        self.over_sockets = 0
        self._ledgers: list[tuple[PlainPlayer, Ledger]] = []
        self._games: dict[str, str] = {}
        self._broken: list[Fault] = []
        self.unexpected: Counter[str] = Counter()

    def _heard(self) -> int:
        return sum(len(ledger.heard) for _, ledger in self._ledgers)

    def progress(self) -> str:
        """Return how far it is."""
        return f"{self._killer.kills.total()} kills, {len(self._games)} matches"

    async def run(self) -> Report:
        """Play and kill, then compare."""
        began = time.monotonic()
        before = megabytes(self._serve)
        supervisor = self._serve.process.pid
        async with httpx.AsyncClient(
            base_url=self._serve.url, timeout=PATIENCE_SECONDS, limits=httpx.Limits(max_connections=200)
        ) as http:
            killing = asyncio.create_task(self._killer.run(self._plan.kills, began + 60 * self._plan.minutes))
            tables = [asyncio.create_task(self._tables(http, killing)) for _ in range(self._plan.tables)]
            await killing
            for each in (await asyncio.wait(tables, timeout=STUCK_SECONDS))[1]:
                each.cancel()
            await asyncio.gather(*tables, return_exceptions=True)
            report = await self._report()
        report.seconds = round(time.monotonic() - began, 1)
        report.serve = supervisor
        report.serve_is_the_same = self._serve.process.poll() is None
        report.megabytes = {"start": before, "end": megabytes(self._serve)}
        return report

    async def _tables(self, http: httpx.AsyncClient, killing: asyncio.Task[None]) -> None:
        """Play one match after the other for as long as processes are killed."""
        while not killing.done():
            number = next(self._numbers)
            try:
                await self._table(http, number)
            except Exception as error:  # the others go on, and the report has it
                self._broken.append(("broken off", f"match {number}: {_causes(error)}"))

    async def _table(self, http: httpx.AsyncClient, number: int) -> None:
        """Play a match to its end: on the first seat its host, who may be absent, on the second a player or a bot."""
        rng = random.Random(f"{self._plan.seed} {number}")
        game = list(GAMES.values())[number % len(GAMES)]
        seats = rng.randint(game.min_seats, min(game.max_seats, 4))
        absent = number % 3 == 0
        guests = rng.choice((1, 2) if absent else (0, 1, 2, 2))
        async with AsyncExitStack() as stack:
            plain = [await PlainPlayer.guest(http, self.unexpected) for _ in range(max(guests, 1))]
            wish = {
                "game": game.id,
                "seats": seats,
                "clock": ABSENT if absent else PRESENT,
                "spectators": "public",
                "bots": [{"seat": seat, "bot": "random"} for seat in range(guests, seats)],
                **({"seat": None} if guests == 0 else {}),
            }
            match = await self._opened(plain, wish, game.id)
            sockets = [SocketPlayer(http, each.token, self.unexpected) for each in plain]
            players: list[Player] = [rng.choice(pair) for pair in zip(plain, sockets, strict=True)]
            if rng.random() < 0.5:  # the last of them plays by the client of the package
                client = await stack.enter_async_context(AsyncClient(self._serve.url, plain[-1].token))
                players[-1] = ClientPlayer(client, self.unexpected)
            async with asyncio.TaskGroup() as together:
                for place, (player, known) in enumerate(zip(players, plain, strict=True)):
                    self._ledgers.append((known, ledger := Ledger(match)))
                    together.create_task(player.follow(ledger))
                    if guests and not (absent and place == 0):
                        together.create_task(player.play(ledger, random.Random(f"{self._plan.seed} {number} {place}")))
            self.over_sockets += sum(each.receipts for each in sockets)

    async def _opened(self, players: Sequence[PlainPlayer], wish: Mapping[str, Any], game: str) -> str:
        host = players[0]
        match: str = (await host.post("/matches", "open", wish)).raise_for_status().json()["match"]
        self._games[match] = game
        for each in players[1:]:
            (await each.post(f"/matches/{match}/seats", "sit", {})).raise_for_status()
        (await host.post(f"/matches/{match}/start", "start", {})).raise_for_status()
        return match

    async def _report(self) -> Report:
        faults = list(self._broken)
        verified = 0
        matches = [MatchId(match) for match in self._games]
        async with await connect(deployment_of(self._serve)) as stores:
            audit = Audit(stores)
            found = {match: await or_unreadable(audit.faults_of(match), match) for match in matches}
            faults += [fault for each in found.values() for fault in each]
            there = [match for match, each in found.items() if LOST not in dict(each)]
            faults += await audit.faults_of_the_log(there)
            faults += await audit.faults_of_the_lists(there)
        for player, ledger in self._ledgers:
            faults += await or_unreadable(_compared(player, ledger), ledger.match)
        witness = self._ledgers[0][0]
        for match in there:
            verdict = (await witness.get(f"/matches/{match}/verification")).json()
            verified += verdict.get("right") is True
            if verdict.get("right") is not True:
                faults.append(("not verified", f"{match} {verdict}"))
        ledgers = [ledger for _, ledger in self._ledgers]
        return Report(
            seed=self._plan.seed,
            durability=str(self._serve.settings.get("durability", "")),
            kills=dict(sorted(self._killer.kills.items())),
            jobs_lost=self._killer.lost_jobs,
            matches=len(matches),
            gone=len(matches) - len(there),
            games=dict(Counter(self._games.values())),
            ended=audit.over,
            verified=verified,
            acknowledged=sum(len(each.receipts) for each in ledgers),
            over_sockets=self.over_sockets,
            replayed=sum(each.replays for each in ledgers),
            heard=sum(len(each.heard) for each in ledgers),
            resets=sum(each.resets for each in ledgers),
            faults=dict(Counter(kind for kind, _ in faults)),
            examples=faults[:20],
            unexpected=dict(self.unexpected),
            clocks=len(audit.late_ms),
            late_ms=_spread(audit.late_ms),
        )


async def _compared(player: PlainPlayer, ledger: Ledger) -> Sequence[Fault]:
    return list(ledger.faults(await player.feed(ledger.match)))


async def or_unreadable(faults: Awaitable[Sequence[Fault]], match: str) -> Sequence[Fault]:
    """Return faults; one if what they are looked for in is lost, or cannot be read."""
    try:
        return await faults
    except Exception as error:  # the report is to say it, and the rest
        if _is_gone(error):
            return [(LOST, f"{match}: all of it")]
        return [("unreadable", f"{match}: {_causes(error)}")]


def _is_gone(error: Exception) -> bool:
    """Return whether a match, or the player who asks for it, is no longer there."""
    answer = error.response.status_code if isinstance(error, httpx.HTTPStatusError) else None
    return isinstance(error, NotFound) or answer in {HTTPStatus.NOT_FOUND, HTTPStatus.UNAUTHORIZED}


def _causes(error: BaseException) -> str:
    """Return what is behind an error of a group."""
    return "; ".join(map(_causes, error.exceptions)) if isinstance(error, BaseExceptionGroup) else repr(error)


def _spread(values: Sequence[int]) -> Mapping[str, int]:
    ordered = sorted(values)
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in shares.items()} if ordered else {}
