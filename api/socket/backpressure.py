"""Backpressure of one connection: what is sent while the client takes it, and what is read while there is room for answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

import msgspec

from ...service.runtime.connections import ROOM_BYTES
from ..http.response import encode
from .transport import Transport

AT_ONCE = 32
"""How many frames of a connection are under way at most; then nothing more is read."""


class Waiter(Protocol):
    """Something that sends as much as the client takes, such as a subscription."""

    def follow(self) -> None:
        """Go on: the client has taken what it was sent."""
        ...


class Backpressure:
    """Sends what it is given, and reads from the client only while little is unsent and few frames are under way.

    What was read before reading paused is kept, and given to *take* when it goes on.
    """

    __slots__ = (
        "_backlog",
        "_is_closed",
        "_is_paused",
        "_is_stopped",
        "_take",
        "_transport",
        "_waiters",
        "sent_bytes",
        "under_way",
    )

    def __init__(self, transport: Transport, take: Callable[[bytes], None]) -> None:
        self._transport = transport
        self._take = take
        self._backlog: deque[bytes] = deque()
        self._waiters: dict[Waiter, None] = {}
        self._is_paused = self._is_stopped = self._is_closed = False
        self.under_way = 0
        self.sent_bytes = 0

    # Sending

    def send(self, frame: msgspec.Struct) -> None:
        """Send a frame."""
        self.send_text(encode(frame))

    def send_text(self, text: bytes) -> None:
        """Send the text of a frame."""
        if not self._is_closed:
            self.sent_bytes += len(text)
            self._transport.send(text)
            if self.is_full:
                self.pause()

    @property
    def is_full(self) -> bool:
        """Whether the client has to take more before it is sent more."""
        return self._transport.unsent > ROOM_BYTES

    def wait(self, waiter: Waiter) -> None:
        """Let *waiter* go on when the client has taken what it was sent."""
        self._waiters[waiter] = None

    def forget(self, waiter: Waiter) -> None:
        """Let *waiter* wait no longer."""
        self._waiters.pop(waiter, None)

    def go_on(self) -> None:
        """Let everything go on that waited until the client had taken what it was sent."""
        waiters, self._waiters = self._waiters, {}
        for waiter in waiters:
            waiter.follow()
        self._resume()

    # Reading

    def receive(self, raw: bytes) -> None:
        """Take a message now, or when reading goes on."""
        if self._is_stopped or self._is_closed:
            return
        if self._is_paused:
            self._backlog.append(raw)
        else:
            self._take(raw)

    def begin_frame(self) -> None:
        """Count a frame as under way."""
        self.under_way += 1
        if self.under_way >= AT_ONCE:
            self.pause()

    def end_frame(self) -> None:
        """Count a frame as answered, and read on if there is room."""
        self.under_way -= 1
        self._resume()

    def pause(self) -> None:
        """Read nothing until there is room again."""
        if not self._is_paused:
            self._is_paused = True
            self._transport.pause()

    @property
    def is_reading(self) -> bool:
        """Whether messages are read: answers to pings are seen only then."""
        return not self._is_paused

    def _resume(self) -> None:
        """Take what was read already, and then read on, as far as there is room."""
        while self._is_paused and not self._is_stopped and self.under_way < AT_ONCE and not self.is_full:
            self._is_paused = False
            while self._backlog and not self._is_paused:
                self._take(self._backlog.popleft())
            if not self._is_paused:
                self._transport.resume()

    # Its end

    def stop_reading(self) -> None:
        """Take no message any more; answers are still sent."""
        self.pause()
        self._is_stopped = True

    @property
    def is_stopped(self) -> bool:
        """Whether no message is taken any more."""
        return self._is_stopped

    def close(self) -> None:
        """Send nothing, take nothing, and let nothing go on any more."""
        self._is_closed = True
        self._waiters.clear()
        self._backlog.clear()
