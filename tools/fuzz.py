"""Asks a service anything, in every role, for a while: `make fuzz MINUTES=30`. Schemathesis makes and judges the requests."""

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
from collections.abc import Sequence
from pathlib import Path

import structlog

from tests.support.patience import PATIENCE_SECONDS
from tests.support.roles import ROLES, World, world
from tests.support.served import service

CONFIG = Path(__file__).with_name("schemathesis.toml")
HOOKS = {"SCHEMATHESIS_HOOKS": str(CONFIG.with_name("schemathesis_hooks.py"))}
ROUND_SECONDS = 60
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


def main(minutes: int) -> None:
    """Ask as one role after the other, each time in a new world and with a new seed, until the time is over."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    logging.disable(logging.WARNING)
    first, until, turn = random.SystemRandom().randrange(10**6), time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until:
        role, seed = ROLES[turn % len(ROLES)], first + turn
        with service() as running:
            told = fuzz(running.url, role, world(running), seed, ("--max-time", str(ROUND_SECONDS)))
        sys.stdout.write(f"{role}, seed {seed}: {cases(told)} requests, every answer as promised\n")
        sys.stdout.flush()
        turn += 1


if __name__ == "__main__":
    main(int(sys.argv[1]))
