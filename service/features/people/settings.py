"""Settings of people."""

from __future__ import annotations

from typing import Annotated

import msgspec


class PeopleSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of people.

    - invitations_daily: how many invitations to matches a player may send a day; all players of an address, 25 times as many.
    - invitations_received_daily: how many of them come to a player a day from those whom it does not follow.
    """

    invitations_daily: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 50
    invitations_received_daily: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 20
