"""Passkeys over the wire: a player adds one, and signs in by it on any device; what does not hold is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.features.passkeys.feature import FEATURE
from tafelrunde.service.features.passkeys.port import CHALLENGE_MS, MOST_PASSKEYS
from tafelrunde.service.features.passkeys.settings import PasskeySettings
from tafelrunde.service.features.passkeys.site import Site, site_of, why_unfit
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.accounts import MOST_TOKENS
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.authenticator import ORIGIN, Authenticator, read, written
from tests.support.table import API, ON, PLAIN, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
HERE = msgspec.structs.replace(PLAIN, public_url=ORIGIN)


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A service at an address that everyone knows."""
    async with opened(HERE) as table:
        yield table


async def wanted(table: Table, token: str | None = None) -> Any:
    """Return options: for a passkey of who holds a token, or for signing in."""
    answer = await table.post("/me/passkey-options" if token else "/passkey-options", token)
    assert answer.status == 200, answer
    return answer.json


async def added(table: Table, token: str, device: Authenticator, label: str = "Phone") -> Answer:
    """Let a device make a passkey, and add it."""
    return await table.post("/me/passkeys", token, {**device.make(await wanted(table, token)), "label": label})


async def signed_in(table: Table, device: Authenticator, **other: Any) -> Answer:
    """Let a device sign in."""
    return await table.post("/passkey-sign-ins", None, device.sign(await wanted(table), **other))


async def member(table: Table, device: Authenticator) -> tuple[str, str]:
    """Make a player with a passkey; return its id and its token."""
    player, token = await table.player("Anna")
    assert (await added(table, token, device)).status == 200
    return player, token


def problem(answer: Answer) -> str:
    """Return the type of problem of a refusal."""
    return answer.json["type"].removeprefix("urn:tafelrunde:problem:")


async def test_player_signs_in_by_its_passkey(table: Table) -> None:
    """Without a name: the token is one of the same player, can do what the first one can, and is in the list of devices."""
    device = Authenticator(ORIGIN)
    player, token = await member(table, device)
    table.now_ms += 5
    answer = await signed_in(table, device)
    assert (answer.status, answer.json["player"]["id"], answer.json["player"]["name"]) == (200, player, "Anna")
    assert answer.json["token"]["scopes"] == ["read", "play", "create"]
    ids = [each["id"] for each in (await table.get("/me/tokens", answer.json["text"])).json["items"]]
    assert len(ids) == 2
    assert answer.json["token"]["id"] in ids
    (kept,) = (await table.get("/me/passkeys", token)).json["items"]
    assert (kept["label"], kept["used_ms"] - kept["made_ms"]) == ("Phone", 5)


async def test_options_say_what_a_browser_has_to_ask_for(table: Table) -> None:
    """The handle is the player's id, guests have names that differ, and passkeys that are there are left out."""
    player, token = await table.player()
    first = await wanted(table, token)
    assert (first["rp_id"], first["rp_name"], read(first["user"]).decode()) == ("service.test", "Tafelrunde", player)
    assert (first["user_name"], first["exclude"], len(read(first["challenge"]))) == (f"Guest {player[1:5]}", [], 32)
    assert first["until_ms"] == table.now_ms + CHALLENGE_MS
    device = Authenticator(ORIGIN)
    await added(table, token, device)
    assert (await wanted(table, token))["exclude"] == [written(device.credential)]


async def test_passkey_is_renamed_and_removed(table: Table) -> None:
    """Then it signs in no longer; those who have signed in stay so. No one else can do either."""
    device = Authenticator(ORIGIN)
    (_, token), (_, other) = await member(table, device), await table.player("Bert")
    text = (await signed_in(table, device)).json["text"]
    (kept,) = (await table.get("/me/passkeys", token)).json["items"]
    path = f"{API}/me/passkeys/{kept['id']}"
    assert (await table.ask("DELETE", path, token=other)).status == 404
    assert (await table.ask("PATCH", path, token=other, content={"label": "Mine"})).status == 404
    assert (await table.ask("PATCH", path, token=token, content={"label": "Schl\u00fcssel"})).json["label"] == "Schl\u00fcssel"
    assert (await table.ask("DELETE", path, token=token)).status == 204
    refused = await signed_in(table, device)
    assert (refused.status, problem(refused)) == (404, "passkey-unknown")
    assert (await table.get("/me", text)).status == 200
    assert (await table.ask("DELETE", path, token=token)).status == 404


