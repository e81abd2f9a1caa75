"""The honest bot of Coup: it plays the roles that it holds, and bluffs and doubts at the rates that stand here.

It decides from its seat's view alone. What it thinks of a claim follows from counting: three copies of every role, less
those that it sees, spread evenly over all cards that it does not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from ...game import Budget, Rng, Seat
from ..events import Action
from ..messages import (
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExamine,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    DraftCard,
    KeepCards,
    LaunchCoup,
    LeaveCard,
    LetPass,
    LoseInfluence,
    ReplaceCard,
    Role,
    ShowCard,
    ShowExamined,
    TakeForeignAid,
    TakeIncome,
)
from ..moves import ASSASSINATION_COST, COPIES, COUP_COST, STEAL_GAIN, TAX_GAIN
from ..view import CoupSeatView, CoupView, open_claim
from .blunders import sensible
from .stubborn import OF_ASSASSINS, OF_THEFTS, yielding

WORTH: Final[Mapping[Role, int]] = {
    Role.DUKE: 10,
    Role.CAPTAIN: 9,
    Role.ASSASSIN: 8,
    Role.CONTESSA: 6,
    Role.INQUISITOR: 5,
    Role.AMBASSADOR: 4,
}
"""What a role is worth to a hand; a second copy of it is worth `SECOND_COPY` of that."""
SECOND_COPY: Final = 0.3
POOR_CARD: Final = 7
"""A hand worth less than this for each card is exchanged if there is nothing better to do."""
PRECIOUS_CARD: Final = 7
"""An examined card worth at least this is taken away."""

STEAL_RATE: Final = 0.80
"""How often it steals from a single rival with a captain in hand; if it always did, captains would rob and block each other
forever. With more rivals it steals less often, by the square of their number: coins that go around end no match."""
CARDS_BEFORE_COINS: Final = 0.60
"""How often it exchanges a poor hand, or examines, when it holds the role; neither brings a coup nearer."""

BLUFF_ACTION: Final = 0.10
"""How often it claims the duke without holding one, when it has no claim of its own to make."""
BLUFF_BLOCK: Final = 0.05
"""How often it blocks foreign aid or a theft without the role."""
BLUFF_CONTESSA: Final = 0.25
"""How often it blocks an assassination without the contessa while it has a second influence ..."""
BLUFF_LAST_CONTESSA: Final = 0.70
"""... and with its last one, which is lost anyway."""

IMPOSSIBLE: Final = 0.0
"""A claim this likely to be true is always doubted: all copies of the role lie elsewhere in plain sight."""
UNLIKELY: Final = 0.25
"""Up to this likelihood a claim is doubted at the rate of `DOUBT`."""
DOUBT: Final = 0.15
DOUBT_FOR_OTHERS: Final = 0.05
"""The same rate if the claim costs only others."""
DOUBT_ANYTHING: Final = 0.02
"""How often it doubts a claim that is not unlikely, so that bluffing against it is never safe."""
LAST_HOPE: Final = 0.45
"""With an assassin sent to its last influence, it doubts any claim that is at most this likely."""
FOREIGN_AID_RISK: Final = 0.60
"""It takes foreign aid unless someone claims a duke, or holds one with at least this likelihood; otherwise income."""


class Style(NamedTuple):
    """How often someone bluffs and doubts, at the rates above if nothing else is said; `lies` are the roles it bluffs with."""

    lies: tuple[Role, ...] = (Role.DUKE,)
    bluff_action: float = BLUFF_ACTION
    bluff_block: float = BLUFF_BLOCK
    bluff_contessa: float = BLUFF_CONTESSA
    bluff_last_contessa: float = BLUFF_LAST_CONTESSA
    doubt: float = DOUBT
    doubt_for_others: float = DOUBT_FOR_OTHERS
    doubt_anything: float = DOUBT_ANYTHING
    last_hope: float = LAST_HOPE


PLAIN: Final = Style()
BLUFFER: Final = Style((Role.ASSASSIN, Role.CAPTAIN, Role.DUKE), 0.5, 0.35, 0.6, 0.9)
SUSPICIOUS: Final = Style((), 0.0, 0.0, 0.05, 0.3, doubt=0.5, doubt_for_others=0.25, doubt_anything=0.12, last_hope=0.6)


class HonestBot:
    """Plays what it holds, blocks what it can, and bluffs and doubts as its style has it: without one, seldom."""

    def __init__(self, style: Style = PLAIN) -> None:
        self.style = style

    def choose(self, view: CoupView, legal: Sequence[CoupCommand], rng: Rng, budget: Budget) -> CoupCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        if len(legal) == 1:
            return legal[0]
        wish = _wish(view, rng, self.style)
        open_ = sensible(view, legal)
        return wish if wish in open_ else _calm(open_, rng)


def _calm(open_: Sequence[CoupCommand], rng: Rng) -> CoupCommand:
    """Return what is done instead of a blunder: the quietest move there is."""
    quiet = [command for command in open_ if isinstance(command, TakeIncome | LetPass | Challenge)]
    return quiet[-1] if quiet else open_[rng.randrange(len(open_))]


def _wish(view: CoupView, rng: Rng, style: Style) -> CoupCommand:
    match view.stage:
        case "action":
            return _act(view, rng, style)
        case "challenge":
            return _doubt_action(view, rng, style)
        case "block":
            return _block(view, rng, style)
        case "block-challenge":
            return _doubt_block(view, rng, style)
        case _:
            return _give(view)


# What it knows


def own(view: CoupView) -> CoupSeatView:
    """Return the viewer's seat."""
    return view.seats[_seat(view)]


