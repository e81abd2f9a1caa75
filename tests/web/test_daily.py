"""The deal of the day in the browser: found in the lobby, played once, ranked, and closed to all until the day is over."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tafelrunde.client import Client
from tests.support.served import Service
from tests.web.conftest import Visitor, settled

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-daily")]


def test_deal_of_the_day_is_played_once(newcomer: Visitor, served: Service) -> None:
    """From the lobby to the table; after that the page and the lobby lead to the same match."""
    page = newcomer.visit("/")
    page.locator("[data-game=coup] .choose").click()
    expect(page.locator(".daily")).to_contain_text("Not played today.")
    page.locator(".daily a").click()
    expect(page.locator("h1")).to_have_text("Deal of the day: Coup")
    page.get_by_role("button", name="Play the deal of the day").click()
    page.wait_for_selector(".status")
    match = page.url.rpartition("/")[2]
    page = newcomer.visit("/daily/coup")
    expect(page.get_by_role("status")).to_contain_text("still running")
    expect(page.get_by_role("button", name="Play the deal of the day")).to_have_count(0)
    assert page.get_by_role("link", name="To the match").get_attribute("href") == f"#/match/{match}"
    page.get_by_role("link", name="Mondkrone").click()
    expect(page.locator("h1")).to_have_text("Deal of the day: Mondkrone")
    with Client(served.url, page.evaluate("localStorage.getItem('tafelrunde.token')")) as client:
        assert client.match(match).daily == client.daily("coup").today.day


def test_end_stays_closed_while_others_play(newcomer: Visitor, served: Service) -> None:
    """It says who won, and leads to the ranking, where the result is; no check, no coach, and nothing that would be refused."""
    page = newcomer.visit("/daily/coup")
    page.get_by_role("button", name="Play the deal of the day").click()
    page.wait_for_selector(".status")
    served.finish(page.url.rpartition("/")[2], random.Random(1))
    expect(page.locator(".result")).to_contain_text("Others still play the same cards.")
    expect(page.locator(".result .better, .result .audit")).to_have_count(0)
    page.get_by_role("button", name="Replay").click()
    page.get_by_role("slider").press("Home")
    expect(page.locator(".replay .board[aria-busy=false]")).to_have_count(1)
    expect(page.locator(".replay .eyes, .replay-bar button")).to_have_count(1)
    page.get_by_role("button", name="To the table").click()
    page.get_by_role("link", name="See the ranking of the day").click()
    expect(page.get_by_role("status")).to_contain_text("You are in place")
    expect(page.locator(".boards tr.me")).to_contain_text("(you)")


def test_ranking_of_yesterday_leads_to_its_matches_and_todays_does_not(visitor: Visitor) -> None:
    """The rows say place, name, points and decisions; the secret of a day that is over stands below."""
    row: dict[str, Any] = {"place": 1, "player": "p1", "name": "Anna", "guest": False, "rank": 1, "score": 7, "decisions": 42}
    match = "m" + "a" * 24
    day = "2026-01-01"

    def ranking(route: Route) -> None:
        over = f"day={day}" in route.request.url
        items = [{**row, "match": match if over else None}]
        route.fulfill(json={"game": "matchmaster", "day": day, "over": over, "ranked": 1, "items": items, "cursor": None})

    def sheet(route: Route) -> None:
        found = route.fetch().json()
        route.fulfill(json={**found, "yesterday": {"day": day, "commitment": "a" * 64, "secret": "b" * 64}})

    visitor.page.route("**/daily/matchmaster", sheet)
    visitor.page.route("**/daily/matchmaster/ranking?*", ranking)
    page = visitor.visit("/daily/matchmaster")
    expect(page.locator(".boards tbody tr")).to_contain_text("Anna")
    expect(page.locator(".boards a")).to_have_count(0)
    page.get_by_role("button", name="Yesterday").click()
    expect(page.locator(".boards a")).to_have_attribute("href", f"#/match/{match}")
    page.locator("details summary").click()
    expect(page.locator(".digest").first).to_contain_text("b" * 64)


def test_page_fits_a_small_phone(phone: Visitor) -> None:
    """Nothing is wider than the screen, with the evidence open too."""
    page = phone.visit("/daily/stich-meister")
    page.wait_for_selector(".boards-page")
    page.locator("details summary").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_deal_that_ran_over_midnight_says_so_and_leads_to_the_ranking(newcomer: Visitor) -> None:
    """In place of a general word, and of another match with the same seats, which would be no deal of the day."""
    page = newcomer.visit("/daily/coup")
    page.get_by_role("button", name="Play the deal of the day").click()
    page.wait_for_selector(".status")
    page.get_by_role("button", name="Abort the match").click()
    page.locator(".confirm-box").get_by_role("button", name="Abort the match").click()
    expect(page.locator(".status")).to_contain_text("The match was aborted.")
    expect(page.get_by_role("link", name="See the ranking of the day")).to_have_count(1)

    def of_yesterday(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "daily": "2026-01-01"})

    page.route(f"**/api/v1/matches/{page.url.rpartition('/')[2]}", of_yesterday)
    page.reload()
    expect(page.locator(".status")).to_contain_text("The day of this deal ended before the match did.")
    page.get_by_role("link", name="See the ranking of the day").click()
    expect(page.locator("h1")).to_have_text("Deal of the day: Coup")


def test_who_leaves_while_a_deal_is_opened_is_not_led_to_it(newcomer: Visitor) -> None:
    """The deal is there when they come back; another page stays where it is."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if route.request.method == "POST" else route.fallback()

    newcomer.page.route("**/api/v1/daily/coup", hold)
    page = newcomer.visit("/daily/coup")
    with page.expect_request(lambda request: request.url.endswith("/daily/coup") and request.method == "POST"):
        page.get_by_role("button", name="Play the deal of the day").click()
    page.get_by_role("link", name="To the lobby").click()
    page.wait_for_selector(".tile")
    with page.expect_response(lambda answer: answer.url.endswith("/daily/coup") and answer.request.method == "POST"):
        held.pop().continue_()
    settled(page)
    assert page.evaluate("location.hash") == "#/"
    page = newcomer.visit("/daily/coup")
    expect(page.get_by_role("link", name="To the match")).to_have_count(1)
