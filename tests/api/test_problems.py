"""Problems: each type can occur, has the documented form, and reveals nothing else."""

from __future__ import annotations

import asyncio
import re
from typing import NoReturn

import msgspec
import pytest

from tafelrunde.api.features import problem_kinds
from tafelrunde.api.problems import Problem, problem_of
from tafelrunde.service.errors import CorruptHistory, HistoryForked, StoreUnavailable, VersionConflict
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import Table, opened
from tests.support.ways import JSON, WAYS, internal
from tests.support.wire import Exchange, request

pytestmark = pytest.mark.anyio


RETRY = {"openid-unavailable": "5"}
"""After how many seconds to come back where it is not one."""


@pytest.mark.parametrize("name", WAYS)
async def test_problem_has_its_type_status_and_texts(table: Table, name: str) -> None:
    """application/problem+json, as the table of problems says it."""
    answer = await WAYS[name](table)
    problem = msgspec.json.decode(answer.body, type=Problem)
    kind = problem_kinds()[name]
    assert (answer.status, answer.header("content-type")) == (kind.status, "application/problem+json")
    assert (problem.type, problem.status, problem.title) == (f"urn:tafelrunde:problem:{name}", kind.status, kind.en)
    assert problem.message.de != problem.message.en
    assert answer.header("cache-control") == "no-store"
    assert answer.header("retry-after") == (RETRY.get(name, "1") if kind.status in {429, 503} else None)
    assert not re.search(rb"Traceback|\.py|duke|redis", answer.body)


@pytest.mark.parametrize("name", problem_kinds())
async def test_problem_has_a_page(table: Table, name: str) -> None:
    """The type leads to an explanation."""
    answer = await table.ask("GET", f"/problems/{name}")
    assert (answer.status, answer.header("content-type")) == (200, "text/html; charset=utf-8")
    assert name.encode() in answer.body
    assert f'<a href="/problems/{name}">'.encode() in (await table.ask("GET", "/problems/")).body


async def test_every_problem_is_met() -> None:
    """Every type occurs, except one that needs a race: a seat that is left between two reads."""
    assert problem_kinds().keys() - WAYS.keys() == {"seat-left"}


@pytest.mark.parametrize("error", [VersionConflict(1, 2), HistoryForked("x"), StoreUnavailable("x")])
async def test_trouble_of_the_store_says_try_again(error: Exception) -> None:
    """Whatever is going on between writers and servers, a repetition is safe."""
    assert problem_of(error).type == "urn:tafelrunde:problem:unavailable"


@pytest.mark.parametrize("error", [CorruptHistory("x"), AssertionError("x"), KeyError("x")])
async def test_error_that_no_one_foresaw_tells_nothing(error: Exception) -> None:
    """Its text stays inside."""
    assert b"x" not in msgspec.json.encode(problem_of(error)).replace(b"explain", b"")


