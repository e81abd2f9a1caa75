"""Signing in by passkey, with Chromium's virtual authenticator in place of a device's own."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.support.served import Service
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

STORED = "() => localStorage.getItem('tafelrunde.token')"
PHONE = "Old phone"
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Device:
    """A virtual authenticator of a page."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        self._id = {
            "authenticatorId": self._session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]
        }

    def passkeys(self) -> list[dict[str, Any]]:
        """Return all passkeys with their private keys, as a password manager hands them on."""
        return self._session.send("WebAuthn.getCredentials", self._id)["credentials"]

    def take(self, passkey: dict[str, Any]) -> None:
        """Have a passkey of another device."""
        self._session.send("WebAuthn.addCredential", {**self._id, "credential": passkey})


def named(visitor: Visitor, name: str) -> Page:
    """Take a name on the page of one's own player."""
    page = visitor.visit("/me")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    return page


def add_passkey(page: Page) -> None:
    """Add a passkey; a device that has one already adds no other."""
    page.get_by_label("What to call it").fill("My phone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator(".passkeys")).to_contain_text("My phone")
    expect(page.locator(".passkeys")).to_contain_text("never used")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("You already have a passkey on this device.")).to_be_visible()


def rename_passkey(page: Page, name: str) -> None:
    """Call the passkey by another name, by keyboard alone, once it has been left as it was."""
    for key in ("Escape", "Enter"):
        page.get_by_role("button", name="Rename").press("Enter")
        expect(page.locator(".passkeys input")).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press(key)
        expect(page.locator(".passkeys input")).to_have_count(0)
        expect(page.get_by_role("button", name="Rename")).to_be_focused()
    expect(page.get_by_text("The passkey has been renamed.")).to_be_visible()
    expect(page.locator(".passkeys")).to_contain_text(name)


def sign_in(page: Page, answer: str) -> None:
    """Sign in by passkey, and answer the question whose the device is to be."""
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("dialog").get_by_role("button", name=answer).click()


def shows(page: Page, name: str, devices: int) -> None:
    """See whose page it is, and on how many devices its player plays, if there are several."""
    page.reload()
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    expect(page.locator(".passkeys")).to_contain_text(PHONE)
    expect(page.get_by_role("button", name="Sign out")).to_have_count(devices)


def remove_passkey(page: Page) -> None:
    """Remove the passkey, after a question."""
    page.get_by_role("button", name=f"Remove: {PHONE}").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.locator(".passkeys")).to_have_count(0)


def test_player_signs_in_on_another_device_by_its_passkey(browser: Browser, served: Service) -> None:
    """Who plays there is asked first, loses nothing, and can go back; once the passkey is removed, it leads nowhere."""
    url = served.url.replace("127.0.0.1", "localhost")
    one, other = Visitor(browser, url, fresh=True), Visitor(browser, url, fresh=True)
    page, there = named(one, "Ada"), named(other, "Bert")
    device, phone = Device(page), Device(there)
    add_passkey(page)
    rename_passkey(page, PHONE)
    before = there.evaluate(STORED)
    other.visit("/sign-in")
    there.get_by_role("button", name="Sign in with a passkey").click()
    expect(there.get_by_text("Nothing has changed")).to_be_visible()
    phone.take(device.passkeys()[0])
    with there.expect_response(lambda answer: answer.request.method == "DELETE"):  # the new token ends
        sign_in(there, "Stay")
    shows(page, "Ada", 0)
    assert there.evaluate(STORED) == before
    sign_in(there, "Play as Ada")
    expect(there.get_by_label("Name", exact=True)).to_have_value("Ada")
    assert there.evaluate(STORED) not in {before, page.evaluate(STORED)}
    shows(page, "Ada", 2)
    expect(page.locator(".passkeys")).to_contain_text("last used on")

    there.get_by_role("link", name="Sign in as someone else").click()
    there.get_by_role("button", name="Back to Bert").click()
    expect(there.get_by_label("Name", exact=True)).to_have_value("Bert")
    assert there.evaluate(STORED) == before
    shows(page, "Ada", 0)
    remove_passkey(page)
    other.visit("/sign-in")
    there.get_by_role("button", name="Sign in with a passkey").click()
    expect(there.get_by_role("alert")).to_contain_text("does not know this passkey any more")
    assert there.evaluate(STORED) == before
    assert [each for each in other.complaints if "404" not in each] == []
    other.complaints.clear()
    one.close()
    other.close()
