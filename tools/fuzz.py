"""Asks a service anything, in every role: `make fuzz MINUTES=30`, or `REQUESTS=300000`. Schemathesis makes and judges it all.

In the end it says how many answers of each status each role had. An answer that is not as promised, and an error in the log of
the service, end it.
"""

from __future__ import annotations

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
from typing import Any

import structlog

from tests.support.patience import PATIENCE_SECONDS
from tests.support.roles import ROLES, World, world
from tests.support.served import service

CONFIG = Path(__file__).with_name("schemathesis.toml")
HOOKS = {"SCHEMATHESIS_HOOKS": str(CONFIG.with_name("schemathesis_hooks.py"))}
ROUND_SECONDS = 240
"""Each round begins with a new world, and with the reading of the contract."""
PATIENCE = str(PATIENCE_SECONDS)
FOREVER = "deleteMe"
"""It would end the token that all requests need."""


def fuzz(url: str, role: str, found: World, seed: int, limits: Sequence[str]) -> str:
    """Ask as a role, with the matches of a world; return the output. End with an error if an answer is not as promised."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "schemathesis.toml"
        words = {"matches": found.matches, "cursors": found.cursors}
        known = "".join(f"[dictionaries.{name}]\nvalues = {json.dumps(values)}\n" for name, values in words.items())
        config.write_text(CONFIG.read_text() + known)
        token = found.tokens.get(role)
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", f"{url}/api/v1/openapi.json"),
            *("--wait-for-schema", PATIENCE, "--request-timeout", PATIENCE, "--suppress-health-check", "too_slow"),
            *("--generation-database", "none"),
            *("--checks", "all", "--seed", str(seed), *limits),
            *("--exclude-path-regex", "stream$", "--exclude-operation-id", FOREVER),
            *(("-H", f"Authorization: Bearer {token}") if token is not None else ()),
        ]
        done = subprocess.run(command, cwd=folder, env={**os.environ, **HOOKS}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"as {role}, with seed {seed}:\n{done.stdout[-8_000:]}{done.stderr[-2_000:]}")
    return done.stdout


def cases(told: str) -> int:
    """Return how many requests were made and judged; all must have passed."""
    [(generated, passed)] = re.findall(r"(\d+) generated, (\d+) passed", told)
    assert generated == passed, told[-3_000:]
    return int(generated)


class Tally:
    """How many requests were answered with which status, by role; errors that the service has logged end it."""

    def __init__(self) -> None:
        self.statuses: dict[str, Counter[int]] = {role: Counter() for role in ROLES}
        self.errors: list[str] = []

    def note(self, _: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Keep an event of the log, as a processor of structlog."""
        self.errors.append(str(event))
        raise structlog.DropEvent

    @property
    def requests(self) -> int:
        """All that were answered."""
        return sum(answers.total() for answers in self.statuses.values())

    def text(self) -> str:
        """Return a table of roles and statuses."""
        statuses = sorted(set().union(*self.statuses.values()))
        rows = [("role", "requests", *map(str, statuses))]
        rows += [(role, str(each.total()), *(str(each[status]) for status in statuses)) for role, each in self.statuses.items()]
        return "".join(" ".join(f"{cell:>9}" for cell in row) + "\n" for row in rows)


def ask_in_turns(tally: Tally, seed: int, ended: Callable[[], bool]) -> None:
    """Ask as one role after the other, each time in a new world and with a new seed, until it is enough."""
    for turn, role in enumerate(cycle(ROLES)):
        if ended():
            return
        with service() as running:
            found = world(running)
            running.statuses.clear()
            told = fuzz(running.url, role, found, seed + turn, ("--max-time", str(ROUND_SECONDS)))
            tally.statuses[role].update(running.statuses)
        if tally.errors:
            raise SystemExit(f"as {role}, with seed {seed + turn}: {tally.errors[:5]}")
        sys.stdout.write(f"{role}, seed {seed + turn}: {cases(told)} requests, every answer as promised\n")
        sys.stdout.flush()


def main(kind: str, amount: int) -> None:
    """Ask for a number of minutes, or a number of requests; say how many there were, whether all went well or not."""
    tally = Tally()
    structlog.configure(processors=[tally.note], wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    logging.disable(logging.WARNING)
    until = time.monotonic() + 60 * amount
    try:
        ask_in_turns(
            tally,
            random.SystemRandom().randrange(10**6),
            lambda: tally.requests >= amount if kind == "requests" else time.monotonic() > until,
        )
    finally:
        sys.stdout.write(f"{tally.requests} requests, {len(tally.errors)} errors logged\n{tally.text()}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
