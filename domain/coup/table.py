"""The table of Coup: its state and its facts. Roles are ints in name order; cards of a hand are sorted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from ..fields import Derived, stored
from ..game import Seat, Table
from ..seats import NOBODY, seat_or_none
from . import conduct as counts
from . import stages
from .card_knowledge import ANYBODY, GIVEN, LOST, NOTHING, PROVED, REPLACED, SEEN, Note, hand_shape, knowledge_of
from .events import (
    Action,
    ActionBlocked,
    ActionDeclared,
    CardExamined,
    CardLeft,
    CardReplaced,
    CardsDrawn,
    CardsReturned,
    ClaimChallenged,
    ClaimProved,
    CoinsStolen,
    CoinsTaken,
    CoupCardDrafted,
    CoupDealt,
    CoupSetsTaken,
    CoupWon,
    ExamineDemanded,
    InfluenceLost,
    LossDemanded,
    Passed,
    SeatEliminated,
    TurnBegun,
    WindowOpened,
)
from .messages import ROLES, CoupOptions, Role
from .stages import CoupStage

INDEX: Final = {role: index for index, role in enumerate(ROLES)}
COUP: Final = Action.COUP


def named(cards: Sequence[int]) -> tuple[Role, ...]:
    """Return cards as roles."""
    return tuple([ROLES[card] for card in cards])


def role_or_none(role: int) -> Role | None:
    """Return a role, None for none."""
    return None if role == NOBODY else ROLES[role]


class CoupTable(Table):
    """One game of Coup.

    `notes` tell what is known of each hand; `untouched` are hands that still have, turned up or not, the two cards dealt.
    The seat that was last to draw from the court deck, the `stocker`, knows the `stocked` cards to lie there. `claims` are the
    roles that each seat has claimed since, without their being shown or disproved; `conduct` counts what each has claimed, let
    pass and doubted (conduct.py). `pairs_known` says that version 1 of the rules is in force: a seat with equal cards only is
    not asked, so that everyone learns of the pair.
    """

    options: Derived[CoupOptions]
    pairs_known: Derived[bool]
    seats: Derived[int]
    fifth: Derived[int]
    hands: list[list[int]]
    up: list[list[int]]
    coins: list[int]
    court: list[int]
    stage: CoupStage
    decision: int
    turn: int
    action: Action | None
    target: int
    role: int
    cost: int
    blocker: int
    block_role: int
    challenger: int
    window: list[int]
    passed: Annotated[list[int], stored(form=sorted)]
    loser: int
    drawn: list[int]
    examined: int
    drafted: list[int]
    out: list[bool]
    winners: list[int]
    owed: bool
    first: int
    notes: Derived[list[tuple[Note, ...]]]
    untouched: Derived[list[bool]]
    stocker: Derived[int]
    stocked: Derived[list[int]]
    claims: Derived[list[tuple[int, ...]]]
    conduct: Derived[list[int]]

    def __init__(self, options: CoupOptions, seats: int, *, pairs_known: bool = False) -> None:
        self.emit = None
        self.options = options
        self.pairs_known = pairs_known
        self.seats = seats
        self.fifth = INDEX[Role(options.fifth_role)]
        self.hands = [[] for _ in range(seats)]
        self.up = [[] for _ in range(seats)]
        self.coins = [0] * seats
        self.court = []
        self.stage = stages.SETUP
        self.decision = 0
        self.turn = NOBODY
        self.drafted = [NOBODY] * seats
        self.out = [False] * seats
        self.winners = []
        self.first = NOBODY
        self.notes = [()] * seats
        self.untouched = [True] * seats
        self.stocker = NOBODY
        self.stocked = []
        self.claims = [()] * seats
        self.conduct = [0] * (counts.WIDTH * seats)
        self.clear_action()

    def clear_action(self) -> None:
        self.action = None
        self.target = self.role = self.blocker = self.block_role = self.challenger = self.loser = self.examined = NOBODY
        self.cost = 0
        self.owed = False
        self.window = []
        self.passed = []
        self.drawn = []

    def living(self) -> list[int]:
        """Return the seats that have influence."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    def open_claim(self) -> tuple[int, int]:
        """Return who claims which role at the moment: the blocker, once there is one, else the seat whose turn it is."""
        return (self.turn, self.role) if self.blocker == NOBODY else (self.blocker, self.block_role)

    def ask(self, stage: CoupStage) -> None:
        self.stage = stage
        self.decision += 1

    def note(self, kind: int, hand: int, observer: int, card: int) -> None:
        """Note a card of a hand before it goes."""
        held = self.hands[hand]
        shape = hand_shape(held) if self.pairs_known else knowledge_of(held)
        self.notes[hand] += ((kind, observer, card, shape),)

    def swap(self, seat: int, gone: int, drawn: int) -> None:
        """Let a card of a hand go for another."""
        hand = [*self.hands[seat], drawn]
        hand.remove(gone)
        hand.sort()
        self.hands[seat] = hand

    def unclaim(self, seat: int, role: int) -> None:
        """Forget one claim of a role: its card is gone, or never was there. How often it was claimed says nothing any more."""
        claims = self.claims[seat]
        if role in claims:
            place = claims.index(role)
            self.claims[seat] = claims[:place] + claims[place + 1 :]
            counts.forget_role(self.conduct, seat, role)

    def disclaim(self, seat: int, role: int) -> None:
        """Forget all claims of a role: it was shown, or it was a lie."""
        claims = self.claims[seat]
        if role in claims:
            self.claims[seat] = tuple([claim for claim in claims if claim != role])
            counts.forget_role(self.conduct, seat, role)

    def leave_unwatched(self) -> None:
        self.conduct = []

    def count_turn(self, action: Action, role: int) -> None:
        """Count what a turn is used for, and what it could have been used for; a coup says nothing of the cards."""
        if action is COUP:
            return
        conduct = self.conduct
        turn = self.turn
        coins = self.coins
        first = turn * counts.WIDTH
        if role == NOBODY:
            kind = counts.UNCLAIMED
            for other, purse in enumerate(coins):
                if purse >= counts.WORTH_STEALING and other != turn and self.hands[other]:
                    conduct[first + counts.TEMPTED] += 1
                    break
        else:
            kind = counts.BY_ROLE[role]
        conduct[first + kind] += 1
        if coins[turn] >= counts.PRICE and kind != counts.ASSASSINATION:
            conduct[first + counts.ARMED] += 1

    def stock(self, seat: int, put: list[int], taken: list[int]) -> None:
        """A seat put cards into the court deck and then drew: the others do not know any more what lies there."""
        stocked = [*self.stocked, *put] if seat == self.stocker else [*put]
        for card in taken:
            if card in stocked:
                stocked.remove(card)
        self.stocker = seat
        self.stocked = sorted(stocked)

    # Facts

    def f_dealt(self, hands: Sequence[Sequence[int]], coins: Sequence[int], court: Sequence[int]) -> None:
        self.hands = [sorted(hand) for hand in hands]
        self.coins = list(coins)
        self.court = list(court)
        if self.emit is not None:
            self.emit(CoupDealt(tuple(map(named, self.hands)), tuple(coins), named(court)))

    def f_sets_taken(self, first: int, coins: Sequence[int], third: Sequence[int]) -> None:
        self.first = first
        self.coins = list(coins)
        self.court = list(third)
        self.ask(stages.DRAFT)
        if self.emit is not None:
            self.emit(CoupSetsTaken(Seat(first), tuple(coins), named(third)))

    def f_card_drafted(self, seat: int, role: int) -> None:
        self.drafted[seat] = role
        if self.emit is not None:
            self.emit(CoupCardDrafted(Seat(seat), ROLES[role]))

    def f_turn_begun(self, seat: int, asked: bool) -> None:
        self.clear_action()
        self.turn = seat
        if asked:
            self.ask(stages.ACTION)
        if self.emit is not None:
            self.emit(TurnBegun(Seat(seat), asked))

    def f_action_declared(self, action: Action, target: int, role: int, cost: int) -> None:
        self.action = action
        self.target = target
        self.role = role
        self.cost = cost
        if self.conduct:
            self.count_turn(action, role)
        self.coins[self.turn] -= cost
        if role != NOBODY:
            self.claims[self.turn] += (role,)
        if self.emit is not None:
            self.emit(ActionDeclared(Seat(self.turn), action, seat_or_none(target), role_or_none(role), cost))

    def f_window_opened(self, window: str, seats: Sequence[int]) -> None:
        self.window = list(seats)
        self.passed = []
        self.ask(stages.WINDOWS[window])
        if self.emit is not None:
            self.emit(WindowOpened(window, tuple(map(Seat, seats))))

    def f_passed(self, seat: int) -> None:
        self.passed.append(seat)
        if self.conduct and len(self.passed) == len(self.window):  # now everyone knows it
            what = counts.TRUSTS if self.stage is not stages.BLOCK else counts.let_pass(self.role, self.cost)
            for each in self.window:
                self.conduct[each * counts.WIDTH + what] += 1
        if self.emit is not None:
            self.emit(Passed(Seat(seat)))

    def f_claim_challenged(self, seat: int, claimant: int, role: int, asked: bool) -> None:
        self.challenger = seat
        self.loser = claimant
        if self.conduct:
            self.conduct[seat * counts.WIDTH + counts.DOUBTS] += 1
        if asked:
            self.ask(stages.PROVE)
        if self.emit is not None:
            self.emit(ClaimChallenged(Seat(seat), Seat(claimant), ROLES[role], asked))

    def f_action_blocked(self, seat: int, role: int) -> None:
        self.blocker, self.block_role = seat, role
        self.claims[seat] += (role,)
        if self.conduct:
            self.conduct[seat * counts.WIDTH + counts.BY_BLOCKER[role]] += 1
        if self.emit is not None:
            self.emit(ActionBlocked(Seat(seat), ROLES[role]))

    def f_claim_proved(self, seat: int, role: int, drawn: int, court: Sequence[int]) -> None:
        self.note(PROVED, seat, ANYBODY, role)
        self.disclaim(seat, role)
        if self.conduct:
            self.conduct[seat * counts.WIDTH + counts.PROOFS] += 1
            counts.forget_hand(self.conduct, seat, counts.KINDS)
        self.swap(seat, role, drawn)
        self.court = list(court)
        self.stock(seat, [role], [drawn])
        self.untouched[seat] = False
        self.owed = True
        if self.emit is not None:
            self.emit(ClaimProved(Seat(seat), ROLES[role], ROLES[drawn], named(court)))

    def f_loss_demanded(self, seat: int) -> None:
        self.loser = seat
        self.ask(stages.LOSE)
        if self.emit is not None:
            self.emit(LossDemanded(Seat(seat)))

    def f_influence_lost(self, seat: int, role: int) -> None:
        self.note(LOST, seat, ANYBODY, role)
        self.hands[seat].remove(role)
        self.up[seat].append(role)
        if seat == self.challenger:
            self.owed = False
        elif self.challenger != NOBODY and not self.owed and seat == self.loser:
            claimant, claimed = self.open_claim()
            if self.conduct and seat == claimant and claimed in self.claims[seat]:  # not again for its next card
                self.conduct[seat * counts.WIDTH + counts.LIES] += 1
            self.disclaim(seat, claimed)
        self.unclaim(seat, role)
        if self.emit is not None:
            self.emit(InfluenceLost(Seat(seat), ROLES[role]))

    def f_coins_taken(self, seat: int, coins: int) -> None:
        self.coins[seat] += coins
        if self.emit is not None:
            self.emit(CoinsTaken(Seat(seat), coins))

    def f_coins_stolen(self, seat: int, victim: int, coins: int) -> None:
        self.coins[seat] += coins
        self.coins[victim] -= coins
        if self.emit is not None:
            self.emit(CoinsStolen(Seat(seat), Seat(victim), coins))

    def f_cards_drawn(self, seat: int, cards: list[int], asked: bool) -> None:
        self.drawn = sorted(cards)
        self.court = self.court[len(cards) :]
        self.stock(seat, [], cards)
        if asked:
            self.ask(stages.EXCHANGE)
        if self.emit is not None:
            self.emit(CardsDrawn(Seat(seat), len(cards), asked, named(self.drawn)))

    def f_cards_returned(self, seat: int, kept: list[int], court: Sequence[int]) -> None:
        back = [*self.hands[seat], *self.drawn]
        for card in kept:
            back.remove(card)
        self.hands[seat] = sorted(kept)
        self.drawn = []
        self.stock(seat, back, [])
        alike = self.pairs_known and len({*kept, *back}) == 1  # then the seat was not asked, and everyone knows why
        self.notes[seat] = ((GIVEN, ANYBODY, hand_shape(kept), NOTHING),) if alike else ()
        self.untouched[seat] = False
        self.claims[seat] = ()
        counts.forget_hand(self.conduct, seat)
        self.court = list(court)
        if self.emit is not None:
            self.emit(CardsReturned(Seat(seat), named(kept), named(court)))

    def f_examine_demanded(self, seat: int) -> None:
        self.ask(stages.SHOW)
        if self.emit is not None:
            self.emit(ExamineDemanded(Seat(seat)))

    def f_card_examined(self, seat: int, target: int, role: int) -> None:
        self.note(SEEN, target, seat, role)
        self.examined = role
        self.ask(stages.JUDGE)
        if self.emit is not None:
            self.emit(CardExamined(Seat(seat), Seat(target), ROLES[role]))

    def f_card_left(self, seat: int, target: int) -> None:
        if self.emit is not None:
            self.emit(CardLeft(Seat(seat), Seat(target)))

    def f_card_replaced(self, seat: int, target: int, returned: int, drawn: int, court: Sequence[int]) -> None:
        self.note(REPLACED, target, seat, returned)
        self.swap(target, returned, drawn)
        self.court = list(court)
        self.stock(target, [returned], [drawn])
        self.untouched[target] = False
        counts.forget_hand(self.conduct, target)
        if self.emit is not None:
            self.emit(CardReplaced(Seat(seat), Seat(target), ROLES[returned], ROLES[drawn], named(court)))

    def f_seat_eliminated(self, seat: int, coins: int) -> None:
        self.out[seat] = True
        self.coins[seat] = 0
        if self.emit is not None:
            self.emit(SeatEliminated(Seat(seat), coins))

    def f_won(self, winners: Sequence[int]) -> None:
        self.winners = list(winners)
        self.stage = stages.OVER
        if self.emit is not None:
            self.emit(CoupWon(tuple(map(Seat, winners))))


def ints(roles: Sequence[Role] | None) -> list[int]:
    """Return roles as cards; a stored fact always has them."""
    return [INDEX[role] for role in roles or ()]


def known(role: Role | None) -> int:
    """Return a role as a card, NOBODY for none."""
    return NOBODY if role is None else INDEX[role]
