"""A device that several people use: signing out, and deleting oneself, leave no one behind by accident."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tafelrunde.client import ApiError, Client
from tests.support.served import Service
from tests.web.conftest import Visitor, wait

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

STORE = """(entries) => Object.entries(entries).forEach(([name, value]) => localStorage.setItem(name, value))"""
STORED = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort()"
CACHED = "caches.keys().then((names) => names.filter((each) => each.startsWith('tafelrunde-seen')))"
OF_THE_DEVICE = {"tafelrunde.language", "tafelrunde.settings"}


class Shared(NamedTuple):
    """A device on which Bert has signed in after Ada."""

    visitor: Visitor
    ada: Client
    bert: Client


@pytest.fixture
def shared(newcomer: Visitor, served: Service) -> Iterator[Shared]:
    """Bert came by a link from his own device, so the page offers to sign out this one; what he played lies there as well."""
    with ExitStack() as stack:
        ada, first = (stack.enter_context(Client(served.url)) for _ in range(2))
        ada.sign_up("Ada")
        first.sign_up("Bert")
        issued = first.redeem_device_code(first.create_device_code().code)
        bert = stack.enter_context(Client(served.url, issued.text))
        match = f"m{'a' * 24}"
        stored = {
            "tafelrunde.token": bert.token,
            "tafelrunde.before": json.dumps([{"text": ada.token, "name": "Ada", "by": issued.token.id}]),
            "tafelrunde.language": "en",
            "tafelrunde.kept": json.dumps([match]),
            f"tafelrunde.kept.{match}": json.dumps({"match": match, "nonce": "0" * 32, "seat": 1}),
            "tafelrunde.lessons": "{}",
        }
        newcomer.page.evaluate(STORE, stored)
        newcomer.page.evaluate("sessionStorage.setItem('tafelrunde.fills.m', '1')")
        newcomer.page.evaluate("caches.open('tafelrunde-seen /').then((all) => all.put('/seen', new Response('a match')))")
        yield Shared(newcomer, ada, bert)
        newcomer.page.evaluate("caches.delete('tafelrunde-seen /')")


def is_known(client: Client) -> bool:
    """Return whether the service still takes a player's token."""
    try:
        client.tokens()
    except ApiError as error:
        if error.problem.status != 401:
            raise
        return False
    return True


def sign_out(shared: Shared) -> Page:
    """Sign out this device on Bert's own page."""
    page = shared.visitor.visit("/me")
    here = page.get_by_role("listitem").filter(has_text="this device")
    here.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_contain_text("Ada is still signed in on this device")
    return page


def test_signing_out_offers_to_sign_out_who_was_here_before(shared: Shared) -> None:
    """Then no token that was stored here is good any longer, and nothing but the language stays."""
    page = sign_out(shared)
    page.get_by_role("dialog").get_by_role("button", name="Sign out everyone").click()
    expect(page.locator(".tile").first).to_be_visible()
    assert not is_known(shared.bert)
    assert not is_known(shared.ada)
    assert set(page.evaluate(STORED)) <= OF_THE_DEVICE


def test_who_was_here_before_can_stay_when_another_signs_out(shared: Shared) -> None:
    """The page to sign in then leads back, or ends that."""
    page = sign_out(shared)
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    expect(page.locator(".tile").first).to_be_visible()
    assert not is_known(shared.bert)
    assert is_known(shared.ada)
    shared.visitor.visit("/sign-in")
    expect(page.get_by_role("button", name="Back to Ada")).to_be_visible()
    page.get_by_role("button", name="Sign out Ada").click()
    expect(page.get_by_role("button", name="Back to Ada")).to_have_count(0)
    assert not is_known(shared.ada)
    assert "tafelrunde.before" not in page.evaluate(STORED)


def test_deleting_oneself_clears_the_device(shared: Shared) -> None:
    """Tokens of earlier players, seats, nonces and what was kept of matches are gone; the question says who is signed out."""
    page = shared.visitor.visit("/me")
    page.get_by_role("button", name="Delete my player").click()
    expect(page.get_by_role("dialog")).to_contain_text("On this device, Ada is signed out as well.")
    page.get_by_role("dialog").get_by_role("button", name="Delete my player").click()
    expect(page.locator(".tile").first).to_be_visible()
    assert not is_known(shared.bert)
    assert not is_known(shared.ada)
    assert set(page.evaluate(STORED)) <= OF_THE_DEVICE
    wait(page, lambda: page.evaluate(CACHED) == [])
