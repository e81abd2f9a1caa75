"""Visible limits: every caller sees its own quota, and nothing about others."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator

import pytest

from tafelrunde.api.app import create_app, running
from tafelrunde.api.features import operations
from tafelrunde.api.features.records import routes as records
from tafelrunde.api.features.records.caches import Records
from tafelrunde.api.http.rate_limits import HEADER_BYTES, HEADER_COUNT, Cost, address_of
from tafelrunde.api.routes import play
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store.answers import MemoryAnswers
from tafelrunde.service.players.accounts import digest_of
from tafelrunde.service.players.token_seal import TokenSeal
from tafelrunde.service.ports.players import TokenRecord
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import API, Table, opened
from tests.support.wire import Answer, Wire

ALL_OPERATIONS = operations()

pytestmark = pytest.mark.anyio
SMALL = Settings(
    bot_pause_ms=0,
    limits=LimitSettings(
        reads_per_minute=60,
        advice_per_minute=4,
        commands_per_minute=30,
        streams_per_minute=6,
        sign_ups_per_minute=10,
        failures_per_minute=5,
        requests_per_minute=600,
    ),
)
TOO_MANY = (429, "urn:tafelrunde:problem:too-many-requests")
SOMEWHERE, ELSEWHERE = ("198.51.100.1", 1), ("198.51.100.2", 1)


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A service with small budgets."""
    async with opened(SMALL) as table:
        yield table


def told(answer: Answer) -> tuple[str, int, int]:
    """Return an answer's quota, what is left of it, and the time until it is full."""
    found = re.fullmatch(r'"([a-z-]+)";r=(\d+);t=(\d+)', answer.header("ratelimit") or "")
    assert found is not None, answer
    return found[1], int(found[2]), int(found[3])


async def spent(table: Table, path: str, token: str | None = None, **more: object) -> int:
    """Send requests until one is refused, and return how many were not."""
    for count in range(1_000):
        answer = await table.get(path, token, **more)
        if answer.status == 429:
            return count
    raise AssertionError


async def test_budget_is_reported_with_every_answer(table: Table) -> None:
    """The remaining quota, the time until it is full, and the policy; on refusals too."""
    _, token = await table.player()
    answers = [await table.get(path, token) for path in ("/me", "/me", "/matches/nothing")]
    assert [told(answer) for answer in answers] == [("reads", 59, 1), ("reads", 58, 2), ("reads", 57, 3)]
    assert {answer.header("ratelimit-policy") for answer in answers} == {'"reads";q=60;w=60'}
    command = await table.post("/matches", token, {"game": "duel", "seats": 2})
    assert (told(command), command.header("ratelimit-policy")) == (("commands", 29, 2), '"commands";q=30;w=60')


async def test_request_is_refused_when_the_budget_is_empty_and_answered_after_retry_after(table: Table) -> None:
    """429 with a delay, after which the request succeeds."""
    _, token = await table.player()
    assert await spent(table, "/me", token) == 60
    refused = await table.get("/me", token)
    assert (refused.status, refused.json["type"], refused.json["detail"]) == (*TOO_MANY, "reads: 60 a minute")
    assert (refused.header("retry-after"), told(refused)) == ("1", ("reads", 0, 1))
    table.now_ms += 1_000
    assert await spent(table, "/me", token) == 1


async def test_budgets_of_players_and_kinds_are_apart(table: Table) -> None:
    """With its reads used up a player may still play; other players and callers without a token are not affected.

    A further token of the same player has nothing of its own.
    """
    (_, one), (_, other) = await table.player(), await table.player()
    second = (await table.post("/me/tokens", one, {})).json["text"]
    await spent(table, "/me", one)
    assert (await table.get("/me", second)).status == 429
    assert (await table.post("/matches", one, {"game": "duel", "seats": 2})).status == 201
    assert told(await table.get("/me", other)) == ("reads", 59, 1)
    assert told(await table.get("/matches")) == ("no-token", 299, 1)


async def test_what_an_address_has_without_a_token_says_nothing_of_players_there(table: Table) -> None:
    """The budget is shown to all at the address, so no request with a token counts in it."""
    _, token = await table.player()
    match = await table.open(token)
    table.now_ms += 60_000
    before = told(await table.get("/games"))
    table.now_ms += 60_000
    assert (await table.post(f"/matches/{match}/seats", (await table.player())[1])).status == 200
    assert (await table.post(f"/matches/{match}/start", token)).status == 200
    assert (await table.get(f"/matches/{match}", token)).status == 200
    assert (await table.get("/games", token)).status == 200
    async with table.listen(f"{API}/matches/{match}/stream", token=token) as stream:
        assert (await stream.begin()).status == 200
        assert told(await table.get("/games")) == before


