"""What a player keeps of a match, so that no one can change it later: the kept file of docs/auditing.md."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec

from .entries import EntriesFolder, Terms, keep_terms, with_place
from .shapes import Command, Item, Receipt, SigningKeys, TournamentSheet

FORMAT = "tafelrunde.kept.1"
COMMITTED = "match.cards-committed.1"
SEATED = "match.seat-taken.1"
UNSEATED = ("match.seat-left.1", "match.seat-cleared.1")
LATEST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999."""
MOST_ANSWERS = 100
"""How many answers that the service did not take are kept of a match: the newest."""


class KeptDeal(msgspec.Struct, frozen=True, kw_only=True):
    """A commitment to dealt cards: its number, how many cards it binds, and the root in hex."""

    deal: int
    size: int
    root: str


class KeptFeed(msgspec.Struct, frozen=True, kw_only=True):
    """The chain in hex over the first `n` items of a feed, computed by the reader. `seat` None: that of a spectator."""

    seat: int | None
    n: int
    chain: str


class KeptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that the service refused (`problem`: the type) or did not acknowledge (""), and when this client sent it."""

    decision: int
    command: Command
    at_ms: Annotated[int, msgspec.Meta(ge=0, le=LATEST_MS)]
    problem: str = ""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What was kept of a match: who signs, the commitment, the seat's nonce, deals, the feed, signed marks and checkpoints.

    `unacknowledged`: answers that the service did not take, unless it took a later one to the same decision. `tournament`: the
    terms of the tournament that it belongs to, which were received before the nonce was drawn; None for others.
    """

    format: str = FORMAT
    service: str
    origin: str
    keys: tuple[str, ...]
    match: str
    commitment: str
    seat: int | None = None
    nonce: str = ""
    deals: tuple[KeptDeal, ...] = ()
    feed: KeptFeed | None = None
    marks: tuple[str, ...] = ()
    checkpoints: tuple[str, ...] = ()
    tournament: Terms | None = None
    unacknowledged: tuple[KeptAnswer, ...] = ()


class _Headed(msgspec.Struct, frozen=True):
    """The start of a file: without its format it is none."""

    format: str


def chain_over(items: Iterable[Item], chain: bytes = bytes(32)) -> bytes:
    """Return the hash chain over items of a feed, in order, that follow those of *chain*: what `signed` notes have in hex."""
    for item in items:
        chain = sha256(chain + msgspec.json.encode((item.n, item.at_ms, item.event))).digest()
    return chain


def fresh_nonce() -> str:
    """Return a nonce of 128 random bits."""
    return secrets.token_hex(16)


def commitment_in(items: Iterable[Item]) -> str:
    """Return the commitment of the opening among some items, empty if it is not among them."""
    found = (item.event["commitment"] for item in items if item.event["type"] == "match.opened.1")
    return str(next(found, ""))


def together(*receipts: Receipt) -> Receipt:
    """Return what several requests have changed, as one receipt."""
    items = tuple(item for receipt in receipts for item in receipt.items)
    return msgspec.structs.replace(receipts[-1], items=items)


def read_kept(content: bytes) -> Kept:
    """Return what a file has; raise ValueError."""
    if msgspec.json.decode(content, type=_Headed).format != FORMAT:
        raise ValueError(f"not the format {FORMAT}")
    return msgspec.json.decode(content, type=Kept)


