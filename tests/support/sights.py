"""Sights: the cards that players and spectators are shown, as the rules of each game have it.

They are read off the stored events, which hold every card, without the views, audiences and proofs of the domain: those are
what is to be tested. What a command says is no sight; commands are the same wherever two matches are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from tafelrunde.domain.game import Event, Seat


class Sight(NamedTuple):
    """A card, or a hand as a sorted tuple, that came to a place where one seat sees it; `to` None: everyone does."""

    place: str
    face: object
    to: Seat | None = None


Sights: TypeAlias = Callable[[Event], Iterable[Sight]]
"""What an event shows."""


def dealt(hands: Iterable[Iterable[object] | None], place: str = "hand") -> Iterator[Sight]:
    """Yield the hands, each to its own seat."""
    for seat, hand in enumerate(hands):
        yield Sight(place, tuple(sorted(map(str, hand or ()))), Seat(seat))


class Seen:
    """All that was seen in one match, place by place and in order."""

    def __init__(self, sights: Sights) -> None:
        self._sights = sights
        self._faces: dict[tuple[str, Seat | None], list[object]] = {}

    def note(self, events: Iterable[Event]) -> None:
        """Look at what happened."""
        for event in events:
            for place, face, to in self._sights(event):
                self._faces.setdefault((place, to), []).append(face)

    def tells_apart(self, other: Seen, viewer: Seat | None) -> bool:
        """Return whether a viewer has seen different cards in two matches: at one place, as the same one in turn.

        A card seen in only one match does not count: whether a card is requested, and shown, must not depend on cards.
        """
        return any(
            mine != theirs
            for (place, to), faces in self._faces.items()
            if to is None or to == viewer
            for mine, theirs in zip(faces, other._faces.get((place, to), ()), strict=False)
        )
