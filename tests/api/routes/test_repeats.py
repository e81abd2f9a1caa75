"""Requests with an Idempotency-Key that make something: the same request with the same key has the same answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
import pytest

from tafelrunde.api.features import operations
from tafelrunde.api.http.kept import LONG_KEY
from tafelrunde.api.http.operation import Key
from tafelrunde.domain.match import PlayerId
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.accounts import Accounts
from tafelrunde.service.players.kept_answers import KEEP_MS
from tests.support.authenticator import ORIGIN, Authenticator
from tests.support.table import PLAIN, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
KEY = "a-key-that-is-drawn-once"
HOOK = {"url": "https://example.com/hook", "events": ["match.ended"]}
NOTHING_TWICE = {
    "addCosignature": "the same signature is the same place in the list",
    "addNoticeBrowser": "the same browser keeps its place",
    "confirmNoticeMail": "an address that is confirmed stays so",
    "exchangeToken": "OAuth has no keys: a code or refresh token counts once",
    "endAuthorization": "what has ended stays so",
}
"""The POSTs without a key, and why."""
Way = Callable[[Table, str], Awaitable[tuple[str, object]]]


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A service that has an address: passkeys are bound to it."""
    async with opened(msgspec.structs.replace(PLAIN, public_url=ORIGIN)) as table:
        yield table


async def _token(table: Table, token: str) -> tuple[str, object]:
    return "/me/tokens", {"scopes": ["read"]}


async def _hook(table: Table, token: str) -> tuple[str, object]:
    return "/webhooks", HOOK


async def _made_hook(table: Table, token: str) -> str:
    return (await table.post("/webhooks", token, HOOK)).json["webhook"]["id"]


async def _secret(table: Table, token: str) -> tuple[str, object]:
    return f"/webhooks/{await _made_hook(table, token)}/secret", None


async def _ping(table: Table, token: str) -> tuple[str, object]:
    return f"/webhooks/{await _made_hook(table, token)}/ping", None


async def _seat_token(table: Table, token: str) -> tuple[str, object]:
    return f"/matches/{await table.open(token)}/seats/0/tokens", None


async def _daily(table: Table, token: str) -> tuple[str, object]:
    return "/daily/coup", None


async def _line(table: Table, token: str) -> tuple[str, object]:
    return f"/matches/{await table.open(token)}/talk", {"text": "hello"}


async def _quick(table: Table, token: str) -> tuple[str, object]:
    return "/quick-matches", {"game": "coup", "pace": "blitz", "patience_seconds": 30}


async def _invitation(table: Table, token: str) -> tuple[str, object]:
    player, _ = await table.player()
    return f"/matches/{await table.open(token)}/invitations", {"player": player}


async def _device_code(table: Table, token: str) -> tuple[str, object]:
    return "/me/device-codes", None


async def _device(table: Table, token: str) -> tuple[str, object]:
    return "/device-codes", {"code": (await table.post("/me/device-codes", token)).json["code"]}


async def _passkey_options(table: Table, token: str) -> tuple[str, object]:
    return "/me/passkey-options", None


async def _passkey(table: Table, token: str) -> tuple[str, object]:
    return "/me/passkeys", Authenticator().make((await table.post("/me/passkey-options", token)).json)


async def _sign_in_options(table: Table, token: str) -> tuple[str, object]:
    return "/passkey-options", None


async def _sign_in(table: Table, token: str) -> tuple[str, object]:
    device = Authenticator()
    await table.post("/me/passkeys", token, device.make((await table.post("/me/passkey-options", token)).json))
    return "/passkey-sign-ins", device.sign((await table.post("/passkey-options")).json)


async def _application(table: Table, token: str) -> tuple[str, object]:
    return "/oauth/applications", {"redirect_uris": ["https://app.example/back"]}


async def _allowed(table: Table, token: str) -> tuple[str, object]:
    path, wish = await _application(table, token)
    made = (await table.post(path, None, wish)).json
    asked = {"client_id": made["client_id"], "redirect_uri": made["redirect_uris"][0], "allowed": True}
    return "/oauth/authorization", {**asked, "code_challenge": 43 * "a", "code_challenge_method": "S256"}


WAYS: dict[str, Way] = {
    "registerApplication": _application,
    "decideAuthorization": _allowed,
    "say": _line,
    "createToken": _token,
    "createWebhook": _hook,
    "rotateWebhookSecret": _secret,
    "pingWebhook": _ping,
    "createSeatToken": _seat_token,
    "openDaily": _daily,
    "seekQuickMatch": _quick,
    "invitePlayer": _invitation,
    "createDeviceCode": _device_code,
    "redeemDeviceCode": _device,
    "preparePasskey": _passkey_options,
    "addPasskey": _passkey,
    "preparePasskeySignIn": _sign_in_options,
    "signInByPasskey": _sign_in,
}
ONCE = ("/daily/", "/quick-matches")
"""Where a player has one of something, and is led to it again."""
ANSWERS: dict[Way, int] = {_daily: 1, _quick: 1, _invitation: 1, _device: 2, _passkey: 2, _sign_in: 2}
"""How many answers there are to what is made once, whatever the key: a code or a challenge that was used is refused."""
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def replayed(answer: Answer) -> bool:
    """Return whether an answer says that it is a repetition."""
    return answer.header("idempotency-replayed") == "true"


def test_every_post_takes_a_key_unless_it_is_harmless_to_repeat() -> None:
    """A new one that makes something has to decide."""
    assert {each.name for each in operations() if each.method == "POST" and each.about.key is Key.NONE} == {*NOTHING_TWICE}


