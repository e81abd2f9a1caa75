"""What happens in Mondkrone. Nullable fields are those that some viewers may not know."""

from __future__ import annotations

from ..game import Event, Seat
from .cards import Card


class MondkroneEvent(Event, frozen=True, tag_field="type"):
    """A fact of Mondkrone."""


class RoundDealt(MondkroneEvent, frozen=True, tag="mondkrone.round-dealt.1"):
    """A round begins: the first card of the pile, one open card and a hand for each seat, and the draw deck (top first)."""

    round: int
    pile_card: Card
    palette_cards: tuple[Card, ...]
    hand_size: int
    deck_size: int
    hands: tuple[tuple[Card, ...] | None, ...]
    deck: tuple[Card, ...] | None


class TurnBegun(MondkroneEvent, frozen=True, tag="mondkrone.turn-begun.1"):
    """A seat is to move."""

    seat: Seat


class CardPlayed(MondkroneEvent, frozen=True, tag="mondkrone.card-played.1"):
    """A seat played a hand card to its palette."""

    seat: Seat
    card: Card


class CardDiscarded(MondkroneEvent, frozen=True, tag="mondkrone.card-discarded.1"):
    """A seat put a hand card on the pile."""

    seat: Seat
    card: Card


class CardsDrawn(MondkroneEvent, frozen=True, tag="mondkrone.cards-drawn.1"):
    """A seat drew from the draw deck at the end of its turn."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] | None


class SeatDroppedOut(MondkroneEvent, frozen=True, tag="mondkrone.seat-dropped-out.1"):
    """A seat turned its palette face down; it is out until the round ends."""

    seat: Seat


class RoundWon(MondkroneEvent, frozen=True, tag="mondkrone.round-won.1"):
    """A seat was left alone in the round; it is asked what it scores if there is more than one possibility."""

    seat: Seat
    asked: bool


class CardsLaidAside(MondkroneEvent, frozen=True, tag="mondkrone.cards-laid-aside.1"):
    """The winner of the round scored these cards; none if no card was involved."""

    seat: Seat
    cards: tuple[Card, ...]
    points: int


class MondkroneWon(MondkroneEvent, frozen=True, tag="mondkrone.won.1"):
    """The match is over: a seat has reached the target, or there are too few cards to deal another round."""

    winners: tuple[Seat, ...]
