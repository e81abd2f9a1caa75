"""Commitments to cards: one Merkle root for all cards that seats hold after a deal, and a proof for each of them.

The leaves are the cards of the dealt hands by seat and text, shuffled by the draw with prefix "tafelrunde/order/1|match|deal".
Leaf number i is sha256(0x00 | salt | "match|deal|i|seat|card") with salt = HMAC-SHA256(secret, "tafelrunde/salt/1|match|deal|i"),
so neither a root nor another card's proof reveals anything about a card. A hand that changes unseen is committed to
again as a whole, in a new random order: the index of a shown card reveals neither when it came nor what lies next to it.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Sequence

import msgspec

from ...domain.game import Hand, Seat
from ...domain.match import MatchId
from . import merkle
from .keyed_random import Draw


class Card(msgspec.Struct, frozen=True):
    """One card of a deal; `copy` counts the equal cards of the same hand, from 0."""

    seat: Seat
    card: str
    copy: int


class CardProof(msgspec.Struct, frozen=True, kw_only=True):
    """That a seat held a card after a deal: `salt`, `path` (from the leaf up) and `root` in hex, `size` the number of leaves."""

    match: MatchId
    deal: int
    index: int
    seat: Seat
    card: str
    salt: str
    path: tuple[str, ...]
    size: int
    root: str


class Deal:
    """The cards of one deal in the order of their leaves."""

    def __init__(self, match_id: MatchId, secret: str, number: int, hands: Sequence[Hand]) -> None:
        self.match = match_id
        self.number = number
        self.cards = order(match_id, secret, number, cards_of(hands))
        self._secret = secret
        self._leaves = [leaf_of(self.salt(index), self._content(index)) for index in range(len(self.cards))]
        self.root = merkle.root(self._leaves)

    def salt(self, index: int) -> bytes:
        """Return the salt of a leaf."""
        label = f"tafelrunde/salt/1|{self.match}|{self.number}|{index}"
        return hmac.digest(bytes.fromhex(self._secret), label.encode(), "sha256")

    def proof(self, index: int) -> CardProof:
        """Return the proof of a leaf; raise IndexError."""
        card = self.cards[index]
        return CardProof(
            match=self.match,
            deal=self.number,
            index=index,
            seat=card.seat,
            card=card.card,
            salt=self.salt(index).hex(),
            path=tuple(sister.hex() for sister in merkle.inclusion(self._leaves, index)),
            size=len(self.cards),
            root=self.root.hex(),
        )

    def _content(self, index: int) -> str:
        card = self.cards[index]
        return content_of(self.match, self.number, index, card.seat, card.card)


def cards_of(hands: Sequence[Hand]) -> list[Card]:
    """Return all cards of some hands by seat and text."""
    found: list[Card] = []
    for hand in sorted(hands, key=lambda hand: hand.seat):
        copies = Counter[str]()
        for card in sorted(hand.cards):
            found.append(Card(hand.seat, card, copies[card]))
            copies[card] += 1
    return found


def order(match_id: MatchId, secret: str, deal: int, cards: Sequence[Card]) -> list[Card]:
    """Return the cards in the order of their leaves."""
    return Draw(bytes.fromhex(secret), f"tafelrunde/order/1|{match_id}|{deal}").shuffle(cards)


def content_of(match_id: MatchId, deal: int, index: int, seat: Seat, card: str) -> str:
    """Return what a leaf says."""
    return f"{match_id}|{deal}|{index}|{seat}|{card}"


def leaf_of(salt: bytes, content: str) -> bytes:
    """Return a leaf."""
    return merkle.leaf_hash(salt + content.encode())


def holds(proof: CardProof) -> bool:
    """Return whether a proof leads to its root."""
    leaf = leaf_of(bytes.fromhex(proof.salt), content_of(proof.match, proof.deal, proof.index, proof.seat, proof.card))
    path = [bytes.fromhex(sister) for sister in proof.path]
    return merkle.root_from(leaf, proof.index, proof.size, path) == bytes.fromhex(proof.root)
