"""All kinds of events, of the match and of every game, as one type for decoders."""

from __future__ import annotations

from typing import Union, cast

from tafelrunde.domain.game import Event
from tafelrunde.domain.match.events import MATCH_EVENTS
from tafelrunde.domain.registry import GAMES

KINDS = (*MATCH_EVENTS, *(kind for game in GAMES.values() for kind in game.event_types))
ANY_EVENT = cast("type[Event]", Union[KINDS])  # noqa: UP007 - the members are only known at run time
