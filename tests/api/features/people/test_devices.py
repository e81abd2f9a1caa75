"""Another device: a code that counts once, for ten minutes, and gives a token of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from tafelrunde.service.features.people.port import CODE_MS, MOST_CODES
from tafelrunde.service.players.accounts import MOST_TOKENS
from tests.support.table import API, Table
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio


async def make(table: Table, token: str) -> Any:
    """Return a new code."""
    answer = await table.post("/me/device-codes", token)
    assert answer.status == 200, answer
    return answer.json


async def redeem(table: Table, code: str, label: str = "phone") -> Answer:
    """Show a code."""
    return await table.post("/device-codes", None, {"code": code, "label": label})


async def test_code_gives_a_token_of_the_same_player_once(table: Table) -> None:
    """With a label of its own, so that it can be revoked by itself; the link has the code behind #, the QR code is SVG."""
    player, token = await table.player("Anna")
    made = await make(table, token)
    assert made["link"].endswith(f"/#/carry/{made['code']}")
    assert made["qr"].startswith("<svg ")
    assert made["until_ms"] == table.now_ms + CODE_MS
    given = await redeem(table, made["code"])
    assert (given.json["player"]["id"], given.json["token"]["label"]) == (player, "phone")
    assert (await table.get("/me", given.json["text"])).json["id"] == player
    again = await redeem(table, made["code"])
    assert (again.status, again.json["type"]) == (404, "urn:tafelrunde:problem:device-code-unknown")
    assert (await table.ask("DELETE", f"{API}/me/tokens/{given.json['token']['id']}", token=token)).status == 204
    assert (await table.get("/me", token)).status == 200


async def test_one_wins_when_many_show_a_code_at_once(table: Table) -> None:
    """The others get what a used code gets."""
    _, token = await table.player("Anna")
    made = await make(table, token)
    answers = await asyncio.gather(*(redeem(table, made["code"]) for _ in range(5)))
    assert sorted(each.status for each in answers) == [200, 404, 404, 404, 404]
    assert len((await table.get("/me/tokens", token)).json["items"]) == 2


async def test_code_counts_once_when_its_key_is_one_that_others_may_have(table: Table) -> None:
    """Without a token, only a long key is its sender's own: who else shows the code under a short one gets nothing."""
    _, token = await table.player("Anna")
    made = await make(table, token)
    wish = {"code": made["code"], "label": "phone"}
    answers = [await table.post("/device-codes", None, wish, key="1") for _ in range(2)]
    assert [each.status for each in answers] == [200, 404]


async def test_code_still_counts_when_there_was_no_room(table: Table) -> None:
    """It is used up by a token alone: once another one is revoked, the same code gives one."""
    _, token = await table.player("Anna")
    made = await make(table, token)
    more = [(await table.post("/me/tokens", token, {"scopes": ["read"]})).json["token"]["id"] for _ in range(MOST_TOKENS - 1)]
    refused = await redeem(table, made["code"])
    assert (refused.status, refused.json["type"]) == (409, "urn:tafelrunde:problem:too-many-tokens")
    await table.ask("DELETE", f"{API}/me/tokens/{more[0]}", token=token)
    assert (await redeem(table, made["code"])).status == 200


async def test_code_ends(table: Table) -> None:
    """After ten minutes, when it is revoked, with the token that made it, and when newer ones take its place."""
    _, token = await table.player("Anna")
    late = await make(table, token)
    table.now_ms += CODE_MS
    dropped = await make(table, token)
    assert (await table.ask("DELETE", f"{API}/me/device-codes", token=token)).status == 204
    other = (await table.post("/me/tokens", token, {"scopes": ["read", "create"]})).json
    revoked = await make(table, other["text"])
    await table.ask("DELETE", f"{API}/me/tokens/{other['token']['id']}", token=token)
    first = await make(table, token)
    table.now_ms += 1
    newest = [await make(table, token) for _ in range(MOST_CODES)]
    bodies = {(await redeem(table, each["code"])).body for each in (late, dropped, revoked, first, {"code": "A" * 60})}
    assert len(bodies) == 1, "an unknown code looks like one that has ended"
    assert (await redeem(table, newest[-1]["code"])).status == 200


async def test_token_of_a_code_has_no_more_than_the_one_that_made_it(table: Table) -> None:
    """Neither scopes nor time."""
    _, token = await table.player("Anna")
    ends = table.now_ms + 3_600_000
    maker = (await table.post("/me/tokens", token, {"scopes": ["read", "create"], "expires_ms": ends})).json["text"]
    given = (await redeem(table, (await make(table, maker))["code"])).json["token"]
    assert (given["scopes"], given["expires_ms"]) == (["read", "create"], ends)
    reader = (await table.post("/me/tokens", token, {"scopes": ["read"]})).json["text"]
    assert (await table.post("/me/device-codes", reader)).status == 403


async def test_code_is_in_no_log_line(table: Table) -> None:
    """Neither when it is made nor when it is shown, rightly or wrongly."""
    _, token = await table.player("Anna")
    with capture_logs() as lines:
        code = (await make(table, token))["code"]
        await redeem(table, code)
        await redeem(table, code)
    assert code not in str(lines)
