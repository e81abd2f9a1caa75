"""Pages about one match: its address, the frame for other pages, and what oEmbed consumers receive."""

from __future__ import annotations

import re
import struct
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote, urljoin, urlsplit

import pytest

from tafelrunde.api.app import create_app
from tafelrunde.api.http import static_files
from tafelrunde.api.pages.preview import HEIGHT, PICTURE, WIDTH
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import Table, opened
from tests.support.wire import Answer, Wire

pytestmark = pytest.mark.anyio
HOST = [("Host", "cards.example")]
HERE = "https://cards.example"
NONE = "m" + "a" * 24
LISTED = "https://app.example, https://other.example"


@pytest.fixture
async def match(table: Table) -> str:
    """A match that anyone may watch."""
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.begin(one, other, spectators="public")


async def oembed(table: Table, url: str, more: str = "") -> Answer:
    """Request the embed code of an address."""
    return await table.get(f"/oembed?url={quote(url, safe='')}{more}", headers=HOST)


def ancestors(answer: Answer) -> str:
    """Return which pages may frame a page."""
    found = re.search(r"frame-ancestors ([^;]*)$", answer.header("content-security-policy") or "")
    assert found is not None
    return found[1]


async def frame(origins: str, query: str = "") -> Answer:
    """Return a frame of a service that lists these origins."""
    async with opened(Settings(limits=LimitSettings(rate_limits=False), cors_origins=origins)) as table:
        return await table.ask("GET", f"/embed/{NONE}{query}")


@pytest.mark.parametrize("address", ["/match/{}", "/#/match/{}", "/embed/{}", "/embed/{}?spectator=true", "/match/{}/"])
async def test_address_of_a_match_is_reported_as_a_frame(address: str, table: Table, match: str) -> None:
    """Every address that people copy works; the frame is the spectators' one, as large as allowed."""
    answer = await oembed(table, HERE + address.format(match), "&maxwidth=500&maxheight=300&format=json&dnt=1")
    told = answer.json
    assert (answer.status, told["type"], told["version"]) == (200, "rich", "1.0")
    assert (told["width"], told["height"]) == (500, 300)
    assert f'src="{HERE}/embed/{match}?spectator=true" width="500" height="300"' in told["html"]
    assert (answer.header("access-control-allow-origin"), answer.header("content-type")) == ("*", "application/json")


async def test_frame_has_a_size_of_its_own(table: Table, match: str) -> None:
    """A site may allow more than is useful."""
    for more in ("", "&maxwidth=5000&maxheight=5000"):
        told = (await oembed(table, f"{HERE}/match/{match}", more)).json
        assert (told["width"], told["height"]) == (800, 640)


async def test_page_of_a_match_says_where_to_ask(table: Table, match: str) -> None:
    """Discovery: the link in the page leads to the answer."""
    page = await table.ask("GET", f"/match/{match}", headers=HOST)
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page.body.decode())
    assert found is not None
    asked = urlsplit(unescape(found[1]))
    assert (asked.scheme, asked.netloc, asked.path) == ("http", "cards.example", "/api/v1/oembed")
    assert parse_qs(asked.query) == {"url": [f"http://cards.example/match/{match}"]}
    assert (await table.ask("GET", f"{asked.path}?{asked.query}", headers=HOST)).status == 200


@pytest.mark.parametrize(
    "url",
    [
        f"{HERE}/",
        f"{HERE}/rules/coup",
        f"{HERE}/match/m1",
        f"{HERE}/match/{NONE}",
        f"https://cards.example.evil.example/match/{NONE}",
        f"https://evil.example/{HERE}/match/{NONE}",
        f"javascript:{HERE}/match/{NONE}",
        "x",
    ],
)
async def test_other_addresses_are_not_found(url: str, table: Table) -> None:
    """Of other services, of nothing, of a match that does not exist."""
    assert (await oembed(table, url)).status == 404


async def test_other_service_is_not_answered_for(table: Table, match: str) -> None:
    """Not even for a match on this service: the frame would be at a foreign address."""
    for url in (f"https://evil.example/match/{match}", f'https://cards.example/"><b>/match/{match}'):
        assert (await oembed(table, url)).status == 404


