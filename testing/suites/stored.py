"""Events as a log stores them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Union, cast

import msgspec

from ...domain.game import AnyGame, Event
from ...domain.match.events import MATCH_EVENTS

_encoder = msgspec.msgpack.Encoder(order="deterministic")


def decoder(games: Iterable[AnyGame]) -> msgspec.msgpack.Decoder[Event]:
    """Return a decoder of the match's events and those of some games."""
    events = (*MATCH_EVENTS, *(event for game in games for event in game.event_types))
    return cast("msgspec.msgpack.Decoder[Event]", msgspec.msgpack.Decoder(Union[events]))  # noqa: UP007 - the members are only known at run time


def stored(value: object) -> bytes:
    """Return anything as bytes, equal for equal values."""
    return _encoder.encode(value)
