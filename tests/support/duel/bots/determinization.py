"""Tables drawn at random that agree with everything a viewer of Duel may know."""

from __future__ import annotations

from tafelrunde.domain.deal_sampling import DealSampler
from tafelrunde.domain.game import Rng, Seat

from ..cards import DECK, suit
from ..moves import winning
from ..table import DuelTable
from ..view import DuelView


def determinize(view: DuelView, rng: Rng) -> DuelTable:
    """Return a table drawn at random that agrees with *view*."""
    table = DuelTable(view.options, len(view.held))
    table.decision, table.first, table.scores = view.decision, view.first, view.scores
    table.turn = _turn(view)
    table.shown = view.bids is not None
    table.plays = [(play.seat, play.card) for play in view.plays]
    table.voids = [set(void) for void in view.voids]
    table.taken = list(view.taken)
    table.points = list(view.points)
    table.hands = _hands(view, rng)
    table.bids = list(view.bids) if view.bids is not None else _bids(view, rng)
    return table


def _turn(view: DuelView) -> Seat:
    """Return whose turn it is, which follows from the open cards."""
    seats = len(view.held)
    plays = view.plays
    if not plays:
        return view.first or Seat(0)
    if len(plays) % seats:
        return Seat((plays[-1].seat + 1) % seats)
    return plays[-seats + winning([play.card for play in plays[-seats:]])].seat


def _hands(view: DuelView, rng: Rng) -> list[list[int]]:
    """Deal what the viewer cannot see: no hand gets a suit that its seat was seen not to have."""
    known = {play.card for play in view.plays} | set(view.hand or ())
    unseen = [card for card in DECK if card not in known]
    others = [seat for seat in range(len(view.held)) if seat != view.seat]
    sizes = [view.held[seat] for seat in others]
    rest = len(others)
    places = {
        card: (*(place for place, seat in enumerate(others) if suit(card) not in view.voids[seat]), rest) for card in unseen
    }
    lying = DealSampler([*sizes, len(unseen) - sum(sizes)], places).sample(rng)
    hands = [list(view.hand or ()) for _ in view.held]
    for place, seat in enumerate(others):
        hands[seat] = sorted(lying[place])
    return hands


def _bids(view: DuelView, rng: Rng) -> list[int | None]:
    """Give others a bid or none; while bids are secret, at least one is missing."""
    if view.first is None:
        return [None] * len(view.held)
    bids: list[int | None] = [rng.randrange(view.options.cards + 1) if rng.randrange(2) else None for _ in view.held]
    if view.seat is not None:
        bids[view.seat] = view.bid
    if None not in bids:
        others = [seat for seat in range(len(bids)) if seat != view.seat]
        bids[others[rng.randrange(len(others))]] = None
    return bids
