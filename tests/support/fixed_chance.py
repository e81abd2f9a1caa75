"""Chance that is the same in every run, for tests whose outcome depends on what is dealt."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Generator
from contextlib import contextmanager
from unittest.mock import patch

from tafelrunde.service.features.daily import deals
from tafelrunde.service.features.puzzles import choice
from tafelrunde.service.matches import branching, setup


@contextmanager
def fixed_chance(seed: str) -> Generator[None]:
    """Let the secrets, ids and bots that this process makes in the block follow from *seed*.

    Matches draw apart, and so do draws of each length: what is made beside a match, as ids of requests, moves none of its cards,
    nor do the secrets that a service makes by its clock.
    """
    draws: dict[str, random.Random] = {}

    def drawn(name: str, size: int) -> bytes:
        return draws.setdefault(name, random.Random(f"{seed}|{name}")).randbytes(size)

    def token_bytes(size: int = 32) -> bytes:
        return drawn(str(size), size)

    def token_hex(size: int = 32) -> str:
        return token_bytes(size).hex()

    def secrets_of(name: str) -> Callable[[], str]:
        return lambda: drawn(name, 32).hex()

    def randbits(size: int) -> int:
        return random.Random(drawn("bits", 32)).getrandbits(size)

    with (
        patch.multiple(secrets, token_bytes=token_bytes, token_hex=token_hex, randbits=randbits),
        patch.object(setup, "new_secret", secrets_of("match")),
        patch.object(branching, "new_secret", secrets_of("branch")),
        patch.object(deals, "new_secret", secrets_of("day")),
        patch.object(choice, "new_secret", secrets_of("puzzle")),
    ):
        yield
