"""Webhooks over HTTP: made, looked at, changed and removed by their owner alone, and what receivers are promised."""

from __future__ import annotations

import base64
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from tafelrunde.api.contract.examples import read_examples
from tafelrunde.api.features.webhooks.schema import MessageType
from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.features.webhooks.messages import delivery, ping
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks
from tafelrunde.service.features.webhooks.port import DeliveryId, QueueLimits, WebhookId, following
from tests.support.contract import shipped
from tests.support.table import NOW_MS, Table

pytestmark = pytest.mark.anyio

URL = "https://example.com/hook"
FOUND: dict[str, Any] = shipped()


async def hook(table: Table, token: str, **more: object) -> str:
    """Make a webhook for everything, and return its id."""
    made = await table.post("/webhooks", token, {"url": URL, "events": list(TYPES), **more})
    assert made.status == 201, made
    return made.json["webhook"]["id"]


def test_types_of_requests_are_those_of_messages() -> None:
    """A new message can be asked for."""
    assert tuple(each.value for each in MessageType) == TYPES


async def test_secret_is_shown_once(table: Table) -> None:
    """When the webhook is made, and when it gets a new one."""
    _, token = await table.player()
    made = await table.post("/webhooks", token, {"url": URL, "events": ["match.ended", "match.ended"], "game": "coup"})
    assert (made.status, made.header("cache-control")) == (201, "no-store")
    id_ = made.json["webhook"]["id"]
    secret = made.json["secret"]
    assert made.header("location") == f"/api/v1/webhooks/{id_}"
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert made.json["webhook"] == {
        "id": id_,
        "url": URL,
        "events": ["match.ended"],
        "game": "coup",
        "match": None,
        "pause": None,
        "failures": 0,
        "created_ms": NOW_MS,
        "previous_until_ms": None,
        "dropped": None,
    }
    rotated = (await table.post(f"/webhooks/{id_}/secret", token)).json
    assert rotated["secret"] != secret
    assert rotated["webhook"]["previous_until_ms"] == NOW_MS + 24 * 3_600_000
    looks = [await table.get("/webhooks", token), await table.get(f"/webhooks/{id_}", token)]
    assert looks[0].json["items"] == [looks[1].json] == [rotated["webhook"]]
    assert not [look for look in looks if b"whsec_" in look.body]


async def test_webhook_is_changed_in_parts(table: Table) -> None:
    """What is left out stays; null takes a filter away."""
    _, token = await table.player()
    path = f"/api/v1/webhooks/{await hook(table, token, game='coup')}"
    before = (await table.ask("GET", path, token=token)).json
    for change, expected in (
        ({"url": "https://example.org/"}, {"url": "https://example.org/"}),
        ({"game": None, "events": ["match.ended"]}, {"game": None, "events": ["match.ended"]}),
        ({"match": "m" + 24 * "a"}, {"match": "m" + 24 * "a"}),
        ({"paused": True}, {"pause": "owner"}),
        ({}, {}),
        ({"paused": False}, {"pause": None}),
    ):
        answer = await table.ask("PATCH", path, token=token, content=change)
        before |= expected
        assert (answer.status, answer.json) == (200, before)
    for wrong in ({"events": []}, {"events": ["match.dealt"]}, {"url": None}, {"secret": "whsec_"}, {"paused": None}):
        assert (await table.ask("PATCH", path, token=token, content=wrong)).status == 400
    assert (await table.ask("PATCH", path, token=token, content={"url": "http://example.org/"})).status == 422


async def test_webhook_is_its_owners_alone(table: Table) -> None:
    """To others it does not exist, and a token that may not manage its player does not reach it."""
    (_, token), (_, other) = await table.player(), await table.player()
    id_ = await hook(table, token)
    made = (await table.post(f"/webhooks/{id_}/ping", token)).json["id"]
    reader = (await table.post("/me/tokens", token, {"scopes": ["read", "play"]})).json["text"]
    here = f"/api/v1/webhooks/{id_}"
    for method, path, content in (
        ("GET", here, None),
        ("PATCH", here, {}),
        ("DELETE", here, None),
        ("POST", f"{here}/secret", None),
        ("POST", f"{here}/ping", None),
        ("GET", f"{here}/deliveries", None),
        ("GET", f"{here}/deliveries/{made}", None),
        ("POST", f"{here}/deliveries/{made}/redeliveries", None),
    ):
        assert (await table.ask(method, path, token=other, content=content)).status == 404
        assert (await table.ask(method, path, token=reader, content=content)).status == 403
    assert (await table.get("/webhooks", other)).json["items"] == []
    assert (await table.ask("DELETE", here, token=token)).status == 204
    assert (await table.ask("GET", here, token=token)).status == 404


