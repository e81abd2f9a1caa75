"""Tables drawn at random that agree with everything a viewer of MatchMaster may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...deal_sampling import DealSampler
from ...game import Rng
from ...seats import seat_or_nobody
from ..cards import CARDS, TRUMP, VALUES, suit_of
from ..table import NO_BID, MatchMasterTable, Round, Trick
from ..view import MatchMasterView

ALL: Final = (1 << CARDS) - 1
TRUMPS: Final = (1 << VALUES) - 1


class Worlds:
    """The tables that agree with one view: no hand gets what its seat was seen not to hold."""

    def __init__(self, view: MatchMasterView) -> None:
        self._view = view
        self._public = _public(view)
        self._others = [seat.seat for seat in view.seats if seat.seat != view.seat]
        self._sampler = _dealing(view, self._public, self._others)

    def draw(self, rng: Rng) -> MatchMasterTable:
        """Return one of them, each deal as likely as any other."""
        table = self._public.copy()
        lying = self._sampler.sample(rng)
        for place, seat in enumerate(self._others):
            lying[place].sort()
            table.hands[seat] = lying[place]
        if self._view.stage == "bid":
            table.bids = _bids(self._view, rng)
        return table


def determinize(view: MatchMasterView, rng: Rng) -> MatchMasterTable:
    """Return a table drawn at random that agrees with *view*."""
    return Worlds(view).draw(rng)


def _public(view: MatchMasterView) -> MatchMasterTable:
    """Return a table with all that the view says, and no hidden cards or bids."""
    table = MatchMasterTable(view.options, len(view.seats))
    table.decision = view.decision
    table.round = view.round
    table.shown = view.stage in ("play", "over")
    table.dealer, table.leader = seat_or_nobody(view.dealer), seat_or_nobody(view.leader)
    table.trick = [play.card for play in view.trick]
    table.turn = table.leader if not view.trick else (table.leader + len(view.trick)) % table.seats
    table.tricks = [Trick(trick.plays[0].seat, tuple(play.card for play in trick.plays), trick.winner) for trick in view.tricks]
    table.taken = [seat.tricks for seat in view.seats]
    table.scores = [seat.score for seat in view.seats]
    table.rounds = [Round(done.bids, done.tricks, done.points) for done in view.rounds]
    table.bids = [NO_BID if seat.bid is None else seat.bid for seat in view.seats]
    if view.seat is not None:
        table.hands[view.seat] = list(view.hand)
    return table


def _dealing(view: MatchMasterView, table: MatchMasterTable, others: Sequence[int]) -> DealSampler:
    """Return how to deal what the viewer cannot see to the other hands and to the cards that were not dealt."""
    seen = {*view.hand, *table.trick, *(card for trick in table.tricks for card in trick.cards)}
    unseen = [card for card in range(CARDS) if card not in seen]
    sizes = [view.seats[seat].hand_size for seat in others]
    lacks = [lacked(table, seat) for seat in others]
    rest = len(others)
    allowed = {card: (*(place for place in range(rest) if not lacks[place] >> card & 1), rest) for card in unseen}
    return DealSampler([*sizes, len(unseen) - sum(sizes)], allowed)


def lacked(table: MatchMasterTable, seat: int) -> int:
    """Return, as bits, the cards that a seat was seen not to hold in this round: its duties forbid what it played otherwise."""
    lacks = 0
    for leader, cards in (*((trick.leader, trick.cards) for trick in table.tricks), (table.leader, tuple(table.trick))):
        place = (seat - leader) % table.seats
        if 0 < place < len(cards):
            lacks |= _shown_lack(cards[:place], cards[place])
    return lacks


def _shown_lack(trick: Sequence[int], card: int) -> int:
    """Return, as bits, what a hand lacks that plays *card* to *trick*."""
    led = suit_of(trick[0])
    if suit_of(card) == led != TRUMP:
        return 0
    lacks = 0 if led == TRUMP else TRUMPS << led * VALUES
    if suit_of(card) != TRUMP:
        return lacks | TRUMPS
    highest = max((each for each in trick if suit_of(each) == TRUMP), default=-1)
    return lacks if card > highest else lacks | (TRUMPS >> highest + 1 << highest + 1)


def _bids(view: MatchMasterView, rng: Rng) -> list[int]:
    """Give others a bid or none; while bids are secret, at least one is missing."""
    bids = [rng.randrange(view.size + 1) if rng.randrange(2) else NO_BID for _ in view.seats]
    if view.seat is not None:
        bids[view.seat] = NO_BID if view.bid is None else view.bid
    if NO_BID not in bids:
        others = [seat for seat in range(len(bids)) if seat != view.seat]
        bids[others[rng.randrange(len(others))]] = NO_BID
    return bids
