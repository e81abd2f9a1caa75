"""Playing again: one click leads each player to the new table, with a nonce that is drawn after its commitment is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tafelrunde.client import Client
from tests.support.served import Service
from tests.web.conftest import Visitor, table, wait
from tests.web.party import Party
from tests.web.test_kept import FITS, KEPT, audited, begun, kept, own, played

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-again")]

FACTS = re.compile(r"/api/v1/matches/m[a-z2-7]{24}$")


@pytest.fixture
def friend(browser: Browser, served: Service) -> Iterator[Visitor]:
    """A second visitor, in a browser of their own."""
    made = Visitor(browser, served.url)
    yield made
    made.close()


def shown_match(page: Page) -> str:
    """Return the id of the match that a page shows."""
    return page.evaluate("location.hash").split("/")[2]


def alone(visitor: Visitor, served: Service) -> tuple[Page, str]:
    """Play a match of Coup against a computer to its end; return its page and its id."""
    page, match = begun(visitor)
    played(served, page, match)
    return page, match


def led_on(page: Page, match: str) -> str:
    """Wait until a page has led on from a match to another one, which was dealt; return its id."""
    page.wait_for_function("(match) => !location.hash.includes(match)", arg=match)
    page.wait_for_selector(".board")
    expect(page.locator(".result")).to_have_count(0)
    return shown_match(page)


def test_result_stays_as_it_is_when_a_player_agrees_to_a_rematch(browser: Browser, served: Service) -> None:
    """What happens after the end moves nothing on the table: the result does not come a second time."""
    with Party(served.url, "coup", 2) as party:
        party.start().finish(served)
        visitor = Visitor(browser, served.url)
        visitor.page.emulate_media(reduced_motion="no-preference")
        page = table(visitor, party)
        page.locator(".result").evaluate("(result) => { result.seen = true }")
        page.locator("footer button", has_text="Play again").click()
        expect(page.locator(".result .wishes")).to_contain_text("Waiting for")
        assert page.locator(".result").evaluate("(result) => result.seen") is True
        visitor.close()


def test_rematch_has_a_nonce_that_was_drawn_after_its_commitment_was_kept(visitor: Visitor, served: Service) -> None:
    """Neither the nonce of the match before nor none: its check is worth what that of any match is.

    Who has played alone is led there by one click, and the new table is dealt.
    """
    page, match = alone(visitor, served)
    before = kept(page, match)
    page.locator("footer button", has_text="Play again").click()
    successor = led_on(page, match)
    after = kept(page, successor)
    with own(visitor, page) as client:
        events = [item.event for item in client.feed(successor).items]
        facts = client.match(successor)
    assert (facts.parent, facts.status) == (match, "running")
    taken = next(event for event in events if event["type"] == "match.seat-taken.1")
    assert (after.seat, after.nonce) == (0, taken["nonce"])
    assert after.nonce not in {"", before.nonce}
    audited(served, page, successor)
    expect(page.locator(".audit.device strong")).to_have_text(FITS)


def test_secret_of_a_rematch_that_was_chosen_for_a_nonce_is_wrong_on_this_device(visitor: Visitor, served: Service) -> None:
    """The service promised another secret before it knew the nonce than the one that it dealt by."""
    page, match = alone(visitor, served)

    def promised(route: Route) -> None:
        answer = route.fetch()
        facts = answer.json()
        if facts.get("parent") == match and facts.get("status") == "open":
            facts["commitment"] = "0" * 64
        route.fulfill(response=answer, body=json.dumps(facts))

    page.route(FACTS, promised)
    page.locator("footer button", has_text="Play again").click()
    successor = led_on(page, match)
    assert kept(page, successor).commitment == "0" * 64
    audited(served, page, successor)
    expect(page.locator(".audit.device.wrong p").first).to_have_text(
        "The record has another commitment than the one that this browser received before the match."
    )


def test_both_arrive_at_the_new_table_when_the_second_agrees(visitor: Visitor, friend: Visitor, served: Service) -> None:
    """Each has clicked once; the first waits, sees for whom, and is led on without doing anything more."""
    with Party(served.url, "coup", 2, names=("Ada", "Bruno")) as party:
        party.start().finish(served)
        pages: list[Page] = []
        for seat, each in enumerate((visitor, friend)):
            party.seat(each.page, seat)
            pages.append(each.visit(party.address))
        ada, bruno = pages
        ada.locator("footer .main").click()
        expect(ada.locator(".wishes")).to_have_text("Waiting for Bruno to agree …")
        expect(ada.locator("footer .main")).to_have_count(0)
        expect(bruno.locator(".wishes")).to_have_text("Want to play again: Ada.")
        bruno.locator("footer .main").click()
        successor = led_on(bruno, party.match)
        assert led_on(ada, party.match) == successor
        assert len({kept(page, successor).nonce for page in pages} - {""}) == 2


def test_old_match_leads_nowhere_by_itself(visitor: Visitor, served: Service) -> None:
    """Who looks at it later has one click to the rematch, and sits down with it."""
    with Party(served.url, "coup", 2, names=("Ada", "Bruno")) as party:
        party.start().finish(served)
        for client in party.clients:
            client.rematch(party.match)
        successor = party.clients[0].match(party.match).rematch
        assert successor is not None
        party.seat(visitor.page, 0)
        page = visitor.visit(party.address)
        button = page.locator("footer button.main", has_text="Play again")
        expect(button).to_be_visible()
        assert shown_match(page) == party.match
        button.click()
        page.wait_for_function("(match) => location.hash.includes(match)", arg=successor)
        expect(page.locator(".status")).to_have_text("Waiting for Bruno …")
        party.clients[1].take_seat(successor)
        page.wait_for_selector(".board")


def test_one_button_sits_down_when_a_seat_is_reserved(visitor: Visitor, friend: Visitor, served: Service) -> None:
    """On the page of the rematch itself, which a stranger cannot join."""
    with Party(served.url, "coup", 2, names=("Ada", "Bruno")) as party:
        party.start().finish(served)
        for client in party.clients:
            client.rematch(party.match)
        successor = str(party.clients[0].match(party.match).rematch)
        stranger = friend.visit(f"/match/{successor}")
        expect(stranger.locator(".status")).to_have_text("Waiting for Ada and Bruno …")
        expect(stranger.locator(".main")).to_have_count(0)
        party.seat(visitor.page, 1)
        page = visitor.visit(f"/match/{successor}")
        expect(page.locator(".status")).to_have_text("Waiting for Ada …")
        assert page.evaluate(KEPT, successor) is None
        page.locator(".invitation .main", has_text="Join").click()
        expect(page.locator(".seats li").nth(1)).to_have_text("Bruno (you) host")
        party.clients[0].take_seat(successor)
        page.wait_for_selector(".board")
        assert kept(page, successor).nonce


def test_lobby_offers_no_reserved_seat_to_strangers(visitor: Visitor, friend: Visitor, served: Service) -> None:
    """Its players find it in their own list, which says that a seat is theirs."""
    with Party(served.url, "coup", 2, names=("Nele", "Olaf")) as party:
        party.start().finish(served)
        for client in party.clients:
            client.rematch(party.match)
        successor = party.clients[0].match(party.match).rematch
        party.seat(visitor.page, 0)
        wait(visitor.page, lambda: successor in listed(party.clients[0]))
        own_page = visitor.visit("/")
        expect(own_page.locator(".matches li", has_text="reserved")).to_have_count(1)
        other = friend.visit("/")
        other.wait_for_selector("[data-game]")
        expect(other.locator(".matches li", has_text="Nele")).to_have_count(0)


def listed(client: Client) -> list[str]:
    """Return which matches the lobby has by the service's list."""
    return [each.match for each in client.matches(status="open").items]


def test_reserved_seat_is_given_up_by_a_button(visitor: Visitor, served: Service) -> None:
    """Who does not want to play on frees the seat, and the others need not wait."""
    with Party(served.url, "coup", 2, names=("Nele", "Olaf")) as party:
        party.start().finish(served)
        for client in party.clients:
            client.rematch(party.match)
        successor = party.clients[0].match(party.match).rematch
        assert successor is not None
        party.seat(visitor.page, 1)
        page = visitor.visit(f"/match/{successor}")
        page.get_by_role("button", name="Give up the seat").click()
        expect(page.get_by_role("button", name="Give up the seat")).to_have_count(0)
        expect(page.locator(".status")).to_have_text("Some seats are still free.")
        assert [chair.reserved is None for chair in party.clients[0].match(successor).chairs] == [False, True]
