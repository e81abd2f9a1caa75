"""The rules of Duel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

import msgspec

from tafelrunde.domain.game import (
    AnyGame,
    Ask,
    Bot,
    Budget,
    Chance,
    Character,
    Choice,
    DecisionId,
    Game,
    GameId,
    Hand,
    InvalidOptions,
    Level,
    Message,
    Pace,
    Placing,
    Refusal,
    Rng,
    Rulebook,
    Seat,
    Shown,
    Standing,
)
from tafelrunde.domain.seats import NOBODY
from tests.support.duel.messages import (
    EVENT_TYPES,
    MESSAGES,
    Bid,
    BidMade,
    BidsShown,
    CardPlayed,
    Dealt,
    DuelCommand,
    DuelEvent,
    DuelOptions,
    DuelRefusal,
    DuelView,
    PlayCard,
    Scored,
    TrickTaken,
)
from tests.support.duel.table import DECK, DuelTable, suit

EXACT_BID = 3
STEADY = Character(
    Level.RULES, Message(de="Der Stete", en="Steady"), Message(de="nimmt den ersten Zug", en="takes the first move")
)


class RandomBot:
    """Takes any legal command."""

    def choose(self, view: DuelView, legal: Sequence[DuelCommand], rng: Rng, budget: Budget) -> DuelCommand:
        """Return one of *legal*."""
        return legal[rng.randrange(len(legal))]


class SteadyBot:
    """Takes the first legal command."""

    def choose(self, view: DuelView, legal: Sequence[DuelCommand], rng: Rng, budget: Budget) -> DuelCommand:
        """Return the first of *legal*."""
        return legal[0]


def set_up(table: DuelTable, chance: Chance) -> None:
    """Deal, and draw who leads."""
    size, fixed = table.options.cards, table.options.first_seat
    first = Seat(fixed if fixed is not None else chance.below("first", table.seats))
    deck = chance.shuffle("deal", DECK)
    table.f_dealt(first, [deck[seat * size : (seat + 1) * size] for seat in range(table.seats)])


def waiting(table: DuelTable) -> int:
    """Return the first seat that has not answered, NOBODY if none is asked."""
    return next((seat for seat in table.asked() if table.shown or table.bids[seat] is None), NOBODY)


def itself(command: DuelCommand) -> DuelCommand:
    """Return the command: it is its own move."""
    return command


def apply(table: DuelTable, seat: int, command: DuelCommand, chance: Chance) -> None:
    """Carry out a legal move."""
    match command:
        case Bid(tricks):
            table.f_bid_made(Seat(seat), tricks)
            if None not in table.bids:
                table.f_bids_shown(tuple(cast("list[int]", table.bids)))
        case PlayCard(card):
            table.f_card_played(Seat(seat), card)
            if not table.trick():
                _settle(table)


def _settle(table: DuelTable) -> None:
    """Give the full trick to its winner, and count when it was the last one."""
    trick = table.plays[-table.seats :]
    led = suit(trick[0][1])
    winner = max((play for play in trick if suit(play[1]) == led), key=lambda play: play[1])[0]
    played = len(table.plays) // table.seats
    table.f_trick_taken(winner, table.options.prizes[played - 1] if table.options.prizes else 1)
    if not any(table.hands):
        exact = [EXACT_BID * (taken == bid) for taken, bid in zip(table.taken, table.bids, strict=True)]
        table.f_scored(tuple(points + extra for points, extra in zip(table.points, exact, strict=True)))


def fold(table: DuelTable, event: DuelEvent) -> None:
    """Apply a stored fact."""
    match event:
        case Dealt(first, hands):
            table.f_dealt(first, hands)
        case BidMade(seat, tricks):
            table.f_bid_made(seat, tricks)
        case BidsShown(bids):
            table.f_bids_shown(bids)
        case CardPlayed(seat, card):
            table.f_card_played(seat, card)
        case TrickTaken(seat, prize):
            table.f_trick_taken(seat, prize)
        case Scored(scores):
            table.f_scored(scores)


def legal(table: DuelTable, seat: int) -> list[DuelCommand]:
    """Return the moves of a seat."""
    if seat not in table.asked():
        return []
    if table.shown:
        return [PlayCard(card) for card in table.playable(seat)]
    return [Bid(tricks) for tricks in range(table.options.cards + 1) if tricks != table.bids[seat]]


def why_not(table: DuelTable, seat: int, command: DuelCommand) -> Refusal | None:
    """Return why a move is refused."""
    if seat not in table.asked():
        return _refusal(DuelRefusal.NOT_ASKED)
    match command:
        case Bid(tricks):
            return _against_bid(table, seat, tricks)
        case PlayCard(card):
            return _against_card(table, seat, card)


def menu(table: DuelTable, seat: int) -> list[Choice]:
    """Return what a seat could think of."""
    if seat not in table.asked():
        return []
    bids = [Bid(tricks) for tricks in range(table.options.cards + 1)]
    thinkable = [PlayCard(card) for card in table.hands[seat]] if table.shown else bids
    return [Choice(command, why_not(table, seat, command)) for command in thinkable]


def default(table: DuelTable, seat: int) -> DuelCommand:
    """Return the first move."""
    return legal(table, seat)[0]


def view(table: DuelTable, seat: Seat | None) -> DuelView:
    """Return what a seat may know."""
    return DuelView(
        seat=seat,
        options=table.options,
        decision=table.decision,
        first=table.first,
        hand=tuple(table.hands[seat]) if seat is not None else None,
        held=tuple(len(hand) for hand in table.hands),
        bid=table.bids[seat] if seat is not None else None,
        bids=tuple(cast("list[int]", table.bids)) if table.shown else None,
        plays=tuple(table.plays),
        voids=tuple(tuple(sorted(void)) for void in table.voids),
        taken=tuple(table.taken),
        points=tuple(table.points),
        scores=table.scores,
    )


def dealt(table: DuelTable, event: DuelEvent) -> tuple[Hand, ...]:
    """Return all hands after a deal."""
    if not isinstance(event, Dealt):
        return ()
    return tuple(Hand(Seat(seat), tuple(map(str, hand))) for seat, hand in enumerate(table.hands))


def shown(event: DuelEvent) -> tuple[Shown, ...]:
    """Return the card that comes out of a hand."""
    return (Shown(event.seat, str(event.card)),) if isinstance(event, CardPlayed) else ()


def determinize(view: DuelView, rng: Rng) -> DuelTable:
    """Return a table that agrees with a view."""
    table = DuelTable(view.options, len(view.held))
    table.decision, table.first, table.scores = view.decision, view.first, view.scores
    table.turn, table.shown = _turn(view), view.bids is not None
    table.plays, table.voids = list(view.plays), [set(void) for void in view.voids]
    table.taken, table.points = list(view.taken), list(view.points)
    table.hands = _deal(view, rng)
    table.bids = list(view.bids) if view.bids is not None else _guess_bids(view, rng)
    return table


RULEBOOK = Rulebook(
    set_up=set_up,
    waiting=waiting,
    legal=legal,
    apply=apply,
    default=default,
    command_of=itself,
    move_of=itself,
    why_not=why_not,
    menu=menu,
    fold=fold,
    view=view,
    dealt=dealt,
    shown=shown,
    determinize=determinize,
)


class DuelGame(Game[DuelOptions, DuelTable, DuelCommand, DuelCommand, DuelEvent, DuelView]):
    """The rules of Duel."""

    id = GameId("duel")
    rules_version = 1
    min_seats = 2
    max_seats = 4
    rulebook = RULEBOOK
    options_type = DuelOptions
    command_types = (Bid, PlayCard)
    event_types = EVENT_TYPES
    view_type = DuelView
    refusals = DuelRefusal
    messages = MESSAGES
    characters = MappingProxyType({"steady": STEADY})

    def check(self, options: DuelOptions, seats: int) -> None:
        if options.prizes and len(options.prizes) != options.cards:
            raise InvalidOptions("prizes", "one prize for each card")
        if options.first_seat is not None and options.first_seat >= seats:
            raise InvalidOptions("first_seat", "no such seat")

    def create(self, options: DuelOptions, seats: int) -> DuelTable:
        return DuelTable(options, seats)

    def pending(self, table: DuelTable) -> Ask | None:
        seats = table.asked()
        if not seats:
            return None
        decision = DecisionId(table.decision)
        if table.shown:
            trick = len(table.plays) // table.seats + 1
            return Ask(decision, seats, seats, "duel.prompt.play", {"seat": table.turn, "trick": trick}, Pace.TURN)
        missing = tuple(seat for seat in seats if table.bids[seat] is None)
        return Ask(decision, seats, missing, "duel.prompt.bid", {"cards": table.options.cards}, Pace.REACTION)

    def answered(self, table: DuelTable, seat: Seat) -> DuelCommand | None:
        bid = None if table.shown else table.bids[seat]
        return None if bid is None else Bid(bid)

    def standing(self, table: DuelTable) -> Standing | None:
        if (scores := table.scores) is None:
            return None
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        return Standing(tuple(Placing(Seat(seat), rank, scores[seat]) for seat, rank in enumerate(ranks)))

    def rematch(self, options: DuelOptions, standing: Standing) -> DuelOptions:
        return msgspec.structs.replace(options, first_seat=standing.winners[0])

    def bots(self) -> Mapping[str, Bot[DuelView, DuelCommand]]:
        return {"steady": SteadyBot(), "random": RandomBot()}


def _refusal(code: DuelRefusal, **arguments: int) -> Refusal:
    return Refusal(code.value, arguments)


def _against_bid(table: DuelTable, seat: int, tricks: int) -> Refusal | None:
    if table.shown:
        return _refusal(DuelRefusal.NOT_NOW)
    if not 0 <= tricks <= table.options.cards:
        return _refusal(DuelRefusal.NO_SUCH_BID, cards=table.options.cards)
    return _refusal(DuelRefusal.BID_UNCHANGED, tricks=tricks) if tricks == table.bids[seat] else None


def _against_card(table: DuelTable, seat: int, card: int) -> Refusal | None:
    if not table.shown:
        return _refusal(DuelRefusal.NOT_NOW)
    if card not in table.hands[seat]:
        return _refusal(DuelRefusal.CARD_NOT_HELD)
    return None if card in table.playable(seat) else _refusal(DuelRefusal.MUST_FOLLOW_SUIT, suit=suit(table.trick()[0][1]))


def _turn(view: DuelView) -> Seat:
    """Return whose turn it is, which the open cards tell."""
    seats, plays = len(view.held), view.plays
    if not plays:
        return view.first or Seat(0)
    if len(plays) % seats:
        return Seat((plays[-1][0] + 1) % seats)
    trick = plays[-seats:]
    return max((play for play in trick if suit(play[1]) == suit(trick[0][1])), key=lambda play: play[1])[0]


def _deal(view: DuelView, rng: Rng) -> list[list[int]]:
    """Deal what the viewer cannot see, until nobody holds a suit that it was seen not to have."""
    known = {card for _, card in view.plays} | set(view.hand or ())
    unseen = [card for card in DECK if card not in known]
    while True:
        rng.shuffle(unseen)
        rest = iter(unseen)
        hands = [
            list(view.hand) if view.hand is not None and seat == view.seat else sorted(next(rest) for _ in range(held))
            for seat, held in enumerate(view.held)
        ]
        if all(suit(card) not in view.voids[seat] for seat, hand in enumerate(hands) for card in hand):
            return hands


def _guess_bids(view: DuelView, rng: Rng) -> list[int | None]:
    """Give others a bid or none; all of them together were already shown."""
    if view.first is None:
        return [None] * len(view.held)
    bids: list[int | None] = [rng.randrange(view.options.cards + 1) if rng.randrange(2) else None for _ in view.held]
    if view.seat is not None:
        bids[view.seat] = view.bid
    if None not in bids:
        others = [seat for seat in range(len(bids)) if seat != view.seat]
        bids[others[rng.randrange(len(others))]] = None
    return bids


DUEL = DuelGame()
GAMES: Mapping[GameId, AnyGame] = {DUEL.id: cast("AnyGame", DUEL)}
