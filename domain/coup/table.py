"""The table of Coup: its state and its facts. Roles are ints in name order; cards of a hand are sorted."""

from __future__ import annotations

from collections.abc import Sequence

from ..game import Event, Plain, Seat, Table
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
from .notes import ANYBODY, GIVEN, LOST, NOTHING, PROVED, REPLACED, SEEN, Note, match_of

NOBODY = -1
INDEX = {role: index for index, role in enumerate(ROLES)}


class Stage:
    """What the table waits for."""

    SETUP, DRAFT, ACTION, CHALLENGE, BLOCK, BLOCK_CHALLENGE, PROVE, LOSE, EXCHANGE, SHOW, JUDGE, OVER = range(12)


WINDOWS = {"challenge": Stage.CHALLENGE, "block": Stage.BLOCK, "block-challenge": Stage.BLOCK_CHALLENGE}


def named(cards: Sequence[int]) -> tuple[Role, ...]:
    """Return cards as roles."""
    return tuple(ROLES[card] for card in cards)


def seat_or_none(seat: int) -> Seat | None:
    """Return a seat, None for nobody."""
    return None if seat == NOBODY else Seat(seat)


def role_or_none(role: int) -> Role | None:
    """Return a role, None for none."""
    return None if role == NOBODY else ROLES[role]


LIST_SLOTS = (
    "coins",
    "court",
    "window",
    "passed",
    "drawn",
    "drafted",
    "out",
    "winners",
    "notes",
    "untouched",
    "stocked",
    "claims",
)
PLAIN_SLOTS = (
    "seats",
    "options",
    "fifth",
    "stage",
    "decision",
    "turn",
    "action",
    "target",
    "role",
    "cost",
    "blocker",
    "block_role",
    "challenger",
    "loser",
    "examined",
    "owed",
    "first",
    "stocker",
)


