"""Shapes of commitments and proofs."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ...service.records.verdict import Conclusion
from .fields import CardText, DealNumber, Digest, MatchRef, SeatNumber

LeafNumber = Annotated[int, Meta(ge=0, le=999_999_999, description="Index of the leaf, from 0.")]


class RecordDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A record: its lines in order. The head comes first, then the entries, the deals, and the end with the secret."""

    lines: tuple[dict[str, Any], ...]


class FindingBody(msgspec.Struct, frozen=True, kw_only=True):
    """The first error found in a match: the line of its record, what is wrong, and the expected and actual values."""

    line: str
    what: str
    expected: str
    found: str


class TakenUpBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a practice match starts from: the first `events` events of another match, which then had this `chain`."""

    match: MatchRef
    version: Annotated[int, Meta(ge=0)]
    chain: Digest
    events: Annotated[int, Meta(ge=0)]


class BotAnswersBody(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers bots gave, how many of these were computed again, and why not all that were asked for, if so."""

    given: Annotated[int, Meta(ge=0)]
    computed: Annotated[int, Meta(ge=0)]
    unable: str


class VerdictBody(msgspec.Struct, frozen=True, kw_only=True):
    """The result of running a match again: how much was checked, and the first error, if any.

    `undecided`: the match was played under a version of the rules that is not installed here, or answers of its bots that were
    asked for cannot be computed again here. Nothing is wrong, but not all was replayed either, so it is not `right`. With
    `taken_up`, the first events come from another match.
    """

    match: MatchRef
    right: bool
    conclusion: Conclusion
    taken_up: TakenUpBody | None
    entries: Annotated[int, Meta(ge=0)]
    commands: Annotated[int, Meta(ge=0)]
    deals: Annotated[int, Meta(ge=0)]
    finding: FindingBody | None
    bots: BotAnswersBody


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
    """A page of deals. `secret` is null until the match is over or aborted; `next` is null on the last page."""

    match: MatchRef
    commitment: Digest
    secret: Digest | None
    items: tuple[DealBody, ...]
    next: DealNumber | None


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
