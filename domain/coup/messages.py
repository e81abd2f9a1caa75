"""The words of Coup: roles, options, commands, events and the view."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

import msgspec

from ..game import Command, Options

SeatField = Annotated[int, msgspec.Meta(ge=0, le=5)]


class Role(Enum):
    """The roles of the court, in the order that "first" means: by name."""

    AMBASSADOR = "ambassador"
    ASSASSIN = "assassin"
    CAPTAIN = "captain"
    CONTESSA = "contessa"
    DUKE = "duke"
    INQUISITOR = "inquisitor"


ROLES = tuple(Role)


class CoupOptions(Options, frozen=True, kw_only=True):
    """How Coup is played."""

    fifth_role: Literal["ambassador", "inquisitor"] = "ambassador"
    first_seat: SeatField | Literal["random"] = "random"
    duel_draft: bool = False
    duel_coins: Literal["both", "starter_only"] = "both"
    max_decisions: Annotated[int, msgspec.Meta(ge=50, le=10_000)] = 2_000


class CoupCommand(Command, frozen=True, tag_field="type"):
    """A move in Coup."""


class TakeIncome(CoupCommand, frozen=True, tag="coup.take-income"):
    """Take one coin."""


class TakeForeignAid(CoupCommand, frozen=True, tag="coup.take-foreign-aid"):
    """Take two coins; any duke may block."""


class LaunchCoup(CoupCommand, frozen=True, tag="coup.launch-coup"):
    """Pay seven coins; the target loses one influence."""

    target: SeatField


class ClaimTax(CoupCommand, frozen=True, tag="coup.claim-tax"):
    """Claim the duke and take three coins."""


class ClaimAssassination(CoupCommand, frozen=True, tag="coup.claim-assassination"):
    """Claim the assassin and pay three coins; the target loses one influence unless it blocks as contessa."""

    target: SeatField


class ClaimSteal(CoupCommand, frozen=True, tag="coup.claim-steal"):
    """Claim the captain and take two coins from the target unless it blocks."""

    target: SeatField


class ClaimExchange(CoupCommand, frozen=True, tag="coup.claim-exchange"):
    """Claim the fifth role and exchange cards with the court deck."""


class ClaimExamine(CoupCommand, frozen=True, tag="coup.claim-examine"):
    """Claim the inquisitor and look at a card of the target."""

    target: SeatField


class Challenge(CoupCommand, frozen=True, tag="coup.challenge"):
    """Challenge the claim that was just made."""


class Block(CoupCommand, frozen=True, tag="coup.block"):
    """Claim a role that stops the action."""

    role: Role


class LetPass(CoupCommand, frozen=True, tag="coup.pass"):
    """Do not react."""


class ShowCard(CoupCommand, frozen=True, tag="coup.show-card"):
    """Answer a challenge with a card."""

    role: Role


class LoseInfluence(CoupCommand, frozen=True, tag="coup.lose-influence"):
    """Turn a card up."""

    role: Role


class KeepCards(CoupCommand, frozen=True, tag="coup.keep-cards"):
    """Keep these of your cards and the drawn ones; the others go back. Their order does not matter."""

    roles: Annotated[tuple[Role, ...], msgspec.Meta(min_length=1, max_length=2)]

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "roles", tuple(sorted(self.roles, key=ROLES.index)))


class ShowExamined(CoupCommand, frozen=True, tag="coup.show-examined"):
    """Show the inquisitor this card."""

    role: Role


class LeaveCard(CoupCommand, frozen=True, tag="coup.leave-card"):
    """Leave the examined card where it is."""


class ReplaceCard(CoupCommand, frozen=True, tag="coup.replace-card"):
    """Make the target put the examined card back and draw another."""


class DraftCard(CoupCommand, frozen=True, tag="coup.draft-card"):
    """Keep one card of your set."""

    role: Role
