"""Worlds: tables that agree with everything one viewer may know of a game of Stich-Meister."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...deal_sampling import DealSampler, shuffle_cards
from ...game import Rng
from ...seats import seat_or_nobody
from .. import stages
from ..card_knowledge import Note
from ..cards import SUITS, deck_for
from ..rule_cards import NUMBERS
from ..rules import choosers
from ..stages import StichStage
from ..table import NOBODY, Round, StichTable, Taken
from ..trick import law_of
from ..trump import NO_SUIT
from ..view import StichKnownCard, StichRoundView, StichSeatView, StichTrickView, StichView


class Worlds:
    """The tables that agree with one view.

    Cards that the viewer knows to be somewhere are put there, and no hand gets what its seat is known to lack; within that the
    unseen cards are dealt at random. So are the rule cards that were not seen, and who of the others chose which. Of the
    others no one has answered an open secret decision, and what the viewer alone knows stays its own.
    """

    def __init__(self, view: StichView) -> None:
        self._public = _public(view)
        _know(self._public, view)
        self._others = [each for each in view.seats if each.seat != view.seat]
        self._sampler = _dealing(view, self._others)
        self._rules = _unseen_rules(view)
        self._choices = _choices(self._public, view)

    def draw(self, rng: Rng) -> StichTable:
        """Return one of them."""
        table = self._public.copy()
        self._deal(table, rng)
        if self._rules:
            self._deal_rules(table, rng)
        table.chosen = tuple([choice.draw(rng) for choice in self._choices])
        return table

    def _deal(self, table: StichTable, rng: Rng) -> None:
        """Deal the unseen cards to the hidden places: hands, and cards set aside."""
        others = self._others
        dealt = self._sampler.sample(rng)
        for place, each in enumerate(others):
            table.hands[each.seat] = sorted((*dealt[place], *each.open_cards))
            if each.aside:
                table.aside[each.seat] = dealt[len(others) + place][0]

    def _deal_rules(self, table: StichTable, rng: Rng) -> None:
        """Deal the rule cards that were not seen."""
        rest = shuffle_cards(self._rules, rng)
        start = 0
        for each in self._others:
            table.rule_hands[each.seat] = tuple(sorted(rest[start : start + each.rule_cards]))
            start += each.rule_cards
        table.rule_deck = tuple(rest[start:])


def determinize(view: StichView, rng: Rng) -> StichTable:
    """Return a table drawn at random that agrees with *view*."""
    return Worlds(view).draw(rng)


class _Choice(NamedTuple):
    """Who chose which of a round's rules, as far as it is known; the seats that chose the rest."""

    row: tuple[int, ...]
    seats: tuple[int, ...]
    rest: tuple[int, ...]

    def draw(self, rng: Rng) -> tuple[int, ...]:
        """Return who chose which, drawn where it is not known."""
        if not self.seats:
            return self.row
        row = [*self.row]
        for seat, rule in zip(
            self.seats, shuffle_cards(self.rest, rng), strict=False
        ):  # at three seats one rule belongs to no seat
            row[seat] = rule
        return tuple(row)


def _public(view: StichView) -> StichTable:
    """Return a table with all that the view says, and no hidden cards."""
    table = StichTable(view.options, len(view.seats))
    table.stage = StichStage.of(view.stage)
    table.decision = view.decision
    table.round = view.round
    table.dealer, table.leader = seat_or_nobody(view.dealer), seat_or_nobody(view.leader)
    table.step = view.step
    table.number = view.number
    table.rules = view.rules
    table.asked = view.asked
    table.second = NO_SUIT if view.shown_suit is None else SUITS.index(view.shown_suit)
    table.law = law_of(table.rules, table.second)
    table.trick = [play.card for play in view.trick]
    table.tricks = [_taken(trick, table.seats) for trick in view.tricks]
    table.last_tricks = [_taken(trick, table.seats) for trick in view.last_tricks]
    table.winner = table.tricks[-1].winner if table.stage is stages.LEFTWARD_LATER else seat_or_nobody(view.winner)
    table.scores = [each.score for each in view.seats]
    table.rounds = tuple(map(_round, view.rounds))
    table.opened = [each.open_cards for each in view.seats]
    return table


