"""The words of MatchMaster: options and commands."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from ..game import Command, Options
from .cards import CARDS, MOST

SeatField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=6)]
CardField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=CARDS - 1)]
CardNumber: TypeAlias = Annotated[int, msgspec.Meta(extra_json_schema={"x-term": "card"})]
BidField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST)]


class MatchMasterOptions(Options, frozen=True, kw_only=True):
    """How MatchMaster is played: `first_dealer` deals the first round, left of it leads."""

    first_dealer: SeatField | Literal["random"] = "random"


class PlaceBid(Command, frozen=True, tag="matchmaster.place-bid"):
    """Bid secretly how many tricks your seat will take; the bid may be changed until the last one is in."""

    tricks: BidField


class PlayCard(Command, frozen=True, tag="matchmaster.play-card"):
    """Play a hand card to the trick."""

    card: CardField


MatchMasterCommand: TypeAlias = PlaceBid | PlayCard
"""A closed union of all commands: a match over them has no case for the rest."""
