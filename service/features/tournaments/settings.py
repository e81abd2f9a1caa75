"""Settings of tournaments."""

from __future__ import annotations

from typing import Annotated

import msgspec


class TournamentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of tournaments.

    - tournament_days: how long a tournament is kept after its end; its matches stay.
    - tournaments_per_player: how many tournaments that are not over a player may take part in, or have opened.
    - tournaments_per_player_daily: how many tournaments a player may open a day.
    - tournaments_per_address_daily: how many tournaments may be opened from one address a day.
    """

    tournament_days: Annotated[int, msgspec.Meta(ge=1, le=3650)] = 90
    tournaments_per_player: Annotated[int, msgspec.Meta(ge=1, le=100)] = 10
    tournaments_per_player_daily: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 5
    tournaments_per_address_daily: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 125