def _taken(trick: StichTrickView, seats: int) -> Taken:
    leader = trick.plays[0].seat
    step = 1 if len(trick.plays) == 1 or trick.plays[1].seat == (leader + 1) % seats else -1
    out = NOBODY if trick.out is None else trick.out
    return Taken(trick.number, leader, step, tuple(play.card for play in trick.plays), trick.winner, trick.holder, out)


def _round(each: StichRoundView) -> Round:
    return Round(each.dealer, each.rules, tuple((line.rule, line.totals) for line in each.lines), each.scores)


def _know(table: StichTable, view: StichView) -> None:
    """Give the viewer its own cards and choices, and what it knows of others."""
    observer = seat_or_nobody(view.seat)
    table.notes = tuple(Note(observer, each.card, _bits(each.hands), _bits(each.asides)) for each in view.known)
    table.lacks = [_bits(each.lacks) for each in view.seats]
    if view.seat is not None:
        table.hands[view.seat] = list(view.hand)
        table.rule_hands[view.seat] = view.rule_cards
        table.answers[view.seat] = view.answer
        table.aside[view.seat] = NOBODY if view.aside is None else view.aside


def _bits(places: Sequence[int]) -> int:
    return sum(1 << place for place in places)


def _dealing(view: StichView, others: Sequence[StichSeatView]) -> DealSampler:
    """Return how to deal the unseen cards to the hidden places."""
    sizes = [each.hand_size - len(each.open_cards) for each in others] + [int(each.aside) for each in others]
    known = {each.card: each for each in view.known}
    return DealSampler(sizes, {card: [*_places(card, known.get(card), others)] for card in _unseen(view)})


def _places(card: int, note: StichKnownCard | None, others: Sequence[StichSeatView]) -> Iterator[int]:
    """Yield where a card may lie."""
    for place, each in enumerate(others):
        if card not in each.lacks and (note is None or each.seat in note.hands):
            yield place
        if each.aside and (note is None or each.seat in note.asides):
            yield len(others) + place


def _unseen(view: StichView) -> list[int]:
    """Return the cards in play whose place the viewer does not see."""
    seen = {*view.hand, view.aside, *(play.card for play in view.trick)}
    seen.update(play.card for trick in view.tricks for play in trick.plays)
    seen.update(card for each in view.seats for card in each.open_cards)
    return [card for card in deck_for(len(view.seats)) if card not in seen] if view.round else []


def _unseen_rules(view: StichView) -> list[int]:
    """Return the rule cards that were not seen; none if the rules are an option of the match."""
    if view.options.rules is not None or not view.round:
        return []
    seen = {*view.rules, *view.rule_cards, *(rule for each in view.rounds for rule in each.rules)}
    return [rule for rule in range(1, NUMBERS + 1) if rule not in seen]


def _choices(table: StichTable, view: StichView) -> list[_Choice]:
    """Return who chose the rules of each round."""
    rows = [_choice(table, each.dealer, each.rules, each.chosen) for each in view.rounds]
    if view.rules and len(rows) < view.round:
        mine = tuple(view.chosen if place == view.seat else None for place in range(table.seats))
        rows.append(_choice(table, seat_or_nobody(view.dealer), view.rules, mine))
    return rows


def _choice(table: StichTable, dealer: int, rules: tuple[int, ...], known: Sequence[int | None]) -> _Choice:
    """Return what is known of a round's choices."""
    seats = choosers(table, dealer)
    row = tuple(NOBODY if seat not in seats or (rule := known[seat]) is None else rule for seat in range(table.seats))
    open_ = tuple(seat for seat in seats if known[seat] is None)
    return _Choice(row, open_, tuple(rule for rule in rules if rule not in known))
