"""A lost line: a server that is killed and comes back, a network that is gone, slow or dead, two tabs, two clicks.

Nothing is lost, nothing is doubled, and one line says what is going on.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.client import Item
from tests.served import Service
from tests.web.conftest import Visitor
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

LOST = "Connection lost – trying again …"
CAUGHT = "Connected again: caught up {} events."
PATIENCE = 15_000


def seat(browser: Browser, party: Party, number: int = 0) -> tuple[Visitor, Page]:
    """Let a browser take a seat's place, with an open log."""
    visitor = Visitor(browser, party.url)
    party.seat(visitor.context, number)
    page = visitor.visit(party.address)
    page.locator(".log summary").click()
    return visitor, page


def feed(party: Party, number: int = 0) -> list[Item]:
    """Return a seat's whole feed."""
    items: list[Item] = []
    after = None
    while (found := party.clients[number].feed(party.match, after)).items:
        items += found.items
        after = found.cursor
    return items


@pytest.fixture
def party(served: Service) -> Iterator[Party]:
    """Two players of Coup, who can do something for a while."""
    with Party(served.url, "coup", 2, options={"first_seat": 1}) as made:
        yield made.start()


def test_dropped_network_loses_and_doubles_nothing(browser: Browser, party: Party) -> None:
    """One line says that the line is lost, then how much was caught up; the log is the feed."""
    visitor, page = seat(browser, party)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(feed(party))})")
    visitor.context.set_offline(True)
    expect(page.locator(".notice")).to_have_text(LOST, timeout=PATIENCE)
    before = len(feed(party))
    party.answer_until_asked(0)
    after = len(feed(party))
    assert after - before > 1
    visitor.context.set_offline(False)
    expect(page.locator(".notice")).to_have_text(CAUGHT.format(after - before), timeout=PATIENCE)
    expect(page.locator(".log summary")).to_have_text(f"Log ({after})")
    expect(page.locator(".status.mine")).to_have_count(1)
    visitor.close()
