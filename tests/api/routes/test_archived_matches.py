"""Archived matches over HTTP: they cannot be distinguished from others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import pytest

from tafelrunde.api.app import create_app, running
from tafelrunde.domain.match import MatchId
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import Shard
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings
from tests.support.table import API, GAMES, NOW_MS, PLAIN, Table
from tests.support.wire import Answer, Wire

pytestmark = pytest.mark.anyio
HOUR_MS = 3_600_000


class Process(Wire):
    """A fresh process of the service on the same stores: it has nothing in memory."""

    def __init__(self, stores: Stores, now_ms: int) -> None:
        self.application = Application(stores, PLAIN, games=GAMES, now_ms=lambda: now_ms)
        super().__init__(create_app(PLAIN, application=self.application))


class Sent(NamedTuple):
    """A request that was accepted."""

    path: str
    token: str
    key: str
    content: object
    answer: Answer


class Recording(Table):
    """A table that records its requests."""

    def __init__(self, stores: Stores) -> None:
        self.sent: list[Sent] = []
        super().__init__()
        self.application = Application(stores, PLAIN, games=GAMES, now_ms=lambda: self.now_ms)
        self.app = create_app(PLAIN, application=self.application)

    async def post(self, path: str, token: str | None = None, content: object = None, **more: Any) -> Answer:
        key = self.key()
        answer = await super().post(path, token, content, key=key, **more)
        if token is not None and answer.status < 300:
            self.sent.append(Sent(path, token, key, content, answer))
        return answer


@pytest.fixture(params=["memory", "redis"])
async def table(request: pytest.FixtureRequest) -> AsyncIterator[Recording]:
    """A service on each kind of store."""
    async with AsyncExitStack() as stack:
        if request.param == "memory":
            stores = memory_stores()
        else:
            stores = await stack.enter_async_context(await RedisStores.connect(request.getfixturevalue("valkey_url")))
        table = Recording(stores)
        await stack.enter_async_context(running(table.app))
        yield table


async def over(table: Table, **wishes: Any) -> tuple[str, str, str]:
    """Play a match that spectators may watch; return it and both players' tokens."""
    (_, one), (_, other) = await table.player("Anna"), await table.player("Ben")
    match = await table.begin(one, other, spectators="public", **wishes)
    await table.finish(match, one, other)
    return match, one, other


async def archive(table: Table, match: str) -> None:
    """Let enough time pass, and run the finalizer."""
    table.now_ms += HOUR_MS + 1
    while await table.application.finalizer.portion() == 0:
        pass
    head = await table.application.stores.events.head(MatchId(match))
    assert head is not None
    assert head.archived == head.version


async def reads(table: Table, match: str, tokens: Sequence[str | None]) -> dict[str, Answer]:
    """Request from a fresh process everything readable of a match, as each of these viewers."""
    fresh = Process(table.application.stores, table.now_ms)
    found: dict[str, Answer] = {}
    async with running(fresh.app):
        for viewer, token in enumerate(tokens):
            feed = await fresh.ask("GET", f"{API}/matches/{match}/feed", token=token)
            cursors = [item["cursor"] for item in feed.json["items"]]
            paths = ["", "/view", "/feed", "/feed?limit=3", f"/feed?after={cursors[4]}&wait=1", f"/feed?after={cursors[-1]}"]
            paths += [f"/view?at={cursor}" for cursor in cursors]
            paths += ["/proofs", "/proofs/1/0", "/proofs/1/3"]
            for path in paths:
                found[f"{viewer} {path}"] = await fresh.ask("GET", f"{API}/matches/{match}{path}", token=token)
            for after in (None, cursors[3]):
                headers = [("Last-Event-ID", after)] if after is not None else []
                async with fresh.listen(f"{API}/matches/{match}/stream", token=token, headers=headers) as stream:
                    start = await stream.begin()
                    found[f"{viewer} stream {after}"] = Answer(start.status, (), await stream.hear())
    return found


async def test_every_read_has_the_same_bytes_when_match_is_archived(table: Recording) -> None:
    """Facts, views at any point, feed, stream, proofs, for all kinds of viewers: byte for byte, also after restoring."""
    match, one, other = await over(table)
    (_, stranger) = await table.player()
    viewers = (one, other, stranger, None)
    before = await reads(table, match, viewers)
    assert {answer.status for answer in before.values()} == {200}
    await archive(table, match)
    assert await reads(table, match, viewers) == before
    assert await table.application.finalizer.restore(MatchId(match))
    assert await reads(table, match, viewers) == before


