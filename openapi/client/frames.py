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
INBOX = "streamInbox"
KINDS: Mapping[str, str] = {"giveCommand": "command", "getView": "view", "say": "say"}
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
    line: msgspec.Raw | UnsetType = UNSET
    cursor: str | int = ""
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
    """Return the frame that follows a feed, or the inbox, from a place on."""
    kind = "open-inbox" if place.call.operation == INBOX else "subscribe"
    fields = {"type": kind, "id": name, **place.call.parts, "after": place.after}
    return msgspec.json.encode({field: value for field, value in fields.items() if value is not None})


def unsubscription(match: str, name: str) -> bytes:
    """Return the frame that ends a subscription; that of the inbox, which is of no match."""
    if not match:
        return msgspec.json.encode({"type": "close-inbox", "id": name})
    return msgspec.json.encode({"type": "unsubscribe", "id": name, "match": match})


def answer_of(frame: Frame) -> httpx.Response:
    """Return what the same request over HTTP would have been answered with."""
    if frame.problem is not UNSET:
        status = msgspec.json.decode(frame.problem, type=Status).status
        headers = {} if frame.retry_after is UNSET else {"Retry-After": str(frame.retry_after)}
        return httpx.Response(status, content=bytes(frame.problem), headers=headers)
    body = next((each for each in (frame.receipt, frame.view, frame.line) if each is not UNSET), None)
    return httpx.Response(NO_CONTENT) if body is None else httpx.Response(OK, content=bytes(body))


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

    def start(self, cursor: str | int) -> None:
        """Take where items begin."""
        self.events.append(ServerSentEvent("start", msgspec.json.encode({"cursor": cursor}).decode()))


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
            match = receipt.match
            items = receipt.items
        if frame.type == "subscribed" and frame.id in self._given_up:
            self._given_up.discard(str(frame.id))
        elif frame.type == "subscribed":
            self.by_match[match] = FollowedFeed(self.known.get(match, 0))
        elif frame.type.startswith("inbox"):
            self._hear_inbox(frame)
        elif (feed := self.by_match.get(match)) is not None:
            if frame.type in {"reset", "end", "bye"}:
                feed.tell(frame.type)
            elif frame.type in {"items", "receipt"}:
                feed.take(items)

    def _hear_inbox(self, frame: Frame) -> None:
        """Hand a frame to the inbox, whose place is that of no match."""
        if frame.type == "inbox-opened":
            if frame.id in self._given_up:
                self._given_up.discard(str(frame.id))
            else:
                self.by_match[""] = FollowedFeed(self.known.get("", 0))
                self.by_match[""].start(frame.cursor)
        elif (inbox := self.by_match.get("")) is not None and frame.type != "inbox-closed":
            if frame.type == "inbox":
                inbox.take(frame.items)
            else:
                inbox.tell(frame.type.removeprefix("inbox-"))
            if frame.type == "inbox-reset":
                inbox.start(frame.cursor)
