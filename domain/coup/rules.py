"""The rules of Coup: what a move causes. Rules change the table through its facts only."""

from __future__ import annotations

from typing import Final

from ..game import Chance
from . import stages
from .events import Action
from .moves import (
    ACTIONS,
    BLOCK,
    CHALLENGE,
    CLAIMS,
    COPIES,
    COSTS,
    COUP,
    COUP_DUTY,
    EXAMINE,
    FOREIGN_AID_GAIN,
    INCOME_GAIN,
    INQUISITOR,
    KEEP,
    LEAVE,
    LET_PASS,
    LOSE,
    PASS,
    REPLACE,
    SHOW,
    SHOW_EXAMINED,
    STEAL_GAIN,
    TARGETED,
    TAX_GAIN,
    Move,
    deck_roles,
    legal,
    may_block,
    others,
    pack,
    unpack,
)
from .table import NOBODY, CoupTable

_INCOME: Final = Action.INCOME  # quicker to find
_FOREIGN_AID: Final = Action.FOREIGN_AID
_TAX: Final = Action.TAX
_STEAL: Final = Action.STEAL
_EXCHANGE: Final = Action.EXCHANGE
_EXAMINE: Final = Action.EXAMINE
AIMED: Final = tuple(verb in TARGETED for verb in range(len(ACTIONS)))


def apply(table: CoupTable, seat: int, move: Move, chance: Chance) -> None:
    """Carry out a legal move."""
    verb, argument = move
    if verb <= EXAMINE:
        act(table, verb, argument, chance)
    elif verb == PASS:
        let_pass(table, seat, chance)
    elif verb == CHALLENGE:
        challenge(table, seat, chance)
    elif verb == BLOCK:
        block(table, seat, argument)
    elif verb == SHOW:
        show(table, seat, argument, chance)
    elif verb == LOSE:
        turn_up(table, seat, argument, chance)
    elif verb == KEEP:
        keep(table, seat, argument, chance)
    else:
        _apply_rare(table, seat, verb, argument, chance)


def _apply_rare(table: CoupTable, seat: int, verb: int, argument: int, chance: Chance) -> None:
    """Carry out a move of the inquisitor, or of the draft."""
    if verb == SHOW_EXAMINED:
        table.f_card_examined(table.turn, seat, argument)
    elif verb == LEAVE:
        leave(table, seat, chance)
    elif verb == REPLACE:
        replace(table, seat, chance)
    else:
        draft(table, seat, argument)


def act(table: CoupTable, verb: int, target: int, chance: Chance) -> None:
    """Declare an action and pay for it."""
    role = CLAIMS[table.fifth][verb]
    table.f_action_declared(ACTIONS[verb], target if AIMED[verb] else NOBODY, role, COSTS[verb])
    if role != NOBODY:
        table.f_window_opened("challenge", others(table, table.turn))
    else:
        stand(table, chance)


def stand(table: CoupTable, chance: Chance) -> None:
    """The action is not challenged, or proved: it may be blocked, or is carried out."""
    seats = may_block(table)
    if seats:
        table.f_window_opened("block", seats)
    else:
        carry_out(table, chance)


def carry_out(table: CoupTable, chance: Chance) -> None:
    """Do what the action says."""
    actor, target, action = table.turn, table.target, table.action
    if action is _TAX:
        table.f_coins_taken(actor, TAX_GAIN)
    elif action is _FOREIGN_AID:
        table.f_coins_taken(actor, FOREIGN_AID_GAIN)
    elif action is _INCOME:
        table.f_coins_taken(actor, INCOME_GAIN)
    elif action is _STEAL:
        table.f_coins_stolen(actor, target, min(STEAL_GAIN, table.coins[target]))
    elif action is _EXCHANGE:
        draw(table, chance)
        return
    elif table.hands[target]:
        if action is _EXAMINE:
            examine(table)
        else:
            lose(table, target, chance)
        return
    end_turn(table, chance)


