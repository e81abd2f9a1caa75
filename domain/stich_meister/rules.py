"""The rules of Stich-Meister: what follows from each move, from the deal to the last round's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..game import Chance
from . import stages
from .cards import deck_for, suit_of
from .events import Gathering
from .move_codec import ASIDE, FEW, OPEN, OUT, PASS, RULE, Move, unpack
from .moves import legal
from .rule_cards import NUMBERS, Rule
from .scoring import Held, Scene, score
from .table import NOBODY, PASSING, StichTable
from .trick import winner

RULES_IN_HAND: Final = 3
# A search asks for these rules all the time, and plain ints are found quicker than members of an enum.
_SECOND_TRICK: Final = Rule.SECOND_TRICK.value
_HAND_TRICKS: Final = Rule.HAND_TRICKS.value
_ALTERNATE: Final = Rule.ALTERNATE.value
_SET_ASIDE: Final = Rule.SET_ASIDE.value
_TAKE_OUT: Final = Rule.TAKE_OUT.value
_GIVE_TRICK_LEFT: Final = Rule.GIVE_TRICK_LEFT.value
_PASS_AFTER_THIRD: Final = Rule.PASS_AFTER_THIRD.value
_RIGHT_LEADS: Final = Rule.RIGHT_LEADS.value
PREPARATIONS: Final = (
    (Rule.PASS_RIGHT, Gathering.RIGHTWARD),
    (Rule.PASS_LEFT, Gathering.LEFTWARD),
    (Rule.SET_ASIDE, Gathering.SET_ASIDE),
    (Rule.OPEN_CARDS, Gathering.OPEN_CARDS),
)
"""What happens before the first lead, in this order."""
THIRD_TRICK: Final = 3
SECOND: Final = 2


def set_up(table: StichTable, chance: Chance) -> None:
    """Choose the first dealer, and deal the first round."""
    first = table.options.first_dealer
    dealer = chance.below("first-dealer", table.seats) if first == "random" else first
    deck = [] if table.options.rules else chance.shuffle("rule-cards", range(1, NUMBERS + 1))
    deal(table, dealer, tuple(deck), chance)


def deal(table: StichTable, dealer: int, rule_deck: tuple[int, ...], chance: Chance) -> None:
    """Deal a round, and refill the rule cards; the fifth seat left of the dealer chooses none."""
    deck = chance.shuffle("cards", deck_for(table.seats))
    size = len(deck) // table.seats
    hands = [deck[size * seat : size * (seat + 1)] for seat in range(table.seats)]
    new: list[tuple[int, ...]] = []
    for hand in table.rule_hands:
        missing = RULES_IN_HAND - len(hand) if table.options.rules is None else 0
        new.append(rule_deck[:missing])
        rule_deck = rule_deck[missing:]
    table.f_dealt(dealer, hands, new, rule_deck, choosers(table, dealer))
    if table.options.rules is not None:
        show_rules(table, table.options.rules)


def choosers(table: StichTable, dealer: int) -> list[int]:
    """Return the seats that choose a rule card: all, but with five seats not the one left of the dealer."""
    if table.options.rules is not None:
        return []
    idle = (dealer + 1) % table.seats if table.seats == 5 else NOBODY
    return [seat for seat in range(table.seats) if seat != idle]


def show_rules(table: StichTable, rules: tuple[int, ...]) -> None:
    """Put four rules in force, and prepare the first trick."""
    table.f_rules_shown(tuple(sorted(rules)))
    prepare(table, 0)


def prepare(table: StichTable, done: int) -> None:
    """Go on to what the rules after number *done* ask before the first lead, or to the first trick."""
    for rule, gathering in PREPARATIONS:
        if rule > done and rule in table.rules:
            table.f_gathering_begun(gathering, range(table.seats))
            return
    begin_trick(table, 1, (table.dealer + 1) % table.seats)


def answered(table: StichTable) -> bool:
    """Return whether everyone who was asked has answered."""
    return all(table.answers[seat] for seat in table.asked)


# Moves


def choose_rule(table: StichTable, seat: int, rule: int) -> None:
    """Choose a rule card; the last choice shows them all, with three seats one more from the deck."""
    table.f_rule_chosen(seat, rule)
    if answered(table):
        chosen = tuple(table.answers[chooser][0] for chooser in table.asked)
        show_rules(table, (*chosen, table.rule_deck[0]) if table.seats == 3 else chosen)


def pass_cards(table: StichTable, seat: int, cards: tuple[int, ...], chance: Chance) -> None:
    """Choose cards to pass on; with the last choice all pick up."""
    table.f_cards_passed(seat, cards)
    if not answered(table):
        return
    stage = table.stage
    step = PASSING[table.stage]
    received = [table.answers[(place - step) % table.seats] for place in range(table.seats)]
    lay_open = {card for each in table.opened for card in each}
    table.f_cards_received(received, [tuple(card for card in each if card in lay_open) for each in received])
    if stage is stages.LEFTWARD_LATER:
        next_trick(table, chance)
    else:
        prepare(table, Rule.PASS_RIGHT if stage is stages.RIGHTWARD else Rule.PASS_LEFT)


def set_card_aside(table: StichTable, seat: int, card: int) -> None:
    """Choose the card for the last trick; with the last choice all lie aside."""
    table.f_card_set_aside(seat, card)
    if answered(table):
        table.f_cards_set_aside([answer[0] for answer in table.answers])
        prepare(table, Rule.SET_ASIDE)


def open_cards(table: StichTable, seat: int, cards: tuple[int, ...]) -> None:
    """Choose cards to lie open; with the last choice all do."""
    table.f_opening_chosen(seat, cards)
    if answered(table):
        table.f_cards_opened(table.answers.copy())
        prepare(table, Rule.OPEN_CARDS)


def play_card(table: StichTable, seat: int, card: int, chance: Chance) -> None:
    """Play a card; under rule 26 all but the first are turned up when the last one lies."""
    if table.stage is stages.PLAY_HIDDEN:
        play_hidden(table, seat, card, chance)
        return
    place = len(table.trick) + 1
    seats = table.seats
    alone = place < seats and not table.law.hidden
    table.f_card_played(seat, card, (seat + table.step) % seats if alone else NOBODY)
    if place == 1:
        lead(table, card)
    if place == seats:
        settle(table, chance)


def lead(table: StichTable, card: int) -> None:
    """The first card of the second trick may make trump; under rule 26 all others play at once."""
    if table.number == SECOND and _SECOND_TRICK in table.rules:
        table.f_trump_set(suit_of(card))
    if table.law.hidden:
        table.f_gathering_begun(Gathering.PLAY_HIDDEN, [seat for seat in range(table.seats) if seat != table.leader])


def play_hidden(table: StichTable, seat: int, card: int, chance: Chance) -> None:
    """Play a card face down."""
    table.f_card_hidden_played(seat, card)
    if answered(table):
        seats = [table.seat_at(place) for place in range(1, table.seats)]
        table.f_cards_turned_up([(each, table.answers[each][0]) for each in seats])
        settle(table, chance)


def take_card_out(table: StichTable, seat: int, card: int, chance: Chance) -> None:
    """Take a card of the trick out of the game."""
    table.f_card_taken_out(seat, card)
    take_trick(table, chance)


def apply(table: StichTable, seat: int, move: Move, chance: Chance) -> None:
    """Carry out a legal move. Straight on a table without a sink this makes no events: the way for search and long runs."""
    if move < ASIDE:
        play_card(table, seat, move, chance)
    elif move < OUT:
        set_card_aside(table, seat, move - ASIDE)
    elif move < RULE:
        take_card_out(table, seat, move - OUT, chance)
    elif move < PASS:
        choose_rule(table, seat, move - RULE)
    elif move < OPEN:
        pass_cards(table, seat, unpack(move - PASS), chance)
    else:
        open_cards(table, seat, unpack(move - OPEN))


# Tricks


HAND_SIZE: Final = {seats: len(deck_for(seats)) // seats for seats in (3, 4, 5)}


def last_of(rules: Sequence[int], seats: int) -> int:
    """Return the number of a round's last trick: one for each card, less those that rule 40 leaves in hand."""
    return HAND_SIZE[seats] - FEW if _HAND_TRICKS in rules else HAND_SIZE[seats]


