"""The operations of the core, by what they are about."""

from __future__ import annotations

from ..http.operation import AnyOperation
from . import (
    branches,
    corrections,
    feed,
    games,
    health,
    matches,
    oembed,
    play,
    players,
    proofs,
    seat_tokens,
)

CORE: tuple[AnyOperation, ...] = (
    *games.OPERATIONS,
    *players.OPERATIONS,
    *matches.OPERATIONS,
    *seat_tokens.OPERATIONS,
    *branches.OPERATIONS,
    *play.OPERATIONS,
    *feed.OPERATIONS,
    *proofs.OPERATIONS,
    *oembed.OPERATIONS,
    *corrections.OPERATIONS,
    *health.OPERATIONS,
)
"""The operations that every deployment has, in the order of the contract."""
