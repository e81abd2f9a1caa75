"""The comparison after a run of kills finds what it is for: each fault is planted once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.memory_store import memory_stores
from tests.support.soak.audit import Audit
from tests.support.soak.ledger import Item, Ledger
from tests.support.soak.run import or_unreadable

FEED: list[Item] = [{"cursor": f"{n}-{n:08x}", "n": n, "event": {"type": "t", "n": n}} for n in range(1, 9)]


def told(*places: tuple[str, int, int]) -> Ledger:
    """Return the ledger of a player that heard everything, with receipts: key, and from where to where in the feed."""
    ledger = Ledger("m")
    for key, first, last in places:
        ledger.acknowledge(key, {"cursor": FEED[last]["cursor"], "items": FEED[first : last + 1]})
    ledger.hear(FEED)
    ledger.end()
    return ledger


def kinds(ledger: Ledger, feed: list[Item] = FEED) -> set[str]:
    """Return the kinds of faults that are found."""
    return {kind for kind, _ in ledger.faults(feed)}


def test_ledger_is_content_when_all_is_there() -> None:
    """A repetition that is answered alike is no second command, and a receipt may have come before the first item."""
    ledger = told(("a", 1, 2), ("b", 4, 4), ("a", 1, 2))
    ledger.receipts.insert(0, ledger.receipts[0]._replace(key="0", cursor="0-00000000", items=()))
    assert kinds(ledger) == set()
    assert ledger.replays == 1


@pytest.mark.parametrize(
    ("ledger", "feed", "found"),
    [
        (told(("a", 6, 7)), FEED[:7], {"lost", "heard otherwise"}),
        (told(("a", 1, 2)), [*FEED[:1], {**FEED[1], "event": {}}, *FEED[2:]], {"lost", "heard otherwise"}),
        (told(("a", 4, 5), ("b", 1, 2)), FEED, {"out of order"}),
        (told(("a", 1, 2), ("a", 4, 5)), FEED, {"doubled"}),
        (told(("a", 1, 2), ("b", 2, 3)), FEED, {"doubled"}),
        (told(("a", 1, 2)), [*FEED, {"cursor": "9-0", "n": 9}], {"heard otherwise"}),
    ],
    ids=["the end is gone", "an item has changed", "order", "two answers to one key", "one move of two keys", "not all was sent"],
)
def test_fault_is_found_when_it_is_planted(ledger: Ledger, feed: list[Item], found: set[str]) -> None:
    """Lost, doubled, out of order, or heard otherwise than it is now."""
    assert kinds(ledger, feed) == found


@pytest.mark.parametrize("happen", [Ledger.reset, Ledger.end])
def test_items_that_were_taken_back_are_not_compared(happen: Callable[[Ledger], None]) -> None:
    """After a reset only what came since counts; until the end of a match its beginning is enough."""
    ledger = Ledger("m")
    ledger.hear([{"cursor": "1-ffffffff"}] if happen is Ledger.reset else [])
    happen(ledger)
    ledger.hear(FEED)
    assert kinds(ledger) == set()
    asyncio.run(ledger.news(0))


def test_match_that_is_gone_is_lost() -> None:
    """As at the level `embedded`, where the newest two seconds may be: the comparison says so and goes on."""
    audit = Audit(memory_stores())
    assert asyncio.run(or_unreadable(audit.faults_of(MatchId("gone")), "gone"))[0][0] == "lost"