async def test_lists_stay_when_projections_are_made_again_from_archives(table: Recording) -> None:
    """The rows of archived matches are as they were, also when they are built from nothing else."""
    match, one, _ = await over(table)
    await table.project(match)
    before = await table.get("/me/matches", one)
    assert len(before.json["items"]) == 1
    await archive(table, match)
    fresh = Process(table.application.stores, table.now_ms)
    for shard in range(64):
        await fresh.application.projector.rebuild(Shard(shard))
    assert await table.get("/me/matches", one) == before


async def test_old_requests_get_their_old_answers_when_match_is_archived(table: Recording) -> None:
    """Every accepted request, repeated with its key, gets its original answer from a fresh process."""
    match, *_ = await over(table)
    sent = [each for each in table.sent if each.path != "/players"]
    assert len(sent) > 6
    await archive(table, match)
    fresh = Process(table.application.stores, table.now_ms)
    async with running(fresh.app):
        for each in sent:
            answer = await fresh.ask("POST", API + each.path, token=each.token, key=each.key, content=each.content)
            assert (answer.status, answer.body) == (each.answer.status, each.answer.body), each.path
            assert answer.header("idempotency-replayed") == "true"
        first = sent[-1]
        answer = await fresh.ask("POST", API + first.path, token=first.token, key=first.key, content={"decision": 99})
        assert answer.status in {400, 422}


async def test_new_requests_are_refused_as_before_when_match_is_archived(table: Recording) -> None:
    """The refusals of a finished match are the same, archived or not."""
    match, one, other = await over(table)
    (_, stranger) = await table.player()
    command = {"decision": 1, "command": {"type": "duel.play-card", "card": 1}}
    wishes = [
        ("/commands", one, command),
        ("/commands", stranger, command),
        ("/commands?dry_run=true", other, command),
        ("/abort", one, None),
        ("/start", one, None),
        ("/start", other, None),
        ("/seats", stranger, None),
        ("/rematch", stranger, None),
    ]
    before = [await table.post(f"/matches/{match}{path}", token, content) for path, token, content in wishes]
    assert {answer.status for answer in before} <= {400, 403, 409}
    await archive(table, match)
    fresh = Process(table.application.stores, table.now_ms)
    async with running(fresh.app):
        for (path, token, content), old in zip(wishes, before, strict=True):
            answer = await fresh.ask("POST", f"{API}/matches/{match}{path}", token=token, key=table.key(), content=content)
            assert (answer.status, answer.body) == (old.status, old.body), path


async def test_rematch_begins_when_match_is_archived(table: Recording) -> None:
    """Players who come back late can still have a rematch; the new match is archived in turn."""
    match, one, other = await over(table)
    await archive(table, match)
    rematch = await table.play_again(match, one, other)
    assert (await table.view(rematch, one))["status"] == "running"
    before = await reads(table, match, (one,))
    await archive(table, match)
    assert await reads(table, match, (one,)) == before


async def test_aborted_match_is_archived(table: Recording) -> None:
    """A match that ended without a result is finished as well."""
    (_, one) = await table.player()
    match = await table.open(one)
    await table.post(f"/matches/{match}/abort", one)
    await archive(table, match)
    assert (await table.view(match, one))["status"] == "aborted"


async def test_match_is_archived_only_after_its_grace_time(table: Recording) -> None:
    """`archive_after_seconds` counts from the newest event; until then the log stays, and running matches are never archived."""
    match, one, other = await over(table)
    going = await table.begin(one, other)
    for wait_ms in (0, HOUR_MS - 1):
        table.now_ms = NOW_MS + wait_ms
        await table.application.finalizer.portion()
        head = await table.application.stores.events.head(MatchId(match))
        assert head is not None
        assert head.archived == 0
    assert [each async for each in table.application.finalizer.due()] == []
    table.now_ms = NOW_MS + HOUR_MS
    assert [each async for each in table.application.finalizer.due()] == [match]
    await archive(table, match)
    assert [each async for each in table.application.finalizer.due()] == []
    head = await table.application.stores.events.head(MatchId(going))
    assert head is not None
    assert head.archived == 0
    claims = await table.application.stores.agenda.claim(AgendaKind.CARE, 0, 1, 1)
    assert claims.next_ms is None


async def test_grace_time_is_a_setting() -> None:
    """The setting names it, and the default is one hour."""
    assert PLAIN.archive_after_seconds == Settings().archive_after_seconds == 3_600
