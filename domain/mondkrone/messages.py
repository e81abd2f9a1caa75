"""The words of Mondkrone: options and commands."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from ..game import Command, Options
from .cards import CARDS, INDEX, Card

Deck: TypeAlias = Literal["standard", "extended"]


class MondkroneOptions(Options, frozen=True, kw_only=True):
    """How Mondkrone is played.

    `draw`: a seat that puts a card on the pile draws one card less than that card has suits. `scoring`: the winner of a round
    lays aside one involved card, or one whole set for each condition. `deck`: extended is experimental.
    """

    draw: bool = True
    scoring: Literal["one_card", "all_cards"] = "one_card"
    deck: Annotated[
        Deck,
        msgspec.Meta(
            description="extended adds pawns and courts. It is experimental: the rules themselves call it untested.",
            examples=["standard", "extended"],
        ),
    ] = "standard"


class PlayToPalette(Command, frozen=True, tag="mondkrone.play-to-palette"):
    """Play a hand card to your palette; after that the seat leads in at least one condition."""

    card: Card


class DiscardToPile(Command, frozen=True, tag="mondkrone.discard-to-pile"):
    """Put a hand card on the pile; the seat leads in all its conditions."""

    card: Card


class PlayAndDiscard(Command, frozen=True, tag="mondkrone.play-and-discard"):
    """Play one hand card to your palette and put another on the pile; the seat leads in all conditions of the latter."""

    palette_card: Card
    pile_card: Card


class DropOut(Command, frozen=True, tag="mondkrone.drop-out"):
    """Turn your palette face down and leave the round."""


class LayAside(Command, frozen=True, tag="mondkrone.lay-aside"):
    """Score these cards of your palette. Order and repetition do not matter."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=len(CARDS))]

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "cards", tuple(sorted(set(self.cards), key=INDEX.__getitem__)))


MondkroneCommand: TypeAlias = PlayToPalette | DiscardToPile | PlayAndDiscard | DropOut | LayAside
"""A closed union of all commands: a match over them has no case for the rest."""