async def test_passkey_of_a_deleted_player_is_unknown(table: Table) -> None:
    """Nothing of it is left, even if the deletion comes while it is being added."""
    device, late = Authenticator(ORIGIN), Authenticator(ORIGIN)
    player, token = await member(table, device)
    options = await wanted(table, token)
    await table.application.erasure.forget(PlayerId(player))
    assert problem(await signed_in(table, device)) == "passkey-unknown"
    assert (await table.post("/me/passkeys", token, late.make(options))).status in {401, 404}
    assert problem(await signed_in(table, late)) == "passkey-unknown"


async def test_same_passkey_is_not_added_twice(table: Table) -> None:
    """A device that ignores what is excluded is refused, and what was there stays as it was."""
    device = Authenticator(ORIGIN)
    _, token = await member(table, device)
    refused = await added(table, token, device, "Again")
    assert (refused.status, problem(refused)) == (409, "passkey-known")
    assert [each["label"] for each in (await table.get("/me/passkeys", token)).json["items"]] == ["Phone"]


async def test_passkeys_of_a_player_are_limited(table: Table) -> None:
    """To ten: before a device is asked, and when several are added at once."""
    _, token = await table.player("Anna")
    many = [(device, await wanted(table, token)) for device in (Authenticator(ORIGIN) for _ in range(MOST_PASSKEYS + 1))]
    asked = [table.post("/me/passkeys", token, device.make(options)) for device, options in many]
    answers = await asyncio.gather(*asked)
    assert sorted(each.status for each in answers) == [*[200] * MOST_PASSKEYS, 409]
    refused = await table.post("/me/passkey-options", token)
    assert (refused.status, problem(refused)) == (409, "too-many-passkeys")


async def test_what_a_device_has_signed_counts_once(table: Table) -> None:
    """Of many who send it, one gets a token, and that one the same again; what was used is used for adding, too."""
    device = Authenticator(ORIGIN)
    _, token = await member(table, device)
    body = device.sign(await wanted(table))
    answers = await asyncio.gather(
        *(table.post("/passkey-sign-ins", None, body, key=f"one-of-several-long-keys-{n}") for n in range(6))
    )
    assert sorted(each.status for each in answers) == [200, *[409] * 5]
    won = next(number for number, each in enumerate(answers) if each.status == 200)
    again = await table.post("/passkey-sign-ins", None, body, key=f"one-of-several-long-keys-{won}")
    assert again.json == answers[won].json
    assert {problem(each) for each in answers if each.status == 409} == {"passkey-challenge-ended"}
    other = Authenticator(ORIGIN)
    made = other.make(await wanted(table, token))
    assert [(await table.post("/me/passkeys", token, made)).status for _ in range(2)] == [200, 409]


async def test_challenge_ends_after_five_minutes(table: Table) -> None:
    """For adding a passkey, and for signing in."""
    device = Authenticator(ORIGIN)
    _, token = await member(table, device)
    body, made = device.sign(await wanted(table)), Authenticator(ORIGIN).make(await wanted(table, token))
    table.now_ms += CHALLENGE_MS
    answers = await table.post("/passkey-sign-ins", None, body), await table.post("/me/passkeys", token, made)
    assert [problem(each) for each in answers] == ["passkey-challenge-ended"] * 2