def asked_of(table: CoupTable, cards: list[int]) -> bool:
    """Return whether a seat is asked which of some face-down cards it means: if there are several, equal or not.

    A question left out because the cards are equal would show everyone that they are. Version 1 of the rules left it out.
    """
    return len(cards) > 1 and not (table.pairs_known and len({*cards}) == 1)


def lose(table: CoupTable, seat: int, chance: Chance) -> None:
    """Make a seat lose one influence; it chooses if it has two."""
    if asked_of(table, table.hands[seat]):
        table.f_loss_demanded(seat)
    else:
        turn_up(table, seat, table.hands[seat][0], chance)


def turn_up(table: CoupTable, seat: int, card: int, chance: Chance) -> None:
    """Turn a card up, and go on with what the loss interrupted."""
    paying = table.owed and seat == table.challenger
    table.f_influence_lost(seat, card)
    if over(table):
        return
    if paying:
        go_on(table, chance)
    else:
        end_turn(table, chance)


def go_on(table: CoupTable, chance: Chance) -> None:
    """A claim was proved and its challenger has paid: the block stands, or the action goes on."""
    if table.blocker != NOBODY:
        end_turn(table, chance)
    else:
        stand(table, chance)


def challenge(table: CoupTable, seat: int, chance: Chance) -> None:
    """Doubt the open claim; a claimant with one card left shows it at once."""
    claimant, role = table.open_claim()
    asked = asked_of(table, table.hands[claimant])
    table.f_claim_challenged(seat, claimant, role, asked)
    if not asked:
        show(table, claimant, table.hands[claimant][0], chance)


def block(table: CoupTable, seat: int, role: int) -> None:
    """Claim a role against the action."""
    table.f_action_blocked(seat, role)
    table.f_window_opened("block-challenge", others(table, seat))


def let_pass(table: CoupTable, seat: int, chance: Chance) -> None:
    """Do not react; the last one to pass closes the window."""
    table.f_passed(seat)
    if len(table.passed) < len(table.window):
        return
    if table.stage is stages.CHALLENGE:
        stand(table, chance)
    elif table.stage is stages.BLOCK:
        carry_out(table, chance)
    else:
        end_turn(table, chance)


def show(table: CoupTable, seat: int, card: int, chance: Chance) -> None:
    """Answer a challenge: the claimed role proves it, any other card is the lost influence."""
    if card == table.open_claim()[1]:
        court = chance.shuffle("court", [*table.court, card])
        drawn = court.pop(0)
        table.f_claim_proved(seat, card, drawn, court)
        lose(table, table.challenger, chance)
        return
    table.f_influence_lost(seat, card)
    if over(table):
        return
    if table.blocker != NOBODY:
        carry_out(table, chance)
        return
    if table.cost:
        table.f_coins_taken(seat, table.cost)
    end_turn(table, chance)


def draw(table: CoupTable, chance: Chance) -> None:
    """Draw for an exchange: two cards as ambassador, one as inquisitor."""
    count = 1 if table.fifth == INQUISITOR else 2
    drawn = table.court[:count]
    hand = table.hands[table.turn]
    asked = asked_of(table, [*hand, *drawn])
    table.f_cards_drawn(table.turn, drawn, asked)
    if not asked:
        keep(table, table.turn, pack(hand), chance)


def keep(table: CoupTable, seat: int, number: int, chance: Chance) -> None:
    """Keep cards and shuffle the others back."""
    kept = unpack(number)
    back = [*table.hands[seat], *table.drawn]
    for card in kept:
        back.remove(card)
    table.f_cards_returned(seat, kept, chance.shuffle("court", [*table.court, *back]))
    end_turn(table, chance)


def examine(table: CoupTable) -> None:
    """Let the inquisitor see a card; a target with one card left shows it at once."""
    hand = table.hands[table.target]
    if asked_of(table, hand):
        table.f_examine_demanded(table.target)
    else:
        table.f_card_examined(table.turn, table.target, hand[0])