async def test_sign_ups_are_limited_by_address(table: Table) -> None:
    """Ten from one address, and another ten from a different one."""
    for peer in (SOMEWHERE, ELSEWHERE):
        answers = [await table.post("/players", content={}, peer=peer) for _ in range(11)]
        assert [answer.status for answer in answers] == [201] * 10 + [429]
        assert told(answers[0]) == ("sign-ups", 9, 6)


async def test_streams_are_limited(table: Table) -> None:
    """Repeatedly opening streams has a quota of its own."""
    _, token = await table.player()
    path = f"{API}/matches/{await table.open(token)}/stream"
    for _ in range(6):
        async with table.listen(path, token=token) as stream:
            assert (await stream.begin()).header("ratelimit-policy") == '"streams";q=6;w=60'
    assert (await table.ask("GET", path, token=token)).status == 429


async def test_advice_is_limited(table: Table) -> None:
    """Each of them takes a search, so fewer are allowed than other reads, which are not affected."""
    _, token = await table.player()
    path = f"/matches/{await table.open(token)}/coaching"
    assert [(await table.post(path, token, key=None)).status for _ in range(5)] == [409] * 4 + [429]
    assert (await table.get("/me", token)).status == 200


def guess(number: int) -> str:
    """Return a text like a token from before tokens had a seal: only the store can tell whether it is one."""
    return f"tr_{number:043}"


async def test_failures_are_limited_by_address_and_do_not_lock_out_who_was_known(table: Table) -> None:
    """After too many guesses no more are looked up; tokens work, also one without a seal that was valid before."""
    player, token = await table.player()
    before = await store_unsealed(table, player, guess(-1))
    assert [(await table.get("/me", each)).status for each in (token, before)] == [200, 200]
    answers = [await table.get("/me", guess(number)) for number in range(7)]
    assert [answer.status for answer in answers] == [401] * 5 + [429] * 2
    assert (answers[-1].json["detail"], answers[-1].header("retry-after")) == ("failures: 5 a minute", "12")
    fresh = (await table.post("/me/tokens", token, {})).json["text"]
    assert [(await table.get("/me", each)).status for each in (fresh, token, before)] == [200, 200, 200]
    unknown = await store_unsealed(table, player, guess(-2))
    assert ((await table.get("/me", unknown)).status, (await table.get("/me", unknown, peer=ELSEWHERE)).status) == (429, 200)
    table.now_ms += 12_000
    assert (await table.get("/me", guess(8))).status == 401


async def store_unsealed(table: Table, player: str, text: str) -> str:
    """Store a token as it was made before tokens had a seal; return its text."""
    record = TokenRecord(f"t{text[-20:]}", PlayerId(player), "old", ("read", "play"), 1, None)
    assert await table.application.stores.players.put_token(digest_of(text), record)
    return text


async def test_nonsense_is_refused_without_a_look_up_when_there_is_much_of_it(table: Table) -> None:
    """What this deployment has not made is 401, however often: it asks no store, and tokens of the same address never wait."""
    asked = count_lookups(table)
    foreign = TokenSeal([bytes(32)]).make_text(bytes(32))
    for text in ("tr_0", "x", foreign, foreign[:-1], f"{foreign}A", "trr_" + foreign[3:], "ä") * 5:
        assert (await table.get("/me", text)).status == 401
    assert not asked
    _, newcomer = await table.player()
    for _ in range(3):
        assert (await table.get("/me", newcomer)).status == 200
        assert (await table.get("/me", foreign)).status == 401
    assert len(asked) == 1


async def test_revoked_token_is_looked_up_once_a_minute(table: Table) -> None:
    """It has a seal, so it never waits; and it does not come back."""
    _, token = await table.player()
    created = (await table.post("/me/tokens", token, {"scopes": ["read"]})).json
    await table.ask("DELETE", f"/api/v1/me/tokens/{created['token']['id']}", token=token)
    asked = count_lookups(table)
    for _ in range(20):
        assert (await table.get("/me", created["text"])).status == 401
    assert len(asked) == 1
    table.now_ms += 60_000
    assert (await table.get("/me", created["text"])).status == 401
    assert len(asked) == 2


async def test_failed_token_is_not_looked_up_when_there_were_too_many(table: Table) -> None:
    """Refused requests are cheap: they do not query the store."""
    asked = count_lookups(table)
    for number in range(40):
        await table.get("/me", guess(number))
    assert len(asked) == 6


