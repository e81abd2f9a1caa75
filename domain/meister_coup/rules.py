"""The rules of Meister Coup: what follows from each move, from the deal to the end."""

from __future__ import annotations

from typing import Final

from ..game import Chance
from . import stages
from .cards import CARDS, COLOUR_OF, worth
from .events import Reason
from .move_codec import AGREE, PICK, PROPOSE, TAKE, Move
from .moves import best_member, legal
from .ranking import fewest, lowest, ranking
from .table import NOBODY, TEAMS, MeisterTable

HAND_SIZE: Final = 8
ROUNDS: Final = 3
ENOUGH: Final = 3
"""How many Meistercoups win the match at once."""


def set_up(table: MeisterTable, chance: Chance) -> None:
    """Choose who leads first, and deal the first round."""
    first = table.options.first_leader
    deal(table, chance.below("first-leader", table.seats) if first == "random" else first, chance)


def deal(table: MeisterTable, leader: int, chance: Chance) -> None:
    """Shuffle all cards and deal eight to each seat, one at a time; the rest is out of the round."""
    deck = chance.shuffle("cards", range(CARDS))[: HAND_SIZE * table.seats]
    table.f_dealt(leader, table.diamonds, [deck[seat :: table.seats] for seat in range(table.seats)])


def apply(table: MeisterTable, seat: int, move: Move, chance: Chance) -> None:
    """Carry out a legal move. Straight on a table without a sink this makes no events: the way for search and long runs."""
    if move < PICK:
        play_card(table, seat, move)
    elif move < TAKE:
        pick_card(table, seat, move - PICK, chance)
    elif move < PROPOSE:
        take_cards(table, seat, ((move - TAKE) // CARDS, (move - TAKE) % CARDS), chance)
    elif move < AGREE:
        propose(table, seat, move - PROPOSE)
    else:
        agree(table, seat, chance)


# Tricks


def play_card(table: MeisterTable, seat: int, card: int) -> None:
    """Play a card; the last one of a trick settles who wins it."""
    seats = table.seats
    if len(table.trick) + 1 < seats:
        table.f_card_played(seat, card, (seat + 1) % seats)
        return
    table.f_card_played(seat, card, NOBODY)
    places = ranking(table.trick)
    leader = table.leader
    table.f_trick_ranked(tuple([(leader + place) % seats for place in places]), COLOUR_OF[table.trick[places[0]]])


def pick_card(table: MeisterTable, seat: int, card: int, chance: Chance) -> None:
    """Let the winner take its card; then the runner-up has its two, and is asked only if equal values leave it a choice."""
    table.f_card_picked(seat, card)
    if wins_now(table, seat):
        return
    fixed, equal = lowest(table.left())
    runner_up = table.ranked[1]
    if equal:
        table.f_choice_given(runner_up, fixed, equal)
    else:
        take_cards(table, runner_up, (fixed[0], fixed[1]), chance)


def take_cards(table: MeisterTable, seat: int, cards: tuple[int, int], chance: Chance) -> None:
    """Let the runner-up take two cards; the rest is out, and the next trick or the end of the round follows."""
    one, other = cards
    table.f_cards_taken(seat, (one, other) if one < other else (other, one))
    if wins_now(table, seat):
        return
    out = tuple([card for card in table.left() if card not in (one, other)])
    last = table.number == HAND_SIZE
    table.f_trick_cleared(out, seat, not last)
    if last:
        end_round(table, chance)


def wins_now(table: MeisterTable, seat: int) -> bool:
    """Tick the Meistercoups that a seat has just completed, and return whether it has three and so has won."""
    complete = fewest(table.counts[seat])
    if complete == table.coups[seat]:
        return False
    before = table.entered_coups[table.side_of(seat)]
    for done in range(table.coups[seat] + 1, complete + 1):
        table.f_meistercoup_ticked(seat, done, before + done)
        if before + done == ENOUGH:
            table.f_won(table.seats_of(table.side_of(seat)), Reason.MEISTERCOUPS)
            return True
    return False


# The end of a round


def end_round(table: MeisterTable, chance: Chance) -> None:
    """Score the round; teams then agree on the result that they enter."""
    points = tuple([worth(cards, table.diamonds) for cards in table.taken])
    table.f_round_scored(points, tuple(table.coups), range(table.seats) if table.team_mode else ())
    if not table.team_mode:
        go_on(table, chance)


def go_on(table: MeisterTable, chance: Chance) -> None:
    """Deal the next round, which the last runner-up leads, or end the match after the third."""
    if table.round < ROUNDS:
        deal(table, table.leader, chance)
        return
    best = max(map(result, [table] * table.sides, range(table.sides)))
    winners = [seat for side in range(table.sides) if result(table, side) == best for seat in table.seats_of(side)]
    table.f_won(tuple(sorted(winners)), Reason.POINTS)


def result(table: MeisterTable, side: int) -> tuple[int, int]:
    """Return what decides after the last round: points, then Meistercoups."""
    return table.points[side], table.entered_coups[side]


def propose(table: MeisterTable, seat: int, member: int) -> None:
    """Propose a member; who has spoken for another one in the team before is asked again."""
    again = any(table.voices[mate] not in (NOBODY, member) for mate in table.team(seat % TEAMS) if mate != seat)
    table.f_member_proposed(seat, member, again)


def agree(table: MeisterTable, seat: int, chance: Chance) -> None:
    """Agree to what stands; the last one to agree settles it."""
    team = seat % TEAMS
    member = table.proposed[team]
    table.f_member_agreed(seat, member)
    if all(table.voices[mate] == member for mate in table.team(team)):
        points, coups, _ = table.rounds[-1]
        table.f_result_entered(team, member, points[member], coups[member])
        if NOBODY not in table.entered:
            go_on(table, chance)


def default(table: MeisterTable, seat: int) -> Move:
    """Return what is done for a seat whose time is up: the first move; in a vote it gives way, or proposes the best member."""
    if table.stage is not stages.VOTE:
        return legal(table, seat)[0]
    team = seat % TEAMS
    return PROPOSE + best_member(table, team) if table.proposed[team] == NOBODY else AGREE