def leave(table: CoupTable, seat: int, chance: Chance) -> None:
    """Leave the examined card where it is."""
    table.f_card_left(seat, table.target)
    end_turn(table, chance)


def replace(table: CoupTable, seat: int, chance: Chance) -> None:
    """Put the examined card back and draw another."""
    court = chance.shuffle("court", [*table.court, table.examined])
    drawn = court.pop(0)
    table.f_card_replaced(seat, table.target, table.examined, drawn, court)
    end_turn(table, chance)


def draft(table: CoupTable, seat: int, role: int) -> None:
    """Choose a card of the set; the second choice deals the rest."""
    table.f_card_drafted(seat, role)
    if NOBODY not in table.drafted:
        third = table.court
        hands = [[role, third[place]] for place, role in enumerate(table.drafted)]
        table.f_dealt(hands, table.coins, third[2:])
        table.f_turn_begun(table.first, asked=True)


def over(table: CoupTable) -> bool:
    """End the game if one seat is left; return whether it is over."""
    living = table.living()
    if len(living) == 1:
        table.f_won(living)
        return True
    return False


def end_turn(table: CoupTable, chance: Chance) -> None:
    """Clear the coins of who is out, and go on to the next living seat."""
    for seat, hand in enumerate(table.hands):
        if not hand and not table.out[seat]:
            table.f_seat_eliminated(seat, table.coins[seat])
    if table.decision >= table.options.max_decisions:
        table.f_won(leaders(table))
        return
    begin(table, next_living(table, table.turn), chance)


def begin(table: CoupTable, seat: int, chance: Chance) -> None:
    """Begin a turn. A coup that is the duty and has one possible target is launched at once."""
    rivals = others(table, seat) if table.coins[seat] >= COUP_DUTY else []
    forced = len(rivals) == 1
    table.f_turn_begun(seat, asked=not forced)
    if forced:
        act(table, COUP, rivals[0], chance)


def next_living(table: CoupTable, seat: int) -> int:
    """Return the next seat clockwise that has influence."""
    hands = table.hands
    seats = table.seats
    following = (seat + 1) % seats
    while not hands[following]:
        following = (following + 1) % seats
    return following


def leaders(table: CoupTable) -> list[int]:
    """Return who is ahead when the bound on decisions ends the game: most influence, then most coins; ties share."""
    best = max((len(table.hands[seat]), table.coins[seat]) for seat in table.living())
    return [seat for seat in table.living() if (len(table.hands[seat]), table.coins[seat]) == best]


def set_up(table: CoupTable, chance: Chance) -> None:
    """Deal, and begin with the first seat."""
    options = table.options
    first = chance.below("first-seat", table.seats) if options.first_seat == "random" else options.first_seat
    coins = [2] * table.seats
    if table.seats == 2:
        coins = [1, 1]
        if options.duel_coins == "starter_only":
            coins[1 - first] = 2
    if options.duel_draft:
        table.f_sets_taken(first, coins, chance.shuffle("third-set", deck_roles(table)))
        return
    deck = chance.shuffle("deal", [role for role in deck_roles(table) for _ in range(COPIES)])
    table.f_dealt([deck[2 * seat : 2 * seat + 2] for seat in range(table.seats)], coins, deck[2 * table.seats :])
    table.f_turn_begun(first, asked=True)


def default(table: CoupTable, seat: int) -> Move:
    """Return what is done for a seat whose time is up: it shows what it claimed, keeps its hand, passes, else the first move."""
    allowed = legal(table, seat)
    if table.stage is stages.PROVE:
        claimed = (SHOW, table.open_claim()[1])
        return claimed if claimed in allowed else allowed[0]
    if table.stage is stages.EXCHANGE:
        return KEEP, pack(table.hands[seat])
    if LET_PASS in allowed:
        return LET_PASS
    if table.stage is stages.ACTION and allowed[0][0] == COUP:
        return COUP, next_living(table, seat)
    return allowed[0]
