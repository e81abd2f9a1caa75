"""The feed over HTTP: pages, cursors, long polls."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from tafelrunde.client.keeping import chain_over
from tafelrunde.client.shapes import Item
from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.settings import LimitSettings, Settings
from tafelrunde.service.signing.notes import is_signed, read_note
from tafelrunde.service.signing.statements import FeedMark, Mark, read_statement
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

WAIT_SECONDS = 30
"""The longest wait a client may ask for."""


async def pages(table: Table, match: str, token: str | None, limit: int) -> list[Any]:
    """Return the items of all pages."""
    items = []
    cursor = ""
    while True:
        page = (await table.get(f"/matches/{match}/feed?limit={limit}{cursor}", token)).json
        items += page["items"]
        if not page["more"]:
            return items
        cursor = f"&after={page['cursor']}"


async def listening(table: Table) -> None:
    """Wait until there is a listener."""
    while table.app.state.running.streams.count == 0:  # noqa: ASYNC110 - nothing is set when a stream begins
        await asyncio.sleep(0.001)


async def test_feed_is_the_same_in_pages_of_any_size(table: Table) -> None:
    """Nothing is lost or duplicated between two pages."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    whole = await pages(table, match, one, 500)
    assert [item["n"] for item in whole] == list(range(1, len(whole) + 1))
    for limit in (1, 2, 3, 7):
        assert await pages(table, match, one, limit) == whole


async def test_feed_has_ended_with_its_last_item(table: Table) -> None:
    """A client knows when to stop."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    assert (await table.get(f"/matches/{match}/feed", one)).json["ended"] is False
    await table.finish(match, one, other)
    page = (await table.get(f"/matches/{match}/feed?limit=500", one)).json
    assert (page["ended"], page["items"][-1]["event"]["type"]) == (True, "match.ended.1")


async def test_feed_of_another_viewer_has_other_cursors(table: Table) -> None:
    """A cursor belongs to one feed: sent to another it is refused, not mixed up."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    cursor = (await table.view(match, one))["cursor"]
    answer = await table.get(f"/matches/{match}/feed?after={cursor}", other)
    assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:cursor-unknown")


async def test_long_poll_is_answered_as_soon_as_there_is_something_new(table: Table) -> None:
    """The wait ends with the first item, long before the timeout."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    cursor = (await table.view(match, one))["cursor"]
    waiting = asyncio.ensure_future(table.get(f"/matches/{match}/feed?after={cursor}&wait={WAIT_SECONDS}", one))
    await listening(table)
    assert not waiting.done()
    await table.play(match, one)
    async with asyncio.timeout(WAIT_SECONDS / 2):
        assert [item["event"]["type"] for item in (await waiting).json["items"]] == ["duel.bid-made.1"]


async def test_long_poll_is_not_answered_by_what_is_hidden(table: Table) -> None:
    """Another seat's secret bid does not end the wait."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    cursor = (await table.view(match, one))["cursor"]
    waiting = asyncio.ensure_future(table.get(f"/matches/{match}/feed?after={cursor}&wait={WAIT_SECONDS}", one))
    await listening(table)
    await table.play(match, other)
    await asyncio.sleep(0.1)
    assert not waiting.done()
    await table.play(match, one)
    async with asyncio.timeout(WAIT_SECONDS / 2):
        assert (await waiting).json["items"][0]["event"]["type"] == "duel.bid-made.1"


async def test_long_polls_count_as_streams() -> None:
    """One player cannot hold unlimited requests open."""
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(max_streams=1))) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        cursor = (await table.view(match, one))["cursor"]
        waiting = asyncio.ensure_future(table.get(f"/matches/{match}/feed?after={cursor}&wait={WAIT_SECONDS}", one))
        await listening(table)
        answer = await table.get(f"/matches/{match}/feed?after={cursor}&wait={WAIT_SECONDS}", one)
        assert (answer.status, answer.json["type"], answer.header("retry-after")) == (
            429,
            "urn:tafelrunde:problem:too-many-streams",
            "1",
        )
        await table.play(match, one)
        assert (await waiting).status == 200