def count_lookups(table: Table) -> list[bytes]:
    """Return a list that gets the digest of each token that the store is asked for."""
    asked: list[bytes] = []
    honest = table.application.stores.players.token

    async def counting(digest: bytes) -> object:
        asked.append(digest)
        return await honest(digest)

    object.__setattr__(table.application.stores.players, "token", counting)
    return asked


async def test_address_has_a_budget_for_all_its_tokens(table: Table) -> None:
    """Many tokens do not make one address a crowd, and guests use half of it; the limit shows only when it is used up."""
    guests = [(await table.player())[1] for _ in range(6)]
    tokens = [(await table.player(f"P{number}", peer=ELSEWHERE))[1] for number in range(6)]
    assert [(await table.get("/me", token)).status for token in guests for _ in range(60)] == [200] * 300 + [429] * 60
    assert [(await table.get("/me", token)).status for token in tokens for _ in range(60)] == [200] * 300 + [429] * 60
    refused = await table.get("/me", tokens[-1])
    assert (refused.status, refused.json["detail"], refused.header("ratelimit")) == (429, "address: 600 a minute", None)
    assert (await table.get("/me", tokens[-1], peer=ELSEWHERE)).status == 200


async def test_limits_tell_nothing_of_others_at_the_same_address(table: Table) -> None:
    """What a seat sees of its limits does not depend on what other seats behind the same address do."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    quiet = [(await table.get(f"/matches/{match}/view", one)).headers for _ in range(3)]
    table.now_ms += 60_000
    loud: list[object] = []
    for _ in range(3):
        loud.append((await table.get(f"/matches/{match}/view", one)).headers)
        await table.post(f"/matches/{match}/commands?dry_run=true", other, {})
        await table.get("/me", other)
    assert loud == quiet


async def test_health_and_pages_are_not_limited(table: Table) -> None:
    """A load balancer may poll as often as it likes; pages are served from memory."""
    for path in (f"{API}/health/live", f"{API}/health/ready", "/problems/", "/"):
        answers = [await table.ask("GET", path) for _ in range(70)]
        assert {(answer.status, answer.header("ratelimit")) for answer in answers} == {(200, None)}


async def test_limits_can_be_turned_off() -> None:
    """With limits turned off by the host, no header mentions limits."""
    async with opened(Settings(limits=LimitSettings(rate_limits=False, reads_per_minute=1))) as table:
        answers = [await table.get("/games") for _ in range(50)]
        assert {(answer.status, answer.header("ratelimit")) for answer in answers} == {(200, None)}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::1", True),
        ("no address", "no address", True),
        ("", "192.0.2.1", False),
        ("x" * 64 + "1", "x" * 64 + "2", True),
    ],
)
def test_address_counts_as(one: str, other: str, same: bool) -> None:
    """IPv6 by the 64-bit prefix of a subscriber, IPv4 in any notation; nothing in it can grow."""
    assert (address_of(one) == address_of(other)) is same
    assert len(address_of(one)) < 70


@pytest.mark.parametrize(
    "headers", [[("X", "x" * HEADER_BYTES)], [(f"X-{n}", "") for n in range(HEADER_COUNT + 1)], [("X", "")] * 101]
)
async def test_headers_are_refused_when_they_are_too_many_or_too_large(table: Table, headers: list[tuple[str, str]]) -> None:
    """431, before anything else is processed."""
    assert (await table.get("/me", headers=headers)).status == 431


async def test_any_headers_get_an_answer_that_the_contract_knows(table: Table) -> None:
    """Any content: never a 500, and no address or token in any notation counts as more than one holder."""
    rng = random.Random(5)
    names = [
        "Authorization",
        "Idempotency-Key",
        "X-Forwarded-For",
        "Forwarded",
        "RateLimit",
        "Last-Event-ID",
        "If-None-Match",
        "Origin",
    ]
    statuses: set[int] = set()
    for number in range(400):
        table.now_ms += 1_000
        headers = [(rng.choice(names), _noise(rng)) for _ in range(rng.randrange(5))]
        peer = None if number % 7 == 0 else (_noise(rng), 1)
        method, path = rng.choice([("GET", "/me"), ("POST", "/players"), ("GET", "/matches"), ("OPTIONS", "/me")])
        answer = await table.ask(method, API + path, headers=headers, peer=peer)
        statuses.add(answer.status)
        assert answer.status < 500, (headers, peer)
    assert {200, 201, 204, 401} <= statuses


def _noise(rng: random.Random) -> str:
    """Return some text that might occur in a header."""
    texts = [
        "",
        "Bearer",
        "Bearer tr_",
        "*",
        "null",
        "::1",
        "192.0.2.1, 192.0.2.2",
        '"a";r=1',
        "ä",
        "\x00",
        "%",
        "9" * 300,
        "https://a.example",
    ]
    return rng.choice(texts) + rng.choice(["", " ", ";", rng.choice(texts)])


async def test_forwarded_address_is_not_believed_by_the_app(table: Table) -> None:
    """The server determines the client's address; a header sent by the client cannot change it."""
    answers = [await table.post("/players", content={}, headers=[("X-Forwarded-For", f"192.0.2.{n}")]) for n in range(11)]
    assert answers[-1].status == 429


