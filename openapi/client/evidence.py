"""What the service answers about fairness: proofs of cards, verdicts, and the log over all matches. Hashes are in hex."""

from __future__ import annotations

import msgspec


class ProvableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that the asker can prove, with its place among the leaves of its deal."""

    index: int
    seat: int
    card: str


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """What was committed to at once: the root over `size` cards, and those that the asker can prove."""

    deal: int
    size: int
    root: str
    cards: tuple[ProvableCard, ...]


class Proofs(msgspec.Struct, frozen=True, kw_only=True):
    """A page of deals. The secret is told when the match is over; `next` is the `after` of the next page."""

    match: str
    commitment: str
    secret: str | None
    items: tuple[Deal, ...]
    next: int | None


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """That a seat held a card after a deal; `path` has the sisters from the leaf up."""

    match: str
    deal: int
    index: int
    seat: int
    card: str
    salt: str
    path: tuple[str, ...]
    size: int
    root: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The first thing that is wrong with a record."""

    line: str
    what: str
    expected: str
    found: str


class TakenUp(msgspec.Struct, frozen=True, kw_only=True):
    """What a match begins with that was not dealt in it: so many events of another match, which had this chain then."""

    match: str
    version: int
    chain: str
    events: int


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What came of doing all of a match again: `conclusion` is right, wrong or undecided (it was played by other rules)."""

    match: str
    right: bool
    entries: int
    commands: int
    deals: int
    finding: Finding | None
    conclusion: str | None = None
    taken_up: TakenUp | None = None


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The whole log over all matches at one moment."""

    size: int
    root: str
    time_ms: int


class LeafProof(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf of a match, and the way from it to the root."""

    index: int
    version: int
    chain: str
    outcome: str
    time_ms: int
    path: tuple[str, ...]


class LeafProofs(msgspec.Struct, frozen=True, kw_only=True):
    """All leaves of a match in the log of `size` leaves."""

    match: str
    size: int
    root: str
    leaves: tuple[LeafProof, ...]


class Consistency(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    rename={"earlier": "from", "earlier_root": "from_root", "later": "to", "later_root": "to_root"},
):
    """That the later log begins with the earlier one."""

    earlier: int
    earlier_root: str
    later: int
    later_root: str
    path: tuple[str, ...]


class LeafHashes(msgspec.Struct, frozen=True, kw_only=True, rename={"first": "from"}):
    """Hashes of leaves in order; `first` is the number of the first one."""

    first: int
    hashes: tuple[str, ...]
