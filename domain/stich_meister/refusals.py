"""Why a move of Stich-Meister is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, assert_never

from ..game import Choice, Refusal
from . import stages
from .cards import CARDS, FOLLOWED, SUITS, suit_of, value_of
from .messages import ChooseRule, OpenCards, PassCards, PlayCard, SetCardAside, StichCommand, TakeCardOut
from .move_codec import FEW, SINGLES, commands_of
from .moves import has_answered, legal
from .table import StichTable
from .trick import must_follow, playable


class StichRefusal(Enum):
    """All reasons, each with a text under `stich-meister.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    ALREADY_ANSWERED = "already-answered"
    RULE_NOT_HELD = "rule-not-held"
    CARD_UNKNOWN = "card-unknown"
    CARD_NOT_HELD = "card-not-held"
    CARD_TWICE = "card-twice"
    WRONG_NUMBER = "wrong-number"
    MUST_FOLLOW = "must-follow"
    MUST_TRUMP = "must-trump"
    NOT_IN_TRICK = "not-in-trick"


ANSWERS: Final[Mapping[int, type[StichCommand]]] = {
    stages.CHOOSE: ChooseRule,
    stages.RIGHTWARD: PassCards,
    stages.LEFTWARD: PassCards,
    stages.SET_ASIDE: SetCardAside,
    stages.OPEN: OpenCards,
    stages.LEAD: PlayCard,
    stages.PLAY: PlayCard,
    stages.PLAY_HIDDEN: PlayCard,
    stages.TAKE_OUT: TakeCardOut,
    stages.LEFTWARD_LATER: PassCards,
}
"""The command that answers each stage."""


def menu(table: StichTable, seat: int) -> list[Choice]:
    """Return what a seat could think of: to a trick every card of its hand, otherwise what is legal."""
    allowed = legal(table, seat)
    if table.stage not in (stages.PLAY, stages.PLAY_HIDDEN) or not allowed:
        return [Choice(command, None) for command in commands_of(allowed)]
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
            assert_never(command)


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
