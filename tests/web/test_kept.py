"""What this browser keeps of its player's matches, and that it checks them itself after the end."""

from __future__ import annotations

import json
import random
import re

from playwright.sync_api import Page, expect

from tafelrunde.client import Client
from tafelrunde.client.keeping import Kept, read_kept
from tests.support.served import Service
from tests.web.conftest import Visitor, over_http, settled

FITS = re.compile(r"^Checked on this device: everything fits\. Not checked: moves and scores")
"""The first line says what this device cannot check."""
KEPT = "(match) => localStorage.getItem(`tafelrunde.kept.${match}`)"


def begun(visitor: Visitor) -> tuple[Page, str]:
    """Begin a match of Coup against a computer; return its page and its id."""
    page = visitor.begin("coup", seats=2)
    page.wait_for_selector(".board")
    return page, page.evaluate("location.hash").split("/")[2]


def kept(page: Page, match: str) -> Kept:
    """Return what the browser keeps of a match, as the Python client reads it."""
    page.wait_for_function("(match) => JSON.parse(localStorage.getItem(`tafelrunde.kept.${match}`))?.feed?.n > 3", arg=match)
    return read_kept(page.evaluate(KEPT, match).encode())


def own(visitor: Visitor, page: Page) -> Client:
    """Return a client of the visitor's player."""
    return Client(visitor.url, page.evaluate("localStorage.getItem('tafelrunde.token')"))


def played(served: Service, page: Page, match: str) -> None:
    """Let a match against computers be played to its end."""
    served.finish(match, random.Random(1))
    page.wait_for_selector(".result")


def audited(served: Service, page: Page, match: str) -> None:
    """Let a match be played to its end, and have it checked."""
    played(served, page, match)
    page.locator(".result > button", has_text="Check this match").click()


def test_browser_sits_down_after_the_commitment_and_keeps_it(visitor: Visitor) -> None:
    """One click: the opening has no seat and no nonce; then comes a nonce that was drawn here."""
    page, match = begun(visitor)
    found = kept(page, match)
    with own(visitor, page) as client:
        events = [item.event for item in client.feed(match).items]
        facts = client.match(match)
    taken = next(event for event in events if event["type"] == "match.seat-taken.1")
    assert (found.seat, found.nonce) == (0, taken["nonce"])
    assert len(found.nonce) == 32
    assert found.commitment == facts.commitment
    assert found.deals
    assert found.marks
    assert found.checkpoints


def test_match_opened_after_an_abort_begins_with_a_nonce_of_its_own(visitor: Visitor) -> None:
    """Its commitment is received first, as for any other match."""
    page, match = begun(visitor)
    before = kept(page, match)
    page.locator("footer .ends button", has_text="Abort the match").click()
    page.locator("dialog button", has_text="Abort the match").click()
    page.locator("footer button", has_text="Play again").click()
    page.wait_for_function("(match) => !location.hash.includes(match)", arg=match)
    after = kept(page, page.evaluate("location.hash").split("/")[2])
    assert after.commitment != before.commitment
    assert len(after.nonce) == 32
    assert after.nonce != before.nonce


def test_most_recent_matches_are_kept(visitor: Visitor) -> None:
    """Fifty of them: the oldest makes room."""
    page = visitor.visit("/")
    page.wait_for_selector("[data-game]")
    names = [f"m{number:0>24}" for number in range(50)]
    page.evaluate(
        "(names) => { localStorage.setItem('tafelrunde.kept', JSON.stringify(names));"
        " for (const each of names) localStorage.setItem(`tafelrunde.kept.${each}`, '{}'); }",
        names,
    )
    page, match = begun(visitor)
    kept(page, match)
    assert json.loads(page.evaluate("localStorage.getItem('tafelrunde.kept')")) == [*names[1:], match]
    assert page.evaluate(KEPT, names[0]) is None
    assert page.evaluate(KEPT, names[1]) == "{}"


def test_finished_match_is_checked_on_this_device(visitor: Visitor, served: Service) -> None:
    """What was compared is listed, the service's verdict stands below, and the evidence can be saved."""
    page, match = begun(visitor)
    before = kept(page, match)
    audited(served, page, match)
    expect(page.locator(".audit.device strong")).to_have_text(FITS)
    for said in ("came before your random number", "part of every shuffle", "as you received them", "sent during the match"):
        expect(page.locator(".audit.device li", has_text=said)).to_have_count(1)
    only = "Only “tafelrunde verify” can check moves, scores and answers of bots."
    expect(page.locator(".audit.device li", has_text=only)).to_have_count(1)
    expect(page.locator(".audit.server strong")).to_have_text("The server says: everything is correct.")
    settled(page)
    with page.expect_download() as download:
        page.locator(".audit.device button").click()
    saved = read_kept(download.value.path().read_bytes())
    assert (saved.match, saved.nonce, saved.commitment) == (match, before.nonce, before.commitment)