class EvidenceFolder:
    """Keeps a file for each match in a folder (None: keeps nothing); what is there already is continued."""

    def __init__(self, folder: str | Path | None, service: str) -> None:
        self._folder = Path(folder) if folder is not None else None
        self._service = service
        self._kept: dict[str, Kept] = {}
        self._seated_at: dict[str, int] = {}
        self._entries = EntriesFolder(self._folder) if self._folder is not None else None

    @property
    def keeps(self) -> bool:
        """Whether there is a folder."""
        return self._folder is not None

    def knows(self, match: str) -> bool:
        """Return whether nothing is left to begin with: a match is kept already, or none is."""
        return self._folder is None or self._of(match) is not None

    def begin(self, match: str, commitment: str, keys: SigningKeys, checkpoint: bytes) -> None:
        """Keep the commitment of a match, and who signs, before the nonce is drawn."""
        checkpoints = (checkpoint.decode(),)
        self._put(
            Kept(
                service=self._service,
                origin=keys.origin,
                keys=keys.keys,
                match=match,
                commitment=commitment,
                checkpoints=checkpoints,
            )
        )

    def knows_tournament(self, tournament: str) -> bool:
        """Return whether nothing is left to begin with: a tournament is kept already, or none is."""
        return self._entries is None or self._entries.find(tournament) is not None

    def begin_tournament(self, sheet: TournamentSheet, keys: SigningKeys, checkpoint: bytes) -> None:
        """Keep the terms of a tournament, and who signs, before the nonce is drawn."""
        if self._entries is not None:
            self._entries.put(keep_terms(self._service, keys, checkpoint, sheet))

    def join(self, tournament: str, nonce: str) -> None:
        """Keep the nonce with which a tournament is joined now ("": that was refused, so none counts)."""
        if self._entries is not None and (kept := self._entries.find(tournament)) is not None:
            self._entries.put(msgspec.structs.replace(kept, nonce=nonce, player="", ahead=()))

    def joined(self, joined: TournamentSheet) -> None:
        """Keep the player's place among the entrants of a tournament that was just joined."""
        if self._entries is not None and (kept := self._entries.find(joined.facts.tournament)) is not None:
            self._entries.put(with_place(kept, joined))

    def saw_tournament(self, sheet: TournamentSheet) -> None:
        """Keep the secret of a tournament's deals with it, and with its matches, once that is shown."""
        tournament = sheet.facts.tournament
        if self._entries is None or sheet.facts.deal_secret is None or (kept := self._entries.find(tournament)) is None:
            return
        shown = msgspec.structs.replace(kept.terms, deal_secret=sheet.facts.deal_secret)
        if shown == kept.terms:
            return
        self._entries.put(msgspec.structs.replace(kept, terms=shown))
        for match in self._entries.matches(tournament):
            if (of_match := self._of(match)) is not None and of_match.tournament is not None:
                self._put(msgspec.structs.replace(of_match, tournament=shown))

    def misses(self, match: str) -> bool:
        """Return whether a match belongs to a tournament that is kept, and is not kept itself."""
        return self._entries is not None and self._entries.of_match(match) is not None and self._of(match) is None

    def begin_table(self, match: str, commitment: str, seat: int) -> None:
        """Keep a match of a tournament with the terms and the nonce that were kept of it; raise KeyError for another match."""
        kept = self._entries.of_match(match) if self._entries is not None else None
        if kept is None:
            raise KeyError(match)
        self._put(
            Kept(
                service=kept.service,
                origin=kept.origin,
                keys=kept.keys,
                match=match,
                commitment=commitment,
                seat=seat,
                nonce=kept.nonce,
                checkpoints=kept.checkpoints,
                tournament=kept.terms,
            )
        )

    def sat(self, match: str, items: Iterable[Item], nonce: str) -> None:
        """Keep the nonce of a seat that was just taken. A follower may have received the items already, or still be behind."""
        taken = [item for item in items if item.event["type"] == SEATED and item.event["nonce"] == nonce]
        kept = self._of(match)
        if kept is None or not taken or not isinstance(seat := taken[-1].event["seat"], int):
            return
        self._seated_at[match] = taken[-1].n
        feed = kept.feed
        if feed is not None:
            feed = msgspec.structs.replace(feed, seat=seat if feed.n >= taken[-1].n else None)
        self._put(msgspec.structs.replace(kept, seat=seat, nonce=nonce, feed=feed))

    def failed(self, match: str, answer: KeptAnswer) -> None:
        """Keep an answer that the service refused or did not acknowledge."""
        if (kept := self._of(match)) is not None:
            self._put(msgspec.structs.replace(kept, unacknowledged=(*kept.unacknowledged, answer)[-MOST_ANSWERS:]))

    def taken(self, match: str, decision: int) -> None:
        """Drop the answers to a decision that the service did not take: it has taken a later one."""
        kept = self._of(match)
        if kept is not None and any(each.decision == decision for each in kept.unacknowledged):
            left = tuple(each for each in kept.unacknowledged if each.decision != decision)
            self._put(msgspec.structs.replace(kept, unacknowledged=left))

    def item(self, match: str, item: object) -> None:
        """Keep an item of a stream."""
        if isinstance(item, Item):
            self.heard(match, (item,))

    def heard(self, match: str, items: Iterable[Item], signed: str | None = None) -> None:
        """Keep the deals and the chain of items, and the newest mark that was signed; does nothing for a match not kept."""
        before = kept = self._of(match)
        if kept is None:
            return
        for item in items:
            kept = _with_item(kept, item, self._seated_at.get(match, 0))
        if signed is not None and signed not in kept.marks:
            kept = msgspec.structs.replace(kept, marks=(*kept.marks[:1], signed))
        if kept != before:
            self._put(kept)

    def _of(self, match: str) -> Kept | None:
        if self._folder is None:
            return None
        if match not in self._kept and (path := path_of(self._folder, match)).is_file():
            self._kept[match] = read_kept(path.read_bytes())
        return self._kept.get(match)

    def _put(self, kept: Kept) -> None:
        """Write a file as a whole: a reader never finds half of one."""
        assert self._folder is not None, "without a folder nothing is kept"
        self._folder.mkdir(parents=True, exist_ok=True)
        path = path_of(self._folder, kept.match)
        made = path.with_suffix(".new")
        made.write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
        made.replace(path)
        self._kept[kept.match] = kept


def path_of(folder: Path, match: str) -> Path:
    """Return where what is kept of a match lies in a folder."""
    return folder / f"{match}.kept.json"


def _with_item(kept: Kept, item: Item, seated_at: int) -> Kept:
    """Return the kept evidence with one more item; an item that does not follow the last one leaves the chain unchanged.

    `seated_at`: the number of the item by which the seat was taken. Earlier items are about who had that seat before.
    """
    event = item.event
    feed = kept.feed or KeptFeed(seat=None, n=0, chain="00" * 32)
    if event["type"] == COMMITTED:
        deal = msgspec.convert(event, KeptDeal)
        if deal.deal > len(kept.deals):
            kept = msgspec.structs.replace(kept, deals=(*kept.deals, deal))
    if item.n != feed.n + 1:
        return kept
    chain = chain_over((item,), bytes.fromhex(feed.chain)).hex()
    viewer = feed.seat
    if kept.seat is not None and event.get("seat") == kept.seat and item.n >= seated_at:
        if event["type"] == SEATED and event["nonce"] == kept.nonce:
            viewer = kept.seat
        elif event["type"] in UNSEATED and viewer == kept.seat:  # its nonce counts no longer, and what follows is a spectator's
            viewer = None
            kept = msgspec.structs.replace(kept, seat=None, nonce="")
    return msgspec.structs.replace(kept, feed=KeptFeed(seat=viewer, n=item.n, chain=chain))
