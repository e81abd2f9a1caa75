"""The words of Meister Coup: options and commands."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from ..game import Command, Options, Seat

SeatField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]
CardField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=47)]
CardNumber: TypeAlias = Annotated[int, msgspec.Meta(extra_json_schema={"x-term": "card"})]
TeamNumber: TypeAlias = Annotated[int, msgspec.Meta(extra_json_schema={"x-term": "team"})]
"""From 0; its name counts from 1."""
DiamondField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=3)]
DiamondList: TypeAlias = Annotated[
    tuple[DiamondField, ...], msgspec.Meta(min_length=12, max_length=12, examples=[(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)])
]
TwoCards: TypeAlias = Annotated[tuple[CardField, ...], msgspec.Meta(min_length=2, max_length=2)]


class MeisterOptions(Options, frozen=True, kw_only=True):
    """How Meister Coup is played.

    `diamonds`: how many diamonds the values 1 to 12 carry, the same for each colour; `rising` and `falling` are lists that the
    game knows.
    """

    mode: Literal["standard", "team"] = "standard"
    diamonds: Literal["rising", "falling"] | DiamondList = "rising"
    first_leader: SeatField | Literal["random"] = "random"


class PlayCard(Command, frozen=True, tag="meister-coup.play-card"):
    """Play any hand card to the trick."""

    card: CardField


class PickCard(Command, frozen=True, tag="meister-coup.pick-card"):
    """Pick any one card of the trick just won."""

    card: CardField


class TakeCards(Command, frozen=True, tag="meister-coup.take-cards"):
    """Take the two lowest of the cards left, chosen among equal ones. Their order does not matter."""

    cards: TwoCards

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "cards", tuple(sorted(self.cards)))


class ProposeMember(Command, frozen=True, tag="meister-coup.propose-member"):
    """Propose whose result of this round your team enters."""

    member: Annotated[Seat, msgspec.Meta(ge=0, le=5)]


class AgreeToMember(Command, frozen=True, tag="meister-coup.agree-to-member"):
    """Agree to what is proposed in your team."""


MeisterCommand: TypeAlias = PlayCard | PickCard | TakeCards | ProposeMember | AgreeToMember
"""A closed union of all commands: a match over them has no case for the rest."""
