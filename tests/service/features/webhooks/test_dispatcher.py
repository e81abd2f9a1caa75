"""Sending: signatures, attempts with growing pauses, pauses of webhooks, redelivery, and the log."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from standardwebhooks import Webhook as Official
from standardwebhooks.webhooks import WebhookVerificationError

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.errors import Forbidden, NotFound
from tafelrunde.service.features.webhooks import signing
from tafelrunde.service.features.webhooks.duty import EACH, LEASE_MS, PAUSE_FAILURES, PAUSE_MS, PAUSES_MS
from tafelrunde.service.features.webhooks.player_webhooks import ROTATION_MS, WebhookSpec
from tafelrunde.service.features.webhooks.port import AttemptOutcome, DeliveryState, Pause
from tests.support.blocks import blocks
from tests.support.patience import PATIENCE_SECONDS
from tests.support.receiver import OWNER, Got, Office, Receiver, status
from tools.generate_docs import DOCS

pytestmark = pytest.mark.anyio


def verified(got: Got, secret: bytes) -> object:
    """Return the message if the official implementation says that the secret signed it."""
    return Official(signing.show_secret(secret)).verify(got.body, dict(got.headers))


async def test_message_is_signed_as_standard_webhooks_has_it(office: Office, receiver: Receiver) -> None:
    """The official implementation accepts it, and nothing that was changed on the way."""
    office.now_ms = time.time_ns() // 1_000_000
    webhook = await office.webhook()
    made = await office.player_webhooks.ping(OWNER, webhook.id)
    assert await office.dispatcher.portion() == 1
    [got] = receiver.got
    assert (got.path, got.headers["webhook-id"], got.headers["content-type"]) == ("/hook", made.id, "application/json")
    assert verified(got, webhook.secret) == got.json
    assert got.json == {"type": "webhook.ping", "timestamp": got.json["timestamp"], "data": {"webhook": webhook.id}}
    for changed in (
        got._replace(body=got.body + b" "),
        got._replace(headers={**got.headers, "webhook-id": "msg_other"}),
        got._replace(headers={**got.headers, "webhook-timestamp": str(office.now_ms // 1_000 + 1)}),
    ):
        with pytest.raises(WebhookVerificationError):
            verified(changed, webhook.secret)
    with pytest.raises(WebhookVerificationError):
        verified(got, bytes(32))


async def test_both_secrets_sign_for_a_day_when_one_was_rotated(office: Office, receiver: Receiver) -> None:
    """A receiver has time to learn the new one."""
    office.now_ms = time.time_ns() // 1_000_000
    old = await office.webhook()
    new = await office.player_webhooks.rotate(OWNER, old.id)
    await office.player_webhooks.ping(OWNER, old.id)
    await office.dispatcher.portion()
    assert receiver.got[0].headers["webhook-signature"].count("v1,") == 2
    assert verified(receiver.got[0], old.secret) == verified(receiver.got[0], new.secret)
    assert list(signing.secrets_of(new, office.now_ms + ROTATION_MS)) == [new.secret]


async def test_delivery_is_tried_again_with_growing_pauses_until_it_is_given_up(office: Office, receiver: Receiver) -> None:
    """The same id and the same body every time; each attempt is in the log."""
    receiver.answers = [status(500)] * 7
    made = await office.player_webhooks.ping(OWNER, (await office.webhook()).id)
    for number, pause_ms in enumerate(PAUSES_MS, start=1):
        assert await office.dispatcher.portion() == 1
        assert (await office.delivery(made)).next_ms == office.now_ms + pause_ms
        office.now_ms += pause_ms - 1
        assert await office.dispatcher.portion() == 0
        office.now_ms += 1
        assert len(receiver.got) == number
    assert await office.dispatcher.portion() == 1
    found = await office.delivery(made)
    assert (found.state, found.next_ms, len(found.attempts)) == (DeliveryState.FAILED, None, 7)
    assert {(each.outcome, each.status) for each in found.attempts} == {(AttemptOutcome.REFUSED, 500)}
    assert {(got.headers["webhook-id"], got.body) for got in receiver.got} == {(made.id, made.body)}
    assert len({got.headers["webhook-timestamp"] for got in receiver.got}) == 7
    office.now_ms += 10 * PAUSES_MS[-1]
    assert await office.dispatcher.portion() == 0


async def test_pauses_have_a_jitter_of_a_fifth(office: Office) -> None:
    """So that those who failed together do not come back together."""
    low, high = (round(PAUSES_MS[0] * factor) for factor in (0.8, 1.2))
    office.dispatcher._chance = lambda: 0.0
    assert office.dispatcher._pause_ms(1) == low
    office.dispatcher._chance = lambda: 1.0
    assert office.dispatcher._pause_ms(1) == high


async def test_delivery_ends_when_a_later_attempt_succeeds(office: Office, receiver: Receiver) -> None:
    """Failures in a row are counted from the start again."""
    receiver.answers = [status(503), status(204)]
    webhook = await office.webhook()
    made = await office.player_webhooks.ping(OWNER, webhook.id)
    await office.dispatcher.portion()
    assert (await office.player_webhooks.one(OWNER, webhook.id)).failures == 1
    office.now_ms += PAUSES_MS[0]
    await office.dispatcher.portion()
    found = await office.delivery(made)
    assert (found.state, [each.status for each in found.attempts]) == (DeliveryState.DELIVERED, [503, 204])
    assert (await office.player_webhooks.one(OWNER, webhook.id)).failures == 0


async def test_webhook_is_paused_when_the_receiver_is_gone(office: Office, receiver: Receiver) -> None:
    """A 410 is the receiver's word for that; its owner can begin again."""
    receiver.answers = [status(410)]
    webhook = await office.webhook()
    made = await office.player_webhooks.ping(OWNER, webhook.id)
    await office.dispatcher.portion()
    assert (await office.player_webhooks.one(OWNER, webhook.id)).pause is Pause.GONE
    assert (await office.delivery(made)).state is DeliveryState.FAILED
    with pytest.raises(Forbidden, match="webhook-paused"):
        await office.player_webhooks.ping(OWNER, webhook.id)
    await office.player_webhooks.change(OWNER, webhook.id, WebhookSpec(paused=False))
    await office.player_webhooks.ping(OWNER, webhook.id)
    await office.dispatcher.portion()
    assert len(receiver.got) == 2


