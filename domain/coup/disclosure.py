"""Which cards of Coup are dealt face down, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ..game import Hand, Seat, Shown
from .events import (
    ActionBlocked,
    ActionDeclared,
    CardExamined,
    CardLeft,
    CardReplaced,
    CardsDrawn,
    CardsReturned,
    ClaimChallenged,
    ClaimProved,
    CoinsStolen,
    CoinsTaken,
    CoupCardDrafted,
    CoupDealt,
    CoupEvent,
    CoupSetsTaken,
    CoupWon,
    ExamineDemanded,
    InfluenceLost,
    LossDemanded,
    Passed,
    SeatEliminated,
    TurnBegun,
    WindowOpened,
)
from .messages import ROLES
from .table import CoupTable


def dealt(table: CoupTable, event: CoupEvent) -> tuple[Hand, ...]:
    """Return the hands that an event has changed unseen; the drawn cards of a running exchange are part of a hand."""
    match event:
        case CoupDealt():
            return _hands(table, range(table.seats))
        case ClaimProved(seat) | CardsDrawn(seat) | CardsReturned(seat):
            return _hands(table, (seat,))
        case CardReplaced(_, target):
            return _hands(table, (target,))
        case (
            CoupSetsTaken()
            | CoupCardDrafted()
            | TurnBegun()
            | ActionDeclared()
            | WindowOpened()
            | Passed()
            | ClaimChallenged()
            | ActionBlocked()
            | LossDemanded()
            | InfluenceLost()
            | CoinsTaken()
            | CoinsStolen()
            | ExamineDemanded()
            | CardExamined()
            | CardLeft()
            | SeatEliminated()
            | CoupWon()
        ):
            return ()
        case _:
            assert_never(event)


def shown(event: CoupEvent) -> tuple[Shown, ...]:
    """Return the card that an event shows: a proof, a lost influence, or (to the inquisitor alone) an examined card."""
    match event:
        case ClaimProved(seat, role) | InfluenceLost(seat, role):
            return (Shown(seat, role.value),)
        case CardExamined(seat, target, role):
            return () if role is None else (Shown(target, role.value, to=(seat,)),)
        case (
            CoupDealt()
            | CoupSetsTaken()
            | CoupCardDrafted()
            | TurnBegun()
            | ActionDeclared()
            | WindowOpened()
            | Passed()
            | ClaimChallenged()
            | ActionBlocked()
            | LossDemanded()
            | CoinsTaken()
            | CoinsStolen()
            | CardsDrawn()
            | CardsReturned()
            | ExamineDemanded()
            | CardLeft()
            | CardReplaced()
            | SeatEliminated()
            | CoupWon()
        ):
            return ()
        case _:
            assert_never(event)


def _hands(table: CoupTable, seats: Iterable[int]) -> tuple[Hand, ...]:
    return tuple(Hand(Seat(seat), tuple(ROLES[card].value for card in _cards(table, seat))) for seat in seats)


def _cards(table: CoupTable, seat: int) -> list[int]:
    drawn = table.drawn if seat == table.turn else []
    return sorted([*table.hands[seat], *drawn])
