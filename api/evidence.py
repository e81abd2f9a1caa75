"""The shapes of commitments and proofs on the wire."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ..service.verdict import Conclusion
from .patterns import CardText, DealNumber, Digest, MatchRef, SeatNumber

LeafNumber = Annotated[int, Meta(ge=0, le=999_999_999, description="The place of the leaf, from 0.")]


class RecordDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A record: its lines in order, the head first, then the entries, the deals, and the end with the secret."""

    lines: tuple[dict[str, Any], ...]


class FindingBody(msgspec.Struct, frozen=True, kw_only=True):
    """The first thing that is wrong with a match: in which line of its record, what, and what was expected and found."""

    line: str
    what: str
    expected: str
    found: str


class TakenUpBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a match begins with that was not dealt in it: so many `events` of another match, which had this `chain` then."""

    match: MatchRef
    version: Annotated[int, Meta(ge=0)]
    chain: Digest
    events: Annotated[int, Meta(ge=0)]


class VerdictBody(msgspec.Struct, frozen=True, kw_only=True):
    """What came of doing all of a match again: how much was checked, and the first thing that was wrong, if any.

    `undecided` is a match of another version of the rules than the one that is here: nothing is wrong, but nothing was decided
    again either, so that it is not `right`. With `taken_up` the first events were given by another match, and not dealt again.
    """

    match: MatchRef
    right: bool
    conclusion: Conclusion
    taken_up: TakenUpBody | None
    entries: Annotated[int, Meta(ge=0)]
    commands: Annotated[int, Meta(ge=0)]
    deals: Annotated[int, Meta(ge=0)]
    finding: FindingBody | None


class ProvableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that the asker can prove: ask for `proofs/{deal}/{index}`."""

    index: LeafNumber
    seat: SeatNumber
    card: CardText


class DealBody(msgspec.Struct, frozen=True, kw_only=True):
    """A deal: the Merkle root over all cards that its seats held then, their number, and those that the asker can prove."""

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
    """That `seat` held `card` after a deal; `path` has the sisters from the leaf up (docs/fair-dealing.md: how to check it)."""

    match: MatchRef
    deal: DealNumber
    index: LeafNumber
    seat: SeatNumber
    card: CardText
    salt: Digest
    path: tuple[Digest, ...]
    size: LeafNumber
    root: Digest
