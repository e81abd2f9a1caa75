"""What the coach finds is kept beside its match, by seat."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ONE, TWO = MatchId("m" + "a" * 24), MatchId("m" + "b" * 24)


async def test_findings_are_kept_by_seat_until_others_replace_them(stores: Stores) -> None:
    """Bytes come back as they were, and no match has those of another."""
    assert await stores.coaching.kept(ONE) == {}
    await stores.coaching.keep(ONE, Seat(0), b"first\x00\xff")
    await stores.coaching.keep(ONE, Seat(2), b"second")
    await stores.coaching.keep(ONE, Seat(0), b"more")
    assert await stores.coaching.kept(ONE) == {Seat(0): b"more", Seat(2): b"second"}
    assert await stores.coaching.kept(TWO) == {}
