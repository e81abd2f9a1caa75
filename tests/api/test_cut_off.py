"""A store that is cut off at any of the calls of any operation, and a request that is: a problem that says to try again."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any, NoReturn, cast
from urllib.parse import urlencode

import msgspec
import pytest

from tafelrunde.api.app import running
from tafelrunde.api.http.kept import LONG_KEY
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.memory_store import memory_stores
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import Table, opened
from tests.support.wire import Answer, Exchange, request
from tests.support.wrapped import wrapped
from tools.example_run import Recorder, without_chance
from tools.generate_examples import _run

pytestmark = pytest.mark.anyio

UNAVAILABLE = (503, "application/problem+json", "urn:tafelrunde:problem:unavailable")
GONE = {("deleteMe", 401)}
"""What the repetition of a request says of which the token went before it was cut off."""


class Cut:
    """Where calls of a store are cut off: at the first one of a request that was not cut off in a request before it."""

    def __init__(self) -> None:
        self.before: set[tuple[str, int]] = set()
        self.counts: dict[str, int] = {}
        self.done = ""

    def begin(self) -> None:
        """Note that another try begins."""
        self.counts.clear()
        self.done = ""

    def note(self, call: str) -> None:
        """Note a call; raise StoreUnavailable if it is to be cut off."""
        self.counts[call] = number = self.counts.get(call, 0) + 1
        if not self.done and (call, number) not in self.before:
            self.before.add((call, number))
            self.done = call
            raise StoreUnavailable(call)


armed: ContextVar[Cut | None] = ContextVar("armed", default=None)
"""That of the request: what other tasks do meanwhile is not counted."""


class CutOff:
    """A store whose calls fail where a request says so."""

    def __init__(self, name: str, inner: object) -> None:
        self._name = name
        self._inner = inner

    def __getattr__(self, name: str) -> object:
        found = getattr(self._inner, name)
        if not inspect.iscoroutinefunction(found):
            return found
        method = cast("Callable[..., Awaitable[object]]", found)

        async def call(*arguments: object, **more: object) -> object:
            cut = armed.get()
            if cut is not None:
                cut.note(f"{self._name}.{name}")
            return await method(*arguments, **more)

        return call


class Cutting(Recorder):
    """Sends every request of the examples again and again, cut off at another call each time, until none is left."""

    cuts = 0

    async def ask(self, name: str, method: str, path: str, token: str | None = None, content: object = None, **more: Any) -> Any:
        """Send a request with one key, which counts without a token, too; return the answer of the try that was not cut off."""
        if name == "getReadiness":  # it remembers for a moment that something is missing
            return await super().ask(name, method, path, token, content, **more)
        key = f"{self.table.key():-<{LONG_KEY}}"
        return await self._send(name, method, path, token=token, content=content, key=key, **more)

    async def fill_in(self, name: str, path: str, refused: Mapping[str, str], **fields: str) -> Any:
        """Send a form, without a key; a code that was used before ends all that it has given, even if its answer was lost."""
        if name == "exchangeToken":
            return await super().fill_in(name, path, refused, **fields)
        kind = [("Content-Type", "application/x-www-form-urlencoded")]
        return await self._send(name, "POST", path, raw=urlencode(fields).encode(), headers=kind)

    def shorten(self, name: str, *fields: str, shown: int = 2) -> None:
        """Do nothing: most answers are not recorded here."""

    def keep_lines(self, name: str, lines: slice, part: str) -> None:
        """Do nothing: most answers are not recorded here."""

    async def _send(self, name: str, method: str, path: str, **request: Any) -> Any:
        self.table.now_ms += 1_000
        cut = Cut()
        while True:
            cut.begin()
            armed.set(cut)
            try:
                answer = await self.table.ask(method, f"/api/v1{path}", **request)
            finally:
                armed.set(None)
            if answer.status < 300:
                return answer.json if answer.header("content-type") == "application/json" else answer.body.decode()
            if (name, answer.status) in GONE and cut.before:
                return None
            assert cut.done, (name, answer)
            told = answer.status, answer.header("content-type"), answer.json["type"]
            assert told == UNAVAILABLE, (name, cut.done, answer)
            assert answer.header("retry-after"), name
            self.cuts += 1


async def test_every_operation_says_so_wherever_its_store_is_cut_off() -> None:
    """503 `unavailable` with Retry-After, whichever call it was, and the same request with the same key then succeeds."""
    stores = wrapped(msgspec.structs.replace(memory_stores(), id_key=bytes(32)), CutOff)
    table = Table(games=GAMES, stores=stores)
    with without_chance():
        async with running(table.app):
            run = Cutting(table)
            await _run(run)
    assert run.cuts > 200


@pytest.mark.parametrize("operation", ["createPlayer", "openMatch"])
async def test_request_that_is_cancelled_is_answered_as_unavailable(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stops cancels what takes too long: its client gets a problem with 503, and no line of text with 500."""
    hung = asyncio.Event()

    async def hang(*_: object) -> NoReturn:
        hung.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with opened() as table:
        _, token = await table.player()
        stores = table.application.stores
        monkeypatch.setattr(stores.players, "put_player", hang)
        monkeypatch.setattr(stores.events, "append", hang)
        path, content = ("/players", {}) if operation == "createPlayer" else ("/matches", {"game": "coup", "seats": 2})
        exchange = Exchange(table.app, *request("POST", f"/api/v1{path}", token=token, content=content, key="key"))
        async with asyncio.timeout(PATIENCE_SECONDS):
            await hung.wait()
        exchange.cancel()
        start = await exchange.begin()
        answer = Answer(start.status, start.headers, await exchange.hear())
        assert (answer.status, answer.header("content-type"), answer.json["type"]) == UNAVAILABLE
        assert answer.header("retry-after")
