"""Sends a service any request, in every role: `make fuzz MINUTES=30`, or `REQUESTS=300000`.

Schemathesis makes requests and judges the answers. Then changed copies of these requests are sent (`tools/mutations.py`),
which must only cause no server error. At the end it reports how many answers of each status each role got. An answer that
breaks the contract, or an error in the log of the service, ends the run.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, MutableMapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import structlog
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.roles import ROLES, World, world
from tests.support.served import service
from tools.commands import CommandLine
from tools.mutations import Request, mutated, scope_of, worth_asking

CONFIG = Path(__file__).with_name("schemathesis.toml")
SETTINGS = {
    "SCHEMATHESIS_HOOKS": str(CONFIG.with_name("schemathesis_hooks.py")),
    # Each run would otherwise find out for itself which characters there are, and throw its table away.
    "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis"),
}
ROUND_SECONDS = 100
"""Each round starts with a new world, and with reading the contract."""
PATIENCE = str(PATIENCE_SECONDS)
COPIES = 40
"""The number of changed copies sent for each request that schemathesis makes."""
MOST_COPIES = 20_000
"""In one round, so that all roles have their turn."""
AT_ONCE = 16
FOREVER = "deleteMe"
"""It would end the token that all requests need."""


def fuzz(url: str, role: str, found: World, seed: int, limits: Sequence[str]) -> str:
    """Send requests as a role, with the matches of a world; return the output. Exit with an error on an unexpected answer."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "schemathesis.toml"
        words = {"matches": found.matches, "cursors": found.cursors}
        known = "".join(f"[dictionaries.{name}]\nvalues = {json.dumps(values)}\n" for name, values in words.items())
        config.write_text(CONFIG.read_text() + known)
        token = found.tokens.get(role)
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", f"{url}/api/v1/openapi.json"),
            *("--wait-for-schema", PATIENCE, "--request-timeout", PATIENCE, "--suppress-health-check", "too_slow"),
            *("--generation-database", "none", "--max-response-time", PATIENCE),
            *("--checks", "all", "--seed", str(seed), *limits),
            *("--exclude-path-regex", "stream$", "--exclude-operation-id", FOREVER),
            *(("-H", f"Authorization: Bearer {token}") if token is not None else ()),
        ]
        done = subprocess.run(command, cwd=folder, env={**os.environ, **SETTINGS}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"as {role}, with seed {seed}:\n{done.stdout[-8_000:]}{done.stderr[-2_000:]}")
    return done.stdout


def cases(told: str) -> int:
    """Return how many requests were made and judged; all must have passed."""
    [(generated, passed)] = re.findall(r"(\d+) generated, (\d+) passed", told)
    assert generated == passed, told[-3_000:]
    return int(generated)


class Tally:
    """How many requests were answered with which status, by role, and what went wrong."""

    def __init__(self) -> None:
        self.statuses: dict[str, Counter[int]] = {role: Counter() for role in ROLES}
        self.errors: list[str] = []

    def note(self, _: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Keep an event of the log, as a processor of structlog."""
        self.errors.append(str(event))
        raise structlog.DropEvent

    @property
    def requests(self) -> int:
        """The total number of answers."""
        return sum(answers.total() for answers in self.statuses.values())

    def text(self) -> str:
        """Return a table of roles and statuses."""
        statuses = sorted(set().union(*self.statuses.values()))
        rows = [("role", "requests", *map(str, statuses))]
        rows += [(role, str(each.total()), *(str(each[status]) for status in statuses)) for role, each in self.statuses.items()]
        return "".join(" ".join(f"{cell:>9}" for cell in row) + "\n" for row in rows)


class Recorder:
    """Middleware between the wire and the service: records requests, and counts answers."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.statuses: Counter[int] = Counter()
        self.faults: list[str] = []

    def around(self, app: ASGIApp) -> ASGIApp:
        """Return the service behind this middleware."""

        async def host(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            first = await receive()
            path = (scope["raw_path"] or b"").decode("latin-1")
            query = scope["query_string"].decode("latin-1")
            request = Request(scope["method"], path, query, tuple(scope["headers"]), bytes(first.get("body") or b""))
            self.asked.append(request)
            given: list[Any] = [first]

            async def again() -> Any:
                return given.pop() if given else await receive()

            await app(scope, again, self._counting(request, send))

        return host

    def _counting(self, request: Request, send: Send) -> Send:
        async def count(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.statuses[status := message["status"]] += 1
                if status >= 500 and not (status == 501 and "oembed" in request.path):
                    self.faults.append(f"{status}: {request}")
            await send(message)

        return count

    async def mutate(self, app: ASGIApp, requests: int, rng: random.Random) -> None:
        """Send *app*, the service behind this, changed copies of the requests so far; record those that fail."""
        known = [request for request in self.asked if worth_asking(request)]
        self.asked.clear()
        for _ in range(requests // AT_ONCE):
            chosen = [each for each in (mutated(rng, known) for _ in range(AT_ONCE)) if worth_asking(each)]
            await asyncio.gather(*(self._ask(app, each) for each in chosen))

    async def _ask(self, app: ASGIApp, request: Request) -> None:
        given: list[Any] = [{"type": "http.request", "body": request.body, "more_body": False}]
        ended = asyncio.Event()

        async def receive() -> Any:
            if given:
                return given.pop()
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                ended.set()

        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await app(cast("Scope", scope_of(request)), receive, send)
        except Exception as error:  # whatever it is, it is an exception that the service did not handle
            self.faults.append(f"{error!r}: {request}")
        if not ended.is_set():
            self.faults.append(f"no answer: {request}")


def ask_in_turns(tally: Tally, seed: int, ended: Callable[[], bool], copies: int) -> None:
    """Run one role after the other, each in a new world and with a new seed, until the limit is reached."""
    for turn, role in enumerate(cycle(ROLES)):
        if ended():
            return
        recorder = Recorder()
        with service(around=recorder.around) as running:
            found = world(running)
            recorder.asked.clear()
            recorder.statuses.clear()
            made = cases(fuzz(running.url, role, found, seed + turn, ("--max-time", str(ROUND_SECONDS))))
            assert running.loop is not None
            assert running.app is not None
            changed = min(copies * made, MOST_COPIES)
            mutating = recorder.mutate(running.app, changed, random.Random(seed + turn))
            asyncio.run_coroutine_threadsafe(mutating, running.loop).result()
            tally.statuses[role].update(recorder.statuses)
        if tally.errors or recorder.faults:
            raise SystemExit("\n".join([f"as {role}, with seed {seed + turn}:", *tally.errors[:5], *recorder.faults[:5]]))
        sys.stdout.write(f"{role}, seed {seed + turn}: {made} requests, every answer as promised; {changed} changed ones\n")
        sys.stdout.flush()


def main(kind: str, amount: int) -> None:
    """Run for a number of minutes, or a number of requests; report how many there were, passed or not."""
    tally = Tally()
    structlog.configure(processors=[tally.note], wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    logging.disable(logging.WARNING)
    until = time.monotonic() + 60 * amount
    try:
        ask_in_turns(
            tally,
            random.SystemRandom().randrange(10**6),
            lambda: tally.requests >= amount if kind == "requests" else time.monotonic() > until,
            COPIES,
        )
    finally:
        sys.stdout.write(f"{tally.requests} requests, {len(tally.errors)} errors logged\n{tally.text()}")


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("kind", choices=("minutes", "requests"))
    command.add_argument("amount", type=int)
    given = command.parse_args()
    main(given.kind, given.amount)
