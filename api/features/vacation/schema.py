"""The shapes of vacation."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ...schema.common import Request
from ...schema.fields import MatchRef, Moment, SeatNumber


class VacationRequest(Request, frozen=True):
    """Until when you are away."""

    until_ms: Moment


class VacationFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Until when you are away (null: you are not), and how many days of the year are left to you besides."""

    until_ms: Moment | None
    days_left: Annotated[int, Meta(ge=0, le=30)]


class SeatAway(msgspec.Struct, frozen=True, kw_only=True):
    """A seat whose player is away, and until when."""

    seat: SeatNumber
    until_ms: Moment


class AwayList(msgspec.Struct, frozen=True, kw_only=True):
    """The seats of a match whose players are on vacation."""

    match: MatchRef
    items: tuple[SeatAway, ...]