async def test_unforeseen_error_is_logged_without_its_text(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    """Where it happened, and of which kind; never what it says, which may be a card."""
    await internal(table)
    assert "the duke is hidden" not in caplog.text


@pytest.mark.parametrize(
    ("raw", "field"),
    [(b"", ""), (b"{", ""), (b"[]", ""), (b"\xff\xfe", ""), (b'{"name": "\\ud800"}', ""), (b'{"name": "a"} x', ""), (b"NaN", "")],
    ids=["empty", "cut", "array", "not-utf-8", "surrogate", "more", "nan"],
)
async def test_body_is_refused_when_it_is_no_json_object(table: Table, raw: bytes, field: str) -> None:
    """400, and never anything worse."""
    _, token = await table.player()
    answer = await table.ask("PATCH", "/api/v1/me", token=token, raw=raw, headers=JSON)
    assert (answer.status, answer.json["field"]) == (400, field)


@pytest.mark.parametrize("depth", [1_000, 30_000])
async def test_body_is_refused_when_it_is_nested_too_deep(table: Table, depth: int) -> None:
    """A tower of brackets does not bring the service down."""
    _, token = await table.player()
    raw = b'{"decision": 1, "command": ' + b"[" * depth + b"]" * depth + b"}"
    answer = await table.post(f"/matches/{'m' + 'a' * 24}/commands", token, raw=raw, headers=JSON)
    assert answer.status == 400


@pytest.mark.parametrize(
    "media", ["text/plain", "application/msgpack", "application/json; charset=latin-1", "", "application/jsonp"]
)
async def test_body_is_refused_when_it_does_not_say_that_it_is_json(table: Table, media: str) -> None:
    """415; nothing is guessed."""
    answer = await table.post("/players", raw=b"{}", headers=[("Content-Type", media)])
    assert answer.status == 415


@pytest.mark.parametrize("media", ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
async def test_body_is_read_when_it_says_that_it_is_json(table: Table, media: str) -> None:
    """In any spelling of that."""
    assert (await table.post("/players", raw=b"{}", headers=[("Content-Type", media)])).status == 201


@pytest.mark.parametrize("key", ["", "a b", "a/b", "ä", "x" * 65, "a\n", 'a"'])
async def test_key_is_refused_when_it_is_malformed(table: Table, key: str) -> None:
    """1 to 64 plain characters."""
    _, token = await table.player()
    answer = await table.post("/matches", token, {"game": "duel", "seats": 2}, key=key)
    assert (answer.status, answer.json["field"]) == (400, "Idempotency-Key")


async def test_key_in_quotation_marks_is_the_same_key(table: Table) -> None:
    """A structured field (RFC 8941), as the draft of the header wants it, repeats a request that was sent without the marks."""
    _, token = await table.player()
    plain = await table.post("/matches", token, {"game": "duel", "seats": 2}, key="first")
    quoted = await table.post("/matches", token, {"game": "duel", "seats": 2}, key='"first"')
    assert (quoted.status, quoted.json, quoted.header("idempotency-replayed")) == (plain.status, plain.json, "true")


async def test_every_answer_has_a_request_id_of_its_own(table: Table) -> None:
    """Successes, refusals, wrong paths, wrong methods and unknown hosts; an id does not count requests."""
    found = list[tuple[int, str]]()
    for method, path, host in (
        ("GET", "/api/v1/games", "cards.example"),
        ("GET", "/api/v1/games", "cards.example"),
        ("GET", "/api/v1/me", "cards.example"),
        ("GET", "/api/v1/matches/stream", "cards.example"),
        ("DELETE", "/api/v1/games", "cards.example"),
        ("GET", "/api/v1/games", "a b"),
        ("GET", "/", "cards.example"),
    ):
        exchange = Exchange(table.app, *request(method, path, headers=[("Host", host)]))
        found.append(((await exchange.begin()).status, exchange.request_id))
        await exchange.leave()
    assert [status for status, _ in found] == [200, 200, 401, 404, 405, 400, 200]
    assert len({request_id for _, request_id in found}) == len(found)
    assert all(re.fullmatch("[0-9a-f]{16}", request_id) for _, request_id in found)


async def test_unknown_path_is_a_problem_too(table: Table) -> None:
    """Also outside of the API."""
    for path in ("/api/v1/nothing", "/nothing", "/api/v1/matches/x/y/z"):
        assert (await table.ask("GET", path)).json["type"] == "urn:tafelrunde:problem:not-found"


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        pytest.param(StoreUnavailable("secret:6379 is away"), "The store does not answer.", id="away"),
        pytest.param(StoreUnavailable("no room in /secret", "MISCONF"), "The store refuses writes: MISCONF.", id="refusing"),
    ],
)
async def test_what_the_store_lacks_is_reported_by_readiness(error: StoreUnavailable, detail: str) -> None:
    """503 for the load balancer, with the reason but nothing about the machine; the process itself stays alive."""
    async with opened() as table:

        async def refuse() -> NoReturn:
            raise error

        object.__setattr__(table.application.stores.events, "require_writable", refuse)
        answer = await table.get("/health/ready")
        assert (answer.status, answer.json["type"], answer.json["detail"]) == (503, "urn:tafelrunde:problem:unavailable", detail)
        assert (await table.get("/health/live")).status == 200


async def test_process_that_is_about_to_stop_is_not_ready() -> None:
    """A load balancer should send it no more requests."""
    async with opened() as table:
        table.application.drain()
        answer = await table.get("/health/ready")
        assert (answer.status, answer.json["detail"]) == (503, "The process is shutting down.")


async def test_store_that_hangs_is_reported_by_readiness(monkeypatch: pytest.MonkeyPatch) -> None:
    """The question for readiness does not hang with it."""
    monkeypatch.setattr("tafelrunde.service.runtime.readiness.ANSWER_SECONDS", 0.02)
    async with opened() as table:
        object.__setattr__(table.application.stores.events, "require_writable", lambda: asyncio.sleep(10 * PATIENCE_SECONDS))
        assert (await table.get("/health/ready")).status == 503
