"""Records of many matches: each that the caller may have, once, and a cursor that leads to the rest."""

from __future__ import annotations

import json
import zlib

import pytest
import zstandard

from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.bulk import Absent, Page, split_records
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.own import GAMES as OWN
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio
ALL = {**GAMES, **OWN}


async def aborted(table: Table, token: str, **wishes: object) -> str:
    """Open a match and end it at once."""
    match = await table.open(token, **wishes)
    table.now_ms += 1_000
    await table.post(f"/matches/{match}/abort", token)
    await table.project(match)
    return match


def read(body: bytes) -> tuple[list[str], list[Absent], str | None]:
    """Return the matches whose records a page has, all of them right, what is absent, and the next cursor."""
    *between, last = split_records(body.splitlines(keepends=True))
    assert isinstance(last, Page)
    records = [each for each in between if isinstance(each, list)]
    assert all(verify(lines, ALL).right for lines in records)
    return (
        [json.loads(lines[0])["match"] for lines in records],
        [each for each in between if isinstance(each, Absent)],
        last.cursor,
    )


async def pages(table: Table, path: str, token: str | None, limit: int) -> tuple[list[str], list[Absent]]:
    """Return what all pages have, and make sure that they end."""
    found = list[str]()
    absent = list[Absent]()
    cursor = ""
    for _ in range(20):
        answer = await table.get(f"{path}?limit={limit}{cursor}", token)
        assert (answer.status, answer.header("content-type")) == (200, "application/x-ndjson")
        matches, missing, after = read(answer.body)
        found += matches
        absent += missing
        if after is None:
            return found, absent
        cursor = f"&after={after}"
    raise AssertionError("the pages do not end")


async def test_pages_have_every_finished_match_once(table: Table) -> None:
    """Newest first, whatever the size of a page; a match that runs, and matches of others, are not there."""
    (_, one), (_, other) = await table.player(), await table.player()
    mine = [await aborted(table, one, visibility="listed" if number % 2 else "unlisted") for number in range(5)]
    theirs = await aborted(table, other, visibility="listed")
    await table.project(await table.begin(one, other, visibility="listed"))
    for limit in (1, 4, 100):
        assert await pages(table, "/me/records", one, limit) == (mine[::-1], [])
        assert await pages(table, "/records", None, limit) == ([theirs, *mine[3::-2]], [])


async def test_record_that_the_caller_may_not_have_is_noted(table: Table) -> None:
    """A host without a seat, where no one may watch, gets the match's id and the reason."""
    (_, host), (_, one), (_, other) = [await table.player() for _ in range(3)]
    match = await table.open(host, seat=None, spectators="off")
    for token in (one, other):
        await table.post(f"/matches/{match}/seats", token)
    await table.post(f"/matches/{match}/start", host)
    await table.finish(match, one, other)
    await table.project(match)
    assert await pages(table, "/me/records", host, 9) == ([], [Absent(match=MatchId(match), reason="spectators-off")])
    assert await pages(table, "/me/records", one, 9) == ([match], [])


async def test_records_are_packed_as_the_client_takes_them(table: Table) -> None:
    """The same lines, plain, by gzip or by Zstandard."""
    _, one = await table.player()
    for _ in range(3):
        await aborted(table, one)
    plain = await table.get("/me/records", one)
    zipped = await table.get("/me/records", one, headers=[("Accept-Encoding", "gzip, deflate")])
    packed = await table.get("/me/records", one, headers=[("Accept-Encoding", "gzip, zstd")])
    assert [each.header("content-encoding") for each in (zipped, packed)] == ["gzip", "zstd"]
    assert zlib.decompress(zipped.body, 31) == plain.body
    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed.body) == plain.body


async def test_page_ends_where_the_budget_does() -> None:
    """The rest comes with the cursor, once there is a budget again; with none at all the answer is 429."""
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(reads_per_minute=40))) as table:
        _, one = await table.player()
        mine = [await aborted(table, one) for _ in range(8)]
        found, _, cursor = read((await table.get("/me/records", one)).body)
        assert found == mine[: -len(found) - 1 : -1]
        assert cursor is not None
        assert 0 < len(found) < len(mine)
        while (await table.get("/me", one)).status == 200:
            pass
        assert (await table.get(f"/me/records?after={cursor}", one)).status == 429
        table.now_ms += 60_000
        rest, _, _ = read((await table.get(f"/me/records?after={cursor}", one)).body)
        assert rest[0] == mine[-len(found) - 1]
