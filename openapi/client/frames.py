"""Calls as frames of the socket, and frames as answers: what both clients over sockets share."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TypeVar, cast
from urllib.parse import urlsplit

import httpx
import msgspec
from httpx_sse import ServerSentEvent
from msgspec import UNSET, UnsetType

from .calls import BASE, Call
from .sse import NO_CONTENT, OK, Entry, Place

PROTOCOL = "tafelrunde.v1"
STREAM = "streamFeed"
KINDS: Mapping[str, str] = {"giveCommand": "command", "getView": "view"}
"""The operations that are asked over a socket, and the types of their frames; all others are asked over HTTP."""

Shape = TypeVar("Shape")


class Frame(msgspec.Struct):
    """A frame of the service, with the fields of all kinds."""

    type: str
    id: str | UnsetType = UNSET
    match: str = ""
    receipt: msgspec.Raw | UnsetType = UNSET
    replayed: bool = False
    view: msgspec.Raw | UnsetType = UNSET
    problem: msgspec.Raw | UnsetType = UNSET
    retry_after: int | UnsetType = UNSET
    items: list[msgspec.Raw] = []


class Status(msgspec.Struct):
    """What is read of a problem."""

    status: int


class Items(msgspec.Struct):
    """What is read of a receipt."""

    match: str
    items: list[msgspec.Raw]


class Number(msgspec.Struct):
    """What is read of an item."""

    n: int


def address(url: str) -> str:
    """Return where the socket of a service is."""
    found = urlsplit(url)
    return found._replace(scheme={"http": "ws", "https": "wss"}[found.scheme], path=f"{found.path}{BASE}/socket").geturl()


def asked(call: Call[Shape], name: str) -> bytes:
    """Return a call as a frame with this id."""
    fields: dict[str, object] = {"type": KINDS[call.operation], "id": name, **call.parts, "key": call.key, **call.parameters}
    fields |= cast("dict[str, object]", call.body or {})
    return msgspec.json.encode({field: value for field, value in fields.items() if value is not None})


def subscription(place: Place[Entry], name: str) -> bytes:
    """Return the frame that follows a feed from a place on."""
    fields = {"type": "subscribe", "id": name, **place.call.parts, "after": place.after}
    return msgspec.json.encode({field: value for field, value in fields.items() if value is not None})


def unsubscription(match: str, name: str) -> bytes:
    """Return the frame that ends a subscription."""
    return msgspec.json.encode({"type": "unsubscribe", "id": name, "match": match})


def answer_of(frame: Frame) -> httpx.Response:
    """Return what the same request over HTTP would have been answered with."""
    if frame.problem is not UNSET:
        status = msgspec.json.decode(frame.problem, type=Status).status
        headers = {} if frame.retry_after is UNSET else {"Retry-After": str(frame.retry_after)}
        return httpx.Response(status, content=bytes(frame.problem), headers=headers)
    body = frame.receipt if frame.receipt is not UNSET else frame.view
    return httpx.Response(NO_CONTENT) if body is UNSET else httpx.Response(OK, content=bytes(body))


class FollowedFeed:
    """What has come of a match, as events of a stream; `over`: nothing more comes by this subscription."""

    def __init__(self, known: int) -> None:
        self.events: deque[ServerSentEvent] = deque()
        self.over = False
        self._known = known

    def take(self, items: list[msgspec.Raw]) -> None:
        """Take items, each once: those of a receipt that is repeated may be known."""
        for item in items:
            if (n := msgspec.json.decode(item, type=Number).n) > self._known:
                self._known = n
                self.events.append(ServerSentEvent("item", bytes(item).decode()))

    def tell(self, kind: str) -> None:
        """Take what is no item: `reset`, `end` or `bye`."""
        self.events.append(ServerSentEvent(kind))
        if kind == "reset":
            self._known = 0
        else:
            self.over = True


class Feeds:
    """The feeds that one connection follows, by match, and the number of the last item that is known of each."""

    def __init__(self) -> None:
        self.by_match: dict[str, FollowedFeed] = {}
        self.known: dict[str, int] = {}
        self._given_up: set[str] = set()

    def give_up(self, match: str, name: str) -> None:
        """Follow a match no more for which a subscription was asked by a frame with this id, answered or not."""
        if self.by_match.pop(match, None) is None:
            self._given_up.add(name)

    def hear(self, frame: Frame) -> None:
        """Hand a frame to the feed that it belongs to, if there is one."""
        items = frame.items
        match = frame.match
        if frame.receipt is not UNSET:
            receipt = msgspec.json.decode(frame.receipt, type=Items)
            match, items = receipt.match, receipt.items
        if frame.type == "subscribed" and frame.id in self._given_up:
            self._given_up.discard(str(frame.id))
        elif frame.type == "subscribed":
            self.by_match[match] = FollowedFeed(self.known.get(match, 0))
        elif (feed := self.by_match.get(match)) is not None:
            if frame.type in {"reset", "end", "bye"}:
                feed.tell(frame.type)
            else:
                feed.take(items)
