"""Notes: what the course of a game of Coup has shown of the cards that lie face down.

The table keeps notes on each hand since it was last exchanged. What they tell one viewer is a `KnownHand`, worked out on demand,
so that playing costs no more than writing them down. A hand of two is either a pair or not. No one learns which when a card of
it is lost, shown or looked at, but under version 1 of the rules everyone did: there a seat with two equal cards was not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

ANYBODY: Final = -1
NOTHING: Final = -1
LOST: Final = 0
PROVED: Final = 1
SEEN: Final = 2
REPLACED: Final = 3
GIVEN: Final = 4
SINGLE: Final = 0
APART: Final = 1
ALIKE: Final = 2
HIDDEN: Final = 3

Note: TypeAlias = tuple[int, ...]
"""What happened (LOST ... REPLACED), who saw the card (ANYBODY: all did), the card, and how the hand was before, as far as known.

GIVEN has instead what one viewer knows already: the viewer, how the hand is, the card it lacks, and the cards it has.
"""


class KnownHand(NamedTuple):
    """What a viewer knows for certain of another hand.

    `holds` are cards that are in it; `lacks` is what one card of it is not, for a single card that card; `shape` is
    whether two cards are APART or ALIKE, SINGLE if that is not known.
    """

    holds: tuple[int, ...] = ()
    lacks: int = NOTHING
    shape: int = SINGLE


BLANK: Final = KnownHand()


def hand_shape(hand: list[int]) -> int:
    """Return how the cards of a hand go together."""
    if len(hand) < 2:
        return SINGLE
    return ALIKE if hand[0] == hand[1] else APART


def knowledge_of(hand: list[int]) -> int:
    """Return what a table note says of the cards of a hand: nothing but how many there are."""
    return SINGLE if len(hand) < 2 else HIDDEN


def known_hand(notes: Iterable[Note], viewer: int) -> KnownHand:
    """Return what notes on a hand tell a viewer to whom it does not belong."""
    known = BLANK
    for note in notes:
        known = _learn(known, note, viewer)
    return known


def _learn(known: KnownHand, note: Note, viewer: int) -> KnownHand:
    kind, observer = note[:2]
    mine = observer in (viewer, ANYBODY)
    if kind == GIVEN:
        return KnownHand(note[4:], note[3], note[2]) if mine else known
    card, shape = note[2:]
    if kind == SEEN:
        return _see(known, card, shape) if mine else _heard_of(known, shape)
    return _lose(known, card, shape) if mine else _gone_unseen(known, shape)


def _see(known: KnownHand, card: int, shape: int) -> KnownHand:
    if shape == ALIKE:
        return KnownHand((card, card), shape=ALIKE)
    if shape == SINGLE:
        return KnownHand((card,))
    holds = tuple(sorted({*known.holds, card}))
    return KnownHand(holds, shape=APART if shape == APART or len(holds) > 1 else SINGLE)


def _heard_of(known: KnownHand, shape: int) -> KnownHand:
    if shape == HIDDEN:
        return known
    if shape == ALIKE and known.holds:
        return KnownHand(known.holds[:1] * 2, shape=ALIKE)
    return known._replace(shape=shape)


def _lose(known: KnownHand, card: int, shape: int) -> KnownHand:
    if shape == ALIKE:
        return KnownHand((card,))
    if shape == SINGLE:
        return BLANK
    rest = tuple(held for held in known.holds if held != card)
    if rest or shape == HIDDEN:
        return KnownHand(rest)
    return KnownHand(lacks=card)


def _gone_unseen(known: KnownHand, shape: int) -> KnownHand:
    """A card left, and another came: of a pair the other is still what it was, of two others it may be either."""
    return KnownHand(known.holds[:1], known.lacks) if shape == ALIKE else BLANK