async def test_deliveries_are_read_in_pages(table: Table) -> None:
    """Newest first, each with its message."""
    _, token = await table.player()
    id_ = await hook(table, token)
    pings = [(await table.post(f"/webhooks/{id_}/ping", token)).json for _ in range(3)]
    page = (await table.get(f"/webhooks/{id_}/deliveries?limit=2", token)).json
    assert page["items"] == [pings[2], pings[1]]
    last = (await table.get(f"/webhooks/{id_}/deliveries?limit=2&after={page['cursor']}", token)).json
    assert last == {"items": [pings[0]], "cursor": None}
    assert (await table.get(f"/webhooks/{id_}/deliveries?after=other", token)).json[
        "type"
    ] == "urn:tafelrunde:problem:cursor-unknown"
    assert (await table.get(f"/webhooks/{id_}/deliveries/{pings[0]['id']}", token)).json == pings[0]
    assert (await table.get(f"/webhooks/{id_}/deliveries/msg_{26 * '0'}", token)).status == 404


async def test_webhooks_go_with_their_player(table: Table) -> None:
    """Otherwise no one could find out any more how to stop them."""
    player, token = await table.player()
    await hook(table, token)
    assert (await table.ask("DELETE", "/api/v1/me", token=token)).status == 204
    assert list(await table.application.get(PlayerWebhooks).all(PlayerId(player))) == []
    assert await WEBHOOKS.of(table.application.stores).owners() == set()


async def test_drops_are_shown_to_the_owner(table: Table) -> None:
    """In the list, alone, and after each change; and the messages that are sent next have them."""
    _, token = await table.player()
    id_ = await hook(table, token)
    other = await hook(table, token)
    store = WEBHOOKS.of(table.application.stores)
    found = await store.webhook(WebhookId(id_))
    assert found is not None
    for number in range(3):
        made = delivery(found, DeliveryId(f"msg_{number}"), None, ping(found, NOW_MS), NOW_MS)
        await store.add([made], NOW_MS + number, QueueLimits(1, 100))
    dropped = {"count": 2, "first_ms": NOW_MS + 1, "last_ms": NOW_MS + 2}
    assert [each["dropped"] for each in (await table.get("/webhooks", token)).json["items"]] == [
        dropped if each == id_ else None for each in sorted([id_, other])
    ]
    assert (await table.get(f"/webhooks/{id_}", token)).json["dropped"] == dropped
    changed = await table.ask("PATCH", f"/api/v1/webhooks/{id_}", token=token, content={"game": "coup"})
    assert changed.json["dropped"] == dropped
    assert (await table.post(f"/webhooks/{id_}/secret", token)).json["webhook"]["dropped"] == dropped
    for each in ("MatchEndedMessage", "WebhookPingMessage"):
        schema = FOUND["components"]["schemas"][each]
        assert schema["properties"]["dropped"] == {"$ref": "#/components/schemas/Dropped"}
        assert "dropped" not in schema["required"]


async def test_change_waits_for_a_change_that_comes_between(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dispatcher counts failures while the owner changes the address: both are kept."""
    _, token = await table.player()
    id_ = await hook(table, token)
    store = WEBHOOKS.of(table.application.stores)
    look = store.webhook
    once = [True]

    async def racing(webhook: Any) -> Any:
        found = await look(webhook)
        if found is not None and once and once.pop():
            assert await store.put(following(found, failures=7))
        return found

    monkeypatch.setattr(store, "webhook", racing)
    answer = await table.ask("PATCH", f"/api/v1/webhooks/{id_}", token=token, content={"url": "https://example.org/"})
    assert (answer.json["url"], answer.json["failures"]) == ("https://example.org/", 7)


def test_contract_has_every_message() -> None:
    """With its headers, an example of a real run, and what the answers mean."""
    told = FOUND["webhooks"]
    assert set(told) == {*TYPES, "webhook.ping"}
    examples = read_examples()["webhooks"]
    for tag, methods in told.items():
        operation = methods["post"]
        assert [each["name"] for each in operation["parameters"]] == ["webhook-id", "webhook-timestamp", "webhook-signature"]
        content = operation["requestBody"]["content"]["application/json"]
        schema = {**content["schema"], "components": FOUND["components"]}
        jsonschema_rs.validator_for(schema).validate(content["examples"]["real"]["value"])
        assert examples[tag]["type"] == tag
        assert {"2XX", "410"} <= set(operation["responses"])
    assert len(msgspec.json.encode(examples)) < 4_000
