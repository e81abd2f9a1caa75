"""How the strongest bot of Mondkrone plays a round out: each seat leaves the next one few answers, and keeps its hand long.

It looks at the next seat's hand, which is an imagined one: in a play-out all seats see all cards.
"""

from __future__ import annotations

from typing import Final

from ...game import Rng
from .. import stages
from ..cards import SUIT_BITS, SUITS_OF
from ..conditions import Results, best_of, better, leads, results
from ..moves import BOTH, DISCARD, DROP_OUT, LAY_ASIDE, PLAY, Move, choices, pair
from ..rules import next_inside
from ..table import MondkroneTable, worth

ANSWER: Final = 0.5
"""What each card with which the next seat could go on costs, where one more card in hand is worth 1."""
NONE: Final = 3.0
"""What it is worth besides that it has no such card."""
WHIM: Final = 3.0
"""By how much at most a move is valued too highly: players are not alike, and no play-out is certain."""
PUTS: Final = 64
"""Bit of a card that can be put on the pile, beside the conditions in which it would lead if it were played."""


def foreseeing(table: MondkroneTable, rng: Rng) -> Move:
    """Return a move that leads, most likely one with few answers, with one card or with two; else dropping out."""
    seat = table.turn
    if table.stage is stages.SCORING:
        return LAY_ASIDE, max(choices(table, seat), key=worth)
    found: Move = (DROP_OUT, 0)
    most = -1e9
    for value, move in weighed(table, seat):
        whim = value + WHIM * rng.random()
        if whim > most:
            most, found = whim, move
    return found


def weighed(table: MondkroneTable, seat: int) -> list[tuple[float, Move]]:
    """Return the moves after which a seat leads as it must, and what each is worth: cards in hand, less the answers to it."""
    hand = table.hands[seat]
    palette = table.palettes[seat]
    asked = SUIT_BITS[table.pile[-1]]
    after = Next(table, seat)
    draws = len(table.deck) if table.options.draw else 0
    left = len(hand) - 1
    now = results(palette)
    lead = leads(now, after.best)
    found: list[tuple[float, Move]] = []
    if lead:
        found += [(value, (DISCARD, put)) for value, put in _puts(hand, lead, after.answers(now), draws, left)]
    for card in hand:
        then = results(palette | 1 << card)
        lead = leads(then, after.best)
        if not lead:
            continue
        answers = after.answers(then)
        if lead & asked:
            found.append((left - _cost(answers, asked), (PLAY, card)))
        puts = _puts(hand, lead, answers, draws, left - 1)
        found += [(value, (BOTH, pair(card, put))) for value, put in puts if put != card]
    return found


def _puts(hand: list[int], lead: int, answers: list[int], draws: int, left: int) -> list[tuple[float, int]]:
    """Return the cards that a seat that leads in some conditions can put on the pile, and what each is worth."""
    return [
        (left + min(len(SUITS_OF[put]) - 1, draws) - _cost(answers, SUIT_BITS[put]), put)
        for put in hand
        if not SUIT_BITS[put] & ~lead
    ]


def _cost(answers: list[int], asked: int) -> float:
    """Return what it costs that the next seat can answer with some of its cards, where these conditions are asked for."""
    wanted = asked | PUTS
    count = 0
    for each in answers:
        if each & wanted:
            count += 1
    return ANSWER * count if count else -NONE


class Next:
    """The seat that comes next, and what its cards would do for it."""

    def __init__(self, table: MondkroneTable, seat: int) -> None:
        after = next_inside(table, seat)
        palette = table.palettes[after]
        out = table.out
        self._cards = table.hands[after]
        self._now = results(palette)
        self._then: list[Results] = [results(palette | 1 << card) for card in self._cards]
        self._others = best_of(
            [each for other, each in enumerate(table.palettes) if other not in (seat, after) and not out[other]]
        )
        self.best = better(self._others, self._now)
        """The best results of all others, which *seat* has to beat."""

    def answers(self, own: Results) -> list[int]:
        """Return for each card, as bits, in which conditions it would lead against *own* if played, and whether it `PUTS`."""
        best = better(self._others, own)
        missed = ~leads(self._now, best)
        return [
            leads(then, best) | (0 if SUIT_BITS[card] & missed else PUTS)
            for card, then in zip(self._cards, self._then, strict=True)
        ]