def test_number_that_the_server_knew_is_not_called_a_proof(visitor: Visitor, served: Service) -> None:
    """Where none of this browser's own came after the commitment, the check says so, and claims less."""
    page, match = begun(visitor)
    kept(page, match)
    page.evaluate(
        "(name) => localStorage.setItem(name, JSON.stringify({...JSON.parse(localStorage.getItem(name)), nonce: ''}))",
        f"tafelrunde.kept.{match}",
    )
    audited(served, page, match)
    device = page.locator(".audit.device")
    expect(device.locator("strong")).to_have_text("Checked on this device: nothing is wrong, but not everything is proved.")
    expect(device.locator("li", has_text="no random number of yours came after the commitment")).to_have_count(1)
    expect(device.locator("li", has_text="came before your random number")).to_have_count(0)


def test_other_feed_than_the_kept_one_is_wrong_on_this_device(visitor: Visitor, served: Service) -> None:
    """The record tells another story than the one that this browser was shown while it was played."""
    page, match = begun(visitor)
    kept(page, match)
    page.evaluate(
        "(name) => { const kept = JSON.parse(localStorage.getItem(name));"
        " localStorage.setItem(name, JSON.stringify({...kept, feed: {...kept.feed, chain: '0'.repeat(64)}})); }",
        f"tafelrunde.kept.{match}",
    )
    audited(served, page, match)
    expect(page.locator(".audit.device.wrong p").first).to_have_text(
        "The record does not match the events that you were sent during the match."
    )
    expect(page.locator(".audit.server strong")).to_have_text("The server says: everything is correct.")


def test_other_commitment_than_the_kept_one_is_wrong_on_this_device(visitor: Visitor, served: Service) -> None:
    """Though the service itself says that all is right."""
    page, match = begun(visitor)
    kept(page, match)
    page.evaluate(
        "(name) => localStorage.setItem(name, JSON.stringify({...JSON.parse(localStorage.getItem(name)),"
        " commitment: '0'.repeat(64)}))",
        f"tafelrunde.kept.{match}",
    )
    audited(served, page, match)
    expect(page.locator(".audit.device.wrong strong")).to_have_text("Checked on this device: something is wrong.")
    expect(page.locator(".audit.device p")).to_have_text(
        "The record has another commitment than the one that this browser received before the match."
    )
    expect(page.locator(".audit.server strong")).to_have_text("The server says: everything is correct.")


def test_answer_that_the_service_did_not_take_is_kept_and_shown(visitor: Visitor, served: Service) -> None:
    """With the time by this device's clock, beside what the record has in its place: not everything is proved then."""
    over_http(visitor)
    page, match = begun(visitor)
    kept(page, match)
    closed = {"type": "urn:tafelrunde:problem:decision-closed", "title": "Closed.", "status": 409}
    page.route("**/commands*", lambda route: route.fulfill(status=409, content_type="application/problem+json", json=closed))
    page.locator(".moves button").first.click()
    page.wait_for_function(
        "(match) => JSON.parse(localStorage.getItem(`tafelrunde.kept.${match}`))?.unacknowledged?.length", arg=match
    )
    [answer] = kept(page, match).unacknowledged
    assert (answer.problem, answer.at_ms > 1_700_000_000_000) == (closed["type"], True)
    page.unroute("**/commands*")
    page.evaluate(
        "(name) => { const kept = JSON.parse(localStorage.getItem(name));"
        " kept.unacknowledged[0].command = { type: 'coup.other' };"
        " localStorage.setItem(name, JSON.stringify(kept)); }",
        f"tafelrunde.kept.{match}",
    )
    audited(served, page, match)
    device = page.locator(".audit.device")
    expect(device.locator("strong")).to_contain_text("nothing is wrong, but not everything is proved.")
    expect(device.locator("li", has_text='You sent “{"type":"coup.other"}” at ')).to_have_count(1)
    expect(device.locator("li", has_text="in the place of an answer of yours")).to_have_count(1)
    visitor.complaints = [each for each in visitor.complaints if "409" not in each]
