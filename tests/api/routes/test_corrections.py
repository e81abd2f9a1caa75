"""Corrections over HTTP, and players who delete their account."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tafelrunde.api.app import create_app, running
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.errors import KeyReused
from tafelrunde.service.matches.codec import digest_of
from tafelrunde.service.matches.command_handler import IssuedCommand
from tafelrunde.service.ports.events import SHARDS, Shard, Written
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.redis_store.client import Client, items
from tests.support.table import GAMES, PLAIN, Table
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
TURNED = [{"seat": 0, "rank": 2, "score": None}, {"seat": 1, "rank": 1, "score": None}]
VOID = {"reason": "Two seats were played by one person."}


async def admin(table: Table) -> str:
    """Return the token of an operator."""
    player, _ = await table.player("Rita")
    return (await table.application.accounts.issue(PlayerId(player), "operator", ["read", "admin"], None))[1]


async def over(table: Table, **wishes: Any) -> tuple[str, str]:
    """Play a match to its end; return it and a player's token."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, **wishes)
    await table.finish(match, one, other)
    return match, one


async def archive(table: Table, match: str) -> None:
    """Let enough time pass, and run the finalizer."""
    table.now_ms += 3_600_001
    while await table.application.finalizer.portion() == 0:
        pass
    head = await table.application.stores.events.head(MatchId(match))
    assert head is not None
    assert head.archived == head.version


def code(answer: Answer) -> tuple[int, str]:
    """Return the text of a refusal."""
    return answer.status, answer.json.get("code", answer.json["type"])


async def test_match_is_voided_and_everything_follows(table: Table) -> None:
    """Facts, view, feed, and the lists of matches, with the reason."""
    match, one = await over(table)
    told = await table.post(f"/matches/{match}/void", await admin(table), VOID)
    correction = {"kind": "voided", "reason": VOID["reason"], "at_ms": table.now_ms}
    assert (told.status, told.json["correction"], told.json["placings"]) == (200, correction, None)
    view = await table.view(match, one)
    assert (view["status"], view["placings"], view["correction"]) == ("over", None, correction)
    newest = (await table.get(f"/matches/{match}/feed", one)).json["items"][-1]["event"]
    assert newest == {"type": "match.voided.1", "reason": VOID["reason"], "at_ms": table.now_ms}
    await table.project(match)
    [listed] = (await table.get("/me/matches", one)).json["items"]
    assert (listed["placings"], listed["correction"]) == (None, correction)


async def test_match_is_adjudicated(table: Table) -> None:
    """The operator's result counts; the table's own is still in the feed."""
    match, one = await over(table)
    wish = {"placings": TURNED[::-1], **VOID}
    told = await table.post(f"/matches/{match}/adjudicate", await admin(table), wish)
    assert (told.status, told.json["placings"]) == (200, TURNED)
    assert (await table.view(match, one))["placings"] == TURNED
    kinds = [item["event"]["type"] for item in (await table.get(f"/matches/{match}/feed", one)).json["items"]]
    assert kinds[-2:] == ["match.ended.1", "match.adjudicated.1"]


async def test_nothing_before_a_correction_is_edited(table: Table) -> None:
    """The old log is a prefix of the new one, and every earlier view is unchanged."""
    match, one = await over(table)
    before = await table.application.stores.events.load(MatchId(match))
    cursor = (await table.view(match, one))["cursor"]
    old = await table.view(match, one)
    await table.post(f"/matches/{match}/void", await admin(table), VOID)
    after = await table.application.stores.events.load(MatchId(match))
    assert before is not None
    assert after is not None
    assert after.entries[:-1] == before.entries
    assert (await table.get(f"/matches/{match}/view?at={cursor}", one)).json == old


async def test_archived_match_is_corrected_all_the_same(table: Table) -> None:
    """It is appended behind its archive, gets another leaf, and is archived again."""
    match, one = await over(table)
    await archive(table, match)
    operator = await admin(table)
    assert (await table.post(f"/matches/{match}/adjudicate", operator, {"placings": TURNED, **VOID})).status == 200
    await archive(table, match)
    assert (await table.post(f"/matches/{match}/void", operator, VOID)).status == 200
    await archive(table, match)
    assert (await table.view(match, one))["correction"]["kind"] == "voided"
    leaves = (await table.get(f"/log/proofs/{match}", one)).json["leaves"]
    assert [leaf["outcome"] for leaf in leaves] == ["over", "adjudicated", "voided"]
    assert [leaf["version"] for leaf in leaves] == sorted({leaf["version"] for leaf in leaves})


async def test_correction_is_made_once(table: Table) -> None:
    """The same key gets the same answer; the same key for another correction is refused."""
    match, _ = await over(table)
    operator = await admin(table)
    first, again = [await table.post(f"/matches/{match}/void", operator, VOID, key="k") for _ in range(2)]
    assert (again.status, again.body) == (200, first.body)
    assert (first.header("idempotency-replayed"), again.header("idempotency-replayed")) == (None, "true")
    assert code(await table.post(f"/matches/{match}/void", operator, {"reason": "other"}, key="k")) == (
        422,
        "urn:tafelrunde:problem:key-reused",
    )


