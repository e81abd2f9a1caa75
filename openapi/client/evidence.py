"""Shapes about fairness: card proofs, verdicts, and the transparency log. Hashes are in hex."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from .shapes import Item


def chain_over(items: Iterable[Item], chain: bytes = bytes(32)) -> bytes:
    """Return the hash chain over items of a feed, in order, that follow those of *chain*: what `signed` notes have in hex."""
    for item in items:
        chain = sha256(chain + msgspec.json.encode((item.n, item.at_ms, item.event))).digest()
    return chain


class ProvableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that the caller can prove, with its index among the leaves of its deal."""

    index: int
    seat: int
    card: str


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """One commitment: the root over `size` cards, and those that the caller can prove."""

    deal: int
    size: int
    root: str
    cards: tuple[ProvableCard, ...]


class Proofs(msgspec.Struct, frozen=True, kw_only=True):
    """A page of deals. The secret is revealed when the match is over; `next` is the `after` of the next page."""

    match: str
    commitment: str
    secret: str | None
    items: tuple[Deal, ...]
    next: int | None


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Proof that a seat held a card after a deal; `path` has the sibling hashes from the leaf up."""

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
    """What a practice match took over: the first `events` events of another match, and its chain at that point."""

    match: str
    version: int
    chain: str
    events: int


class BotAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers bots gave, how many of these were computed again, and why not all that were asked for, if so."""

    given: int
    computed: int
    unable: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a verification: `conclusion` is right, wrong or undecided (rules or bots that are not here)."""

    match: str
    right: bool
    entries: int
    commands: int
    deals: int
    finding: Finding | None
    conclusion: str | None = None
    taken_up: TakenUp | None = None
    bots: BotAnswers | None = None


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The transparency log at one moment. `signed` is the deployment's signed note of it."""

    size: int
    root: str
    time_ms: int
    signed: str


class SigningKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The public keys of a deployment, the current one first, and the name under which it signs.

    Every opening and end is in the log within `log_seconds`; where spectators are delayed, after their delay.
    """

    origin: str
    keys: tuple[str, ...]
    log_seconds: int


class OpeningProof(msgspec.Struct, frozen=True, kw_only=True):
    """The leaf of an opening (`text` is its content), and its path to the root."""

    match: str
    size: int
    root: str
    index: int
    text: str
    path: tuple[str, ...]


class DayProof(msgspec.Struct, frozen=True, kw_only=True):
    """The leaf of a day's deals (`text` is its content), its path to the root, and the day's secret once the day is over."""

    day: str
    size: int
    root: str
    index: int
    text: str
    path: tuple[str, ...]
    secret: str | None


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf as everyone may see it; `match` is the reference of a match, and ends have no `text`."""

    hash: str
    text: str | None
    match: str | None
    outcome: str | None
    time_ms: int


class LogEntries(msgspec.Struct, frozen=True, kw_only=True, rename={"first": "from"}):
    """Leaves in order; `first` is the number of the first one."""

    first: int
    entries: tuple[LogEntry, ...]


class LeafProof(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf of a match, and its path to the root."""

    index: int
    version: int
    chain: str
    outcome: str
    time_ms: int
    path: tuple[str, ...]


class LeafProofs(msgspec.Struct, frozen=True, kw_only=True):
    """All leaves of a match in the log of `size` leaves; `day` is that of the day whose deal it is, if it is one."""

    match: str
    size: int
    root: str
    leaves: tuple[LeafProof, ...]
    day: DayProof | None = None


class CosignedCheckpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint with the signatures of the deployment and of a witness, whose public key this is."""

    witness: str
    note: str


class Cosignatures(msgspec.Struct, frozen=True, kw_only=True):
    """The latest checkpoint of each witness."""

    items: tuple[CosignedCheckpoint, ...]


class Consistency(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    rename={"earlier": "from", "earlier_root": "from_root", "later": "to", "later_root": "to_root"},
):
    """Proof that the later log extends the earlier one."""

    earlier: int
    earlier_root: str
    later: int
    later_root: str
    path: tuple[str, ...]


class LeafHashes(msgspec.Struct, frozen=True, kw_only=True, rename={"first": "from"}):
    """Hashes of leaves in order; `first` is the number of the first one."""

    first: int
    hashes: tuple[str, ...]
