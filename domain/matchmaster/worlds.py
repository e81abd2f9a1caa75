"""Tables drawn at random that agree with everything a viewer of MatchMaster may know."""

from __future__ import annotations

from collections.abc import Sequence

from ..dealing import Dealing
from ..game import Rng
from .cards import CARDS, TRUMP, VALUES, suit_of
from .table import NO_BID, NOBODY, MatchMasterTable, Round, Trick
from .view import MatchMasterView

ALL = (1 << CARDS) - 1
TRUMPS = (1 << VALUES) - 1


def determinize(view: MatchMasterView, rng: Rng) -> MatchMasterTable:
    """Return a table with hidden hands and bids drawn anew; hands keep to what their seats were seen not to hold."""
    table = MatchMasterTable(view.options, len(view.seats))
    table.decision, table.round, table.shown = view.decision, view.round, view.stage in ("play", "over")
    table.dealer, table.leader = _or_nobody(view.dealer), _or_nobody(view.leader)
    table.trick = [play.card for play in view.trick]
    table.turn = table.leader if not view.trick else (table.leader + len(view.trick)) % table.seats
    table.tricks = [Trick(trick.plays[0].seat, tuple(play.card for play in trick.plays), trick.winner) for trick in view.tricks]
    table.taken, table.scores = [seat.tricks for seat in view.seats], [seat.score for seat in view.seats]
    table.rounds = [Round(done.bids, done.tricks, done.points) for done in view.rounds]
    table.hands = _hands(view, table, rng)
    table.bids = _bids(view, rng)
    return table


def _or_nobody(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def _hands(view: MatchMasterView, table: MatchMasterTable, rng: Rng) -> list[list[int]]:
    """Deal what the viewer cannot see to the other hands and to the cards that were not dealt."""
    others = [seat for seat in range(table.seats) if seat != view.seat]
    seen = {*view.hand, *table.trick, *(card for trick in table.tricks for card in trick.cards)}
    unseen = [card for card in range(CARDS) if card not in seen]
    sizes = [view.seats[seat].hand_size for seat in others]
    lacks = [lacked(table, seat) for seat in others]
    rest = len(others)
    allowed = {card: (*(place for place in range(rest) if not lacks[place] >> card & 1), rest) for card in unseen}
    lying = Dealing([*sizes, len(unseen) - sum(sizes)], allowed, rng).dealt()
    hands = {seat: sorted(lying[place]) for place, seat in enumerate(others)}
    return [list(view.hand) if seat == view.seat else hands[seat] for seat in range(table.seats)]


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
    if view.stage != "bid":
        return [NO_BID if seat.bid is None else seat.bid for seat in view.seats]
    bids = [rng.randrange(view.size + 1) if rng.randrange(2) else NO_BID for _ in view.seats]
    if view.seat is not None:
        bids[view.seat] = NO_BID if view.bid is None else view.bid
    if NO_BID not in bids:
        others = [seat for seat in range(len(bids)) if seat != view.seat]
        bids[others[rng.randrange(len(others))]] = NO_BID
    return bids
