"""The pages that describe the API, in a real browser: they need no other host than the service, wherever it is mounted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.api.features import problem_kinds
from tests.support.served import Service, service
from tests.web.conftest import Visitor, forget

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-docs")]


@pytest.fixture(scope="module", params=["", "/tafel"], ids=["at-the-root", "under-a-path"])
def served(request: pytest.FixtureRequest) -> Iterator[Service]:
    """A service, and one under a path of a host."""
    with service(request.param) as running:
        yield running
        forget(running.url)


class Reader:
    """A reader whose browser can reach nothing but the service; requests are recorded."""

    def __init__(self, browser: Browser, served: Service) -> None:
        self.visitor = Visitor(browser, served.url)
        self.page: Page = self.visitor.page
        self.asked: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))

    def follow(self, link: str) -> str:
        """Follow the first link that fits; return where it leads, which must be a page of the service."""
        with self.page.expect_navigation() as waiting:
            self.page.locator(link).first.click()
        assert waiting.value is not None
        assert waiting.value.ok
        assert self.page.url.startswith(self.visitor.url)
        return self.page.url.removeprefix(self.visitor.url)


@pytest.fixture
def reader(browser: Browser, served: Service) -> Iterator[Reader]:
    """A reader, whose pages must not complain."""
    made = Reader(browser, served)
    yield made
    made.visitor.close()


def test_description_is_one_page_that_asks_for_nothing_more(reader: Reader) -> None:
    """No script, style, font or picture comes from anywhere, and all operations are there, also behind a slash."""
    address = f"{reader.visitor.url}/api/v1/docs/"
    reader.page.goto(address, wait_until="networkidle")
    assert reader.asked == [address]
    expect(reader.page.locator("h3#giveCommand")).to_be_visible()
    assert reader.page.locator("script").count() == 0
    link = reader.page.locator("a:text-is('openapi.json')").evaluate("link => link.href")
    assert link == f"{reader.visitor.url}/api/v1/openapi.json"
    assert reader.page.request.get(link).ok


def test_links_of_the_description_open_what_they_name(reader: Reader) -> None:
    """A shape is opened by a link to it, and a problem leads to its page and from there to all others."""
    address = f"{reader.visitor.url}/api/v1/docs"
    reader.page.goto(address, wait_until="networkidle")
    assert reader.asked == [address]
    assert not reader.page.locator("#shape-GameList").is_visible()
    reader.page.locator("a[href='#shape-GameList']").first.click()
    expect(reader.page.locator("#shape-GameList")).to_be_visible()
    assert reader.follow("code:text-is('decision-closed')") == "/problems/decision-closed"
    assert reader.follow("a:text-is('All problems')") == "/problems/"
    assert reader.page.locator("td a").all_text_contents() == list(problem_kinds())


def test_list_of_problems_leads_to_each_when_asked_without_slash(reader: Reader) -> None:
    """Its links do not hang on how its address was written."""
    reader.page.goto(f"{reader.visitor.url}/problems")
    assert reader.follow("code:text-is('refused')") == "/problems/refused"


@pytest.mark.parametrize("served", ["/tafel"], ids=["under-a-path"], indirect=True)  # at the root, a path is only shorter
def test_api_is_tried_out_with_nothing_from_elsewhere(reader: Reader) -> None:
    """Swagger UI comes from the service and calls it, also under a path; signing up there shows a token."""
    reader.page.goto(f"{reader.visitor.url}/api/v1/docs")
    assert reader.follow("a:text-is('Swagger UI')") == "/web/swagger.html"
    reader.page.locator("#operations-tag-players button").first.click()
    reader.page.locator("#operations-players-createPlayer button").first.click()
    expect(reader.page.locator(".errors-wrapper")).to_have_count(0)  # a reference that leads nowhere would be one
    reader.page.get_by_role("button", name="Try it out").click()
    with reader.page.expect_response("**/api/v1/players") as answered:
        reader.page.get_by_role("button", name="Execute").click()
    assert answered.value.status == 201
    expect(reader.page.locator(".live-responses-table .response-col_description").last).to_contain_text("token")
    assert all(address.startswith((reader.visitor.url, "data:", "blob:")) for address in reader.asked)
