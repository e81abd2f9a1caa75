"""Folding: each stored event through the fact that it tells."""

from __future__ import annotations

from typing import assert_never

from ..seats import seat_or_nobody
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
from .table import INDEX, CoupTable, ints, known


def fold(table: CoupTable, event: CoupEvent) -> None:  # noqa: PLR0915 - one case for each fact
    """Apply a stored fact."""
    match event:
        case CoupDealt(hands, coins, court):
            table.f_dealt([ints(hand or ()) for hand in hands], coins, ints(court or ()))
        case CoupSetsTaken(first, coins, third):
            table.f_sets_taken(first, coins, ints(third or ()))
        case CoupCardDrafted(seat, role):
            table.f_card_drafted(seat, INDEX[role])
        case TurnBegun(seat, asked):
            table.f_turn_begun(seat, asked)
        case ActionDeclared(_, action, target, role, cost):
            table.f_action_declared(action, seat_or_nobody(target), known(role), cost)
        case WindowOpened(window, seats):
            table.f_window_opened(window, seats)
        case Passed(seat):
            table.f_passed(seat)
        case ClaimChallenged(seat, claimant, role, asked):
            table.f_claim_challenged(seat, claimant, INDEX[role], asked)
        case ActionBlocked(seat, role):
            table.f_action_blocked(seat, INDEX[role])
        case ClaimProved(seat, role, drawn, court):
            table.f_claim_proved(seat, INDEX[role], known(drawn), ints(court))
        case LossDemanded(seat):
            table.f_loss_demanded(seat)
        case InfluenceLost(seat, role):
            table.f_influence_lost(seat, INDEX[role])
        case CoinsTaken(seat, coins):
            table.f_coins_taken(seat, coins)
        case CoinsStolen(seat, victim, coins):
            table.f_coins_stolen(seat, victim, coins)
        case CardsDrawn(seat, _, asked, roles):
            table.f_cards_drawn(seat, ints(roles), asked)
        case CardsReturned(seat, kept, court):
            table.f_cards_returned(seat, ints(kept), ints(court))
        case ExamineDemanded(seat):
            table.f_examine_demanded(seat)
        case CardExamined(seat, target, role):
            table.f_card_examined(seat, target, known(role))
        case CardLeft(seat, target):
            table.f_card_left(seat, target)
        case CardReplaced(seat, target, returned, drawn, court):
            table.f_card_replaced(seat, target, known(returned), known(drawn), ints(court))
        case SeatEliminated(seat, coins):
            table.f_seat_eliminated(seat, coins)
        case CoupWon(winners):
            table.f_won(winners)
        case _:
            assert_never(event)
