"""The settings of a match: one value that goes from the host's wish to the log, to rematches and to every listing.

To add a setting, give it a field here with a default, and a field in `MatchOpened`, which says who may know it.
`tests/test_match_settings.py` names every other place that lacks it.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from ..game import GameId
from .terms import Clock, OptionValue, Spectators, Visibility


class MatchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a host chooses for a match. It does not change once the match is open, and every viewer may know all of it.

    - game: the game that is played.
    - seats: how many seats the table has; each game has its own limits.
    - options: the game's variants by name. A wish may leave some out; an open match has all of them.
    - clock: the time for a decision in seconds, and when a bot stands in. Default: 120 s for a turn, 30 s for a reaction.
    - spectators: who may watch without a seat. Default: no one.
    - visibility: whether the lobby lists the match. Default: listed.
    - rated: whether the result counts for the ratings of named players. Default: it does.
    - hints: whether players may ask for hints. Default: they may not.
    """

    game: GameId
    seats: int
    options: Mapping[str, OptionValue] = {}
    clock: Clock = Clock()
    spectators: Spectators = Spectators.OFF
    visibility: Visibility = Visibility.LISTED
    rated: bool = True
    hints: bool = False


ALWAYS_STORED = frozenset(("game", "seats", "options", "clock", "spectators", "visibility"))
"""The settings of the first stored matches. Every later one is stored only where it is not the default, so that a match without
it keeps its bytes."""
_DEFAULTS = msgspec.structs.asdict(MatchSettings(game=GameId(""), seats=0))


def settings_of(flat: msgspec.Struct) -> MatchSettings:
    """Return the settings among the fields of *flat*; those that it lacks or leaves unset have their defaults."""
    found = {name: getattr(flat, name, UNSET) for name in MatchSettings.__struct_fields__}
    return MatchSettings(**{name: value for name, value in found.items() if value is not UNSET})


def as_stored(settings: MatchSettings) -> Mapping[str, object]:
    """Return the settings by name, as far as they are stored."""
    values = msgspec.structs.asdict(settings)
    return {name: value for name, value in values.items() if name in ALWAYS_STORED or value != _DEFAULTS[name]}
