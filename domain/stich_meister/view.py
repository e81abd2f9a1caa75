"""What one viewer may know of a game of Stich-Meister, built by allow-list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from ..game import DecisionId, GameView, Seat
from ..seats import seat_or_none
from . import stages
from .card_knowledge import EVERYBODY
from .cards import FOLLOWED, SUITS, Suit, deck_for, suit_of
from .deciding import Deciding, decision
from .events import StichPlay, StichScoreLine
from .messages import CardNumber, RuleNumber, StichOptions
from .rule_cards import Rule
from .table import NOBODY, Lines, StichTable, Taken
from .trick import must_follow
from .trump import NO_SUIT, ladder, trumps

FOLLOWING: Final = (stages.PLAY, stages.PLAY_HIDDEN)
"""The stages in which a card may have to follow, once one has been led."""

SECOND: Final = 2
"""The trick whose first card rule 21 looks at."""


class StichSeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as the viewer may know it.

    `hand_size` counts the open cards too, but not the card set aside. `lacks` are unseen cards that this seat, as everyone
    could see from what it played, has not in its hand; without those that the viewer knows better.
    """

    seat: Seat
    hand_size: int
    rule_cards: int
    open_cards: tuple[CardNumber, ...]
    aside: bool
    tricks: int
    score: int
    lacks: tuple[CardNumber, ...]


class StichTrickReason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a card won its trick: what it was (text `stich-meister.trick-reason.<deciding>`), and the rules that made it win.

    These are the rules without which another card would have won, and those that made a winning trump trump; none if the
    trick was won as it is without rule cards.
    """

    deciding: Deciding
    rules: tuple[int, ...]


class StichTrickView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished trick; `holder` is the seat before which it lies, `out` the card taken out. Number 0: a card of rule 40.

    `reason` says why the winner's card won; None for a card of rule 40.
    """

    number: int
    plays: tuple[StichPlay, ...]
    winner: Seat
    reason: StichTrickReason | None
    holder: Seat
    out: CardNumber | None


class StichTrumpRung(msgspec.Struct, frozen=True, kw_only=True):
    """Trumps of one strength, which the rules named made trump: of these the one played later is higher."""

    rules: tuple[int, ...]
    cards: tuple[CardNumber, ...]


class StichKnownCard(msgspec.Struct, frozen=True, kw_only=True):
    """A hidden card that the viewer knows to be in one of these `hands`, or set aside before one of `asides`."""

    card: CardNumber
    hands: tuple[Seat, ...]
    asides: tuple[Seat, ...]


class StichRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round; `chosen` has only the viewer's own choice of rule until the match is over."""

    round: int
    dealer: Seat
    rules: tuple[int, ...]
    chosen: tuple[int | None, ...]
    lines: tuple[StichScoreLine, ...]
    scores: tuple[int, ...]


class StichView(GameView, frozen=True, kw_only=True, tag="stich-meister"):
    """A game of Stich-Meister as one viewer may know it.

    `rules` are in force, in number order; `trumps` are the trump cards in play, strongest first; `shown_suit` is what rule 21
    made trump. `hand`, `rule_cards`, `aside`
    and `answer` (the secret choice that it has made in the open decision) are the viewer's own. `chosen` is its rule card of this
    round. `step` is 1 if play goes clockwise, `follow` what the next card must follow: a suit's name or `trump`. `trick` are
    the cards on the table in the order of play, `tricks` those finished in this round, the last trick last, and `last_tricks`
    those of the round before, as they were scored.
    """

    options: StichOptions
    seat: Seat | None
    stage: str
    decision: DecisionId
    round: int
    dealer: Seat | None
    rules: tuple[RuleNumber, ...]
    chosen: RuleNumber | None
    trumps: tuple[StichTrumpRung, ...]
    shown_suit: Suit | None
    seats: tuple[StichSeatView, ...]
    hand: tuple[CardNumber, ...]
    rule_cards: tuple[RuleNumber, ...]
    aside: CardNumber | None
    answer: tuple[int, ...]
    known: tuple[StichKnownCard, ...]
    number: int
    leader: Seat | None
    step: int
    asked: tuple[Seat, ...]
    follow: str | None
    trick: tuple[StichPlay, ...]
    winner: Seat | None
    tricks: tuple[StichTrickView, ...]
    last_tricks: tuple[StichTrickView, ...]
    rounds: tuple[StichRoundView, ...]


def view(table: StichTable, seat: Seat | None) -> StichView:
    """Return what *seat* (None: a spectator) may know."""
    own = NOBODY if seat is None else seat
    known = _known(table, own)
    return StichView(
        options=table.options,
        seat=seat,
        stage=table.stage.key,
        decision=DecisionId(table.decision),
        round=table.round,
        dealer=seat_or_none(table.dealer),
        rules=table.rules,
        chosen=_chosen(table, own),
        trumps=_rungs(table.rules, table.second, table.seats),
        shown_suit=None if table.second == NO_SUIT else SUITS[table.second],
        seats=tuple(_seat(table, place, own, known) for place in range(table.seats)),
        hand=() if seat is None else tuple(table.hands[seat]),
        rule_cards=() if seat is None else table.rule_hands[seat],
        aside=None if seat is None or table.aside[seat] == NOBODY else table.aside[seat],
        answer=() if seat is None else table.answers[seat],
        known=known,
        number=table.number,
        leader=seat_or_none(table.leader),
        step=table.step,
        asked=tuple(map(Seat, table.asked)),
        follow=FOLLOWED[must_follow(table.law, table.trick)] if table.trick and table.stage in FOLLOWING else None,
        trick=plays_of(table.leader, table.step, table.trick, table.seats),
        winner=seat_or_none(table.winner) if table.trick else None,
        tricks=_tricks(table.tricks, table.rules, table.seats),
        last_tricks=_tricks(table.last_tricks, table.rounds[table.round - 2][1] if table.last_tricks else (), table.seats),
        rounds=tuple(_round(table, number, own) for number in range(len(table.rounds))),
    )


