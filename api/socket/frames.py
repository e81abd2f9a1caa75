"""The frames of the socket, in both directions: JSON texts, one message each, with their kind as `type`.

What stands in a frame as a body (a receipt, a view, a problem) is byte for byte what the operation answers over HTTP.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..schema.common import Request, union
from ..schema.fields import KEY, CursorText, DecisionNumber, MatchRef, Perspective, PlayerRef
from ..schema.play import Entries

PATH = "/socket"
PROTOCOL = "tafelrunde.v1"
"""The subprotocol that a client has to offer."""
TOKEN_LENGTH = 256

FrameId: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=64, description="A text of the client's choice, which the answer repeats.")
]
Seconds: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]


class Frame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A frame that the service sends. A client ignores types and fields that it does not know."""


class Asked(Request, frozen=True, tag_field="type"):
    """A frame that a client sends. Unknown fields are refused."""


# What a client sends


class HelloFrame(Asked, frozen=True, kw_only=True, tag="hello"):
    """The first frame of a client that could not send `Authorization` with its handshake, as browsers cannot."""

    token: (
        Annotated[str, Meta(max_length=TOKEN_LENGTH, description="The caller's token. Default: none, only to watch.")] | None
    ) = None


class SubscribeFrame(Asked, frozen=True, kw_only=True, tag="subscribe"):
    """Asks for the caller's feed of a match, from a cursor on, as `streamFeed` does. A second one replaces the first."""

    id: FrameId
    match: MatchRef
    after: (
        Annotated[CursorText, Meta(description="Cursor of the last item that the client has. Default: from the start.")] | None
    ) = None


class UnsubscribeFrame(Asked, frozen=True, kw_only=True, tag="unsubscribe"):
    """Ends a subscription."""

    id: FrameId
    match: MatchRef


class CommandFrame(Asked, frozen=True, kw_only=True, tag="command"):
    """Answers a decision, as `giveCommand` does."""

    id: FrameId
    match: MatchRef
    decision: DecisionNumber
    command: Annotated[msgspec.Raw, union("GameCommand")]
    key: Annotated[
        str,
        Meta(
            pattern=KEY,
            description="The idempotency key: a random value for each new command, and the same again to retry one.",
        ),
    ]
    dry_run: Annotated[bool, Meta(description="Only check whether the command would be accepted; change nothing.")] = False
    signed: Annotated[bool, Meta(description="Sign the receipt.")] = False


class ViewRequestFrame(Asked, frozen=True, kw_only=True, tag="view"):
    """Asks for the caller's view of a match, as `getView` does."""

    id: FrameId
    match: MatchRef
    at: Annotated[CursorText, Meta(description="A cursor of the caller's feed. Default: the latest.")] | None = None
    perspective: (
        Annotated[Perspective, Meta(description="Whose view, once the match is over. Default: the caller's own.")] | None
    ) = None


Question: TypeAlias = SubscribeFrame | UnsubscribeFrame | CommandFrame | ViewRequestFrame
"""What is asked about a match, and answered under its id."""
ASKED: tuple[type[Asked], ...] = (HelloFrame, SubscribeFrame, UnsubscribeFrame, CommandFrame, ViewRequestFrame)
"""All frames of a client."""


# What the service sends


class WelcomeFrame(Frame, frozen=True, kw_only=True, tag="welcome"):
    """The first frame of the service: who the caller is, and the limits of this connection."""

    player: Annotated[PlayerRef, Meta(description="The caller; null without a token.")] | None
    ping_seconds: Annotated[Seconds, Meta(description="Time between two pings of the service.")]
    subscriptions: Annotated[Count, Meta(description="The most matches that this connection can follow at once.")]
    frames: Annotated[Count, Meta(description="How many frames are worked on at once; the next ones wait.")]
    frame_bytes: Annotated[Count, Meta(description="The largest frame that is accepted, in bytes.")]


class SubscribedFrame(Frame, frozen=True, kw_only=True, tag="subscribed"):
    """Answers `subscribe`: items after this cursor follow."""

    id: FrameId
    match: MatchRef
    cursor: CursorText


class UnsubscribedFrame(Frame, frozen=True, kw_only=True, tag="unsubscribed"):
    """Answers `unsubscribe`: nothing more of that match follows."""

    id: FrameId
    match: MatchRef


class ReceiptFrame(Frame, frozen=True, kw_only=True, tag="receipt"):
    """Answers `command`: it was carried out.

    The items of the receipt do not come a second time as `items`. Of a repeated receipt (`replayed`) the client may know some:
    those whose `n` is not above its last.
    """

    id: FrameId
    replayed: Annotated[
        bool, Meta(description="Whether an earlier command with this key was carried out, and this is its receipt.")
    ]
    receipt: Annotated[msgspec.Raw, union("Receipt")]


class AcceptedFrame(Frame, frozen=True, kw_only=True, tag="accepted"):
    """Answers `command` with `dry_run`: it would be accepted."""

    id: FrameId


class ViewFrame(Frame, frozen=True, kw_only=True, tag="view"):
    """Answers `view`."""

    id: FrameId
    view: Annotated[msgspec.Raw, union("View")]


class ProblemFrame(Frame, frozen=True, kw_only=True, tag="problem", omit_defaults=True):
    """Says why a frame was refused, with the same problem as over HTTP. Without `id` it is about the connection, which ends."""

    id: FrameId | UnsetType = UNSET
    problem: Annotated[msgspec.Raw, union("Problem")]
    retry_after: Annotated[Seconds, Meta(description="Seconds to wait before trying again.")] | UnsetType = UNSET


class ItemsFrame(Frame, frozen=True, kw_only=True, tag="items"):
    """Items of a subscription, in order, each once. `cursor` is that of the last one."""

    match: MatchRef
    items: Entries
    cursor: CursorText


class ResetFrame(Frame, frozen=True, kw_only=True, tag="reset"):
    """You have taken or lost a seat, or the history of this match has changed: forget its items, the feed starts over."""

    match: MatchRef


class EndFrame(Frame, frozen=True, kw_only=True, tag="end"):
    """The match is over, and its last item was sent. The subscription has ended."""

    match: MatchRef


class ByeFrame(Frame, frozen=True, kw_only=True, tag="bye", omit_defaults=True):
    """The subscription to this match ends for another reason: subscribe again. Without `match` the connection ends: reconnect."""

    match: MatchRef | UnsetType = UNSET


SENT: tuple[type[Frame], ...] = (
    WelcomeFrame,
    SubscribedFrame,
    UnsubscribedFrame,
    ReceiptFrame,
    AcceptedFrame,
    ViewFrame,
    ProblemFrame,
    ItemsFrame,
    ResetFrame,
    EndFrame,
    ByeFrame,
)
"""All frames of the service."""

CLOSES = {
    1003: "a frame was not a text",
    1009: "a frame was larger than 64 KiB",
    1012: "the process restarts: connect again",
    4400: "a frame could not be read",
    4401: "the token is not valid, or no longer",
    4403: "the token does not allow this",
    4408: "no first frame came",
    4429: "too many connections or requests",
    4500: "an error of the service",
    4503: "the service is not available now",
}
"""The codes with which the service closes a connection. From 4000 on it is that and the status of the problem."""