def last_trick(table: StichTable) -> int:
    """Return the number of the running round's last trick."""
    return last_of(table.rules, table.seats)


def begin_trick(table: StichTable, number: int, leader: int) -> None:
    """Begin a trick; the last one of rule 24 is made of the cards set aside."""
    step = -1 if _ALTERNATE in table.rules and number % 2 == 0 else 1
    asides = _SET_ASIDE in table.rules and number == last_trick(table)
    table.f_trick_begun(number, leader, step, asked=not asides)


def settle(table: StichTable, chance: Chance) -> None:
    """Find the winner of a full trick."""
    seat = table.seat_at(winner(table.law, table.trick))
    asked = _TAKE_OUT in table.rules
    table.f_trick_won(table.number, seat, asked)
    if not asked:
        take_trick(table, chance)


def take_trick(table: StichTable, chance: Chance) -> None:
    """Lay the trick before its winner or, by rule 35, the winner's left neighbour; go on."""
    seat = table.winner
    table.f_trick_taken(table.number, (seat + 1) % table.seats if _GIVE_TRICK_LEFT in table.rules else seat)
    if table.number == THIRD_TRICK and _PASS_AFTER_THIRD in table.rules and len(table.hands[0]) >= FEW:
        table.f_gathering_begun(Gathering.LEFTWARD_LATER, range(table.seats))
    else:
        next_trick(table, chance)


