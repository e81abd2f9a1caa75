"""The operations of the API, by what they are about."""

from __future__ import annotations

from ..http.operation import AnyOperation
from . import (
    branches,
    bulk_records,
    coaching,
    corrections,
    daily,
    feed,
    games,
    health,
    hints,
    inbox,
    leaderboards,
    lessons,
    matches,
    oembed,
    play,
    players,
    proofs,
    puzzles,
    records,
    seat_tokens,
    transparency,
    webhooks,
)

ALL: tuple[AnyOperation, ...] = (
    *games.OPERATIONS,
    *lessons.OPERATIONS,
    *daily.OPERATIONS,
    *puzzles.OPERATIONS,
    *players.OPERATIONS,
    *inbox.OPERATIONS,
    *leaderboards.OPERATIONS,
    *matches.OPERATIONS,
    *seat_tokens.OPERATIONS,
    *branches.OPERATIONS,
    *play.OPERATIONS,
    *feed.OPERATIONS,
    *proofs.OPERATIONS,
    *records.OPERATIONS,
    *bulk_records.OPERATIONS,
    *hints.OPERATIONS,
    *coaching.OPERATIONS,
    *transparency.OPERATIONS,
    *oembed.OPERATIONS,
    *webhooks.OPERATIONS,
    *corrections.OPERATIONS,
    *health.OPERATIONS,
)
"""All operations, in the order of the contract."""