def rivals(view: CoupView) -> list[CoupSeatView]:
    """Return the other seats that are still in the game."""
    return [seat for seat in view.seats if seat.seat != view.seat and seat.influence]


def _seat(view: CoupView) -> Seat:
    assert view.seat is not None, "a bot sits somewhere"
    return view.seat


def count_seen(view: CoupView) -> Counter[Role]:
    """Return the cards that the viewer sees."""
    cards = Counter((*view.hand, *view.drawn))
    for seat in view.seats:
        cards.update(seat.face_up)
    return cards


def likelihood(view: CoupView, seat: Seat, role: Role) -> float:
    """Return how likely another seat holds a role, from counting alone."""
    cards = count_seen(view)
    unseen = 5 * COPIES - cards.total()
    copies = COPIES - cards[role]
    return 1 - comb(unseen - copies, view.seats[seat].influence) / comb(unseen, view.seats[seat].influence)


def worth(cards: Sequence[Role]) -> float:
    """Return what some cards are worth together."""
    return sum(WORTH[role] * (1 + SECOND_COPY * (count - 1)) for role, count in Counter(cards).items())


def strongest(seats: Sequence[CoupSeatView], rng: Rng) -> Seat:
    """Return who is nearest to winning; by lot among equals."""
    best = max((seat.influence, seat.coins) for seat in seats)
    equal = [seat.seat for seat in seats if (seat.influence, seat.coins) == best]
    return equal[rng.randrange(len(equal))]


# What it does in its turn


def _act(view: CoupView, rng: Rng, style: Style) -> CoupCommand:
    if own(view).coins >= COUP_COST:
        return LaunchCoup(strongest(rivals(view), rng))
    return _claim(view, rng) or _without_claim(view, rng, style)


def _claim(view: CoupView, rng: Rng) -> CoupCommand | None:
    """Return the best action of a role that it holds."""
    return _first_use([role for role in _by_use(view) if role in view.hand], view, rng)


def _by_use(view: CoupView) -> tuple[Role, ...]:
    """Return the roles that act, the best first: against a single rival a theft counts twice."""
    alone = len(rivals(view)) == 1
    money = (Role.CAPTAIN, Role.DUKE) if alone else (Role.DUKE, Role.CAPTAIN)
    return (Role.ASSASSIN, *money, view.fifth_role)