def test_operations_cost_what_they_do() -> None:
    """Views are reads and everything else is a command, except streams, what is expensive, sign-ups, and what is free."""
    costs = {operation.name: operation.about.cost for operation in ALL_OPERATIONS}
    assert (costs["streamFeed"], costs["createPlayer"]) == (Cost.STREAM, Cost.SIGN_UP)
    advice = {"getHint", "askForCoaching", "openWhatIf", "exportMe"}
    proofs = {"redeemDeviceCode", "signInByPasskey", "finishOpenidSignIn", "exchangeToken"}
    assert {name for name, cost in costs.items() if cost is Cost.PROOF} == proofs
    assert {name for name, cost in costs.items() if cost is Cost.SIGN_UP} == {"createPlayer"}
    assert {name for name, cost in costs.items() if cost is Cost.CHALLENGE} == {"preparePasskeySignIn", "beginOpenidSignIn"}
    assert {name for name, cost in costs.items() if cost is Cost.ADVICE} == advice
    assert {name for name, cost in costs.items() if cost is Cost.NOTHING} == {"getLiveness", "getReadiness"}
    assert {operation.method for operation in ALL_OPERATIONS if operation.about.cost is Cost.READ} == {"GET"}


async def test_two_processes_over_one_store_share_a_budget(table: Table) -> None:
    """A portion granted to one process is not granted again by another."""
    application = Application(table.application.stores, SMALL, games=table.application.games, now_ms=lambda: table.now_ms)
    twin = Wire(create_app(SMALL, application=application))
    _, token = await table.player()
    async with running(twin.app):
        statuses = [(await each.ask("GET", f"{API}/me", token=token)).status for _ in range(50) for each in (table, twin)]
    assert statuses.count(200) == 60
    assert len(statuses) == 100


async def test_heavy_read_costs_as_much_as_many_when_it_has_to_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record and a verdict are charged by the number of events in the match when they are made; a stored one costs one read."""
    monkeypatch.setattr(records, "EVENTS_WRITTEN", 5)
    monkeypatch.setattr(records, "EVENTS_CHECKED", 2)
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(reads_per_minute=1_000))) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        await table.finish(match, one, other)
        events = (await table.application.repository.load_latest(MatchId(match))).version
        assert events >= 10

        async def left(path: str) -> int:
            answer = await table.get(f"/matches/{match}/{path}", one)
            assert answer.status == 200
            return int((answer.header("ratelimit") or "").partition("r=")[2].partition(";")[0])

        before = await left("view")
        made, kept = await left("record"), await left("record")
        assert (before - made, made - kept) == (1 + events // 5, 1)
        checked, known = await left("verification"), await left("verification")
        assert (kept - checked, checked - known) == (1 + events // 2, 1)


async def test_view_of_the_past_costs_more_the_longer_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is charged by the number of items of the caller's own feed from which it is built; the newest costs one read."""
    monkeypatch.setattr(play, "ITEMS_FOLDED", 5)
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(reads_per_minute=1_000))) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        await table.finish(match, one, other)
        items = (await table.get(f"/matches/{match}/feed?limit=500", one)).json["items"]
        assert len(items) > 10

        async def left(path: str) -> int:
            answer = await table.get(f"/matches/{match}/{path}", one)
            assert answer.status == 200
            return int((answer.header("ratelimit") or "").partition("r=")[2].partition(";")[0])

        newest = await left("view")
        also_newest = await left(f"view?at={items[-1]['cursor']}")
        early = await left(f"view?at={items[2]['cursor']}")
        late = await left(f"view?at={items[-2]['cursor']}")
        of_the_public = await left(f"view?at={items[-2]['cursor']}&perspective=public")
        assert newest - also_newest == also_newest - early == 1
        assert early - late == late - of_the_public == 1 + (len(items) - 1) // 5