async def test_webhook_is_paused_when_it_has_failed_often_and_for_long(office: Office, receiver: Receiver) -> None:
    """Many failures within minutes are a restart of the receiver; the same over hours are not."""
    webhook = await office.webhook()
    await office.player_webhooks.ping(OWNER, webhook.id)
    await office.dispatcher.portion()
    receiver.answers = [status(500)] * 100
    for _ in range(PAUSE_FAILURES):
        await office.player_webhooks.ping(OWNER, webhook.id)
    while await office.dispatcher.portion():
        pass
    found = await office.player_webhooks.one(OWNER, webhook.id)
    assert (found.pause, found.failures) == (None, PAUSE_FAILURES)
    office.now_ms += PAUSE_MS
    await office.dispatcher.portion()
    assert (await office.player_webhooks.one(OWNER, webhook.id)).pause is Pause.FAILING
    sent = len(receiver.got)
    office.now_ms += PAUSE_MS
    assert await office.dispatcher.portion() == 0
    receiver.answers = []
    await office.player_webhooks.change(OWNER, webhook.id, WebhookSpec(paused=False))
    while await office.dispatcher.portion():
        pass
    assert len(receiver.got) == sent + PAUSE_FAILURES


async def test_webhook_is_paused_soon_when_no_one_ever_took_a_message(office: Office, receiver: Receiver) -> None:
    """Its address may belong to a third party who wants none; a new address has to prove itself again."""
    receiver.answers = [status(404)] * 100
    webhook = await office.webhook()
    for _ in range(2 * PAUSE_FAILURES):
        await office.player_webhooks.ping(OWNER, webhook.id)
    while await office.dispatcher.portion():
        pass
    assert (await office.player_webhooks.one(OWNER, webhook.id)).pause is Pause.FAILING
    assert PAUSE_FAILURES <= len(receiver.got) < PAUSE_FAILURES + EACH
    receiver.answers = []
    await office.player_webhooks.change(OWNER, webhook.id, WebhookSpec(paused=False))
    await office.dispatcher.portion()
    assert (await office.player_webhooks.one(OWNER, webhook.id)).proven
    assert not (await office.player_webhooks.change(OWNER, webhook.id, WebhookSpec(url=f"{receiver.url}/other"))).proven


