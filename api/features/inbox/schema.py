"""The shapes of an inbox: what happens in all of a player's matches."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ...http.feature import INBOX
from ...schema.common import union
from ...schema.fields import CursorText, Moment, SeatNumber


class InboxItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened in one of your matches, or that is for you alone, with its cursor, its number and its time.

    `your_seats` are the seats at that match that are yours, or your application's users'. A `match.decision-opened` is there only
    if it asks one of them.
    """

    cursor: CursorText
    n: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    at_ms: Moment
    your_seats: tuple[SeatNumber, ...]
    message: Annotated[msgspec.Raw, union(INBOX)]


class InboxBody(msgspec.Struct, frozen=True, kw_only=True):
    """A page of an inbox. `cursor`: that of the last item, the `after` of the next request; `more`: more are available now."""

    items: tuple[InboxItem, ...]
    cursor: CursorText
    more: bool
