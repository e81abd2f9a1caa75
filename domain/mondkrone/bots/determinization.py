"""Worlds: tables that agree with everything one viewer may know of a game of Mondkrone."""

from __future__ import annotations

from ...deal_sampling import shuffle_cards
from ...game import Rng
from ..cards import FIRST_OF_PILE, INDEX, deck_cards, ints, mask_of
from ..stages import MondkroneStage
from ..table import NOBODY, MondkroneTable, Round
from ..view import MondkroneView


class Worlds:
    """The tables that agree with one view: the cards that the viewer does not see lie in any order.

    All such orders are equally likely. What a seat's past actions say about its hand is not used.
    """

    def __init__(self, view: MondkroneView) -> None:
        self._public = _public(view)
        self._unseen = _unseen(view)
        self._sizes = [(each.seat, each.hand_size) for each in view.seats if each.seat != view.seat]
        self._deck = view.deck_size

    def draw(self, rng: Rng) -> MondkroneTable:
        """Return one of them."""
        table = self._public.copy()
        cards = shuffle_cards(self._unseen, rng)
        start = 0
        for seat, size in self._sizes:
            table.hands[seat] = sorted(cards[start : start + size])
            start += size
        table.deck = cards[start : start + self._deck]
        return table


def determinize(view: MondkroneView, rng: Rng) -> MondkroneTable:
    """Return a table drawn at random that agrees with *view*."""
    return Worlds(view).draw(rng)


def _public(view: MondkroneView) -> MondkroneTable:
    """Return a table with all that every viewer may know, and no hidden cards."""
    table = MondkroneTable(view.options, len(view.seats))
    table.stage = MondkroneStage.of(view.stage)
    table.decision = view.decision
    table.round = view.round
    table.turn = NOBODY if view.turn is None else view.turn
    table.palettes = [mask_of(ints(each.palette)) for each in view.seats]
    table.scored = [mask_of(ints(each.scored)) for each in view.seats]
    table.out = [each.out for each in view.seats]
    table.pile = ints(view.pile)
    table.winners = list(view.winners)
    if view.seat is not None:
        table.hands[view.seat] = ints(view.hand)
    table.rounds = [Round(each.winner, INDEX[each.top], mask_of(ints(each.cards)), each.points) for each in view.rounds]
    return table


def _unseen(view: MondkroneView) -> list[int]:
    """Return the cards of the game that the viewer sees nowhere."""
    seen = {FIRST_OF_PILE, *ints(view.pile), *ints(view.hand)}
    for each in view.seats:
        seen.update(ints(each.palette), ints(each.scored))
    return [card for card in deck_cards(extended=view.options.deck == "extended") if card not in seen]