def next_trick(table: StichTable, chance: Chance) -> None:
    """Begin the next trick, or end the round after the last one."""
    last = last_trick(table)
    if table.number == last:
        end_round(table, chance)
        return
    leader = (table.winner - 1) % table.seats if _RIGHT_LEADS in table.rules else table.winner
    begin_trick(table, table.number + 1, leader)
    if table.number == last and _SET_ASIDE in table.rules:
        seats = [table.seat_at(place) for place in range(table.seats)]
        table.f_cards_turned_up([(seat, table.aside[seat]) for seat in seats])
        settle(table, chance)


# The end of a round


def end_round(table: StichTable, chance: Chance) -> None:
    """Give tricks away (39), make tricks of the hands (40), score, and deal the next round or end."""
    if Rule.GIVE_ALL_AWAY in table.rules and any(trick.holder == table.winner for trick in table.tricks):
        table.f_tricks_given_away(table.winner, (table.winner + 1) % table.seats)
    if _HAND_TRICKS in table.rules:
        table.f_hand_tricks_made([tuple(hand) for hand in table.hands])
    lines = tuple(score(table.rules, scene(table)))
    table.f_round_scored(table.round, lines, lines[-1][1])
    if table.round == table.seats:
        table.f_choosers_shown(table.chosen)
    else:
        deal(table, (table.dealer + 1) % table.seats, table.rule_deck, chance)


def scene(table: StichTable) -> Scene:
    """Return what the tricks of a round are scored from."""
    held = [
        Held(holder, number, cards if out == NOBODY else tuple([card for card in cards if card != out]))
        for number, _, _, cards, _, holder, out in table.tricks
    ]
    return Scene(held, last_trick(table), [strength > 0 for strength in table.law.trumps.strength], table.seats)


def default(table: StichTable, seat: int) -> Move:
    """Return what is done for a seat whose time is up: the first move."""
    return legal(table, seat)[0]