@each_way
async def test_same_answer_comes_when_a_request_is_repeated(table: Table, way: Way) -> None:
    """With all its secrets, and marked; many at once make it once."""
    _, token = await table.player()
    path, content = await way(table, token)
    asked = [table.post(path, token, content, key=KEY) for _ in range(5)]
    answers = [*await asyncio.gather(*asked), await table.post(path, token, content, key=KEY)]
    assert {answer.status for answer in answers} <= {200, 201}
    assert len({answer.body for answer in answers}) == 1
    assert len({answer.header("location") for answer in answers}) == 1
    assert sum(not replayed(answer) for answer in answers) == 1


@each_way
async def test_new_answer_comes_when_the_key_is_another_one(table: Table, way: Way) -> None:
    """Or there is none: every request counts."""
    _, token = await table.player()
    path, content = await way(table, token)
    answers = [await table.post(path, token, content, key=key) for key in (KEY, f"{KEY}-2", None, None)]
    assert not any(replayed(answer) for answer in answers) or path.startswith(ONCE)
    assert len({answer.body for answer in answers}) == ANSWERS.get(way, len(answers))


async def test_key_is_refused_when_it_comes_with_another_request(table: Table) -> None:
    """Another body, or another operation. A key of another player, or of another token, is another key."""
    _, token = await table.player()
    made = await table.post("/me/tokens", token, {"scopes": ["read"]}, key=KEY)
    for path, content in (("/me/tokens", {"scopes": ["read", "play"]}), ("/webhooks", HOOK)):
        refused = await table.post(path, token, content, key=KEY)
        assert (refused.status, refused.json["type"]) == (422, "urn:tafelrunde:problem:key-reused")
    (_, other), second = await table.player(), (await table.post("/me/tokens", token, {"scopes": ["create"]})).json["text"]
    for each in (other, second):
        answer = await table.post("/webhooks", each, HOOK, key=KEY)
        assert (answer.status, replayed(answer)) == (201, False)
    assert made.status == 201


async def test_key_stays_free_when_the_request_was_refused(table: Table) -> None:
    """As that of a refused command does."""
    _, token = await table.player()
    refused = await table.post("/webhooks", token, {**HOOK, "url": "http://[::1]/"}, key=KEY)
    assert refused.json["type"] == "urn:tafelrunde:problem:webhook-url-refused"
    assert (await table.post("/webhooks", token, HOOK, key=KEY)).status == 201


async def test_player_is_made_once_when_its_key_is_long_enough(table: Table) -> None:
    """Without a token it may be another client that asks: a short key, which both may have, does not count."""
    one, two = [await table.post("/players", content={"name": "Ann"}, key=KEY) for _ in range(2)]
    assert one.body == two.body
    assert [replayed(one), replayed(two)] == [False, True]
    short = KEY[: LONG_KEY - 1]
    one, two = [await table.post("/players", content={"name": "Ann"}, key=short) for _ in range(2)]
    assert one.json["player"]["id"] != two.json["player"]["id"]


async def test_revoked_token_stays_revoked_when_its_key_comes_again_after_a_day(table: Table) -> None:
    """The key is as good as new, and makes another token."""
    _, token = await table.player()
    old = (await table.post("/me/tokens", token, {"scopes": ["read"]}, key=KEY)).json
    assert (await table.ask("DELETE", f"/api/v1/me/tokens/{old['token']['id']}", token=token)).status == 204
    table.now_ms += KEEP_MS
    new = (await table.post("/me/tokens", token, {"scopes": ["read"]}, key=KEY)).json
    assert new["token"]["id"] != old["token"]["id"]
    assert [(await table.get("/me", each["text"])).status for each in (old, new)] == [401, 200]


async def test_revoking_a_token_says_the_same_when_it_is_repeated_after_a_cut(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the key that has revoked it; with another one there is nothing to revoke, nor with one that never found any."""
    _, token = await table.player()
    made = (await table.post("/me/tokens", token, {"scopes": ["read"]})).json["token"]["id"]
    path, revoke = f"/api/v1/me/tokens/{made}", Accounts.revoke

    async def cut_off(self: Accounts, player: PlayerId, token: str) -> None:
        await revoke(self, player, token)
        raise StoreUnavailable("cut off")

    with monkeypatch.context() as patch:
        patch.setattr(Accounts, "revoke", cut_off)
        assert (await table.ask("DELETE", path, token=token, key=KEY)).status == 503
    assert [(await table.ask("DELETE", path, token=token, key=KEY)).status for _ in range(2)] == [204, 204]
    assert [(await table.ask("DELETE", path, token=token, key="another-key")).status for _ in range(2)] == [404, 404]
    assert (await table.ask("DELETE", path, token=token)).status == 404


async def test_another_player_is_made_when_a_key_comes_again_after_a_day(table: Table) -> None:
    """One that was there before is given to no one."""
    old = await table.post("/players", content={"name": "Ann"}, key=KEY)
    table.now_ms += KEEP_MS
    new = await table.post("/players", content={"name": "Ann"}, key=KEY)
    assert old.json["player"]["id"] != new.json["player"]["id"]
    assert old.json["token"] != new.json["token"]


async def test_thing_is_made_once_when_two_processes_get_the_request() -> None:
    """At the same time, or one after the other."""
    stores = memory_stores()
    async with opened(stores=stores) as one, opened(stores=stores) as two:
        _, token = await one.player()
        answers = await asyncio.gather(*(each.post("/webhooks", token, HOOK, key=KEY) for each in (one, two, one, two)))
        answers.append(await two.post("/webhooks", token, HOOK, key=KEY))
        assert len({answer.body for answer in answers}) == 1
        assert len((await one.get("/webhooks", token)).json["items"]) == 1
