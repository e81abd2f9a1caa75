"""What seats know of cards that they do not see: where those went that they passed on, or that lay open.

A note is what one seat, or EVERYBODY, knows of one card. They are plain tuples; the table makes them from its facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

EVERYBODY: Final = -1


class Note(NamedTuple):
    """A card is in one of these hands or, set aside, before one of these seats; both are sets of seats in bits."""

    observer: int
    card: int
    hands: int
    asides: int


def pass_on(
    notes: Sequence[Note],
    given: Sequence[Sequence[int]],
    lay_open: Sequence[Sequence[int]],
    lacks: Sequence[int],
    step: int,
) -> tuple[Note, ...]:
    """Return the notes after each seat gave cards to the seat `step` places on.

    `lay_open` are all cards that lay open before, `lacks` those in bits that each seat has shown not to hold.
    """
    faced = {card for cards in lay_open for card in cards}
    found = [_move(note, lacks, step) for note in notes if note.card not in faced and not _came(note, given, step)]
    for giver, cards in enumerate(given):
        to = 1 << (giver + step) % len(given)
        found += [Note(EVERYBODY if card in faced else giver, card, to, 0) for card in cards]
    return tuple(found)


def _came(note: Note, given: Sequence[Sequence[int]], step: int) -> bool:
    """Return whether the observer itself received the card now."""
    return note.observer != EVERYBODY and note.card in given[(note.observer - step) % len(given)]


def _move(note: Note, lacks: Sequence[int], step: int) -> Note:
    """A card may have been passed on, but not to the observer, who would see it, nor by who did not hold it."""
    hands = note.hands
    for seat, lack in enumerate(lacks):
        to = (seat + step) % len(lacks)
        if note.hands >> seat & 1 and not lack >> note.card & 1 and to != note.observer:
            hands |= 1 << to
    return note._replace(hands=hands)


def set_aside(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Return the notes after each seat has set a card aside: it may be the noted one."""
    return tuple(note._replace(asides=note.hands) for note in notes)
