"""Settings of talk."""

from __future__ import annotations

from typing import Annotated

import msgspec

from .rooms import TalkMode


class TalkSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of talk, among players and among spectators.

    - talk: what may be said: `off` for nothing, `phrases` for ready phrases and reactions, `all` for texts, too.
    - talk_days: how long talk is kept after the end of its match, and reports of it after they were made.
    - talk_per_minute, reports_per_hour: how many lines a player says, and how many it reports, and as many at once; all players
      of an address, 25 times as many.
    """

    talk: TalkMode = TalkMode.ALL
    talk_days: Annotated[int, msgspec.Meta(ge=1, le=3650)] = 30
    talk_per_minute: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 30
    reports_per_hour: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 30
