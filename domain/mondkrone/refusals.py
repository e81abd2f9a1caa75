"""Why a move of Mondkrone is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ..game import Choice, Refusal
from . import stages
from .cards import CARDS, SUITS, SUITS_OF, cards_in
from .conditions import PLACES, results
from .messages import MondkroneCommand
from .move_codec import command_of, move_of
from .moves import BOTH, DISCARD, DROP_OUT, LAY_ASIDE, PLAY, Move, legal, rivals, thinkable
from .table import MondkroneTable


class MondkroneRefusal(Enum):
    """All reasons, each with a text under `mondkrone.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    CARD_NOT_HELD = "card-not-held"
    SAME_CARD_TWICE = "same-card-twice"
    WOULD_NOT_LEAD = "would-not-lead"
    WOULD_LEAD_IN_NONE = "would-lead-in-none"
    NOTHING_COUNTS = "nothing-counts"
    NOT_IN_PALETTE = "not-in-palette"
    NOT_INVOLVED = "not-involved"
    WRONG_NUMBER = "wrong-number"
    NOT_ONE_SET_EACH = "not-one-set-each"


def why_not(table: MondkroneTable, seat: int, command: MondkroneCommand) -> Refusal | None:
    """Return why a move is refused, None if and only if it is legal."""
    move = move_of(command)
    allowed = legal(table, seat)
    if not allowed:
        return Refusal(MondkroneRefusal.NOT_ASKED.value)
    return None if move in allowed else _reason(table, seat, move)


def menu(table: MondkroneTable, seat: int) -> list[Choice]:
    """Return what a seat could think of, each with why it is refused."""
    allowed = frozenset(legal(table, seat))
    found = thinkable(table, seat)
    return [Choice(command_of(move), None if move in allowed else _reason(table, seat, move)) for move in found]


def _reason(table: MondkroneTable, seat: int, move: Move) -> Refusal:
    """Return why a move of an asked seat is not legal."""
    verb, argument = move
    if (verb == LAY_ASIDE) != (table.stage is stages.SCORING) or verb == DROP_OUT:
        return Refusal(MondkroneRefusal.NOT_NOW.value)
    if verb == LAY_ASIDE:
        return _scoring(table, seat, argument)
    cards = divmod(argument, PLACES) if verb == BOTH else (argument,)
    return _holding(table.hands[seat], cards) or _leading(table, seat, verb, cards)


def _holding(hand: Sequence[int], cards: Sequence[int]) -> Refusal | None:
    """Return which card is missing, or that one is meant to be in two places."""
    missing = [card for card in cards if card not in hand]
    if missing:
        return Refusal(MondkroneRefusal.CARD_NOT_HELD.value, {"card": CARDS[missing[0]].value})
    if len(set(cards)) < len(cards):
        return Refusal(MondkroneRefusal.SAME_CARD_TWICE.value, {"card": CARDS[cards[0]].value})
    return None


def _leading(table: MondkroneTable, seat: int, verb: int, cards: Sequence[int]) -> Refusal:
    """Return a condition in which the seat would not lead, and who would."""
    palette = table.palettes[seat] | (0 if verb == DISCARD else 1 << cards[0])
    top = table.pile[-1] if verb == PLAY else cards[-1]
    own = results(palette)
    best = rivals(table, seat)
    missed = [condition for condition in SUITS_OF[top] if own[condition] <= best[condition]]
    led = [condition for condition in missed if best[condition]]
    if not led:
        return Refusal(MondkroneRefusal.NOTHING_COUNTS.value, {"condition": SUITS[missed[0]].value})
    none = verb == PLAY and len(missed) > 1
    code = MondkroneRefusal.WOULD_LEAD_IN_NONE if none else MondkroneRefusal.WOULD_NOT_LEAD
    leader = leader_among(table, [other for other in table.inside() if other != seat], led[0])
    return Refusal(code.value, {"condition": SUITS[led[0]].value, "leader": leader})


def leader_among(table: MondkroneTable, seats: Sequence[int], condition: int) -> int:
    """Return who of some seats has the best result in a condition."""
    return max(seats, key=lambda seat: results(table.palettes[seat])[condition])


def _scoring(table: MondkroneTable, seat: int, cards: int) -> Refusal:
    """Return what is wrong with cards that are to be laid aside."""
    foreign = cards & ~table.palettes[seat]
    if foreign:
        return Refusal(MondkroneRefusal.NOT_IN_PALETTE.value, {"card": CARDS[cards_in(foreign)[0]].value})
    if table.options.scoring == "all_cards":
        return Refusal(MondkroneRefusal.NOT_ONE_SET_EACH.value)
    if cards.bit_count() != 1:
        return Refusal(MondkroneRefusal.WRONG_NUMBER.value, {"given": cards.bit_count()})
    return Refusal(MondkroneRefusal.NOT_INVOLVED.value, {"card": CARDS[cards.bit_length() - 1].value})
