"""What players say: options and commands."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from tafelrunde.domain.game import Command, Options


class DuelOptions(Options, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many cards, what each trick is worth (by default one point), and who leads (None: drawn by lot)."""

    cards: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2
    prizes: tuple[Annotated[int, msgspec.Meta(ge=1, le=9)], ...] = ()
    first_seat: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None


class Bid(Command, frozen=True, tag="duel.bid"):
    """Say how many tricks your seat will take; the bid may be changed until all are in."""

    tricks: Annotated[int, msgspec.Meta(ge=0, le=4)]


class PlayCard(Command, frozen=True, tag="duel.play-card"):
    """Play a card to the trick."""

    card: Annotated[int, msgspec.Meta(ge=0, le=17)]


DuelCommand: TypeAlias = Bid | PlayCard
