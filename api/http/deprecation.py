"""Operations that clients should stop using: what their answers say (RFC 9745, RFC 8594)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime

import msgspec
from msgspec import Meta

from .response import Header

NOTICE = timedelta(days=180)
"""The least time between a deprecation and the end."""
FIELD = Meta(extra_json_schema={"deprecated": True})
"""Marks a field or a parameter that is deprecated, in its annotation; what to use in place of it is in its description."""
DEPRECATION, SUNSET = "Deprecation", "Sunset"


class Deprecated(msgspec.Struct, frozen=True, kw_only=True):
    """Since when an operation is deprecated, what to use in place of it, in a sentence, and the day on which it ends, if any.

    Raises ValueError if that is less than `NOTICE` later.
    """

    since: date
    instead: str
    ends: date | None = None

    def __post_init__(self) -> None:
        if self.ends is not None and self.ends < self.since + NOTICE:
            raise ValueError(f"an operation ends {NOTICE.days} days after its deprecation, or later")

    @property
    def text(self) -> str:
        """What its description says of it."""
        end = f" It ends on {self.ends.isoformat()}." if self.ends is not None else ""
        return f"Deprecated since {self.since.isoformat()}. {self.instead}{end}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the headers."""
        return (DEPRECATION,) if self.ends is None else (DEPRECATION, SUNSET)

    @property
    def headers(self) -> tuple[Header, ...]:
        """The headers of all of its answers."""
        headers: tuple[Header, ...] = ((b"deprecation", b"@%d" % _midnight(self.since).timestamp()),)
        if self.ends is None:
            return headers
        return (*headers, (b"sunset", format_datetime(_midnight(self.ends), usegmt=True).encode()))


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
