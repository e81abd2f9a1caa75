"""Hidden information on the wire: what a viewer cannot know does not change a byte of what it gets, nor when it gets it.

Every operation of the contract is requested, as every seat, without a token, and as a player without a seat: bodies,
headers, refusals, dry runs, lists, proofs, deliveries; streams, polls and sockets are held open meanwhile, and half of all
commands go over a socket.
"""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support import clockwork
from tests.support.facts import Watched, facts_of
from tests.whole.hidden.asking import ABOUT, ACTS, WAYS, Way, gaps
from tests.whole.hidden.playing import played

KINDS = ("seat", "spectator", "stranger")
LEAST = 10


@pytest.mark.parametrize(
    ("game", "table"),
    [pytest.param(game, table, id=f"{game}-{table.name}") for game in GAMES for table in facts_of(game).watched],
)
def test_wire_tells_nothing_that_its_viewer_cannot_know(game: GameId, table: Watched) -> None:
    """Hands, decks and secret answers may differ: every byte stays the same for all who cannot know of it."""
    asked = clockwork.run(played(game, table.seats, table.seed, table.options)).asked
    assert min(asked["getView", kind] for kind in KINDS) >= LEAST, asked
    assert min(asked["receipt", "seat"], asked["receipt of a socket", "seat"]) > 0, asked
    acts = {(operation, "seat") for operation in ACTS}
    assert {(way.operation, kind) for way in ABOUT for kind in KINDS} - acts <= asked.keys()


def test_contract_has_nothing_that_is_not_asked() -> None:
    """A new operation or parameter needs an entry here on how to request it, unless that follows from the contract."""
    assert gaps(WAYS) == []


def test_operation_is_missed_when_nothing_says_how_to_ask_it() -> None:
    """A new parameter and a new command are each noticed."""
    new = (
        Way("getHand", "GET", "/matches/{match}/hands/{hand}", ("match", "hand"), ("sorted",), ()),
        Way("bluff", "POST", "/matches/{match}/bluff", ("match",), (), ("Idempotency-Key",)),
    )
    assert gaps(new) == [
        "getHand: no value for hand",
        "getHand: no value for sorted",
        "bluff: no value for the body, one that is refused",
    ]
