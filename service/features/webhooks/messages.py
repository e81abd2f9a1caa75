"""Webhook messages: those about matches as they are sent, and the ping that only tests a webhook."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import TypeAlias, Union

import msgspec

from ....domain.match import MatchId
from ..inbox import messages as of_matches
from ..inbox.messages import Asked, Dropped, Message, SeatChanged, moment, tag_of
from .port import Delivery, DeliveryId, Webhook, WebhookId, Weight


class PingData(msgspec.Struct, frozen=True, kw_only=True):
    """The webhook under test."""

    webhook: WebhookId


class Ping(Message, frozen=True, kw_only=True, tag="webhook.ping"):
    """The owner of the webhook sent a test message."""

    data: PingData


MESSAGES: tuple[type[Message], ...] = (*of_matches.MESSAGES, Ping)
AnyMessage: TypeAlias = Union[of_matches.AnyMessage, Ping]  # noqa: UP007 - an alias that msgspec reads


def ping(webhook: Webhook, at_ms: int) -> AnyMessage:
    """Return a message that only tests the webhook."""
    return Ping(timestamp=moment(at_ms), data=PingData(webhook=webhook.id))


def delivery(webhook: Webhook, id_: DeliveryId, match_id: MatchId | None, message: AnyMessage, now_ms: int) -> Delivery:
    """Return a delivery that is due now."""
    return Delivery(
        id=id_,
        webhook=webhook.id,
        type=tag_of(type(message)),
        match=match_id,
        body=msgspec.json.encode(message),
        created_ms=now_ms,
        next_ms=now_ms,
        weight=_WEIGHTS.get(type(message), Weight.LIFE),
        since_ms=now_ms,
    )


def telling(delivery: Delivery, dropped: Dropped) -> Delivery:
    """Return a delivery that was not sent yet with a body that reports drops as well."""
    message = msgspec.structs.replace(_READER.decode(delivery.body), dropped=dropped)
    return msgspec.structs.replace(delivery, body=msgspec.json.encode(message), tells=dropped.count)


def delivery_id(id_key: bytes, webhook: WebhookId, match_id: MatchId, n: int) -> DeliveryId:
    """Return the id of a message: the same whenever it is made, and impossible to guess."""
    return DeliveryId("msg_" + hmac.digest(id_key, f"webhook|{webhook}|{match_id}|{n}".encode(), "sha256").hex()[:26])


def wants(webhook: Webhook, message: AnyMessage, match_id: MatchId, game: str, at_ms: int) -> bool:
    """Return whether a webhook is to get a message."""
    return (
        webhook.pause is None
        and tag_of(type(message)) in webhook.events
        and webhook.match in {None, match_id}
        and webhook.game in {None, game}
        and at_ms >= webhook.created_ms
    )


_READER = msgspec.json.Decoder(AnyMessage)
_WEIGHTS: Mapping[type[Message], Weight] = {Asked: Weight.QUESTION, SeatChanged: Weight.OTHER, Ping: Weight.OTHER}
"""All others are about the life of a match."""