async def test_match_that_may_not_be_watched_is_not_embedded(table: Table) -> None:
    """401 if anyone may know of it, 404 if no one may."""
    (_, one), (_, other) = await table.player(), await table.player()
    wishes: list[dict[str, Any]] = [{"spectators": "off"}, {"spectators": "off", "visibility": "unlisted"}]
    matches = [await table.begin(one, other, **wish) for wish in wishes]
    assert [(await oembed(table, f"{HERE}/match/{match}")).status for match in matches] == [401, 404]


async def test_format_is_json_only(table: Table, match: str) -> None:
    """501, as oEmbed requires, for any other format."""
    assert (await oembed(table, f"{HERE}/match/{match}", "&format=xml")).status == 501
    assert (await table.get("/oembed")).status == 400


async def test_public_address_is_the_one_that_is_reported() -> None:
    """Behind a proxy the service is configured with its public address; other addresses are not its own."""
    async with opened(Settings(limits=LimitSettings(rate_limits=False), public_url="https://play.example/tafel/")) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other, spectators="public")
        told = (await oembed(table, f"https://play.example/tafel/match/{match}")).json
        assert f'src="https://play.example/tafel/embed/{match}?' in told["html"]
        assert (await oembed(table, f"{HERE}/match/{match}")).status == 404
        page = (await table.ask("GET", f"/match/{match}")).body
        assert b'href="https://play.example/tafel/api/v1/oembed?url=https%3A%2F%2Fplay.example%2Ftafel%2Fmatch' in page


@pytest.mark.parametrize(
    ("origins", "told"),
    [("", "'self'"), ("none", "'self'"), (LISTED, "'self' https://app.example https://other.example"), ("*", "*")],
)
async def test_seat_is_framed_by_listed_origins_only(origins: str, told: str) -> None:
    """A page could trick a player into clicks on a hidden frame; spectators have nothing to click."""
    assert ancestors(await frame(origins)) == told
    assert ancestors(await frame(origins, "?spectator=true")) == "*"


async def test_frame_says_itself_what_it_is() -> None:
    """Its script takes a token only in a page that listed origins alone can show."""
    seat = (await frame(LISTED)).body.decode()
    spectator = (await frame(LISTED, "?spectator=true")).body.decode()
    assert 'data-mode="seat" data-hosts="https://app.example https://other.example"' in seat
    assert 'data-mode="spectator" data-hosts="*"' in spectator


async def test_frame_takes_no_token_from_its_address() -> None:
    """A query string is sent and logged, so a token in it is refused."""
    assert (await frame("*", "?token=tr_x")).status == 400


async def test_frame_tells_no_other_page_where_it_is(table: Table) -> None:
    """No referrer, no scripts but its own, and the rest of the client is never framed."""
    answer = await table.ask("GET", f"/embed/{NONE}")
    assert answer.header("referrer-policy") == "no-referrer"
    assert "script-src 'self';" in (answer.header("content-security-policy") or "")
    for path in ("/", f"/match/{NONE}", "/web/app.js", "/problems/", "/api/v1/docs"):
        assert "frame-ancestors 'none'" in ((await table.ask("GET", path)).header("content-security-policy") or ""), path


@pytest.mark.parametrize("path", [f"/embed/{NONE}", f"/embed/{NONE}/", f"/match/{NONE}", f"/match/{NONE}/"])
async def test_pages_find_what_they_load(path: str, table: Table) -> None:
    """With and without a slash at the end, wherever the service is mounted."""
    page = (await table.ask("GET", path)).body.decode()
    found = re.findall(r'(?:href|src)="((?!http)[^"]+)"', page)
    assert found
    for each in found:
        assert (await table.ask("GET", urljoin(path, each))).status == 200, each


@pytest.mark.parametrize("path", ["/embed/m1", "/embed/", "/match/x"])
async def test_pages_of_what_cannot_be_a_match_are_not_found(path: str, table: Table) -> None:
    """An id has its pattern."""
    assert (await table.ask("GET", path)).status == 404


