"""Worlds: tables that agree with everything one viewer may know of a game of Meister Coup."""

from __future__ import annotations

from ...deal_sampling import shuffle_cards
from ...game import Rng
from ...seats import seat_or_nobody
from ..cards import COLOURS, VALUES
from ..stages import MeisterStage
from ..table import NOBODY, MeisterTable, Round, Trick
from ..view import MeisterView, TrickView


class Worlds:
    """The tables that agree with one view.

    Only the values of other hands are unknown: of each colour the unseen cards are dealt to them, each hand as many as it shows,
    and the rest is out of the round. So all deals are equally likely, as they are for the viewer.
    """

    def __init__(self, view: MeisterView) -> None:
        self._public = _public(view)
        _finish(self._public, view)
        self._others = [each for each in view.seats if each.seat != view.seat]
        self._colours = _colours(self._public, view)
        self._dealt = [sum(each.hand[colour] for each in self._others) for colour in range(len(COLOURS))]

    def draw(self, rng: Rng) -> MeisterTable:
        """Return one of them."""
        table = self._public.copy()
        hands = table.hands
        for colour, (cards, count) in enumerate(zip(self._colours, self._dealt, strict=True)):
            deck = shuffle_cards(cards, rng, count)
            start = 0
            for each in self._others:
                end = start + each.hand[colour]
                hands[each.seat] += sorted(deck[start:end])
                start = end
        return table


def determinize(view: MeisterView, rng: Rng) -> MeisterTable:
    """Return a table drawn at random that agrees with *view*."""
    return Worlds(view).draw(rng)


def _public(view: MeisterView) -> MeisterTable:
    """Return a table with all that the view says of the running round, and no hidden cards."""
    table = MeisterTable(view.options, len(view.seats))
    table.stage = MeisterStage.of(view.stage)
    table.decision = view.decision
    table.asked = view.asked
    table.diamonds = view.diamonds
    table.round = view.round
    table.leader = seat_or_nobody(view.leader)
    table.points = [side.points for side in view.sides]
    table.entered_coups = [side.meistercoups for side in view.sides]
    table.taken = [each.cards for each in view.seats]
    table.counts = [list(each.collected) for each in view.seats]
    table.coups = [each.meistercoups for each in view.seats]
    table.number = view.trick.number
    table.trick = [play.card for play in view.trick.plays]
    table.ranked = view.trick.ranking
    table.picked = NOBODY if view.trick.picked is None else view.trick.picked
    table.fixed = view.trick.taken
    table.equal = view.trick.choice
    if view.seat is not None:
        table.hands[view.seat] = list(view.hand)
    return table


def _finish(table: MeisterTable, view: MeisterView) -> None:
    """Add what is finished, and the votes."""
    table.tricks = tuple(map(_trick, view.tricks))
    table.last_trick = None if view.last_trick is None else _trick(view.last_trick)
    table.rounds = tuple(Round(each.points, each.meistercoups, each.entered) for each in view.rounds)
    table.winners, table.reason = view.winners, view.reason
    for vote in view.votes:
        table.proposed[vote.team], table.entered[vote.team] = seat_or_nobody(vote.proposed), seat_or_nobody(vote.entered)
        table.proposals[vote.team] = vote.proposals
        for seat, voice in zip(vote.seats, vote.voices, strict=True):
            table.voices[seat] = seat_or_nobody(voice)


def _trick(each: TrickView) -> Trick:
    cards = tuple(play.card for play in each.plays)
    return Trick(each.number, each.plays[0].seat, cards, each.ranking, _place_of(each.picked), each.taken)


def _place_of(card: int | None) -> int:
    return NOBODY if card is None else card


def _colours(table: MeisterTable, view: MeisterView) -> list[list[int]]:
    """Return the unseen cards of each colour."""
    seen = {*view.hand, *table.trick, *(card for trick in table.tricks for card in trick.cards)}
    return [
        [card for card in range(colour * VALUES, (colour + 1) * VALUES) if card not in seen] for colour in range(len(COLOURS))
    ]
