"""Moves: what a seat may do, and why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from ..game import Choice, Refusal
from .cards import CARDS, FOLLOWED, SUITS, suit_of, value_of
from .codes import ASIDE, FEW, OPEN, OUT, PASS, RULE, SINGLES, Few, Move
from .messages import ChooseRule, OpenCards, PassCards, PlayCard, SetCardAside, StichCommand, TakeCardOut
from .refusals import StichRefusal
from .table import GATHERED, NOBODY, Stage, StichTable
from .trick import must_follow, playable

ANSWERS: Mapping[int, type[StichCommand]] = {
    Stage.CHOOSE: ChooseRule,
    Stage.RIGHTWARD: PassCards,
    Stage.LEFTWARD: PassCards,
    Stage.SET_ASIDE: SetCardAside,
    Stage.OPEN: OpenCards,
    Stage.LEAD: PlayCard,
    Stage.PLAY: PlayCard,
    Stage.PLAY_HIDDEN: PlayCard,
    Stage.TAKE_OUT: TakeCardOut,
    Stage.LEFTWARD_LATER: PassCards,
}
"""The command that answers each stage."""


def has_answered(table: StichTable, seat: int) -> bool:
    """Return whether an asked seat has made its secret choice."""
    return table.stage in GATHERED and table.answers[seat] != ()


@lru_cache(maxsize=256)
def passes(hand: tuple[int, ...]) -> Sequence[StichCommand]:
    """Return every way to pass cards of a hand."""
    return tuple(map(PassCards, combinations(hand, FEW)))


@lru_cache(maxsize=256)
def openings(hand: tuple[int, ...]) -> Sequence[StichCommand]:
    """Return every way to lay cards of a hand open."""
    return tuple(map(OpenCards, combinations(hand, FEW)))


def waiting(table: StichTable) -> int:
    """Return the first seat that has not answered, NOBODY if none is asked."""
    asked = table.asked
    if table.stage in GATHERED:
        return next(seat for seat in asked if not table.answers[seat])
    return asked[0] if asked else NOBODY


def legal(table: StichTable, seat: int) -> list[StichCommand]:
    """Return every legal move of a seat as a command; none if it is not asked or has answered."""
    if seat not in table.asked or has_answered(table, seat):
        return []
    if table.stage in GIVING:
        return list(GIVING[table.stage](table.hands[seat]))
    return [SINGLES[move] for move in moves(table, seat)]


GIVING: Mapping[int, Callable[[tuple[int, ...]], Sequence[StichCommand]]] = {
    Stage.RIGHTWARD: passes,
    Stage.LEFTWARD: passes,
    Stage.OPEN: openings,
    Stage.LEFTWARD_LATER: passes,
}
"""Stages in which there are hundreds of moves."""


def moves(table: StichTable, seat: int) -> Sequence[Move]:
    """Return every move of an asked seat that has not answered, in a stable order."""
    return MOVES[table.stage](table, seat)


def _rules(table: StichTable, seat: int) -> Sequence[Move]:
    return [RULE + rule for rule in table.rule_hands[seat]]


def _passes(table: StichTable, seat: int) -> Sequence[Move]:
    return Few(PASS, table.hands[seat])


def _asides(table: StichTable, seat: int) -> Sequence[Move]:
    return [ASIDE + card for card in table.hands[seat]]


def _openings(table: StichTable, seat: int) -> Sequence[Move]:
    return Few(OPEN, table.hands[seat])


def _leads(table: StichTable, seat: int) -> Sequence[Move]:
    return table.hands[seat]


def _plays(table: StichTable, seat: int) -> Sequence[Move]:
    return playable(table.law, table.trick, table.hands[seat])


def _outs(table: StichTable, _: int) -> Sequence[Move]:
    return [OUT + card for card in table.trick]


MOVES: Mapping[int, Callable[[StichTable, int], Sequence[Move]]] = {
    Stage.CHOOSE: _rules,
    Stage.RIGHTWARD: _passes,
    Stage.LEFTWARD: _passes,
    Stage.SET_ASIDE: _asides,
    Stage.OPEN: _openings,
    Stage.LEAD: _leads,
    Stage.PLAY: _plays,
    Stage.PLAY_HIDDEN: _plays,
    Stage.TAKE_OUT: _outs,
    Stage.LEFTWARD_LATER: _passes,
}


def menu(table: StichTable, seat: int) -> list[Choice]:
    """Return what a seat could think of: to a trick every card of its hand, otherwise what is legal."""
    if table.stage not in (Stage.PLAY, Stage.PLAY_HIDDEN) or not legal(table, seat):
        return [Choice(command, None) for command in legal(table, seat)]
    return [Choice(SINGLES[card], why_not(table, seat, SINGLES[card])) for card in table.hands[seat]]


def why_not(table: StichTable, seat: int, command: StichCommand) -> Refusal | None:
    """Return why a move is refused, None if and only if it is legal."""
    if seat not in table.asked:
        return Refusal(StichRefusal.NOT_ASKED.value)
    if type(command) is not ANSWERS[table.stage]:
        return Refusal(StichRefusal.NOT_NOW.value)
    if has_answered(table, seat):
        return Refusal(StichRefusal.ALREADY_ANSWERED.value)
    match command:
        case ChooseRule(rule):
            held = rule in table.rule_hands[seat]
            return None if held else Refusal(StichRefusal.RULE_NOT_HELD.value, {"rule": rule})
        case PassCards(cards) | OpenCards(cards):
            return _why_not_few(table.hands[seat], cards)
        case PlayCard(card):
            return _why_not_held(table.hands[seat], card) or _why_not_play(table, seat, card)
        case SetCardAside(card):
            return _why_not_held(table.hands[seat], card)
        case TakeCardOut(card):
            return _why_not_held(table.trick, card, StichRefusal.NOT_IN_TRICK)
        case _:
            raise AssertionError(f"a command of Stich-Meister without a rule: {command}")


def _why_not_held(cards: Sequence[int], card: int, code: StichRefusal = StichRefusal.CARD_NOT_HELD) -> Refusal | None:
    if card in cards:
        return None
    if not 0 <= card < CARDS:
        return Refusal(StichRefusal.CARD_UNKNOWN.value, {"card": card})
    return Refusal(code.value, _named(card))


def _named(card: int) -> dict[str, str | int]:
    return {"suit": SUITS[suit_of(card)].value, "value": value_of(card)}


def _why_not_few(hand: Sequence[int], cards: tuple[int, ...]) -> Refusal | None:
    if len(cards) != FEW:
        return Refusal(StichRefusal.WRONG_NUMBER.value, {"wanted": FEW, "given": len(cards)})
    for place, card in enumerate(cards):
        if refusal := _why_not_held(hand, card):
            return refusal
        if card in cards[:place]:
            return Refusal(StichRefusal.CARD_TWICE.value, _named(card))
    return None


def _why_not_play(table: StichTable, seat: int, card: int) -> Refusal | None:
    """Return why a hand card may not be played: it must follow, or be a trump (rule 28)."""
    if card in playable(table.law, table.trick, table.hands[seat]):
        return None
    wanted = must_follow(table.law, table.trick)
    if any(table.law.suits[other] == wanted for other in table.hands[seat]):
        return Refusal(StichRefusal.MUST_FOLLOW.value, {"suit": FOLLOWED[wanted]})
    return Refusal(StichRefusal.MUST_TRUMP.value)
