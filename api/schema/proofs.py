"""Shapes of commitments and proofs."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from .fields import CardText, DealNumber, Digest, MatchRef, SeatNumber

LeafNumber = Annotated[int, Meta(ge=0, le=999_999_999, description="Index of the leaf, from 0.")]


class ProvableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card the caller can prove: request `proofs/{deal}/{index}`."""

    index: LeafNumber
    seat: SeatNumber
    card: CardText


class DealBody(msgspec.Struct, frozen=True, kw_only=True):
    """A deal: the Merkle root of all cards its seats then held, how many there were, and which of them the caller can prove."""

    deal: DealNumber
    size: LeafNumber
    root: Digest
    cards: tuple[ProvableCard, ...]


class ProofList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of deals. `secret` is null until the match is over or aborted, `cursor` (the next `after`) at the end."""

    match: MatchRef
    commitment: Digest
    secret: Digest | None
    items: tuple[DealBody, ...]
    cursor: DealNumber | None


class ProofBody(msgspec.Struct, frozen=True, kw_only=True):
    """Proof that `seat` held `card` after a deal. `path` has the sibling hashes, leaf first (see docs/fair-dealing.md)."""

    match: MatchRef
    deal: DealNumber
    index: LeafNumber
    seat: SeatNumber
    card: CardText
    salt: Digest
    path: tuple[Digest, ...]
    size: LeafNumber
    root: Digest
