"""Shapes of the inbox: what happens in all of your matches."""

from __future__ import annotations

import msgspec

from .shapes import Plain


class InboxItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened in one of your matches; `message` is plain data with its `type` and `data`.

    `your_seats` are the seats at that match that are yours, or your application's users'.
    """

    cursor: str
    n: int
    at_ms: int
    your_seats: tuple[int, ...]
    message: dict[str, Plain]

    @property
    def kind(self) -> str:
        """The type of the message: `match.started`, `match.decision-opened` (your turn), `match.ended` ..."""
        return str(self.message["type"])

    @property
    def match(self) -> str:
        """The match that it is about."""
        return str(self.message["data"]["match"])


class Inbox(msgspec.Struct, frozen=True, kw_only=True):
    """A page of an inbox: `cursor` is the `after` of the next request, `more` are there now."""

    items: tuple[InboxItem, ...]
    cursor: str
    more: bool
