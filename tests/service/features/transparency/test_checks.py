"""What is hashed for a leaf: bytes that stay, since the logs that were signed are made of them."""

from __future__ import annotations

import msgspec

from tafelrunde.domain.match.events import MatchOpened
from tafelrunde.domain.match.terms import MatchId
from tafelrunde.service.features.transparency.checks import content, hash_leaf, opening_of

OPENED = {
    "type": "match.opened.1",
    "game": "coup",
    "rules_version": 2,
    "seats": 2,
    "options": {},
    "host": "p" + "1" * 24,
    "clock": {"turn_seconds": 60},
    "spectators": "off",
    "visibility": "listed",
    "commitment": "ab" * 32,
    "secret": "cd" * 32,
    "parent": None,
    "at_ms": 1_700_000_000_000,
    "rated": True,
    "edition": 3,
}
CONTENT = b"""\
tafelrunde.opening.1
7e923c10038946e1534bf1c557041dae6663b3a117c59cdc4caaeb445d330b5e
1700000000000
abababababababababababababababababababababababababababababababab
"""
HASH = "f8115e7ec8fcd88d9c782a7c2f97d1ac9dc1fe852fe4e99748dac40ff3dda8c6"


def test_leaf_of_an_opening_has_the_bytes_that_were_signed() -> None:
    """Kind, reference of the match, time and commitment, and no other field of the opening, whatever its name."""
    leaf = opening_of(MatchId("m" + "0" * 24), msgspec.convert(OPENED, MatchOpened))
    assert content(leaf) == CONTENT
    assert hash_leaf(leaf).hex() == HASH
