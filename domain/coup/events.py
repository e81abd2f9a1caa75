"""What happens in Coup. Nullable fields are those that some viewers may not know."""

from __future__ import annotations

from enum import Enum

from ..game import Event, Seat
from .messages import Role


class Action(Enum):
    """What a turn can be used for; examine and exchange share the fifth role."""

    INCOME = "income"
    FOREIGN_AID = "foreign-aid"
    COUP = "coup"
    TAX = "tax"
    ASSASSINATION = "assassination"
    STEAL = "steal"
    EXCHANGE = "exchange"
    EXAMINE = "examine"


class CoupEvent(Event, frozen=True, tag_field="type"):
    """A fact of Coup."""


class CoupDealt(CoupEvent, frozen=True, tag="coup.dealt.1"):
    """Two cards each, coins, and the court deck (top first)."""

    hands: tuple[tuple[Role, ...] | None, ...]
    coins: tuple[int, ...]
    court: tuple[Role, ...] | None


class CoupSetsTaken(CoupEvent, frozen=True, tag="coup.sets-taken.1"):
    """Duel draft: each seat has one card of each role to choose from; the third set lies ready."""

    first: Seat
    coins: tuple[int, ...]
    third: tuple[Role, ...] | None


class CoupCardDrafted(CoupEvent, frozen=True, tag="coup.card-drafted.1"):
    """Duel draft: a seat chose its card, secretly."""

    seat: Seat
    role: Role


class TurnBegun(CoupEvent, frozen=True, tag="coup.turn-begun.1"):
    """A seat's turn begins; it is not asked if a coup against the only rival is its duty."""

    seat: Seat
    asked: bool


class ActionDeclared(CoupEvent, frozen=True, tag="coup.action-declared.1"):
    """The seat says what it does, claims the role for it, and pays."""

    seat: Seat
    action: Action
    target: Seat | None
    role: Role | None
    cost: int


class WindowOpened(CoupEvent, frozen=True, tag="coup.window-opened.1"):
    """These seats may react."""

    window: str
    seats: tuple[Seat, ...]


class Passed(CoupEvent, frozen=True, tag="coup.passed.1"):
    """A seat does not react. Only it is told."""

    seat: Seat


class ClaimChallenged(CoupEvent, frozen=True, tag="coup.claim-challenged.1"):
    """A seat doubts the claim of another, which has to show a card; `asked` which, unless it has one card left.

    Under version 1 of the rules it was not asked with two equal cards either.
    """

    seat: Seat
    claimant: Seat
    role: Role
    asked: bool


class ActionBlocked(CoupEvent, frozen=True, tag="coup.action-blocked.1"):
    """A seat claims a role against the action."""

    seat: Seat
    role: Role


class ClaimProved(CoupEvent, frozen=True, tag="coup.claim-proved.1"):
    """The shown card is the claimed role; it went back, the deck was shuffled, and another was drawn."""

    seat: Seat
    role: Role
    drawn: Role | None
    court: tuple[Role, ...] | None


class LossDemanded(CoupEvent, frozen=True, tag="coup.loss-demanded.1"):
    """A seat has to turn a card up."""

    seat: Seat


class InfluenceLost(CoupEvent, frozen=True, tag="coup.influence-lost.1"):
    """A seat turned a card up."""

    seat: Seat
    role: Role


class CoinsTaken(CoupEvent, frozen=True, tag="coup.coins-taken.1"):
    """Coins from the treasury (negative: back to it)."""

    seat: Seat
    coins: int


class CoinsStolen(CoupEvent, frozen=True, tag="coup.coins-stolen.1"):
    """Coins from another seat."""

    seat: Seat
    victim: Seat
    coins: int


class CardsDrawn(CoupEvent, frozen=True, tag="coup.cards-drawn.1"):
    """Exchange: cards from the top of the court deck. Under version 1 of the rules the seat was not asked if all were equal."""

    seat: Seat
    count: int
    asked: bool
    roles: tuple[Role, ...] | None


class CardsReturned(CoupEvent, frozen=True, tag="coup.cards-returned.1"):
    """Exchange: what was kept, and the shuffled court deck."""

    seat: Seat
    kept: tuple[Role, ...] | None
    court: tuple[Role, ...] | None


class ExamineDemanded(CoupEvent, frozen=True, tag="coup.examine-demanded.1"):
    """A seat has to show the inquisitor a card."""

    seat: Seat


class CardExamined(CoupEvent, frozen=True, tag="coup.card-examined.1"):
    """The inquisitor saw a card of the target."""

    seat: Seat
    target: Seat
    role: Role | None


class CardLeft(CoupEvent, frozen=True, tag="coup.card-left.1"):
    """The examined card stays."""

    seat: Seat
    target: Seat


class CardReplaced(CoupEvent, frozen=True, tag="coup.card-replaced.1"):
    """The examined card went back, the deck was shuffled, and another was drawn."""

    seat: Seat
    target: Seat
    returned: Role | None
    drawn: Role | None
    court: tuple[Role, ...] | None


class SeatEliminated(CoupEvent, frozen=True, tag="coup.seat-eliminated.1"):
    """A seat has no influence left; its coins went to the treasury."""

    seat: Seat
    coins: int


class CoupWon(CoupEvent, frozen=True, tag="coup.won.1"):
    """The game is over."""

    winners: tuple[Seat, ...]