async def test_challenge_is_for_one_player_or_for_signing_in(table: Table) -> None:
    """One of another player, one for the other purpose, and one that was never given do not count."""
    device = Authenticator(ORIGIN)
    (_, anna), (_, bert) = await member(table, device), await table.player("Bert")
    mine, sign_in = await wanted(table, anna), await wanted(table)
    stolen = await table.post("/me/passkeys", bert, Authenticator(ORIGIN).make({**await wanted(table, bert), **_only(mine)}))
    crossed = await table.post("/me/passkeys", anna, Authenticator(ORIGIN).make({**mine, **_only(sign_in)}))
    back = await table.post("/passkey-sign-ins", None, device.sign(mine))
    invented = await table.post("/passkey-sign-ins", None, device.sign({"challenge": written(b"x" * 32)}))
    assert [problem(each) for each in (stolen, crossed, back, invented)] == ["passkey-challenge-ended"] * 4


def _only(options: Any) -> dict[str, str]:
    return {"challenge": options["challenge"]}


@pytest.mark.parametrize("origin", ["http://elsewhere.test", "https://service.test", "http://service.test:81", "null", ""])
async def test_answer_from_another_page_is_refused(table: Table, origin: str) -> None:
    """Scheme, host and port count, and so does a page that shows ours inside of itself."""
    device = Authenticator(ORIGIN)
    _, token = await member(table, device)
    refused = await signed_in(table, device, origin=origin)
    assert (refused.status, problem(refused)) == (422, "passkey-refused")
    made = Authenticator(ORIGIN).make(await wanted(table, token), origin=origin)
    assert problem(await table.post("/me/passkeys", token, made)) == "passkey-refused"


async def test_answer_that_was_not_signed_for_this_is_refused(table: Table) -> None:
    """Another host, another purpose, another key, a frame of another page, and signatures of other data."""
    device, other = Authenticator(ORIGIN), Authenticator(ORIGIN)
    _, token = await member(table, device)
    await added(table, token, other)
    wrong = [
        device.sign(await wanted(table), host="elsewhere.test"),
        device.sign(await wanted(table), type="webauthn.create"),
        device.sign(await wanted(table), crossOrigin=True),
        {**other.sign(await wanted(table)), "credential": written(device.credential)},
        {**device.sign(await wanted(table)), "signature": written(b"\x30\x06\x02\x01\x01\x02\x01\x01")},
        {**device.sign(await wanted(table)), "authenticator_data": written(b"short")},
    ]
    assert [problem(await table.post("/passkey-sign-ins", None, each)) for each in wrong] == ["passkey-refused"] * len(wrong)


@pytest.mark.parametrize("client_data", ["", "A", "AAAA", written(b"{}"), written(b"[" * 2_000), written(b'{"challenge":7}')])
async def test_hostile_answer_is_refused_as_one_that_cannot_be_read(table: Table, client_data: str) -> None:
    """Whatever it holds; and an attestation likewise."""
    _, token = await table.player("Anna")
    body = {"client_data": client_data, "attestation": written(b"\x9f" * 20_000)}
    assert problem(await table.post("/me/passkeys", token, body)) == "passkey-refused"
    said = Authenticator(ORIGIN).make(await wanted(table, token))["client_data"]
    assert problem(await table.post("/me/passkeys", token, {**body, "client_data": said})) == "passkey-refused"
    sign_in = {"credential": "AAAA", "authenticator_data": "AAAA", "signature": "AAAA", "user": "AAAA"}
    assert problem(await table.post("/passkey-sign-ins", None, {**sign_in, "client_data": client_data})) == "passkey-refused"


async def test_answer_of_a_megabyte_is_not_read(table: Table) -> None:
    """It is larger than any request may be."""
    _, token = await table.player("Anna")
    answer = await table.post("/me/passkeys", token, {"client_data": "A" * 1_000_000, "attestation": "A"})
    assert (answer.status, problem(answer)) == (413, "too-large")


async def test_passkey_whose_counter_goes_back_is_refused(table: Table) -> None:
    """It was copied; the device that is ahead still signs in. One that does not count says 0 each time."""
    device = Authenticator(ORIGIN, counter=5)
    await member(table, device)
    copy = Authenticator(ORIGIN, 5, device.user, device.host, device.credential, device.key)
    assert (await signed_in(table, device)).status == 200
    refused = await signed_in(table, copy)
    assert (refused.status, problem(refused)) == (403, "passkey-copied")
    assert (await signed_in(table, device)).status == 200
    plain = Authenticator(ORIGIN, counter=None)
    await member(table, plain)
    assert [(await signed_in(table, plain)).status for _ in range(2)] == [200, 200]