async def test_delivery_is_sent_again_with_the_same_id_when_asked_for(office: Office, receiver: Receiver) -> None:
    """A receiver that knows the id already drops it; the attempts before stay in the log."""
    webhook = await office.webhook()
    made = await office.player_webhooks.ping(OWNER, webhook.id)
    with pytest.raises(Forbidden, match="delivery-pending"):
        await office.player_webhooks.again(OWNER, webhook.id, made.id)
    await office.dispatcher.portion()
    assert (await office.player_webhooks.again(OWNER, webhook.id, made.id)).state is DeliveryState.PENDING
    await office.dispatcher.portion()
    assert [got.headers["webhook-id"] for got in receiver.got] == [made.id, made.id]
    assert len((await office.delivery(made)).attempts) == 2
    with pytest.raises(NotFound):
        await office.player_webhooks.again(PlayerId("p-other"), webhook.id, made.id)


async def test_attempt_fails_when_the_receiver_hangs_or_is_not_there(office: Office, receiver: Receiver) -> None:
    """A receiver that hangs costs the time for an attempt, however long it hangs."""
    gone = await office.player_webhooks.ping(OWNER, (await office.webhook("http://127.0.0.1:1/")).id)
    await office.dispatcher.portion()
    office.hurry()
    receiver.hang()
    slow = await office.player_webhooks.ping(OWNER, (await office.webhook()).id)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await office.dispatcher.portion()
    assert [(await office.delivery(each)).attempts[0].outcome for each in (slow, gone)] == [
        AttemptOutcome.TIMED_OUT,
        AttemptOutcome.UNREACHABLE,
    ]


async def test_attempt_fails_when_the_answer_never_ends(office: Office, receiver: Receiver) -> None:
    """Headers without end are cut off; a body is not read at all."""
    receiver.answers = [b"HTTP/1.1 200 OK\r\n" + b"x-more: yes\r\n" * 100_000, b"HTTP/1.1 200 OK\r\n\r\n" + bytes(3_000_000)]
    first = await office.player_webhooks.ping(OWNER, (await office.webhook()).id)
    await office.dispatcher.portion()
    assert (await office.delivery(first)).state is DeliveryState.PENDING
    second = await office.player_webhooks.ping(OWNER, (await office.webhook()).id)
    await office.dispatcher.portion()
    assert (await office.delivery(second)).state is DeliveryState.DELIVERED


async def test_receiver_gets_few_messages_at_once(office: Office, receiver: Receiver) -> None:
    """One that hangs uses one slot; the others get theirs meanwhile."""
    receiver.hang()
    webhook = await office.webhook()
    for _ in range(10):
        await office.player_webhooks.ping(OWNER, webhook.id)
    turn = asyncio.create_task(office.dispatcher.portion())
    await receiver.reached(4)
    assert await office.dispatcher.portion() == 0
    assert receiver.connections == 4
    receiver.go_on()
    assert await turn == 4


async def test_delivery_is_sent_again_with_the_same_id_when_its_dispatcher_dies(office: Office, receiver: Receiver) -> None:
    """What was under way is offered again as soon as its lease has run out."""
    receiver.hang()
    made = await office.player_webhooks.ping(OWNER, (await office.webhook()).id)
    running = asyncio.create_task(office.dispatcher.run())
    await receiver.reached(1)
    running.cancel()
    await asyncio.wait({running})
    receiver.go_on()
    other = Office(office.store)
    other.now_ms = office.now_ms + LEASE_MS - 1
    assert await other.dispatcher.portion() == 0
    other.now_ms += 1
    assert await other.dispatcher.portion() == 1
    assert [got.headers["webhook-id"] for got in receiver.got] == [made.id, made.id]
    assert (await office.delivery(made)).state is DeliveryState.DELIVERED
    await other.post.close()


async def test_function_of_the_page_verifies_what_is_sent(office: Office, receiver: Receiver) -> None:
    """The verification code in the documentation accepts our messages, with either secret, and no others."""
    page: dict[str, Any] = {}
    exec(blocks(DOCS / "webhooks.md", "python")[0], page)  # noqa: S102 - our own page
    office.now_ms = time.time_ns() // 1_000_000
    webhook = await office.webhook()
    rotated = await office.player_webhooks.rotate(OWNER, webhook.id)
    made = await office.player_webhooks.ping(OWNER, webhook.id)
    await office.dispatcher.portion()
    [got] = receiver.got
    for secret in (webhook.secret, rotated.secret):
        assert page["message"](signing.show_secret(secret), got.headers, got.body) == got.json
    old = signing.headers(webhook, await office.delivery(made), office.now_ms - 301_000)
    for secret, headers, body in (
        (bytes(32), got.headers, got.body),
        (webhook.secret, got.headers, got.body + b" "),
        (webhook.secret, old, got.body),
    ):
        with pytest.raises(ValueError, match="not from"):
            page["message"](signing.show_secret(secret), headers, body)