def shown(page: Answer) -> dict[str, str]:
    """Return what other sites show of a page, by its name."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z:_]+|description)" content="([^"]*)">', page.body.decode())
    return {name: unescape(said) for name, said in found}


async def test_link_to_a_match_says_its_game_and_state(table: Table) -> None:
    """To other sites, in the reader's language: free seats, that it is on, that it is over; no name, and a picture."""
    (_, one), (_, other) = await table.player("Anna-Lena"), await table.player("Bert-Ole")
    match = await table.open(one, visibility="unlisted", spectators="public")
    said = list[str]()

    async def look(**more: Any) -> dict[str, str]:
        await table.project(match)
        page = await table.ask("GET", f"/match/{match}", **more)
        assert b"Anna-Lena" not in page.body
        assert b"Bert-Ole" not in page.body
        return shown(page)

    found = await look(headers=HOST)
    assert found["og:url"] == f"http://cards.example/match/{match}"
    assert found["og:title"].endswith(" – Tafelrunde")
    assert found["og:description"] == found["description"] == "One of 2 seats is free: join in."
    picture = urlsplit(found["og:image"])
    assert (picture.netloc, picture.path.rpartition("/")[2]) == ("cards.example", "service.png")
    assert (await table.ask("GET", picture.path)).header("content-type") == "image/png"
    german = await look(headers=[("Accept-Language", "de-AT,en;q=0.5")])
    assert (german["og:locale"], german["og:description"]) == ("de_DE", "Einer von 2 Plätzen ist frei: Setz dich dazu.")
    for act in (
        table.post(f"/matches/{match}/seats", other),
        table.post(f"/matches/{match}/start", one),
        table.finish(match, one, other),
    ):
        await act
        said.append((await look())["og:description"])
    assert said == ["All 2 seats are taken.", "The match is on, with 2 seats.", "The match with 2 seats is over."]


async def test_link_to_a_match_that_is_not_public_says_what_the_service_is(table: Table) -> None:
    """As for one that does not exist, and for a service that waits for its store; the page itself is there for all."""
    (_, one), (_, other) = await table.player(), await table.player()
    private = await table.begin(one, other, visibility="unlisted", spectators="off")
    public = await table.begin(one, other, visibility="unlisted", spectators="public")
    for each in (private, public):
        await table.project(each)
    lobby = shown(await table.ask("GET", "/", headers=HOST))
    assert lobby["og:title"] == "Tafelrunde"
    for each in (private, NONE):
        page = shown(await table.ask("GET", f"/match/{each}", headers=HOST))
        assert {**page, "og:url": ""} == {**lobby, "og:url": ""}
    closed = Wire(create_app(Settings(), application=table.application))
    assert shown(await closed.ask("GET", f"/match/{public}"))["og:title"] == "Tafelrunde"


@pytest.mark.parametrize("name", [*GAMES, "service"])
def test_picture_of_a_link_is_there_for_each_game(name: str) -> None:
    """As large as the page says, and small enough for those who show it."""
    picture = static_files.file(PICTURE.format(name=name)).plain
    assert (picture[:8], len(picture) < 60_000) == (b"\x89PNG\r\n\x1a\n", True)
    assert struct.unpack(">II", picture[16:24]) == (WIDTH, HEIGHT)


async def test_link_says_less_and_the_page_is_there_when_it_is_asked_for_too_often() -> None:
    """What is read for other sites costs as much as any other look."""
    async with opened(Settings(limits=LimitSettings(requests_per_minute=6))) as table:
        _, one = await table.player()
        match = await table.open(one)
        await table.project(match)
        titles = [shown(await table.ask("GET", f"/match/{match}"))["og:title"] for _ in range(5)]
        assert titles[0] != "Tafelrunde"
        assert titles[-1] == "Tafelrunde"


@pytest.mark.parametrize("path", ["/nonsense", "/match/x", "/web/nothing.js", "/a/b"])
async def test_people_who_are_lost_get_a_page_and_programs_a_problem(path: str, table: Table) -> None:
    """By what they accept. The page leads to the lobby, wherever the service is mounted; the API answers programs alone."""
    page = await table.ask("GET", path, headers=[("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")])
    assert (page.status, page.header("content-type")) == (404, "text/html; charset=utf-8")
    assert "default-src 'none'" in (page.header("content-security-policy") or "")
    home = re.search(r'<a href="([^"]+)">', page.body.decode())
    assert home is not None
    assert urljoin(path, home[1]) == "/"
    for accepted in ("application/json", "*/*"):
        assert (await table.ask("GET", path, headers=[("Accept", accepted)])).header("content-type") == "application/problem+json"
    asked = await table.ask("GET", f"/api/v1{path}", headers=[("Accept", "text/html")])
    assert asked.header("content-type") == "application/problem+json"
