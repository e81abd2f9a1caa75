"""Signing in by OpenID Connect, at a provider on this machine."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AsyncExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tests.support.openid import OpenIdProvider, openid_provider
from tests.support.served import Service, serving
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]
STORED = "() => localStorage.getItem('tafelrunde.token')"
KEPT = "() => sessionStorage.getItem('tafelrunde.openid')"


class Club(Service):
    """A service whose players can sign in at a provider."""

    def __init__(self, provider: OpenIdProvider) -> None:
        super().__init__("", 0)
        self.provider = provider

    async def make(self, stack: AsyncExitStack) -> Application:
        """Make an application that knows where its browsers come back to."""
        return Application(memory_stores(), self.provider.settings(self.url))


@pytest.fixture(scope="module")
def club() -> Generator[Club]:
    """A service and its provider."""
    with openid_provider() as provider, serving(Club(provider)) as running:
        yield running


def come_back_with(page: Page, club: Club, said: str, word: str) -> None:
    """Come to the page to sign in with what a provider says; read it there, and in no address."""
    page.goto(f"{club.url}/sign-in/openid/callback?{said}")
    expect(page.get_by_role("alert")).to_contain_text(word)
    assert page.url == f"{club.url}/#/sign-in"


def test_player_signs_in_on_another_device_at_the_provider(browser: Browser, club: Club) -> None:
    """After it was linked, and as the same player; a link made by someone else signs no one in."""
    one, other = Visitor(browser, club.url, fresh=True), Visitor(browser, club.url, fresh=True)
    page = one.visit("/me")
    page.get_by_label("Name").fill("Ada")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Link with Example").click()
    expect(page.get_by_text("you can sign in with Example")).to_be_visible()
    assert (page.url, page.evaluate(KEPT)) == (f"{club.url}/#/me", None)

    there = other.page
    come_back_with(there, club, f"state={'s' * 43}&code=strange", "did not begin in this window")
    club.provider.refusal = "access_denied"
    there.get_by_role("button", name="Sign in with Example").click()
    expect(there.get_by_role("alert")).to_contain_text("You cancelled signing in at Example")
    club.provider.refusal = ""
    assert there.evaluate(STORED) is None
    there.get_by_role("button", name="Sign in with Example").click()
    expect(there.get_by_label("Name")).to_have_value("Ada")
    assert (there.url, there.evaluate(KEPT)) == (f"{club.url}/#/me", None)
    assert there.evaluate(STORED) not in {None, page.evaluate(STORED)}

    there.get_by_role("button", name="Unlink").click()
    there.get_by_role("dialog").get_by_role("button", name="Unlink").click()
    expect(there.get_by_role("button", name="Link with Example")).to_be_visible()
    other.visit("/sign-in")
    there.get_by_role("button", name="Sign in with Example").click()
    there.get_by_role("dialog").get_by_role("button", name="Play as Guest").click()
    expect(there.get_by_label("Name")).to_have_value("")
    one.close()
    other.close()
