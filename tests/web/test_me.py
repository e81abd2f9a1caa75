"""The reader's own player: a name, another device, deletion."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.client import Client
from tests.support.processes import until
from tests.support.served import Service
from tests.web.conftest import Visitor, wait

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

STORED = "() => localStorage.getItem('tafelrunde.token')"
OWN = "(token) => fetch('/api/v1/me', { headers: { Authorization: `Bearer ${token}` } }).then((answer) => answer.json())"


def me(visitor: Visitor, name: str) -> Page:
    """Take a name on the page of one's own player."""
    page = visitor.visit("/me")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    return page


def test_newcomer_takes_a_name_and_another_one(browser: Browser, served: Service) -> None:
    """The player is made with the first name, and keeps its token with the second."""
    visitor = Visitor(browser, served.url)
    page = me(visitor, "Ada")
    token = page.evaluate(STORED)
    me(visitor, "Ada Lovelace")
    assert page.evaluate(STORED) == token
    visitor.page.reload()
    expect(page.get_by_label("Name")).to_have_value("Ada Lovelace")
    visitor.close()


def test_player_is_carried_to_another_device(browser: Browser, served: Service) -> None:
    """By a link that works once; the other device asks before it takes the player, forgets the address, and has its own token."""
    one, other = Visitor(browser, served.url), Visitor(browser, served.url)
    page = me(one, "Grace")
    page.get_by_role("button", name="Show link and QR code").click()
    address = page.get_by_label("Link for your other device").input_value()
    assert re.search(r"#/carry/\S+$", address)
    page.wait_for_function("() => document.querySelector('.qr')?.naturalWidth > 0")
    other.page.goto(address)
    expect(other.page.get_by_role("heading", name="Play on this device")).to_be_visible()
    assert other.page.url.endswith("#/carry")
    assert other.page.evaluate(STORED) is None
    other.page.get_by_role("button", name="Take over").click()
    expect(other.page.get_by_label("Name")).to_have_value("Grace")
    assert other.page.evaluate(STORED) not in {None, page.evaluate(STORED)}
    page.reload()
    expect(page.get_by_role("button", name="Sign out")).to_have_count(2)
    here = page.get_by_role("listitem").filter(has_text="this device")
    expect(here).to_have_count(1)
    here.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_contain_text("Sign out this device?")
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    wait(page, lambda: page.evaluate(STORED) is None)
    assert other.page.evaluate(STORED) is not None
    one.close()
    other.close()


def test_link_to_another_device_says_that_it_was_used(browser: Browser, served: Service) -> None:
    """And changes nothing."""
    with Client(served.url) as client:
        client.sign_up("Hedy")
        code = client.create_device_code().code
        client.redeem_device_code(code)
    late = Visitor(browser, served.url)
    page = late.visit(f"/carry/{code}")
    page.get_by_role("button", name="Take over").click()
    expect(page.get_by_role("alert")).to_have_text("This link is no longer valid.")
    assert page.evaluate(STORED) is None
    assert [each for each in late.complaints if "404" not in each] == []
    late.complaints.clear()
    late.close()


def shown(page: Page) -> tuple[str | None, str | None, list[str]]:
    """Return what the service has of a reader's picture and languages."""
    found = page.evaluate(OWN, page.evaluate(STORED))
    avatar = found.get("avatar") or {}
    return avatar.get("figure"), avatar.get("colour"), found.get("languages", [])


def test_profile_is_shown_to_others(browser: Browser, served: Service, newcomer: Visitor) -> None:
    """Picture, colour and languages are kept, and are on the public page; another player follows there, and finds it again."""
    visitor = Visitor(browser, served.url)
    page = me(visitor, "Emmy")
    page.get_by_label("owl").check(force=True)
    page.get_by_label("teal").check(force=True)
    page.get_by_text("Languages that I speak").click()
    page.get_by_label("English").check()
    until("all is kept: what is on its way goes with the page", lambda: shown(page) == ("owl", "teal", ["en"]))
    expect(page.locator(".languages-spoken input:checked")).to_have_count(1)
    page.reload()
    expect(page.get_by_label("owl")).to_be_checked()
    expect(page.get_by_label("teal")).to_be_checked()
    address = page.get_by_role("link", name="How others see me").get_attribute("href") or ""
    other = me(newcomer, "Lise")
    newcomer.visit(address.removeprefix("#"))
    expect(other.get_by_role("heading", name="Emmy")).to_be_visible()
    expect(other.locator("h1 .avatar-owl.disc-teal")).to_be_visible()
    expect(other.locator("main")).to_contain_text("Speaks English")
    other.get_by_role("button", name="Follow").click()
    expect(other.get_by_role("button", name="Unfollow")).to_be_visible()
    newcomer.visit("/me")
    expect(other.locator(".people")).to_contain_text("Emmy")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["player"]["name"] == "Emmy"
    visitor.close()


def test_newcomer_is_asked_for_a_name_once_and_invites(browser: Browser, served: Service) -> None:
    """At the first table; then those who were followed can be invited there, and find it in their lobby."""
    visitor = Visitor(browser, served.url)
    with Client(served.url) as guest, Client(served.url) as host:
        followed = guest.sign_up("Maria")
        host.sign_up()
        host.follow_player(followed.id)
        match = host.open_match("coup", 3).match
        visitor.page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", host.token)
        page = visitor.visit(f"/match/{match}")
        hello = page.locator(".hello")
        hello.get_by_label("Name").fill("Sonja")
        hello.get_by_label("fox").check(force=True)
        hello.get_by_role("button", name="Save").click()
        expect(hello).to_have_count(0)
        expect(page.locator(".seats .me")).to_contain_text("Sonja")
        page.get_by_text("Invite people").click()
        page.wait_for_function("() => document.querySelector('game-table').shadowRoot.querySelector('.qr')?.naturalWidth > 0")
        page.get_by_role("button", name="Invite", exact=True).click()
        expect(page.locator(".inviting")).to_contain_text("invited")
        assert [each.match for each in guest.invitations()] == [match]
        invited = Visitor(browser, served.url)
        invited.page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", guest.token)
        lobby = invited.visit("/")
        expect(lobby.locator(".invitations")).to_contain_text("Sonja invites you to Coup")
        lobby.get_by_role("button", name="Go to the table").click()
        lobby.get_by_role("button", name="Join").click()
        expect(page.locator(".seats")).to_contain_text("Maria")
        invited.close()
        page.reload()
        expect(page.locator(".inviting")).to_have_count(1)
        expect(hello).to_have_count(0)
    visitor.close()


def test_player_is_deleted_only_after_a_question(browser: Browser, served: Service) -> None:
    """Then the device knows no player any more."""
    visitor = Visitor(browser, served.url)
    page = me(visitor, "Gone Soon")
    page.get_by_role("button", name="Delete my player").click()
    page.get_by_role("button", name="Stay").click()
    assert page.evaluate(STORED) is not None
    page.get_by_role("button", name="Delete my player").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete my player").click()
    expect(page.locator(".tile").first).to_be_visible()
    assert page.evaluate(STORED) is None
    visitor.close()
