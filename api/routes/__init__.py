"""The operations of the API, by what they are about."""

from __future__ import annotations

from ..http.operation import AnyOperation
from . import (
    advice,
    boards,
    games,
    live,
    log,
    matches,
    oembed,
    operating,
    operations,
    play,
    players,
    practice,
    proofs,
    records,
    seats,
    webhooks,
)

ALL: tuple[AnyOperation, ...] = (
    *games.OPERATIONS,
    *players.OPERATIONS,
    *boards.OPERATIONS,
    *matches.OPERATIONS,
    *seats.OPERATIONS,
    *practice.OPERATIONS,
    *play.OPERATIONS,
    *live.OPERATIONS,
    *proofs.OPERATIONS,
    *records.OPERATIONS,
    *advice.OPERATIONS,
    *log.OPERATIONS,
    *oembed.OPERATIONS,
    *webhooks.OPERATIONS,
    *operating.OPERATIONS,
    *operations.OPERATIONS,
)
"""All operations, in the order of the contract."""