async def test_token_that_ends_adds_no_passkey(table: Table) -> None:
    """Nor does one that may do less: a passkey leads to tokens that last, and may do all that a player may."""
    _, token = await table.player("Anna")
    for wish in ({"scopes": ["read", "play", "create"], "expires_ms": table.now_ms + 99_000_000}, {"scopes": ["create"]}):
        text = (await table.post("/me/tokens", token, wish)).json["text"]
        assert problem(await table.post("/me/passkey-options", text)) == "scope-missing"
        made = Authenticator(ORIGIN).make(await wanted(table, token))
        assert problem(await table.post("/me/passkeys", text, made)) == "scope-missing"


async def test_sign_in_makes_room_when_there_are_too_many_devices(table: Table) -> None:
    """The oldest goes to which the passkey led; if it led to none, it is refused."""
    device, other = Authenticator(ORIGIN), Authenticator(ORIGIN)
    _, token = await member(table, device)
    await added(table, token, other)
    oldest, second = (await signed_in(table, device)).json["text"], (await signed_in(table, device)).json["text"]
    for _ in range(MOST_TOKENS - 3):
        await table.post("/me/tokens", token, {"scopes": ["read"]})
    assert problem(await signed_in(table, other)) == "too-many-tokens"
    newest = await signed_in(table, device)
    assert newest.status == 200
    assert [(await table.get("/me", each)).status for each in (token, second, newest.json["text"], oldest)] == [
        200,
        200,
        200,
        401,
    ]


async def test_export_has_what_is_kept_of_a_passkey(table: Table) -> None:
    """Its public key, too; nothing of it is secret."""
    device = Authenticator(ORIGIN)
    _, token = await member(table, device)
    used = (await signed_in(table, device)).json["token"]["id"]
    (kept,) = (await table.get("/me/export", token)).json["features"]["passkeys"]
    assert (kept["label"], kept["credential"], kept["counter"], kept["tokens"]) == ("Phone", device.credential.hex(), 1, [used])


async def test_passkeys_are_off_unless_they_are_switched_on() -> None:
    """Then each operation says so, and the list of features lacks them; what is kept goes with its player."""
    async with opened(msgspec.structs.replace(PLAIN, features=())) as table:
        _, token = await table.player("Anna")
        body = {"client_data": "AAAA", "attestation": "AAAA"}
        sign_in = {"credential": "AA", "client_data": "AA", "authenticator_data": "AA", "signature": "AA", "user": "AA"}
        path = f"{API}/me/passkeys/k{'0' * 26}"
        refused = [
            await table.post("/me/passkey-options", token),
            await table.post("/me/passkeys", token, body),
            await table.get("/me/passkeys", token),
            await table.ask("PATCH", path, token=token, content={"label": "Phone"}),
            await table.ask("DELETE", path, token=token),
            await table.post("/passkey-options"),
            await table.post("/passkey-sign-ins", None, sign_in),
        ]
        assert {(each.status, problem(each)) for each in refused} == {(409, "passkeys-off")}
        assert "passkeys" not in (await table.get("/games")).json["features"]
    async with opened() as table:
        assert "passkeys" in (await table.get("/games")).json["features"]


async def test_public_operations_are_limited_by_address() -> None:
    """A challenge costs the store something, but less than a player: ten for one, and no new player waits for them."""
    limits = LimitSettings(sign_ups_per_minute=1)
    async with opened(Settings(bot_pause_ms=0, limits=limits, features=ON)) as table:
        assert [(await table.post("/passkey-options")).status for _ in range(11)] == [200] * 10 + [429]
        assert (await table.post("/players", content={})).status == 201