async def test_correction_needs_an_operator(table: Table) -> None:
    """No player has the scope, and none can grant it to itself."""
    match, one = await over(table)
    for path, wish in (("void", VOID), ("adjudicate", {"placings": TURNED, **VOID})):
        assert code(await table.post(f"/matches/{match}/{path}", one, wish)) == (403, "urn:tafelrunde:problem:scope-missing")
        assert code(await table.post(f"/matches/{match}/{path}", None, wish)) == (401, "urn:tafelrunde:problem:unauthenticated")
    assert code(await table.post("/me/tokens", one, {"scopes": ["admin"]})) == (403, "urn:tafelrunde:problem:scope-missing")


async def test_correction_is_refused_with_a_reason(table: Table) -> None:
    """Refusals of corrections are worded like all other refusals of a match."""
    (_, one), (_, other) = await table.player(), await table.player()
    operator = await admin(table)
    running = await table.begin(one, other)
    match, _ = await over(table)
    assert code(await table.post(f"/matches/{running}/void", operator, VOID)) == (409, "match.not-over")
    wrong = {"placings": TURNED[:1], **VOID}
    assert code(await table.post(f"/matches/{match}/adjudicate", operator, wrong)) == (409, "match.placings-wrong")
    await table.post(f"/matches/{match}/void", operator, VOID)
    assert code(await table.post(f"/matches/{match}/void", operator, VOID)) == (409, "match.no-result")
    nowhere = "m" + "a" * 24
    assert code(await table.post(f"/matches/{nowhere}/void", operator, VOID)) == (404, "urn:tafelrunde:problem:not-found")
    for reason in ("", "x" * 501, "a\nb"):
        answer = await table.post(f"/matches/{match}/void", operator, {"reason": reason})
        assert (answer.status, answer.json["field"]) == (400, "/reason")


async def test_operator_corrects_what_does_not_concern_it(table: Table) -> None:
    """Also an unlisted match without spectators."""
    match, _ = await over(table, visibility="unlisted")
    assert (await table.post(f"/matches/{match}/void", await admin(table), VOID)).status == 200


# Players who go


async def test_deleted_player_is_gone(table: Table) -> None:
    """No name, no token; its id stays in the matches it played."""
    player, token = await table.player("Anna")
    _, other = await table.player("Ben")
    match = await table.begin(token, other, visibility="listed")
    second = (await table.post("/me/tokens", token, {})).json["text"]
    await table.finish(match, token, other)
    assert (await table.ask("DELETE", "/api/v1/me", token=token)).status == 204
    for old in (token, second):
        assert code(await table.get("/me", old)) == (401, "urn:tafelrunde:problem:unauthenticated")
    assert code(await table.get(f"/players/{player}")) == (404, "urn:tafelrunde:problem:not-found")
    facts = (await table.get(f"/matches/{match}", other)).json
    assert (facts["host"], facts["host_name"]) == (player, None)
    assert [chair["name"] for chair in facts["chairs"]] == [None, "Ben"]


async def test_deleted_player_leaves_its_matches(table: Table) -> None:
    """A bot plays on in a running match, an open match of its own is aborted, in another one its seat is free again.

    That holds also for what no list of matches knows yet.
    """
    (_, one), (_, other) = await table.player(), await table.player()
    going = await table.begin(one, other)
    own = await table.open(one)
    foreign = await table.open(other)
    await table.post(f"/matches/{foreign}/seats", one)
    assert (await table.ask("DELETE", "/api/v1/me", token=one)).status == 204
    assert (await table.get(f"/matches/{going}", other)).json["chairs"][0]["bot"] is not None
    assert (await table.get(f"/matches/{own}", other)).json["status"] == "aborted"
    assert (await table.get(f"/matches/{foreign}", other)).json["chairs"][1]["player"] is None


async def test_seat_is_reserved_no_longer_when_its_player_is_deleted(table: Table) -> None:
    """No rematch waits for who is not there any more."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    assert (await table.ask("DELETE", "/api/v1/me", token=other)).status == 204
    assert (await table.get(f"/matches/{successor}", one)).json["chairs"][1]["reserved"] is None


async def test_deleted_player_leaves_its_matches_whatever_keys_it_has_used(table: Table) -> None:
    """No idempotency key of a client can block the deletion."""
    (_, one), (host, other) = await table.player(), await table.player()
    keys = ("forget", "forget.", "forget:what")
    matches = [await table.open(other) for _ in keys]
    for match, key in zip(matches, keys, strict=True):
        await table.ask("POST", f"/api/v1/matches/{match}/seats", token=one, key=key, content={"seat": 1})
    assert (await table.ask("DELETE", "/api/v1/me", token=one)).status == 204
    for match in matches:
        assert [chair["player"] for chair in (await table.get(f"/matches/{match}", other)).json["chairs"]] == [host, None]


async def test_deleted_player_leaves_its_other_matches_when_one_cannot_be_left(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A problem with one match stops neither the deletion nor the release of the other seats."""
    (_, one), (_, other) = await table.player(), await table.player()
    matches = [await table.open(other) for _ in range(3)]
    for match in matches:
        await table.post(f"/matches/{match}/seats", one)
    carry_out = table.application.handler.carry_out

    async def failing(order: IssuedCommand) -> Written:
        if order.match == matches[1]:
            raise KeyReused
        return await carry_out(order)

    monkeypatch.setattr(table.application.handler, "carry_out", failing)
    assert (await table.ask("DELETE", "/api/v1/me", token=one)).status == 204
    assert (await table.get("/me", one)).status == 401
    seats = [(await table.get(f"/matches/{match}", other)).json["chairs"][1]["player"] is None for match in matches]
    assert seats == [True, False, True]


