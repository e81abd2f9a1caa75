"""The records with draws of version 1 that can be right: those of the archive (docs/records.md), named by their last chains.

By version 1 a server can choose a shuffle after it knows the nonces, so no other record may use it.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cache
from importlib.resources import files

NAME = "old_records.txt"
DIGITS = 32
"""How many hex digits of a chain are listed: 128 bits, which no one can hit."""


def is_old_record(chain: bytes) -> bool:
    """Return whether a record that ends with this chain is listed."""
    return chain.hex()[:DIGITS] in _listed()


@cache
def _listed() -> AbstractSet[str]:
    _, *chains = files(__name__.rpartition(".")[0]).joinpath(NAME).read_text(encoding="ascii").splitlines()
    return frozenset(chains)
