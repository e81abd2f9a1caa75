"""Health, figures, description and pages."""

from __future__ import annotations

import re
from unittest.mock import AsyncMock

import msgspec
import pytest

from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.ports.events import Memory
from tafelrunde.service.runtime.siblings import Siblings, shared_file
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

HERE = ("127.0.0.1", 50_000)
LOCAL = Settings(limits=LimitSettings(rate_limits=False), metrics_local=True)


async def test_figures_are_given_to_this_machine_when_that_is_set() -> None:
    """With `metrics_local` a collector beside the service needs no token."""
    async with opened(LOCAL) as table:
        await table.get("/games")
        answer = await table.get("/metrics", peer=HERE)
        assert answer.status == 200
        assert b'tafelrunde_requests_total{operation="listGames",status="200"} 1.0' in answer.body
        assert b"tafelrunde_request_seconds_bucket" in answer.body
        assert b"tafelrunde_streams 0.0" in answer.body
        assert b"tafelrunde_clock_ahead_seconds 0.0" in answer.body
        assert b"tafelrunde_bot_alarms 0.0" in answer.body
        assert b"tafelrunde_failing_work 0.0" in answer.body
        assert b"tafelrunde_store_memory_bytes NaN" in answer.body


async def test_figures_are_those_of_all_processes_when_there_are_several() -> None:
    """A collector meets any of them and sees each one's, by name; what is the deployment's is there once."""
    with shared_file(2) as file:
        one, other = (Siblings(file.fileno(), own, 2) for own in range(2))
        async with opened(LOCAL, siblings=one) as first, opened(LOCAL, siblings=other) as second:
            await first.get("/games")
            first.app.state.running.metrics.publish()
            for table, name in ((first, "api-1"), (second, "api-2")):
                body = (await table.get("/metrics", peer=HERE)).body.decode()
                assert 'tafelrunde_requests_total{process="api-1",operation="listGames",status="200"} 1.0' in body
                assert f'tafelrunde_streams{{process="{name}"}} 0.0' in body
                assert body.count("\ntafelrunde_bot_alarms 0.0") == 1
                families = re.findall(r"(?m)^# TYPE (\S+)", body)
                assert len(families) == len(set(families))


async def test_figures_have_the_memory_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it uses and what it may use; not a number while it does not answer."""
    async with opened(LOCAL) as table:
        for found, told in ((Memory(3, 4), b"3.0"), (StoreUnavailable(), b"NaN")):
            monkeypatch.setattr(table.application, "memory", AsyncMock(side_effect=[found]))
            body = (await table.get("/metrics", peer=HERE)).body
            assert b"tafelrunde_store_memory_bytes " + told in body
        assert b"tafelrunde_store_memory_limit_bytes NaN" in body


async def test_figures_are_refused_to_this_machine_when_nothing_is_set(table: Table) -> None:
    """Behind a proxy that adds no client address every visitor looks local, so the metrics need a token again."""
    assert (await table.get("/metrics", peer=HERE)).status == 404


@pytest.mark.parametrize("origins", ["", "*", "https://app.example"])
async def test_figures_are_kept_from_pages_of_other_origins(origins: str) -> None:
    """A page that the operator has open cannot read them, whichever origins are listed."""
    async with opened(msgspec.structs.replace(LOCAL, cors_origins=origins)) as table:
        asked = [("Origin", "https://app.example")]
        for token in (None, await table.operator()):
            answer = await table.get("/metrics", token, peer=HERE, headers=asked)
            assert answer.status == 200
            assert answer.header("access-control-allow-origin") is None
            assert answer.header("cross-origin-resource-policy") == "same-origin"


async def test_figures_are_given_to_an_operator_from_anywhere(table: Table) -> None:
    """A collector elsewhere has a token with the scope admin."""
    assert (await table.get("/metrics", await table.operator())).status == 200


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
async def test_figures_are_refused_to_those_who_come_through_a_proxy(header: str) -> None:
    """A proxy on this machine does not make its visitors local."""
    async with opened(LOCAL) as table:
        assert (await table.get("/metrics", peer=HERE, headers=[(header, "203.0.113.7")])).status == 404


async def test_figures_are_refused_to_everyone_else(table: Table) -> None:
    """How often commands are accepted would reveal who passes in secret; so the answer is that of an unknown path."""
    _, token = await table.player()
    nothing = await table.get("/nothing")
    for asker in (None, token, "tr_wrong"):
        answer = await table.get("/metrics", asker)
        assert (answer.status, answer.body) == (404, nothing.body)
    assert (await table.get("/metrics", peer=None)).status == 404


async def test_figures_name_no_match_and_no_player(table: Table) -> None:
    """Labels are operations, statuses and types of problems, whatever was asked."""
    player, token = await table.player("Anna")
    match = await table.open(token)
    await table.get(f"/matches/{match}/view", token)
    await table.get(f"/players/{player}")
    text = (await table.get("/metrics", await table.operator())).body.decode()
    assert not re.search(rf"{match}|{player}|Anna|{token}", text)
    labels = {name for names in re.findall(r"(?m)^tafelrunde_\w+\{(.*)\} ", text) for name in re.findall(r'(\w+)="', names)}
    assert labels == {"operation", "status", "le"}


async def test_problems_are_counted_by_type(table: Table) -> None:
    """An operator sees what clients run into."""
    await table.get("/me")
    text = (await table.get("/metrics", await table.operator())).body
    assert b'tafelrunde_problems_total{type="unauthenticated"} 1.0' in text


async def test_docs_need_nothing_from_elsewhere(table: Table) -> None:
    """One page without scripts, and a policy that would not let it load any."""
    answer = await table.get("/docs")
    assert answer.status == 200
    assert (answer.header("content-security-policy") or "").startswith("default-src 'none'")
    page = answer.body.decode()
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert 'id="giveCommand"' in page


async def test_docs_have_no_dead_link(table: Table) -> None:
    """Every link inside the page has its target there."""
    page = (await table.get("/docs")).body.decode()
    targets = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= targets


async def test_root_shows_the_web_client(table: Table) -> None:
    """The address of the service leads straight to play; all files of the page come from the same place."""
    answer = await table.ask("GET", "/")
    assert (answer.status, answer.header("content-type")) == (200, "text/html; charset=utf-8")
    needed = re.findall(r'(?:href|src)="([^"]+)"', answer.body.decode())
    assert needed
    for path in needed:
        file = await table.ask("GET", f"/{path}")
        assert file.status == 200, path
        assert (await table.ask("GET", f"/{path}", headers=[("If-None-Match", file.header("etag") or "")])).status == 304


@pytest.mark.parametrize("path", ["/", "/embed/m" + "a" * 24, "/match/m" + "a" * 24])
async def test_page_names_an_icon_that_is_there(path: str, table: Table) -> None:
    """Otherwise browsers look for one in a place of their own, and find nothing."""
    page = await table.ask("GET", path)
    found = re.search(r'<link rel="icon" href="([^"]+)"', page.body.decode())
    assert found is not None
    assert (await table.ask("GET", "/" + found[1].replace("../", ""))).status == 200


async def test_icon_is_where_browsers_look_for_one(table: Table) -> None:
    """An answer of the API, opened in a browser, names none."""
    icon = await table.ask("GET", "/favicon.ico")
    assert (icon.status, icon.header("content-type")) == (200, "image/svg+xml")