class CoupTable(Table):
    """One game of Coup.

    `notes` tell what is known of each hand; `untouched` are hands that still have, turned up or not, the two cards dealt.
    The seat that was last to draw from the court deck, the `stocker`, knows the `stocked` cards to lie there. `claims` are the
    roles that each seat has claimed since, without their being shown or disproved. These five follow from the facts and are
    no part of `freeze`: the digests in stored logs were made without them.
    """

    __slots__ = (*PLAIN_SLOTS, *LIST_SLOTS, "hands", "up")

    def __init__(self, options: CoupOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.fifth = INDEX[Role(options.fifth_role)]
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.up: list[list[int]] = [[] for _ in range(seats)]
        self.coins = [0] * seats
        self.court: list[int] = []
        self.stage = Stage.SETUP
        self.decision = 0
        self.turn = NOBODY
        self.drafted = [NOBODY] * seats
        self.out = [False] * seats
        self.winners: list[int] = []
        self.first = NOBODY
        self.notes: list[tuple[Note, ...]] = [()] * seats
        self.untouched = [True] * seats
        self.stocker = NOBODY
        self.stocked: list[int] = []
        self.claims: list[tuple[int, ...]] = [()] * seats
        self.clear_action()

    def clear_action(self) -> None:
        self.action: Action | None = None
        self.target = self.role = self.blocker = self.block_role = self.challenger = self.loser = self.examined = NOBODY
        self.cost = 0
        self.owed = False
        self.window: list[int] = []
        self.passed: list[int] = []
        self.drawn: list[int] = []

    def copy(self) -> CoupTable:
        """Return an independent table without a sink."""
        twin = CoupTable.__new__(CoupTable)
        twin.emit = None
        for name in PLAIN_SLOTS:
            setattr(twin, name, getattr(self, name))
        for name in LIST_SLOTS:
            setattr(twin, name, getattr(self, name).copy())
        twin.hands = [hand.copy() for hand in self.hands]
        twin.up = [cards.copy() for cards in self.up]
        return twin

    def freeze(self) -> Plain:
        return {
            "hands": self.hands,
            "up": self.up,
            "coins": self.coins,
            "court": self.court,
            "stage": self.stage,
            "decision": self.decision,
            "turn": self.turn,
            "action": self.action.value if self.action else None,
            "target": self.target,
            "role": self.role,
            "cost": self.cost,
            "blocker": self.blocker,
            "block_role": self.block_role,
            "challenger": self.challenger,
            "window": self.window,
            "passed": sorted(self.passed),
            "loser": self.loser,
            "drawn": self.drawn,
            "examined": self.examined,
            "drafted": self.drafted,
            "out": self.out,
            "winners": self.winners,
            "owed": self.owed,
            "first": self.first,
        }

    def living(self) -> list[int]:
        """Return the seats that have influence."""
        return [seat for seat in range(self.seats) if self.hands[seat]]

    def told(self, event: Event) -> None:
        if self.emit is not None:
            self.emit(event)

    def ask(self, stage: int) -> None:
        self.stage = stage
        self.decision += 1

    def note(self, kind: int, hand: int, observer: int, card: int) -> None:
        """Note a card of a hand before it goes."""
        self.notes[hand] += ((kind, observer, card, match_of(self.hands[hand])),)

    def unclaim(self, seat: int, role: int) -> None:
        """Forget one claim of a role: its card is gone, or never was there."""
        claims = self.claims[seat]
        if role in claims:
            place = claims.index(role)
            self.claims[seat] = claims[:place] + claims[place + 1 :]

    def stock(self, seat: int, put: Sequence[int], taken: Sequence[int]) -> None:
        """A seat put cards into the court deck and then drew: the others do not know any more what lies there."""
        stocked = [*self.stocked, *put] if seat == self.stocker else [*put]
        for card in taken:
            if card in stocked:
                stocked.remove(card)
        self.stocker, self.stocked = seat, sorted(stocked)

    # Facts

    def f_dealt(self, hands: Sequence[Sequence[int]], coins: Sequence[int], court: Sequence[int]) -> None:
        self.hands = [sorted(hand) for hand in hands]
        self.coins = list(coins)
        self.court = list(court)
        self.told(CoupDealt(tuple(map(named, self.hands)), tuple(coins), named(court)))

    def f_sets_taken(self, first: int, coins: Sequence[int], third: Sequence[int]) -> None:
        self.first, self.coins, self.court = first, list(coins), list(third)
        self.ask(Stage.DRAFT)
        self.told(CoupSetsTaken(Seat(first), tuple(coins), named(third)))

    def f_card_drafted(self, seat: int, role: int) -> None:
        self.drafted[seat] = role
        self.told(CoupCardDrafted(Seat(seat), ROLES[role]))

    def f_turn_begun(self, seat: int, asked: bool) -> None:
        self.clear_action()
        self.turn = seat
        if asked:
            self.ask(Stage.ACTION)
        self.told(TurnBegun(Seat(seat), asked))

    def f_action_declared(self, action: Action, target: int, role: int, cost: int) -> None:
        self.action, self.target, self.role, self.cost = action, target, role, cost
        self.coins[self.turn] -= cost
        if role != NOBODY:
            self.claims[self.turn] += (role,)
        self.told(ActionDeclared(Seat(self.turn), action, seat_or_none(target), role_or_none(role), cost))

    def f_window_opened(self, window: str, seats: Sequence[int]) -> None:
        self.window, self.passed = list(seats), []
        self.ask(WINDOWS[window])
        self.told(WindowOpened(window, tuple(map(Seat, seats))))

    def f_passed(self, seat: int) -> None:
        self.passed.append(seat)
        self.told(Passed(Seat(seat)))

    def f_claim_challenged(self, seat: int, claimant: int, role: int, asked: bool) -> None:
        self.challenger, self.loser = seat, claimant
        if asked:
            self.ask(Stage.PROVE)
        self.told(ClaimChallenged(Seat(seat), Seat(claimant), ROLES[role], asked))

    def f_action_blocked(self, seat: int, role: int) -> None:
        self.blocker, self.block_role = seat, role
        self.claims[seat] += (role,)
        self.told(ActionBlocked(Seat(seat), ROLES[role]))

    def f_claim_proved(self, seat: int, role: int, drawn: int, court: Sequence[int]) -> None:
        self.note(PROVED, seat, ANYBODY, role)
        self.claims[seat] = tuple(claim for claim in self.claims[seat] if claim != role)
        self.hands[seat].remove(role)
        self.hands[seat] = sorted([*self.hands[seat], drawn])
        self.court = list(court)
        self.stock(seat, (role,), (drawn,))
        self.untouched[seat] = False
        self.owed = True
        self.told(ClaimProved(Seat(seat), ROLES[role], ROLES[drawn], named(court)))

    def f_loss_demanded(self, seat: int) -> None:
        self.loser = seat
        self.ask(Stage.LOSE)
        self.told(LossDemanded(Seat(seat)))

    def f_influence_lost(self, seat: int, role: int) -> None:
        self.note(LOST, seat, ANYBODY, role)
        self.hands[seat].remove(role)
        self.up[seat].append(role)
        if seat == self.challenger:
            self.owed = False
        elif self.challenger != NOBODY and not self.owed and seat == self.loser:
            lie = self.role if self.blocker == NOBODY else self.block_role
            self.claims[seat] = tuple(claim for claim in self.claims[seat] if claim != lie)
        self.unclaim(seat, role)
        self.told(InfluenceLost(Seat(seat), ROLES[role]))

    def f_coins_taken(self, seat: int, coins: int) -> None:
        self.coins[seat] += coins
        self.told(CoinsTaken(Seat(seat), coins))

    def f_coins_stolen(self, seat: int, victim: int, coins: int) -> None:
        self.coins[seat] += coins
        self.coins[victim] -= coins
        self.told(CoinsStolen(Seat(seat), Seat(victim), coins))

    def f_cards_drawn(self, seat: int, cards: Sequence[int], asked: bool) -> None:
        self.drawn = sorted(cards)
        self.court = self.court[len(cards) :]
        self.stock(seat, (), cards)
        if asked:
            self.ask(Stage.EXCHANGE)
        self.told(CardsDrawn(Seat(seat), len(cards), asked, named(self.drawn)))

    def f_cards_returned(self, seat: int, kept: Sequence[int], court: Sequence[int]) -> None:
        back = [*self.hands[seat], *self.drawn]
        for card in kept:
            back.remove(card)
        self.hands[seat] = sorted(kept)
        self.drawn = []
        self.stock(seat, back, ())
        alike = len({*kept, *back}) == 1  # then the seat was not asked, and everybody knows why
        self.notes[seat] = ((GIVEN, ANYBODY, match_of(kept), NOTHING),) if alike else ()
        self.untouched[seat] = False
        self.claims[seat] = ()
        self.court = list(court)
        self.told(CardsReturned(Seat(seat), named(kept), named(court)))

    def f_examine_demanded(self, seat: int) -> None:
        self.ask(Stage.SHOW)
        self.told(ExamineDemanded(Seat(seat)))

    def f_card_examined(self, seat: int, target: int, role: int) -> None:
        self.note(SEEN, target, seat, role)
        self.examined = role
        self.ask(Stage.JUDGE)
        self.told(CardExamined(Seat(seat), Seat(target), ROLES[role]))

    def f_card_left(self, seat: int, target: int) -> None:
        self.told(CardLeft(Seat(seat), Seat(target)))

    def f_card_replaced(self, seat: int, target: int, returned: int, drawn: int, court: Sequence[int]) -> None:
        self.note(REPLACED, target, seat, returned)
        self.hands[target].remove(returned)
        self.hands[target] = sorted([*self.hands[target], drawn])
        self.court = list(court)
        self.stock(target, (returned,), (drawn,))
        self.untouched[target] = False
        self.told(CardReplaced(Seat(seat), Seat(target), ROLES[returned], ROLES[drawn], named(court)))

    def f_seat_eliminated(self, seat: int, coins: int) -> None:
        self.out[seat] = True
        self.coins[seat] = 0
        self.told(SeatEliminated(Seat(seat), coins))

    def f_won(self, winners: Sequence[int]) -> None:
        self.winners = list(winners)
        self.stage = Stage.OVER
        self.told(CoupWon(tuple(map(Seat, winners))))

    def fold(self, event: Event) -> None:
        """Apply a stored fact."""
        match event:
            case CoupDealt(hands, coins, court):
                self.f_dealt([ints(hand or ()) for hand in hands], coins, ints(court or ()))
            case CoupSetsTaken(first, coins, third):
                self.f_sets_taken(first, coins, ints(third or ()))
            case CoupCardDrafted(seat, role):
                self.f_card_drafted(seat, INDEX[role])
            case TurnBegun(seat, asked):
                self.f_turn_begun(seat, asked)
            case ActionDeclared(_, action, target, role, cost):
                self.f_action_declared(action, NOBODY if target is None else target, known(role), cost)
            case WindowOpened(window, seats):
                self.f_window_opened(window, seats)
            case Passed(seat):
                self.f_passed(seat)
            case ClaimChallenged(seat, claimant, role, asked):
                self.f_claim_challenged(seat, claimant, INDEX[role], asked)
            case ActionBlocked(seat, role):
                self.f_action_blocked(seat, INDEX[role])
            case ClaimProved(seat, role, drawn, court):
                self.f_claim_proved(seat, INDEX[role], known(drawn), ints(court))
            case _:
                self._fold_consequence(event)

    def _fold_consequence(self, event: Event) -> None:
        match event:
            case LossDemanded(seat):
                self.f_loss_demanded(seat)
            case InfluenceLost(seat, role):
                self.f_influence_lost(seat, INDEX[role])
            case CoinsTaken(seat, coins):
                self.f_coins_taken(seat, coins)
            case CoinsStolen(seat, victim, coins):
                self.f_coins_stolen(seat, victim, coins)
            case CardsDrawn(seat, _, asked, roles):
                self.f_cards_drawn(seat, ints(roles), asked)
            case CardsReturned(seat, kept, court):
                self.f_cards_returned(seat, ints(kept), ints(court))
            case ExamineDemanded(seat):
                self.f_examine_demanded(seat)
            case CardExamined(seat, target, role):
                self.f_card_examined(seat, target, known(role))
            case CardLeft(seat, target):
                self.f_card_left(seat, target)
            case CardReplaced(seat, target, returned, drawn, court):
                self.f_card_replaced(seat, target, known(returned), known(drawn), ints(court))
            case SeatEliminated(seat, coins):
                self.f_seat_eliminated(seat, coins)
            case CoupWon(winners):
                self.f_won(winners)
            case _:
                raise AssertionError(f"an event of Coup without a fold: {event}")


def ints(roles: Sequence[Role] | None) -> list[int]:
    """Return roles as cards; a stored fact always has them."""
    return [INDEX[role] for role in roles or ()]


def known(role: Role | None) -> int:
    """Return a role as a card, NOBODY for none."""
    return NOBODY if role is None else INDEX[role]