async def test_read_costs_more_when_its_match_has_to_be_loaded() -> None:
    """Also when it is then forbidden; and it is answered although too little is left, but the next one is not."""
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(reads_per_minute=100))) as table:
        (_, one), (_, other), (_, stranger) = [await table.player() for _ in range(3)]
        match = await table.begin(one, other, spectators="off")
        await table.finish(match, one, other)

        async def left(token: str, status: int, *, cold: bool) -> int:
            if cold:
                table.application.repository._loaded.clear()
            answer = await table.get(f"/matches/{match}/view", token)
            assert answer.status == status
            return int((answer.header("ratelimit") or "").partition("r=")[2].partition(";")[0])

        for token, status in ((one, 200), (stranger, 403)):
            before = await left(token, status, cold=False)
            assert [before - await left(token, status, cold=cold) for cold in (False, True, False)] == [1, 12, 13]
        while (few := await left(one, 200, cold=True)) >= 11:
            pass
        if few:
            assert await left(one, 200, cold=True) == 0
        assert (await table.get(f"/matches/{match}/view", one)).status == 429


async def test_heavy_read_is_refused_when_too_little_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """429 with the time until the quota suffices; the same request succeeds then."""
    monkeypatch.setattr(records, "EVENTS_WRITTEN", 1)
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(reads_per_minute=200))) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        await table.finish(match, one, other)
        path = f"/matches/{match}/record"
        while (refused := await table.get(path, one)).status == 200:
            table.app.state.running.keep(Records())
        assert (refused.status, refused.json["type"]) == (429, "urn:tafelrunde:problem:too-many-requests")
        table.now_ms += 1_000 * int(refused.header("retry-after") or "0")
        assert (await table.get(path, one)).status == 200


async def test_token_pays_for_what_needs_none(table: Table) -> None:
    """A player is not refused because others at its address send much without a token; nonsense pays for nothing."""
    _, token = await table.player()
    assert await spent(table, "/games") == 300
    answers = [await table.get("/games", each) for each in (token, TokenSeal([bytes(32)]).make_text(bytes(32)), guess(1))]
    assert [each.status for each in answers] == [200, 429, 429]
    assert told(answers[0]) == ("reads", 59, 1)
    assert (await table.get("/games", peer=ELSEWHERE)).status == 200


async def test_proof_is_charged_only_where_it_is_not_valid(table: Table) -> None:
    """A good device code is redeemed however many requests without a token there were; a wrong one is one of them."""
    _, token = await table.player()
    code = (await table.post("/me/device-codes", token)).json["code"]
    wrong = {"code": code[:-4] + "AAAA", "label": "x"}
    statuses = [(await table.post("/device-codes", content=wrong)).status for _ in range(302)]
    assert statuses == [404] * 300 + [429] * 2
    assert (await table.post("/device-codes", content={"code": code, "label": "phone"})).status == 200
    assert (await table.post("/players", content={})).status == 201


MALFORMED = {
    "/device-codes": {"code": "short", "label": "phone"},
    "/passkey-sign-ins": {},
    "/openid/sign-ins": {"state": "short"},
    "/oauth/token": {},
}
INVALID = {
    "/device-codes": {"code": 60 * "A"},
    "/passkey-sign-ins": dict.fromkeys(("credential", "client_data", "authenticator_data", "signature", "user"), "AAAA"),
    "/openid/sign-ins": {"state": 43 * "A", "code": "code", "secret": 43 * "A"},
    "/oauth/token": {"grant_type": "refresh_token", "refresh_token": "trr_AAAA"},
}
"""Bodies of every operation that is charged only if what it brings is not valid."""


async def test_proof_is_charged_when_it_is_malformed_and_when_it_is_not_valid(table: Table) -> None:
    """As one request without a token, whatever is wrong with it, and refused once there is nothing left."""
    paths = {each.path.removeprefix(API) for each in ALL_OPERATIONS if each.about.cost is Cost.PROOF}
    assert paths == {*MALFORMED} == {*INVALID}
    offenders = list[tuple[str, object]]()
    for path in sorted(paths):
        for body in (MALFORMED[path], INVALID[path]):
            table.now_ms += 60_000
            answer = await table.post(path, content=body)
            if answer.status < 400 or told(answer) != ("no-token", 299, 1):
                offenders.append((path, body))
    assert offenders == []
    table.now_ms += 60_000
    await spent(table, "/matches")
    for path in sorted(paths):
        assert (await table.post(path, content=INVALID[path])).status == 429, path


async def test_proofs_that_are_not_valid_leave_nothing_in_the_store(table: Table) -> None:
    """Whether they are charged or refused: each may come with another key, and keys are kept for a day."""
    store = table.application.stores.answers
    assert isinstance(store, MemoryAnswers)
    before = len(store._kept)
    for path, body in INVALID.items():
        await table.post(path, content=body, key=f"{path[1:].replace('/', '-')}-0123456789-0123456789")
    assert len(store._kept) == before
