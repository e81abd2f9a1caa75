"""The page on which an application of others asks a player, and where that is ended."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.support.oauth import VERIFIER, challenge_of
from tests.support.served import Service
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

BACK = "http://127.0.0.1:9/back"
NAME = "<b>Chess</b> clock"


def test_newcomer_allows_an_application_and_ends_it(browser: Browser, served: Service) -> None:
    """After taking a name, on the same page, which says who asks for what and where it goes back to; no frame can show it."""
    wish = {"redirect_uris": [BACK], "client_name": NAME}
    client = httpx.post(f"{served.url}/api/v1/oauth/applications", json=wish).raise_for_status().json()["client_id"]
    asked = {"response_type": "code", "client_id": client, "redirect_uri": BACK, "scope": "read play", "state": "a b"}
    asked |= {"code_challenge": challenge_of(VERIFIER), "code_challenge_method": "S256"}
    visitor = Visitor(browser, served.url)
    page, arrived = visitor.page, list[str]()
    page.route(f"{BACK}**", lambda route: (arrived.append(route.request.url), route.fulfill(body="back"))[1])
    shown = page.goto(f"{served.url}/oauth/authorize?{httpx.QueryParams(asked)}")
    assert shown is not None
    assert "frame-ancestors 'none'" in shown.headers["content-security-policy"]
    consent = page.locator(".consent")
    expect(consent).to_contain_text(f"calls itself “{NAME}”")
    expect(consent.locator(".host")).to_contain_text("back to an application on this device (127.0.0.1:9)")
    expect(consent.locator(".scopes li")).to_have_count(2)
    expect(page.get_by_role("button", name="Allow")).to_have_count(0)
    consent.get_by_label("Name").fill("Ada")
    consent.get_by_role("button", name="Go on").click()
    expect(consent).to_contain_text("You decide as Ada.")
    page.get_by_role("button", name="Allow").click()
    page.wait_for_url(f"{BACK}**")
    [address] = arrived
    answer = parse_qs(urlsplit(address).query)
    assert (answer["state"], answer["iss"], len(answer["code"])) == (["a b"], [served.url], 1)
    form = {"grant_type": "authorization_code", "client_id": client, "redirect_uri": BACK, "code": answer["code"][0]}
    given = httpx.post(f"{served.url}/api/v1/oauth/token", data={**form, "code_verifier": VERIFIER}).raise_for_status().json()
    bearer = {"Authorization": f"Bearer {given['access_token']}"}
    assert httpx.get(f"{served.url}/api/v1/me", headers=bearer).json()["name"] == "Ada"
    visitor.visit("/me")
    listed = page.locator(".applications li")
    expect(listed).to_contain_text(f"{NAME} from one of your devices (127.0.0.1)")
    listed.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(listed).to_have_count(0)
    assert httpx.get(f"{served.url}/api/v1/me", headers=bearer).status_code == 401
    visitor.close()