def _first_use(roles: Sequence[Role], view: CoupView, rng: Rng) -> CoupCommand | None:
    """Return what the first of these roles does that is worth a turn; the others draw nothing from *rng*."""
    for role in roles:
        if (command := _use(role, view, rng)) is not None:
            return command
    return None


def _use(role: Role, view: CoupView, rng: Rng) -> CoupCommand | None:
    """Return what a role does now, None if that is not worth a turn."""
    match role:
        case Role.ASSASSIN:
            open_ = yielding(rivals(view), OF_ASSASSINS) if own(view).coins >= ASSASSINATION_COST else []
            return ClaimAssassination(strongest(open_, rng)) if open_ else None
        case Role.DUKE:
            return ClaimTax()
        case Role.CAPTAIN:
            return _steal(view, rng)
        case _:
            return _exchange(view, rng)


def _steal(view: CoupView, rng: Rng) -> CoupCommand | None:
    others = rivals(view)
    rich = [seat for seat in yielding(others, OF_THEFTS) if seat.coins >= STEAL_GAIN]
    return ClaimSteal(strongest(rich, rng)) if rich and rng.random() < STEAL_RATE / len(others) ** 2 else None


def _exchange(view: CoupView, rng: Rng) -> CoupCommand | None:
    if rng.random() >= CARDS_BEFORE_COINS:
        return None
    if worth(view.hand) < POOR_CARD * len(view.hand):
        return ClaimExchange()
    return ClaimExamine(strongest(rivals(view), rng)) if view.fifth_role is Role.INQUISITOR else None


def _without_claim(view: CoupView, rng: Rng, style: Style) -> CoupCommand:
    if rng.random() < style.bluff_action and (lie := _lie(view, rng, style)):
        return lie
    return TakeIncome() if _blocked_likely(view) else TakeForeignAid()


def _blocked_likely(view: CoupView) -> bool:
    """Return whether someone will block foreign aid: a rival who claimed the duke, or probably holds one."""
    no_duke = 1.0
    for seat in rivals(view):
        no_duke *= 1 - likelihood(view, seat.seat, Role.DUKE)
    return 1 - no_duke >= FOREIGN_AID_RISK or any(Role.DUKE in seat.claims for seat in rivals(view))


def _lie(view: CoupView, rng: Rng, style: Style) -> CoupCommand | None:
    """Return an action of a role that it does not hold, of those it lies about and someone may hold."""
    return _first_use([role for role in style.lies if count_seen(view)[role] < COPIES], view, rng)


# How it reacts


def _doubt_action(view: CoupView, rng: Rng, style: Style) -> CoupCommand:
    assert view.turn is not None, "somebody acts"
    assert view.role is not None, "only claims can be doubted"
    likely = likelihood(view, view.turn, view.role)
    if _is_aimed_at(view) and Role.CONTESSA in view.hand and likely > IMPOSSIBLE:
        return LetPass()
    if (_is_aimed_at(view) and own(view).influence == 1 and likely <= style.last_hope) or _lost_soon(view):
        return Challenge()
    return _doubt(view, rng, style, likely, concerned=view.target in {None, view.seat})


def _doubt_block(view: CoupView, rng: Rng, style: Style) -> CoupCommand:
    assert view.blocker is not None, "somebody blocks"
    assert view.block_role is not None, "a block claims a role"
    likely = likelihood(view, view.blocker, view.block_role)
    if _lost_now(view):
        return Challenge()
    return _doubt(view, rng, style, likely, concerned=view.turn == view.seat)


def _doubt(view: CoupView, rng: Rng, style: Style, likely: float, *, concerned: bool) -> CoupCommand:
    """Doubt a claim by how likely it is; for the last influence only what cannot be true."""
    if likely <= IMPOSSIBLE:
        return Challenge()
    if own(view).influence == 1:
        return LetPass()
    rate = style.doubt_anything if likely > UNLIKELY else style.doubt if concerned else style.doubt_for_others
    return Challenge() if rng.random() < rate else LetPass()


