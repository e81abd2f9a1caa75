"""The meaning of server-sent events in this service's streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

import httpx
import msgspec
from httpx_sse import ServerSentEvent

from .calls import Call, Tries, problem_of
from .problems import ApiError, Unreachable
from .shapes import InboxItem, Item

OK = 200
NO_CONTENT = 204
"""The match is over, and the feed is complete."""


class Reset(NamedTuple):
    """The feed starts again from the beginning: drop what you have.

    The player has taken, left or lost a seat, so the feed of another viewer follows, or the service lost the end of its history.
    In an inbox: items are lost. List your matches again; what happens from now on follows.
    """


Entry = TypeVar("Entry", Item, InboxItem)
"""What a stream carries."""


class Start(msgspec.Struct):
    """Where the items of a stream will begin."""

    cursor: str


class Place(Generic[Entry]):
    """The position of a follower in a feed or an inbox, and whether the feed is over."""

    def __init__(self, call: Call[Entry], after: str | None) -> None:
        self.call = call
        self.after = after
        self.over = False
        self._tries = Tries(safe=True)

    def request(self, client: httpx.Client | httpx.AsyncClient, token: str | None) -> httpx.Request:
        """Return the request for the rest."""
        request = self.call.request(client, token)
        if self.after is not None:
            request.headers["Last-Event-ID"] = self.after
        return request

    def take(self, event: ServerSentEvent) -> Iterator[Entry | Reset]:
        """Note an event; yield what the follower gets of it."""
        self._tries.renew()
        if event.event == "item":
            item = msgspec.json.decode(event.data, type=self.call.shape)
            self.after = item.cursor
            yield item
        elif event.event == "start":
            self.after = msgspec.json.decode(event.data, type=Start).cursor
        elif event.event == "reset":
            self.after = None
            yield Reset()
        elif event.event == "end":
            self.over = True

    def rest(self, answer: httpx.Response | None) -> float:
        """Return the seconds to wait before the next connection; raise ApiError or Unreachable if there will be none."""
        if (seconds := self._tries.again(None if answer is None or answer.is_success else answer)) is not None:
            return seconds
        if answer is None or answer.is_success:
            raise Unreachable(f"no stream at {self.call.where}")
        raise ApiError(problem_of(answer))
