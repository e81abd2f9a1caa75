"""The words of Stich-Meister: options and commands."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from ..game import Command, Options

SeatField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=4)]
CardField: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=59)]
CardNumber: TypeAlias = Annotated[int, msgspec.Meta(extra_json_schema={"x-term": "card"})]
RuleNumber: TypeAlias = Annotated[int, msgspec.Meta(extra_json_schema={"x-term": "rule"})]
RuleField: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=60)]
FourRules: TypeAlias = Annotated[
    tuple[RuleField, ...],
    msgspec.Meta(min_length=4, max_length=4, examples=[(22, 23, 25, 38), (21, 24, 26, 34)]),
]
FewCards: TypeAlias = Annotated[tuple[CardField, ...], msgspec.Meta(min_length=1, max_length=3)]


class StichOptions(Options, frozen=True, kw_only=True):
    """How Stich-Meister is played.

    `rules` None: rule cards are dealt and chosen. Otherwise these four different rules are in force in every round.
    """

    first_dealer: SeatField | Literal["random"] = "random"
    rules: FourRules | None = None


class ChooseRule(Command, frozen=True, tag="stich-meister.choose-rule"):
    """Choose a rule card of your hand for this round, secretly."""

    rule: RuleField


class PassCards(Command, frozen=True, tag="stich-meister.pass-cards"):
    """Pass three hand cards on, secretly (rules 22, 23, 38). Their order does not matter."""

    cards: FewCards

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "cards", tuple(sorted(self.cards)))


class SetCardAside(Command, frozen=True, tag="stich-meister.set-card-aside"):
    """Set a hand card aside for the last trick, secretly (rule 24)."""

    card: CardField


class OpenCards(Command, frozen=True, tag="stich-meister.open-cards"):
    """Choose three hand cards that will lie open, secretly until all have chosen (rule 25). Their order does not matter."""

    cards: FewCards

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "cards", tuple(sorted(self.cards)))


class PlayCard(Command, frozen=True, tag="stich-meister.play-card"):
    """Play a hand card to the trick; under rule 26 secretly, unless it is the first."""

    card: CardField


class TakeCardOut(Command, frozen=True, tag="stich-meister.take-card-out"):
    """Take a card of the trick just won out of the game (rule 34)."""

    card: CardField


StichCommand: TypeAlias = ChooseRule | PassCards | SetCardAside | OpenCards | PlayCard | TakeCardOut
"""A closed union of all commands: a match over them has no case for the rest."""