def _is_aimed_at(view: CoupView) -> bool:
    """Return whether an assassin is sent to the viewer."""
    return view.action is Action.ASSASSINATION and view.target == view.seat


def _lost_soon(view: CoupView) -> bool:
    """Return whether the only rival, if this claim stands, will launch the last coup whatever the viewer does in between."""
    if not _at_mercy(view) or (view.action is Action.STEAL and any(role in view.hand for role in BLOCKERS[Action.STEAL])):
        return False
    [rival] = rivals(view)
    loot = min(STEAL_GAIN, own(view).coins) if view.action is Action.STEAL else 0
    coins = rival.coins + loot + (TAX_GAIN if view.action is Action.TAX else 0)
    robbed = coins - STEAL_GAIN if Role.CAPTAIN in view.hand else coins
    return robbed >= COUP_COST and not _may_win(view, rival, own(view).coins - loot)


def _lost_now(view: CoupView) -> bool:
    """Return whether the only rival launches the last coup next if its block stands."""
    return _at_mercy(view) and view.turn == view.seat and rivals(view)[0].coins >= COUP_COST


def _at_mercy(view: CoupView) -> bool:
    """Return whether one coup of one rival ends the game."""
    return own(view).influence == 1 and len(rivals(view)) == 1


def _may_win(view: CoupView, rival: CoupSeatView, purse: int) -> bool:
    """Return whether the viewer's next turn may end the game."""
    armed = purse >= COUP_COST or (Role.ASSASSIN in view.hand and purse >= ASSASSINATION_COST)
    return rival.influence == 1 and armed


BLOCKERS: Final[Mapping[Action, tuple[Role, ...]]] = {
    Action.FOREIGN_AID: (Role.DUKE,),
    Action.ASSASSINATION: (Role.CONTESSA,),
    Action.STEAL: (Role.CAPTAIN, Role.AMBASSADOR, Role.INQUISITOR),
}


def _block(view: CoupView, rng: Rng, style: Style) -> CoupCommand:
    assert view.action is not None, "something is to be blocked"
    roles = BLOCKERS[view.action]
    for role in roles:
        if role in view.hand:
            return Block(role)
    if rng.random() < _bluff_rate(view, style) and count_seen(view)[roles[0]] < COPIES:
        return Block(roles[0])
    return LetPass()


def _bluff_rate(view: CoupView, style: Style) -> float:
    """Return how often it blocks without the role."""
    if view.action is not Action.ASSASSINATION:
        return style.bluff_block
    return style.bluff_last_contessa if own(view).influence == 1 else style.bluff_contessa


# Which cards it gives


def _give(view: CoupView) -> CoupCommand:
    match view.stage:
        case "draft":
            return DraftCard(Role.CAPTAIN)
        case "prove":
            return _prove(view)
        case "exchange":
            return _keep(view)
        case "judge":
            assert view.examined is not None, "a card is shown"
            return ReplaceCard() if WORTH[view.examined] >= PRECIOUS_CARD else LeaveCard()
        case "show":
            return ShowExamined(_least(view))
        case _:
            return LoseInfluence(_least(view))


def _prove(view: CoupView) -> CoupCommand:
    role = open_claim(view)[1]
    return ShowCard(role) if role in view.hand else ShowCard(_least(view))


def _keep(view: CoupView) -> CoupCommand:
    cards = sorted((*view.hand, *view.drawn), key=_name)
    return KeepCards(max(combinations(cards, len(view.hand)), key=worth))


def _least(view: CoupView) -> Role:
    """Return the card whose loss leaves the best hand."""
    return max(sorted(set(view.hand), key=_name), key=lambda role: worth(_without(view.hand, role)))


def _name(role: Role) -> str:
    return role.value


def _without(cards: Sequence[Role], role: Role) -> list[Role]:
    rest = list(cards)
    rest.remove(role)
    return rest
