"""The shapes of playing: commands and their receipts, feeds, views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ...domain.game import Command, Event, GameView, Placing
from ...domain.match import Status
from ...domain.match.view import ChairView, Correction
from ..texts import Text
from .common import Request, union
from .fields import CursorText, DecisionNumber, GameName, MatchRef, Moment, SeatNumber

Arguments: TypeAlias = "Mapping[str, str | int]"


SignedMark = Annotated[
    str,
    Meta(
        max_length=2_000,
        description="The deployment's signed note (C2SP signed-note) of the hash chain over all items of this viewer's feed up "
        "to the cursor: it proves to others what was sent. Its lines are `tafelrunde.feed.1`, origin, match, viewer, number of "
        "items, chain.",
    ),
]


class CommandRequest(Request, frozen=True):
    """A command that answers a decision."""

    decision: DecisionNumber
    command: Annotated[msgspec.Raw, union("GameCommand")]


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An event the viewer may see, with its cursor, its number in this viewer's feed, and its time."""

    cursor: CursorText
    n: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    at_ms: Moment
    event: Event


Entries: TypeAlias = Annotated[
    msgspec.Raw, Meta(extra_json_schema={"type": "array", "items": union("FeedEntry").extra_json_schema})
]
"""A list of `FeedEntry`."""


class ReceiptBody(msgspec.Struct, frozen=True, kw_only=True):
    """What an accepted request changed, as far as the caller may see it, and the cursor of the caller's feed after it.

    That of a command that answers a decision is `signed` if the request asks for it, every other one always.
    """

    match: MatchRef
    cursor: CursorText
    items: Entries
    signed: SignedMark | UnsetType = UNSET


class FeedBody(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a feed. `cursor`: that of the last item; `more`: more items are available now; `ended`: there will be no more."""

    items: Entries
    cursor: CursorText
    more: bool
    ended: bool
    signed: SignedMark


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Who has to do what and why: a message key with arguments, and the resulting text."""

    key: str
    arguments: Arguments
    text: Text


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The open decision as the public sees it. It does not say which of `seats` have already answered."""

    decision: DecisionNumber
    seats: tuple[SeatNumber, ...]
    prompt: Prompt
    deadline_ms: Moment


class RefusedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that a player might try, and why it is refused now."""

    command: Command
    code: str
    arguments: Arguments
    message: Text
    rule: str | None


class QuestionBody(msgspec.Struct, frozen=True, kw_only=True):
    """The decision of the viewer's own seat. `legal` is complete: each of these commands can be sent as is.

    `answered` is the seat's current answer, if it can still be changed; wait for an event unless you want to change it.
    Sending the same answer again changes nothing.
    """

    decision: DecisionNumber
    legal: tuple[Command, ...]
    answered: Command | None
    refused: tuple[RefusedCommand, ...]


class ViewBody(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its viewer may see it, at one point of the viewer's feed. `table` is null before the start."""

    match: MatchRef
    game: GameName
    cursor: CursorText
    status: Status
    seat: SeatNumber | None
    chairs: tuple[ChairView, ...]
    waiting: Waiting | None
    question: QuestionBody | None
    table: GameView | None
    placings: tuple[Placing, ...] | None
    correction: Correction | None
    rematch: MatchRef | None


class ViewPage(msgspec.Struct, frozen=True, kw_only=True):
    """Views at successive items of the viewer's feed, oldest first; each has the cursor of its item.

    Where one command has several items, all but the last have no `waiting` and no `question`. `cursor`: that of the last view;
    `more`: more can be had now.
    """

    match: MatchRef
    views: tuple[ViewBody, ...]
    cursor: CursorText
    more: bool
