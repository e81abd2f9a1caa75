"""What happens in Mondkrone. Nullable fields are those that some viewers may not know."""

from __future__ import annotations

from typing import Annotated, TypeAlias, cast

from ..game import Event, Seat
from ..secrecy import PerSeat, Public, Secret, closed, only
from .cards import Card


class RoundDealt(Event, frozen=True, tag="mondkrone.round-dealt.1"):
    """A round begins: the first card of the pile, one open card and a hand for each seat, and the draw deck (top first)."""

    round: Public[int]
    pile_card: Public[Card]
    palette_cards: Public[tuple[Card, ...]]
    hand_size: Public[int]
    deck_size: Public[int]
    hands: PerSeat[tuple[Card, ...]]
    deck: Secret[tuple[Card, ...]]


class TurnBegun(Event, frozen=True, tag="mondkrone.turn-begun.1"):
    """A seat is to move."""

    seat: Public[Seat]


class CardPlayed(Event, frozen=True, tag="mondkrone.card-played.1"):
    """A seat played a hand card to its palette."""

    seat: Public[Seat]
    card: Public[Card]


class CardDiscarded(Event, frozen=True, tag="mondkrone.card-discarded.1"):
    """A seat put a hand card on the pile."""

    seat: Public[Seat]
    card: Public[Card]


class CardsDrawn(Event, frozen=True, tag="mondkrone.cards-drawn.1"):
    """A seat drew from the draw deck at the end of its turn."""

    seat: Public[Seat]
    count: Public[int]
    cards: Annotated[tuple[Card, ...] | None, only("seat")]


class SeatDroppedOut(Event, frozen=True, tag="mondkrone.seat-dropped-out.1"):
    """A seat turned its palette face down; it is out until the round ends."""

    seat: Public[Seat]


class RoundWon(Event, frozen=True, tag="mondkrone.round-won.1"):
    """A seat was left alone in the round; it is asked what it scores if there is more than one possibility."""

    seat: Public[Seat]
    asked: Public[bool]


class CardsLaidAside(Event, frozen=True, tag="mondkrone.cards-laid-aside.1"):
    """The winner of the round scored these cards; none if no card was involved."""

    seat: Public[Seat]
    cards: Public[tuple[Card, ...]]
    points: Public[int]


class MondkroneWon(Event, frozen=True, tag="mondkrone.won.1"):
    """The match is over: a seat has reached the target, or there are too few cards to deal another round."""

    winners: Public[tuple[Seat, ...]]


MondkroneEvent: TypeAlias = (
    RoundDealt | TurnBegun | CardPlayed | CardDiscarded | CardsDrawn | SeatDroppedOut | RoundWon | CardsLaidAside | MondkroneWon
)
EVENT_TYPES = cast("tuple[type[MondkroneEvent], ...]", closed(MondkroneEvent))  # closed returns the members of the union