def plays_of(leader: int, step: int, cards: Sequence[int], seats: int) -> tuple[StichPlay, ...]:
    """Return cards of a trick with who played them."""
    return tuple(StichPlay(Seat((leader + step * place) % seats), card) for place, card in enumerate(cards))


def _chosen(table: StichTable, own: int) -> int | None:
    """Return the rule card that the viewer chose for this round, None before all are shown."""
    if own == NOBODY or not table.rules or table.chosen[-1][own] == NOBODY:
        return None
    return table.chosen[-1][own]


@lru_cache(maxsize=256)
def _rungs(rules: tuple[int, ...], second: int, seats: int) -> tuple[StichTrumpRung, ...]:
    return tuple(
        StichTrumpRung(rules=matching, cards=cards) for matching, cards in ladder(trumps(rules, second), deck_for(seats))
    )


def _seat(table: StichTable, seat: int, own: int, known: tuple[StichKnownCard, ...]) -> StichSeatView:
    return StichSeatView(
        seat=Seat(seat),
        hand_size=len(table.hands[seat]),
        rule_cards=len(table.rule_hands[seat]),
        open_cards=table.opened[seat],
        aside=table.aside[seat] != NOBODY,
        tricks=sum(trick.holder == seat for trick in table.tricks),
        score=table.scores[seat],
        lacks=() if seat == own else _lacks(table, seat, own, known),
    )


def _lacks(table: StichTable, seat: int, own: int, known: tuple[StichKnownCard, ...]) -> tuple[int, ...]:
    """Return the unseen cards that a hand is known not to have.

    What a seat lacked before the pass of rule 38 it may have been given, unless the giver lacked it too or is the viewer.
    """
    lacks = table.lacks[seat]
    if table.lacked is not None:
        giver = (seat - 1) % table.seats
        lacks |= table.lacked[seat] & (-1 if giver == own else table.lacked[giver])
    if not lacks:
        return ()
    seen = {each.card for each in known if seat not in each.hands or len(each.hands) + len(each.asides) == 1}
    seen |= seen_cards(table, own)
    return tuple(card for card in deck_for(table.seats) if lacks >> card & 1 and card not in seen)


def seen_cards(table: StichTable, own: int) -> set[int]:
    """Return the cards that a viewer sees, or has seen played: no one else hides them."""
    seen = {*table.trick}
    for trick in table.tricks:
        seen.update(trick.cards)
    for cards in table.opened:
        seen.update(cards)
    if own != NOBODY:
        seen.update(table.hands[own])
        seen.add(table.aside[own])
    return seen


def _known(table: StichTable, own: int) -> tuple[StichKnownCard, ...]:
    notes = [note for note in table.notes if note.observer in (own, EVERYBODY)]
    if not notes:
        return ()
    seen = seen_cards(table, own)
    return tuple(
        StichKnownCard(card=note.card, hands=_seats(note.hands), asides=_seats(note.asides))
        for note in sorted(notes, key=lambda note: note.card)
        if note.card not in seen
    )


def _seats(bits: int) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(bits.bit_length()) if bits >> seat & 1)


def _tricks(tricks: Sequence[Taken], rules: tuple[int, ...], seats: int) -> tuple[StichTrickView, ...]:
    """Return the finished tricks of one round, played under *rules*."""
    shown = NO_SUIT
    if Rule.SECOND_TRICK in rules:
        shown = next((suit_of(trick.cards[0]) for trick in tricks if trick.number == SECOND), NO_SUIT)
    return tuple([_trick(trick, seats, rules, shown if trick.number >= SECOND else NO_SUIT) for trick in tricks])


@lru_cache(maxsize=4_096)
def _trick(trick: Taken, seats: int, rules: tuple[int, ...], shown: int) -> StichTrickView:
    """Return a finished trick; `shown` is the suit that rule 21 had made trump by then."""
    number, leader, step, cards, winner, holder, out = trick
    return StichTrickView(
        number=number,
        plays=plays_of(leader, step, cards, seats),
        winner=Seat(winner),
        reason=_reason(number, rules, shown, cards, (winner - leader) * step % seats),
        holder=Seat(holder),
        out=None if out == NOBODY else out,
    )


def _reason(number: int, rules: tuple[int, ...], shown: int, cards: tuple[int, ...], place: int) -> StichTrickReason | None:
    """Return why the card at *place* won; None for a card of rule 40, or where today's rules would let another card win."""
    if not number:
        return None
    found = decision(rules, shown, cards)
    return StichTrickReason(deciding=found.deciding, rules=found.rules) if found.place == place else None


def _round(table: StichTable, number: int, own: int) -> StichRoundView:
    dealer, rules, lines, scores = table.rounds[number]
    over = table.stage is stages.OVER
    chosen = tuple(rule if rule != NOBODY and (over or seat == own) else None for seat, rule in enumerate(table.chosen[number]))
    return StichRoundView(round=number + 1, dealer=Seat(dealer), rules=rules, chosen=chosen, lines=lines_of(lines), scores=scores)


def lines_of(lines: Lines) -> tuple[StichScoreLine, ...]:
    """Return score lines as views show them."""
    return tuple(StichScoreLine(rule, totals) for rule, totals in lines)
