"""What a feature adds to the socket: frames of clients, each for an operation, and what it sends of itself then."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeAlias

import msgspec

from ...service.runtime.connections import Gate
from .operation import AnyCall, AnyOperation
from .response import Reply

Source: TypeAlias = Callable[[Gate], AsyncGenerator[msgspec.Struct]]
"""What comes of itself, read behind the gate of a connection where it may come from many places."""


class Asker(Protocol):
    """Who has sent a frame: a session of the socket."""

    def call(self, match: str | None = None) -> AnyCall:
        """Return a call of the caller, about a match if there is one."""
        ...

    async def perform(self, asked: AnyOperation, call: AnyCall) -> Reply:
        """Return the reply of an operation, or the problem that it met."""
        ...

    def send(self, frame: msgspec.Struct) -> None:
        """Send a frame."""
        ...

    def tell(self, name: str, reply: Reply) -> None:
        """Tell a problem as the answer to the frame with this id."""
        ...

    def listen(self, place: str, name: str, first: msgspec.Struct, source: Source) -> None:
        """Answer a frame with *first*, and send what follows, in place of what was heard at that place before.

        Where the connection follows as much as it may already, it is refused.
        """
        ...

    async def leave(self, place: str, name: str, last: msgspec.Struct) -> None:
        """Send nothing more of a place, and answer a frame with *last*."""
        ...


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A frame that clients send: the operation whose scope and limits it has (None: none), and what can answer it.

    - answers: beside a problem. `unasked`: what the service sends by itself afterwards.
    - carry_out: answers a frame of an asker.
    - examples: returns an example of each of these frames, without its type, from those of the contract.
    """

    frame: type[msgspec.Struct]
    operation: AnyOperation | None
    answers: tuple[type[msgspec.Struct], ...]
    unasked: tuple[type[msgspec.Struct], ...] = ()
    carry_out: Callable[[Asker, Any], Awaitable[None]]
    examples: Callable[[Mapping[str, Any]], Mapping[type[msgspec.Struct], dict[str, Any]]]


class FeatureFrames(dict[type[msgspec.Struct], Asking]):
    """Frames of features, by their types: a part of the context of a process."""
