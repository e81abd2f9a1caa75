"""Worlds: tables that agree with everything one viewer may know of a game of Stich-Meister."""

from __future__ import annotations

from collections.abc import Sequence

from ..dealing import Dealing
from ..game import Rng, Seat
from .cards import SUITS, deck_for
from .notes import Note
from .rule_cards import NUMBERS
from .rules import choosers
from .table import NOBODY, Round, Stage, StichTable, Taken
from .trick import law_of
from .trump import NO_SUIT
from .view import STAGES, StichRoundView, StichTrickView, StichView


def determinize(view: StichView, rng: Rng) -> StichTable:
    """Return a table drawn at random that agrees with *view*.

    Cards that the viewer knows to be somewhere are put there, and no hand gets what its seat is known to lack; within that the
    unseen cards are dealt at random. So are the rule cards that were not seen, and who of the others chose which. Of the
    others nobody has answered an open secret decision, and what the viewer alone knows stays its own. Cost: one deal.
    """
    table = _public(view)
    _know(table, view)
    _deal(table, view, rng)
    _deal_rules(table, view, rng)
    rows = [_chosen(table, each.dealer, each.rules, each.chosen, rng) for each in view.rounds]
    if view.rules and len(rows) < view.round:
        mine = tuple(view.chosen if place == view.seat else None for place in range(table.seats))
        rows.append(_chosen(table, _place(view.dealer), view.rules, mine, rng))
    table.chosen = tuple(rows)
    return table


def _public(view: StichView) -> StichTable:
    """Return a table with all that the view says, and no hidden cards."""
    table = StichTable(view.options, len(view.seats))
    table.stage, table.decision, table.round = STAGES.index(view.stage), view.decision, view.round
    table.dealer, table.leader, table.step, table.number = _place(view.dealer), _place(view.leader), view.step, view.number
    table.rules, table.asked = view.rules, view.asked
    table.second = NO_SUIT if view.shown_suit is None else SUITS.index(view.shown_suit)
    table.law = law_of(table.rules, table.second)
    table.trick = [play.card for play in view.trick]
    table.tricks = [_taken(trick, table.seats) for trick in view.tricks]
    table.last_tricks = [_taken(trick, table.seats) for trick in view.last_tricks]
    table.winner = table.tricks[-1][4] if table.stage == Stage.LEFTWARD_LATER else _place(view.winner)
    table.scores = [each.score for each in view.seats]
    table.rounds = tuple(map(_round, view.rounds))
    table.opened = [each.open_cards for each in view.seats]
    return table


def _place(seat: Seat | None) -> int:
    return NOBODY if seat is None else seat


def _taken(trick: StichTrickView, seats: int) -> Taken:
    leader = trick.plays[0].seat
    step = 1 if len(trick.plays) == 1 or trick.plays[1].seat == (leader + 1) % seats else -1
    out = NOBODY if trick.out is None else trick.out
    return (trick.number, leader, step, tuple(play.card for play in trick.plays), trick.winner, trick.holder, out)


def _round(each: StichRoundView) -> Round:
    return each.dealer, each.rules, tuple((line.rule, line.totals) for line in each.lines), each.scores


def _know(table: StichTable, view: StichView) -> None:
    """Give the viewer its own cards and choices, and what it knows of others."""
    observer = _place(view.seat)
    table.notes = tuple(Note(observer, each.card, _bits(each.hands), _bits(each.asides)) for each in view.known)
    table.lacks = [_bits(each.lacks) for each in view.seats]
    if view.seat is not None:
        table.hands[view.seat] = view.hand
        table.rule_hands[view.seat] = view.rule_cards
        table.answers[view.seat] = view.answer
        table.aside[view.seat] = NOBODY if view.aside is None else view.aside


def _bits(places: Sequence[int]) -> int:
    return sum(1 << place for place in places)


def _deal(table: StichTable, view: StichView, rng: Rng) -> None:
    """Deal the unseen cards to the hidden places: hands, and cards set aside."""
    others = [each for each in view.seats if each.seat != view.seat]
    sizes = [each.hand_size - len(each.open_cards) for each in others] + [int(each.aside) for each in others]
    known = {each.card: each for each in view.known}
    allowed: dict[int, list[int]] = {}
    for card in _unseen(view):
        note = known.get(card)
        hands = [
            place
            for place, each in enumerate(others)
            if card not in each.lacks and (note is None or each.seat in note.hands) and sizes[place]
        ]
        asides = [
            len(others) + place for place, each in enumerate(others) if each.aside and (note is None or each.seat in note.asides)
        ]
        allowed[card] = hands + asides
    dealt = Dealing(sizes, allowed, rng).dealt()
    for place, each in enumerate(others):
        table.hands[each.seat] = tuple(sorted((*dealt[place], *each.open_cards)))
        if each.aside:
            table.aside[each.seat] = dealt[len(others) + place][0]


def _unseen(view: StichView) -> list[int]:
    """Return the cards in play whose place the viewer does not see."""
    seen = {*view.hand, view.aside, *(play.card for play in view.trick)}
    seen.update(play.card for trick in view.tricks for play in trick.plays)
    seen.update(card for each in view.seats for card in each.open_cards)
    return [card for card in deck_for(len(view.seats)) if card not in seen] if view.round else []


def _deal_rules(table: StichTable, view: StichView, rng: Rng) -> None:
    """Deal the rule cards that were not seen; none if the rules are an option of the match."""
    if view.options.rules is not None or not view.round:
        return
    seen = {*view.rules, *view.rule_cards, *(rule for each in view.rounds for rule in each.rules)}
    rest = [rule for rule in range(1, NUMBERS + 1) if rule not in seen]
    rng.shuffle(rest)
    for each in view.seats:
        if each.seat != view.seat:
            table.rule_hands[each.seat] = tuple(sorted(rest[: each.rule_cards]))
            rest = rest[each.rule_cards :]
    table.rule_deck = tuple(rest)


def _chosen(table: StichTable, dealer: int, rules: tuple[int, ...], known: Sequence[int | None], rng: Rng) -> tuple[int, ...]:
    """Return who chose which of a round's rules, drawn where it is not known."""
    rest = [rule for rule in rules if rule not in known]
    rng.shuffle(rest)
    row = [NOBODY] * table.seats
    for seat in choosers(table, dealer):
        row[seat] = found if (found := known[seat]) is not None else rest.pop()
    return tuple(row)
