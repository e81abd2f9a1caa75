"""How the example run is made: chance, ids and time fixed, and every request recorded with its answer."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

from tests.support.table import Table
from tests.support.wire import Answer

ID_BYTES = 13
"""What is longer is a secret, and says that it is an example."""
DRAWING = (
    "tafelrunde.service.players.accounts.fresh_bytes",
    "tafelrunde.service.features.webhooks.player_webhooks.fresh_bytes",
    "tafelrunde.service.features.talk.speaking.fresh_bytes",
    "tafelrunde.service.features.people.devices.fresh_bytes",
    "tafelrunde.service.features.passkeys.service.fresh_bytes",
    "tafelrunde.service.features.notices.service.fresh_bytes",
    "tafelrunde.service.features.openid.service.fresh_bytes",
    "tafelrunde.service.features.oauth.service.fresh_bytes",
    "tafelrunde.service.features.quick.service.fresh_bytes",
)
"""What draws ids and secrets."""


@contextmanager
def _all_drawn(drawn: Callable[[int], bytes]) -> Generator[None]:
    """Let all ids and secrets be drawn by a function."""
    with ExitStack() as patched:
        for name in DRAWING:
            patched.enter_context(patch(name, drawn))
        yield


@contextmanager
def without_chance() -> Generator[None]:
    """Make ids, tokens and secrets from a counter."""
    numbers = itertools.count(1)

    def digits(_: int = 0) -> str:
        return hashlib.sha256(str(next(numbers)).encode()).hexdigest()

    def drawn(size: int) -> bytes:
        mark = b"example " if size > ID_BYTES else b""
        return (mark + bytes.fromhex(digits()))[:size]

    def plain(size: int) -> bytes:
        return bytes.fromhex(digits())[:size]

    with (
        _all_drawn(drawn),
        patch("tafelrunde.service.features.tournaments.service.fresh_bytes", plain),
        patch(
            "tafelrunde.service.features.inbox.memory.secrets",
            SimpleNamespace(token_hex=lambda size: digits()[: 2 * size]),
        ),
        patch("tafelrunde.service.matches.setup.new_secret", digits),
        patch("tafelrunde.service.features.quick.service.new_secret", digits),
        patch(
            "tafelrunde.service.features.records.record.rules_digest", lambda _: "0" * 64
        ),  # or any change of code would change it
        patch("tafelrunde.service.matches.bot_answers.bot_code", lambda _: "0" * 32),
        patch("tafelrunde.service.matches.command_handler.bot_code", lambda _: "0" * 32),
        patch("tafelrunde.service.features.daily.deals.bot_code", lambda _: "0" * 32),
        patch("tafelrunde.service.matches.branching.new_secret", digits),
        patch("tafelrunde.service.features.lessons.service.bot_code", lambda _: "0" * 32),
        patch("tafelrunde.service.features.daily.deals.new_secret", digits),
        patch("tafelrunde.api.http.answering.secrets", SimpleNamespace(token_hex=lambda size: "00" * size)),
    ):
        yield


class Recorder:
    """Sends requests, and records them with their answers, by operation."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.found: dict[str, Any] = {}

    async def ask(self, name: str, method: str, path: str, token: str | None = None, content: object = None, **more: Any) -> Any:
        """Send a request, and return the answer."""
        self.table.now_ms += 1_000
        answer = await self.table.ask(method, f"/api/v1{path}", token=token, content=content, key=self.table.key(), **more)
        assert answer.status in {200, 201, 204}, (name, answer)
        told: dict[str, Any] = {"request": content} if content is not None else {}
        if answer.body:
            told |= answer_of(answer)
        self.found[name] = told
        return told.get("response")

    async def fill_in(self, name: str, path: str, refused: Mapping[str, str], **fields: str) -> Any:
        """Send a form that is refused, and one that is not; return the answer to that."""
        kind = [("Content-Type", "application/x-www-form-urlencoded")]
        wrong = await self.table.ask("POST", f"/api/v1{path}", raw=urlencode(refused).encode(), headers=kind)
        answer = await self.table.ask("POST", f"/api/v1{path}", raw=urlencode(fields).encode(), headers=kind)
        assert (wrong.status, answer.status) == (400, 200), (name, wrong, answer)
        self.found[name] = {"request": fields, "refused": wrong.json, "response": answer.json}
        return answer.json

    def shorten(self, name: str, *fields: str, shown: int = 2) -> None:
        """Keep the first entries of long lists in an answer: enough to see what they are."""
        for field in fields:
            del self.found[name]["response"][field][shown:]

    def keep_lines(self, name: str, lines: slice, part: str) -> None:
        """Keep some lines of a text; *part* says which."""
        shown = self.found[name]["text"].splitlines(keepends=True)[lines]
        self.found[name] |= {"text": "".join(shown), "part": part}

    async def listen(self, name: str, path: str, token: str) -> None:
        """Record the beginning of a stream: its last item, and what was received before it."""
        async with self.table.listen(f"/api/v1{path}", token=token) as stream:
            assert (await stream.begin()).status == 200
            self.found[name] = {"text": (await stream.hear(b"event: item")).decode()}


def answer_of(answer: Answer) -> dict[str, Any]:
    """Return an answer as an example: parsed JSON, or the text itself."""
    is_json = answer.header("content-type") == "application/json"
    return {"response": answer.json} if is_json else {"text": answer.body.decode()}
