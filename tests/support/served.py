"""A service on a port of this machine, for tests whose clients need a real connection."""

from __future__ import annotations

import asyncio
import random
import socket
import threading
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import TypeVar, cast

import uvicorn
import uvloop
from litestar import Litestar
from litestar.types import ASGIApp, Receive, Scope, Send

from tafelrunde.api.app import create_app
from tafelrunde.api.server.process import configure
from tafelrunde.domain.match import MatchId, Status
from tafelrunde.domain.match.refusals import DecisionNotOpen
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.outgoing.address_guard import Guard
from tafelrunde.service.outgoing.http_sender import Post
from tafelrunde.service.players.accounts import SCOPES
from tafelrunde.service.players.quotas import Quotas
from tafelrunde.service.settings import LimitSettings, Settings
from tafelrunde.workers.listener import listen
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import ON

Done = TypeVar("Done")
BOTS_SECONDS = 0.02
"""How long to wait where only bots are asked."""


def mounted(app: Litestar, root: str, asked: list[str]) -> ASGIApp:
    """Return a host that has nothing but this app, under a path, and notes what it is asked, as "GET /path"."""

    async def host(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            asked.append(f"{scope['method']} {scope['path']}")
        if cast("str", scope["type"]) == "lifespan":
            await app(scope, receive, send)
        elif f"{scope['path']}/".startswith(f"{root}/"):
            await app(cast("Scope", {**scope, "root_path": root}), receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return cast("ASGIApp", host)


async def nowhere(host: str, port: int) -> Sequence[str]:
    """Find no address for any name: no test looks for one outside."""
    raise OSError(host)


class Service(threading.Thread):
    """A service in a thread of its own, with its bots, its clocks and its lists, as clients meet it; `asked` are all requests.

    *around* may put something between the wire and the service, `app` is the whole. *budget_ms*: the clock by which budgets of
    requests refill; without it nothing is limited. *door*: the socket of services that have the same address one after another.
    """

    def __init__(
        self,
        root: str,
        bot_pause_ms: int,
        around: Callable[[ASGIApp], ASGIApp] | None = None,
        budget_ms: Callable[[], int] | None = None,
        door: socket.socket | None = None,
    ) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.around = around or (lambda app: app)
        self.app: ASGIApp | None = None
        self.bot_pause_ms = bot_pause_ms
        self.budget_ms = budget_ms
        self.door = door
        self.asked: list[str] = []
        self.ready = threading.Event()
        self.url = ""
        self.token = ""
        self.master = ""
        self.server: uvicorn.Server | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.application: Application | None = None

    def run(self) -> None:
        """Serve until the stop signal."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._serve())

    async def make(self, stack: AsyncExitStack) -> Application:
        """Make the application, which clients reach at `url`; what it needs is entered on the stack, and lasts as long."""
        limited = self.budget_ms is not None
        settings = Settings(
            bot_pause_ms=self.bot_pause_ms, limits=LimitSettings(rate_limits=limited), drain_seconds=1, features=ON
        )
        stores = memory_stores()
        application = Application(stores, settings, post=Post(Guard(), nowhere))
        if self.budget_ms is not None:
            application.budgets.quotas = Quotas(stores.budgets, self.budget_ms)
        return application

    def served(self, config: uvicorn.Config) -> uvicorn.Config:
        """Return how the app is served."""
        return config

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            listener = stack.enter_context(listen(Settings(port=0)) if self.door is None else self.door.dup())
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}{self.root}"
            self.application = application = await self.make(stack)
            tester, _, self.token = await application.accounts.register("Tester")
            _, self.master = await application.accounts.issue(tester.id, "everything", SCOPES, None)
            self.loop = asyncio.get_running_loop()
            tending = asyncio.create_task(application.tend())
            self.app = self.around(mounted(create_app(application=application), self.root, self.asked))
            self.server = uvicorn.Server(self.served(configure(self.app, application.settings)))
            self.ready.set()
            await self.server.serve([listener])
            tending.cancel()
            await asyncio.wait({tending})

    @property
    def known(self) -> Application:
        """The application, once it is there."""
        assert self.application is not None
        return self.application

    def finish(self, match: str, rng: random.Random) -> None:
        """Let all players give any legal answers until a match is over, without a request for each."""
        self.do(_finish(self.known, MatchId(match), rng))

    def do(self, work: Coroutine[None, None, Done]) -> Done:
        """Do something inside of the service, and return its result."""
        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, PATIENCE_SECONDS), self.loop).result()


async def _finish(application: Application, match: MatchId, rng: random.Random) -> None:
    while (state := (await application.repository.load_latest(match)).match).status is Status.RUNNING:
        ask, decision = state.pending(), state.open_decision()
        assert ask is not None
        assert decision is not None
        players = {seat: player for seat in ask.open if (player := state.chairs[seat].player) is not None}
        if players:
            seat = rng.choice([*players])
            command = rng.choice(state.game.legal(state.table, seat))
            with suppress(DecisionNotOpen):  # bots at the same table answer meanwhile
                await application.matches.play(players[seat], match, decision, command, f"{decision}|{seat}|{rng.random()}")
        await asyncio.sleep(0 if players else BOTS_SECONDS)


Served = TypeVar("Served", bound=Service)


@contextmanager
def service(
    root: str = "",
    bot_pause_ms: int = 0,
    around: Callable[[ASGIApp], ASGIApp] | None = None,
    budget_ms: Callable[[], int] | None = None,
    door: socket.socket | None = None,
) -> Generator[Service]:
    """Run a service for the duration of the block, under a path if there is one."""
    with serving(Service(root, bot_pause_ms, around, budget_ms, door)) as running:
        yield running


@contextmanager
def serving(running: Served) -> Generator[Served]:
    """Run a service that has been made for the duration of the block."""
    running.start()
    assert running.ready.wait(PATIENCE_SECONDS)
    try:
        yield running
    finally:
        assert running.server is not None
        running.server.should_exit = True
        running.join(10)