@pytest.mark.parametrize("query", ["wait=31", "wait=-1", "limit=0", "limit=501", "after=7", "before=1-00000000"])
async def test_feed_is_refused_when_a_parameter_breaks_the_schema(table: Table, query: str) -> None:
    """Everything is bounded."""
    _, token = await table.player()
    match = await table.open(token)
    assert (await table.get(f"/matches/{match}/feed?{query}", token)).status == 400


def said(table: Table, signed: str) -> Mark:
    """Return the mark of a note that the deployment has signed."""
    note = read_note(signed)
    signer = table.application.signer
    assert is_signed(note, signer.public)
    statement = read_statement(note.text)
    assert isinstance(statement, FeedMark)
    assert statement.origin == signer.origin
    return statement.mark


async def test_page_is_signed_with_the_chain_over_all_items_up_to_its_end(table: Table) -> None:
    """A client computes the chain from the items it got, and the note proves to others that these were sent."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, spectators="public")
    await table.finish(match, one, other)
    marks: set[bytes] = set()
    for token, seat in ((one, Seat(0)), (other, Seat(1)), (None, None)):
        items: list[Item] = []
        cursor = ""
        for limit in (1, 3, 500, 500):
            after = f"&after={cursor}" if cursor else ""
            page = (await table.get(f"/matches/{match}/feed?limit={limit}{after}", token)).json
            items += msgspec.convert(page["items"], list[Item])
            cursor = page["cursor"]
            viewer = seat if "match.started.1" in {item.event["type"] for item in items} else None
            assert said(table, page["signed"]) == Mark(match=MatchId(match), seat=viewer, n=len(items), chain=chain_over(items))
            assert cursor == f"{len(items)}-{chain_over(items)[:4].hex()}"
        marks.add(chain_over(items))
    assert len(marks) == 3


async def test_receipt_is_signed_like_the_feed(table: Table) -> None:
    """It proves what a player had received by then if the request asks for that; otherwise the feed does, at any time."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    question = (await table.view(match, one))["question"]
    answer = {"decision": question["decision"], "command": question["legal"][0]}
    plain = (await table.post(f"/matches/{match}/commands", one, answer, key="once")).json
    page = (await table.get(f"/matches/{match}/feed?after={plain['cursor']}", one)).json
    receipt = (await table.post(f"/matches/{match}/commands?signed=true", one, answer, key="once")).json
    assert receipt == {**plain, "signed": page["signed"]}
    await table.finish(match, one, other)
    whole = msgspec.convert((await table.get(f"/matches/{match}/feed?limit=500", one)).json["items"], list[Item])
    mark = said(table, receipt["signed"])
    assert (mark.seat, mark.chain) == (0, chain_over(whole[: mark.n]))


async def test_host_who_watches_with_a_delay_gets_no_mark_of_what_it_does_not_see(table: Table) -> None:
    """The receipt of a delayed spectator's own command marks nothing of the match that runs."""
    (_, host), (_, one), (_, other) = await table.player(), await table.player(), await table.player()
    match = await table.open(host, seat=None, spectators="delayed")
    for token in (one, other):
        assert (await table.post(f"/matches/{match}/seats", token, {})).status == 200
    started = (await table.post(f"/matches/{match}/start", host)).json
    assert (started["items"], said(table, started["signed"]).n) == ([], 0)
    seen = (await table.get(f"/matches/{match}/feed", host)).json
    assert said(table, seen["signed"]).n == len(seen["items"])
    assert "match.started.1" not in {item["event"]["type"] for item in seen["items"]}


async def test_chain_goes_on_after_a_correction(table: Table) -> None:
    """A voided match keeps what was sent: the marks from before are of the beginning of the feed."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    before = said(table, (await table.get(f"/matches/{match}/feed?limit=500", one)).json["signed"])
    assert (await table.post(f"/matches/{match}/void", await table.operator(), {"reason": "a test"})).status == 200
    page = (await table.get(f"/matches/{match}/feed?limit=500", one)).json
    items = msgspec.convert(page["items"], list[Item])
    assert len(items) > before.n
    assert chain_over(items[: before.n]) == before.chain
    assert said(table, page["signed"]).chain == chain_over(items)
