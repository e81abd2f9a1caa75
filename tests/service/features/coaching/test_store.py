"""What the coach finds is kept beside its match, by seat."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.coaching.feature import STORE
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ONE, TWO = MatchId("m" + "a" * 24), MatchId("m" + "b" * 24)


async def test_findings_are_kept_by_seat_until_others_replace_them(stores: Stores) -> None:
    """Bytes come back as they were, and no match has those of another."""
    assert await STORE.of(stores).read(ONE) == {}
    assert await STORE.of(stores).keep(ONE, Seat(0), b"first\x00\xff", None)
    assert await STORE.of(stores).keep(ONE, Seat(2), b"second", None)
    assert await STORE.of(stores).keep(ONE, Seat(0), b"more", b"first\x00\xff")
    assert await STORE.of(stores).read(ONE) == {Seat(0): b"more", Seat(2): b"second"}
    assert await STORE.of(stores).read(TWO) == {}


async def test_findings_do_not_go_back(stores: Stores) -> None:
    """Who has read what others have replaced meanwhile keeps nothing; of all who go on from the same at once, one does."""
    assert not await STORE.of(stores).keep(ONE, Seat(0), b"further", b"some")
    going_on = await asyncio.gather(*(STORE.of(stores).keep(ONE, Seat(0), b"%d" % each, None) for each in range(5)))
    assert sorted(going_on) == [False] * 4 + [True]
    assert await STORE.of(stores).read(ONE) == {Seat(0): b"%d" % going_on.index(True)}
    assert not await STORE.of(stores).keep(ONE, Seat(0), b"nothing", None)
    assert await STORE.of(stores).read(ONE) == {Seat(0): b"%d" % going_on.index(True)}
