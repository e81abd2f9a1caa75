"""What runs in a wheel of rules, and how such a wheel is named: the part that all releases agree on.

A wheel of rules has the games and what verifying needs, as they were in one release (`make rules-wheel`). Its name has the digest
of its modules. `main` is what runs in it: a record comes in, an opinion goes out, and nothing else is agreed between releases.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence

import msgspec

from ...domain.registry import GAMES
from .verdict import Bots, Finding
from .verify import verify

DIGITS = 16
"""How many digits of its digest are in the name of a wheel."""


class Opinion(msgspec.Struct, frozen=True, kw_only=True):
    """What a verifier of another release says: whether it knew the rules, the first error, and which answers of bots it computed.

    The oldest wheels say nothing of bots.
    """

    decided: bool
    finding: Finding | None
    bots: Bots | None = None


def digest_of(modules: Sequence[tuple[str, bytes]]) -> str:
    """Return the sha256, in hex, over modules by name."""
    return hashlib.sha256(msgspec.msgpack.encode(sorted(modules))).hexdigest()


def name_of(release: str, digest: str) -> str:
    """Return the name of the file of a wheel of rules."""
    return f"tafelrunde_rules-{release}+{digest[:DIGITS]}-py3-none-any.whl"


def main(every_bot: int) -> None:
    """Read a record from the standard input, and write what is found as JSON. Stays as it is: every later release calls it."""
    verdict = verify(sys.stdin.buffer.readlines(), GAMES, every_bot=every_bot)
    sys.stdout.buffer.write(msgspec.json.encode(Opinion(decided=verdict.decided, finding=verdict.finding, bots=verdict.bots)))
