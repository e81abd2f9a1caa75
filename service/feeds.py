"""A feed per viewer: the items that one seat, or a spectator, may see, with a sequence and a hash chain of its own.

A cursor is `<n>-<8 hex of the chain>`: n counts the viewer's own items, so it tells nothing of hidden ones, and the chain
tells a resumed client when the history it knew is gone.
"""

from __future__ import annotations

from typing import NewType

import msgspec

from ..domain.game import Event
from .errors import ServiceError

Cursor = NewType("Cursor", str)
START = Cursor("0-00000000")


class CursorUnknown(ServiceError):
    """The cursor is not of this viewer's history: malformed, from another feed, or of a history that was lost."""


class FeedItem(msgspec.Struct, frozen=True, kw_only=True):
    """One visible event: its cursor, its number n (1, 2, 3 ...), its time, and the event as the viewer may know it."""

    cursor: Cursor
    n: int
    at_ms: int
    event: Event


class FeedPage(msgspec.Struct, frozen=True, kw_only=True):
    """Items in order, the cursor after the last of them, whether more are there now, and whether the feed has ended."""

    items: tuple[FeedItem, ...]
    cursor: Cursor
    more: bool
    ended: bool
