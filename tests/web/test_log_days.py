"""The web client's check of the day of a deal, in Node.js: one commitment for all, and the cards come from it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.days import DAY_MS, Day
from tafelrunde.service.features.daily.deals import DailyDeals
from tafelrunde.service.features.records.verify import match_of
from tafelrunde.service.matches.codec import Codec
from tafelrunde.service.views.feeds import Feed
from tests.support.paths import ROOT
from tests.support.table import NOW_MS, Table, opened
from tests.support.verifying import asked, verdicts

pytestmark = pytest.mark.anyio

PROGRAM, CHECKING = (ROOT / "tests" / "support" / name for name in ("comparing.mjs", "checking.mjs"))
TODAY = Day("2023-11-14")
OTHER = "ab" * 32


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A running service over stores in memory."""
    async with opened() as table:
        yield table


async def over(table: Table) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """Play the deal of a day until the day ends; return what the player kept, the record, and what the service answers."""
    token = (await table.player())[1]
    keys = (await table.get("/log/keys")).json
    match = (await table.post("/daily/coup", token)).json["match"]
    await table.application.finalizer.openings()
    first = (await table.get("/log/checkpoint")).json["signed"]
    facts = (await table.get(f"/matches/{match}", token)).json
    kept = {"match": match, "commitment": facts["commitment"], "origin": keys["origin"], "keys": keys["keys"]}
    table.now_ms = NOW_MS - NOW_MS % DAY_MS + DAY_MS
    await table.application.process_manager.time_out(MatchId(match))
    table.now_ms += 60_000
    await table.application.finalizer.portion()
    record = (await table.get(f"/matches/{match}/record", token, headers=[("Accept", "application/x-ndjson")])).body.decode()
    size = (await table.get("/log/checkpoint")).json["size"]
    start = first.split("\n")[1]
    answers = {
        path: (await table.get(f"/{path}", token)).json
        for path in (
            "log/checkpoint",
            "log/keys",
            "log/cosignatures",
            f"log/openings/{match}",
            f"log/proofs/{match}",
        )
    }
    entries = f"log/entries?from={answers[f'log/openings/{match}']['index']}&limit=1000"
    answers[entries] = (await table.get(f"/{entries}")).json
    answers["log/consistency"] = (await table.get(f"/log/consistency?from={start}&to={size}")).json
    return {**kept, "checkpoints": [first]}, record, answers


def found(folder: Path, kept: dict[str, Any], record: str, readers: list[dict[str, Any]]) -> list[tuple[list[str], str | None]]:
    """Return what the web client compares for each reader, and what is wrong."""
    path = folder / "day.json"
    path.write_text(json.dumps({"kept": kept, "record": record, "readers": readers}))
    return [(compared, wrong) for compared, wrong in asked(PROGRAM, str(path))]


async def test_browser_compares_the_day_of_a_deal(table: Table, tmp_path: Path) -> None:
    """The leaf has the commitment of the record, and the secret fits; with another secret, another leaf or none it is wrong."""
    kept, record, answers = await over(table)
    assert [(each["conclusion"], each["open"]) for each in verdicts([record.encode()])] == [("undecided", ["day_leaf"])]
    proofs = answers[f"log/proofs/{kept['match']}"]
    name = f"log/proofs/{kept['match']}"
    day = proofs["day"]
    others: list[Any] = [
        None,
        {**day, "secret": None},
        {**day, "secret": OTHER},
        {**day, "text": f"tafelrunde.day.1\n{TODAY}\n{OTHER}\n"},
        {**day, "index": day["index"] + 1},
    ]
    readers = [answers, *({**answers, name: {**proofs, "day": other}} for other in others)]
    right, *wrong = found(tmp_path, kept, record, readers)
    assert (right[1], {"log", "opening", "end", "day"} <= {*right[0]}) == (None, True)
    assert [(each[1] or "")[:8] for each in wrong] == ["the log:"] * len(others)


async def test_deal_of_a_day_is_right_on_this_device_with_the_leaf_of_its_day_alone(table: Table, tmp_path: Path) -> None:
    """A service that says nothing of its log leaves it undecided: what was not compared is not right."""
    kept, record, answers = await over(table)
    loaded = match_of([line.encode() for line in record.splitlines(keepends=True)], GAMES)[1]
    feed = Feed(Seat(0), loaded.entries)
    feed.extend(loaded, Codec(GAMES))
    n = len(feed.items)
    whole = {**kept, "format": "tafelrunde.kept.1", "service": "/", "seat": 0, "nonce": "", "deals": [], "marks": []}
    whole["feed"] = {"seat": 0, "n": n, "chain": feed.chain(n).hex()}
    path = tmp_path / "device.json"
    path.write_text(json.dumps({"kept": whole, "record": record, "readers": [answers, None]}))
    (right, _), (silent, left) = asked(CHECKING, str(path))
    assert (right, silent) == ("right", "undecided")
    assert {"day_leaf", "log_silent"} <= {*left}


async def test_browser_finds_a_second_commitment_for_a_day(table: Table, tmp_path: Path) -> None:
    """A player who was dealt to by another secret than the log has sees it, whatever else the service says of that day."""
    await table.application.get(DailyDeals).step()
    table.application.get(DailyDeals)._committed[TODAY] = OTHER
    kept, record, answers = await over(table)
    ((_, wrong),) = found(tmp_path, kept, record, [answers])
    assert wrong == "the log: the commitment of the day"