async def test_next_player_is_host_when_the_host_is_deleted(table: Table) -> None:
    """The players at the table can continue."""
    (_, one), (heir, other) = await table.player(), await table.player()
    match = await table.open(one, seat=None)
    await table.post(f"/matches/{match}/seats", other)
    assert (await table.ask("DELETE", "/api/v1/me", token=one)).status == 204
    facts = (await table.get(f"/matches/{match}", other)).json
    assert (facts["status"], facts["host"]) == ("open", heir)


async def test_deleted_player_leaves_all_its_matches_when_there_are_many(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only those on the first page of its list, but also one that it hosts without a seat."""
    monkeypatch.setattr("tafelrunde.service.views.unfinished.PAGE", 1)
    (_, one), (_, other) = await table.player(), await table.player()
    matches = [await table.open(one) for _ in range(2)] + [await table.open(one, seat=None)]
    for match in matches:
        await table.project(match)
    assert (await table.ask("DELETE", "/api/v1/me", token=one)).status == 204
    assert [(await table.get(f"/matches/{match}", other)).json["status"] for match in matches] == ["aborted"] * 3


async def test_deleted_player_leaves_what_it_opened_while_it_was_deleted(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests accepted with its token may still be in progress."""
    (_, one), (_, other) = await table.player(), await table.player()
    remove = table.application.accounts.remove
    late = list[str]()

    async def slowly(player: PlayerId) -> None:
        late.append(await table.open(one))
        await remove(player)

    monkeypatch.setattr(table.application.accounts, "remove", slowly)
    assert (await table.ask("DELETE", "/api/v1/me", token=one)).status == 204
    assert (await table.get(f"/matches/{late[0]}", other)).json["status"] == "aborted"


async def all_bytes(url: str) -> bytes:
    """Return all keys and values of a server."""
    wire = Client(url)
    found = b""
    reading = {b"string": ("GET",), b"hash": ("HGETALL",), b"list": ("LRANGE", 0, -1), b"zset": ("ZRANGE", 0, -1)}
    try:
        for key in items(await wire.call("KEYS", "*")):
            assert isinstance(key, bytes)
            kind = await wire.call("TYPE", key)
            assert isinstance(kind, bytes)
            command, *rest = reading.get(kind, ("XRANGE", "-", "+"))
            found += key + repr(await wire.call(str(command), key, *rest)).encode()
    finally:
        await wire.close()
    return found


async def told(stores: Stores) -> dict[str, tuple[bytes, bytes]]:
    """Return chain and state digest of every match, read and folded from the log, with every chain checked."""
    application = Application(stores, PLAIN, games=GAMES)
    found: dict[str, tuple[bytes, bytes]] = {}
    for shard in range(SHARDS):
        for match in await stores.events.matches(Shard(shard)):
            loaded = await application.repository.load_latest(match)
            found[match] = loaded.chain, digest_of(loaded.match)
    return found


def test_deleting_a_player_keeps_every_chain_valid_and_no_name_behind(valkey_url: str) -> None:
    """Personal data is kept out of the logs: after the deletion no byte on the server has the name, and no chain has changed."""

    async def story() -> None:
        async with await RedisStores.connect(valkey_url) as stores:
            table = Table()
            table.application = Application(stores, PLAIN, games=GAMES, now_ms=lambda: table.now_ms)
            table.app = create_app(PLAIN, application=table.application)
            async with running(table.app):
                (_, one), (_, other) = await table.player("Wolfdietrich"), await table.player("Ben")
                archived, kept = [await table.begin(one, other) for _ in range(2)]
                for match in (archived, kept):
                    await table.finish(match, one, other)
                    await table.project(match)
                await table.application.finalizer.archive(MatchId(archived))
                before = await told(stores)
                assert b"Wolfdietrich" in await all_bytes(valkey_url)
                await table.ask("DELETE", "/api/v1/me", token=one)
                assert await told(stores) == before
                assert b"Wolfdietrich" not in await all_bytes(valkey_url)

    asyncio.run(story())