async def test_passkey_is_bound_to_the_public_address() -> None:
    """Whatever name a request came under, and whatever path the service has there."""
    settings = msgspec.structs.replace(PLAIN, public_url="https://Cards.example.org/games/")
    async with opened(settings) as table:
        device = Authenticator("https://cards.example.org")
        _, token = await member(table, device)
        assert (await wanted(table, token))["rp_id"] == "cards.example.org"
        assert (await signed_in(table, device)).status == 200
        assert problem(await signed_in(table, device, origin=ORIGIN)) == "passkey-refused"


async def test_passkey_is_bound_to_the_name_of_the_request_without_a_public_address() -> None:
    """The one that the browser came by; a passkey of another name cannot be used there."""
    async with opened() as table:
        device, hosts = Authenticator(ORIGIN), {"headers": [("Host", "service.test")]}
        _, token = await table.player("Anna")
        made = device.make((await table.post("/me/passkey-options", token, **hosts)).json)
        assert (await table.post("/me/passkeys", token, made, **hosts)).status == 200
        assert (await table.post("/passkey-sign-ins", None, device.sign(await wanted(table)), **hosts)).status == 200
        elsewhere = device.sign(await wanted(table), host="other.test", origin="http://other.test")
        assert problem(await table.post("/passkey-sign-ins", None, elsewhere, **hosts)) == "passkey-refused"
        elsewhere = device.sign(await wanted(table), origin="http://other.test")
        refused = await table.post("/passkey-sign-ins", None, elsewhere, headers=[("Host", "other.test")])
        assert problem(refused) == "passkey-refused"


@pytest.mark.parametrize("host", ["service.test:99999", "service.test:", "[1.2]", "%41!$&'()*+,;=", "[:.]:0"])
async def test_no_name_of_a_request_is_an_error_of_the_service(host: str) -> None:
    """Whatever the service lets in: browsers do not come by such names, so that no passkey is for them."""
    async with opened() as table:
        assert (await table.post("/passkey-options", headers=[("Host", host)])).status == 200


async def test_two_processes_count_an_answer_once() -> None:
    """They share what challenges were taken, and the counter."""
    stores, device = memory_stores(), Authenticator(ORIGIN)
    async with opened(HERE, stores=stores) as one, opened(HERE, stores=stores) as other:
        await member(one, device)
        body = device.sign(await wanted(one))
        answers = await asyncio.gather(*(each.post("/passkey-sign-ins", None, body) for each in (one, other, one, other)))
        assert sorted(each.status for each in answers) == [200, 409, 409, 409]


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://cards.example.org", Site("https://cards.example.org", "cards.example.org")),
        ("https://Cards.example.org:443/games/", Site("https://cards.example.org", "cards.example.org")),
        ("http://localhost:8000", Site("http://localhost:8000", "localhost")),
        ("http://[::1]:80/x", Site("http://[::1]", "::1")),
        ("http://[1.2]:99999?x", Site("http://[1.2]:99999", "1.2")),
        ("http://", Site("http://", "")),
    ],
)
async def test_site_is_what_browsers_make_of_an_address(address: str, site: Site) -> None:
    """In small letters, without a path, and with a port only where it is not the usual one."""
    assert site_of(address) == site


@pytest.mark.parametrize(
    ("address", "fits"),
    [
        ("https://cards.example.org/games", True),
        ("http://localhost:8000", True),
        ("http://cards.localhost", True),
        ("http://cards.example.org", False),
        ("https://192.0.2.7", False),
        ("https://[2001:db8::7]", False),
        ("https://m\u00fcnchen.example", False),
        ("cards.example.org", False),
        ("https://cards.example.org:x", False),
    ],
)
async def test_deployment_does_not_start_when_browsers_would_make_no_passkeys(address: str, fits: bool) -> None:
    """They need https and a name; on the same machine http will do."""
    assert (why_unfit(address) is None) is fits
    assert FEATURE.check is not None
    for passkeys in (True, False):
        settings = Settings(public_url=address, features=(PasskeySettings(passkeys=passkeys),))
        try:
            FEATURE.check(settings)
            refused = False
        except StartupRefused as refusal:
            refused = "TAFELRUNDE_PASSKEYS" in str(refusal)
        assert refused is (passkeys and not fits)
