"""Settings of inboxes."""

from __future__ import annotations

from typing import Annotated

import msgspec


class InboxSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the streams of all of a player's matches.

    - inbox_kept, inbox_kept_in_all: how many items the stream of all of a player's matches can be resumed from, of each player
      who listens and of all together.
    """

    inbox_kept: Annotated[int, msgspec.Meta(ge=100, le=1_000_000)] = 2_000
    inbox_kept_in_all: Annotated[int, msgspec.Meta(ge=100, le=10_000_000)] = 200_000
