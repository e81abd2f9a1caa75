"""What happens in Coup. Nullable fields are those that some viewers may not know."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias, cast

from ..game import Event, Seat
from ..secrecy import PerSeat, Public, Recipient, Secret, closed, only
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


class CoupDealt(Event, frozen=True, tag="coup.dealt.1"):
    """Two cards each, coins, and the court deck (top first)."""

    hands: PerSeat[tuple[Role, ...]]
    coins: Public[tuple[int, ...]]
    court: Secret[tuple[Role, ...]]


class CoupSetsTaken(Event, frozen=True, tag="coup.sets-taken.1"):
    """Duel draft: each seat has one card of each role to choose from; the third set lies ready."""

    first: Public[Seat]
    coins: Public[tuple[int, ...]]
    third: Secret[tuple[Role, ...]]


class CoupCardDrafted(Event, frozen=True, tag="coup.card-drafted.1"):
    """Duel draft: a seat chose its card, secretly."""

    seat: Recipient[Seat]
    role: Role


class TurnBegun(Event, frozen=True, tag="coup.turn-begun.1"):
    """A seat's turn begins; it is not asked if a coup against the only rival is its duty."""

    seat: Public[Seat]
    asked: Public[bool]


class ActionDeclared(Event, frozen=True, tag="coup.action-declared.1"):
    """The seat declares its action, claims the role for it, and pays."""

    seat: Public[Seat]
    action: Public[Action]
    target: Public[Seat | None]
    role: Public[Role | None]
    cost: Public[int]


class WindowOpened(Event, frozen=True, tag="coup.window-opened.1"):
    """These seats may react."""

    window: Public[str]
    seats: Public[tuple[Seat, ...]]


class Passed(Event, frozen=True, tag="coup.passed.1"):
    """A seat does not react. Only that seat sees it."""

    seat: Recipient[Seat]


class ClaimChallenged(Event, frozen=True, tag="coup.claim-challenged.1"):
    """A seat challenges the claim of another, which has to show a card; `asked`: it chooses which, unless it has one card left.

    Under version 1 of the rules it was not asked with two equal cards either.
    """

    seat: Public[Seat]
    claimant: Public[Seat]
    role: Public[Role]
    asked: Public[bool]


class ActionBlocked(Event, frozen=True, tag="coup.action-blocked.1"):
    """A seat claims a role against the action."""

    seat: Public[Seat]
    role: Public[Role]


class ClaimProved(Event, frozen=True, tag="coup.claim-proved.1"):
    """The shown card is the claimed role; it went back, the deck was shuffled, and another was drawn."""

    seat: Public[Seat]
    role: Public[Role]
    drawn: Annotated[Role | None, only("seat")]
    court: Secret[tuple[Role, ...]]


class LossDemanded(Event, frozen=True, tag="coup.loss-demanded.1"):
    """A seat has to turn a card up."""

    seat: Public[Seat]


class InfluenceLost(Event, frozen=True, tag="coup.influence-lost.1"):
    """A seat turned a card up."""

    seat: Public[Seat]
    role: Public[Role]


class CoinsTaken(Event, frozen=True, tag="coup.coins-taken.1"):
    """Coins from the treasury (negative: back to it)."""

    seat: Public[Seat]
    coins: Public[int]


class CoinsStolen(Event, frozen=True, tag="coup.coins-stolen.1"):
    """Coins from another seat."""

    seat: Public[Seat]
    victim: Public[Seat]
    coins: Public[int]


class CardsDrawn(Event, frozen=True, tag="coup.cards-drawn.1"):
    """Exchange: cards from the top of the court deck. Under version 1 of the rules the seat was not asked if all were equal."""

    seat: Public[Seat]
    count: Public[int]
    asked: Public[bool]
    roles: Annotated[tuple[Role, ...] | None, only("seat")]


class CardsReturned(Event, frozen=True, tag="coup.cards-returned.1"):
    """Exchange: what was kept, and the shuffled court deck."""

    seat: Public[Seat]
    kept: Annotated[tuple[Role, ...] | None, only("seat")]
    court: Secret[tuple[Role, ...]]


class ExamineDemanded(Event, frozen=True, tag="coup.examine-demanded.1"):
    """A seat has to show the inquisitor a card."""

    seat: Public[Seat]


class CardExamined(Event, frozen=True, tag="coup.card-examined.1"):
    """The inquisitor saw a card of the target."""

    seat: Public[Seat]
    target: Public[Seat]
    role: Annotated[Role | None, only("seat", "target")]


class CardLeft(Event, frozen=True, tag="coup.card-left.1"):
    """The examined card stays."""

    seat: Public[Seat]
    target: Public[Seat]


class CardReplaced(Event, frozen=True, tag="coup.card-replaced.1"):
    """The examined card went back, the deck was shuffled, and another was drawn."""

    seat: Public[Seat]
    target: Public[Seat]
    returned: Annotated[Role | None, only("seat", "target")]
    drawn: Annotated[Role | None, only("target")]
    court: Secret[tuple[Role, ...]]


class SeatEliminated(Event, frozen=True, tag="coup.seat-eliminated.1"):
    """A seat has no influence left; its coins went to the treasury."""

    seat: Public[Seat]
    coins: Public[int]


class CoupWon(Event, frozen=True, tag="coup.won.1"):
    """The game is over."""

    winners: Public[tuple[Seat, ...]]


CoupEvent: TypeAlias = (
    CoupDealt
    | CoupSetsTaken
    | CoupCardDrafted
    | TurnBegun
    | ActionDeclared
    | WindowOpened
    | Passed
    | ClaimChallenged
    | ActionBlocked
    | ClaimProved
    | LossDemanded
    | InfluenceLost
    | CoinsTaken
    | CoinsStolen
    | CardsDrawn
    | CardsReturned
    | ExamineDemanded
    | CardExamined
    | CardLeft
    | CardReplaced
    | SeatEliminated
    | CoupWon
)
EVENT_TYPES = cast("tuple[type[CoupEvent], ...]", closed(CoupEvent))  # closed returns the members of the union
