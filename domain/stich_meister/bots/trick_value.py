"""What tricks are worth to a seat under the rules in force, as the honest bot reckons."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ..cards import CARDS
from ..rule_cards import Rule
from ..rules import last_of
from ..scoring import NO_TRICK_POINTS, ONE_TRICK_POINTS, POINTS, VALUE, Held, Scene
from ..trick import Law
from ..view import StichView

HOPE: Final = 0.25
"""How much of the points for holding no trick counts while the round is young; all of them count at its end."""


@lru_cache(maxsize=256)
def card_points(law: Law) -> tuple[int, ...]:
    """Return what each card gives to who holds it."""
    found = [0] * CARDS
    for rule in law.rules:
        for card in range(CARDS):
            if rule in POINTS:
                found[card] += POINTS[rule][card]
            elif rule == Rule.MINUS_TRUMP and law.trumps.strength[card]:
                found[card] -= 1
    return tuple(found)


class Worth(NamedTuple):
    """What a round's rules make of tricks, from one seat's place.

    `plus` and `minus` are, for each seat, what a point and a minus point of it are worth to this seat; `bonus` what the next
    trick gives besides its value.
    """

    law: Law
    scene: Scene
    points: tuple[int, ...]
    values: tuple[int, ...]
    plus: tuple[float, ...]
    minus: tuple[float, ...]
    bonus: tuple[float, ...]
    shift: int
    progress: float

    def points_of(self, cards: Sequence[int], number: int) -> int:
        """Return the points of a trick for who holds it."""
        value = 1
        if self.values:
            held = Held(0, number, tuple(cards))
            for rule in self.values:
                value = VALUE[rule](value, held, self.scene)
        return value + sum(self.points[card] for card in cards)

    def to_win(self, winner: int, points: float) -> float:
        """Return what it is worth to this seat that *winner* wins a trick of that number of points."""
        holder = (winner + self.shift) % self.scene.seats
        gained = points + self.bonus[holder]
        return gained * (self.plus if gained >= 0 else self.minus)[holder]


def worth_for(view: StichView, law: Law, own: int) -> Worth:
    """Return what tricks are worth to a seat."""
    seats = len(view.seats)
    rules = view.rules
    last = last_of(rules, seats)
    progress = view.number / last
    scene = Scene([], last, [strength > 0 for strength in law.trumps.strength], seats)
    return Worth(
        law=law,
        scene=scene,
        points=card_points(law),
        values=tuple(rule for rule in rules if rule in VALUE),
        plus=tuple(_share(rules, own, seat, seats, 1) for seat in range(seats)),
        minus=tuple(_share(rules, own, seat, seats, -1) for seat in range(seats)),
        bonus=tuple(_bonus(rules, each.tricks, progress) for each in view.seats),
        shift=1 if Rule.GIVE_TRICK_LEFT in rules else 0,
        progress=progress,
    )


def _share(rules: Sequence[int], own: int, holder: int, seats: int, sign: int) -> float:
    """Return what a point of *holder* brings this seat, less what it brings the others on average."""
    gains = [0.0] * seats
    gains[holder] += 1
    if Rule.LEFT_TOTAL in rules:
        gains[holder - 1] += 1
    if Rule.RIGHT_MINUS in rules and sign < 0:
        gains[(holder + 1) % seats] -= 1
    if Rule.NEGATED in rules:
        gains = [-gain for gain in gains]
    return gains[own] - (sum(gains) - gains[own]) / (seats - 1)


def _bonus(rules: Sequence[int], tricks: int, progress: float) -> float:
    """Return what one more trick means for the points for holding none or one."""
    found = 0.0
    if Rule.NO_TRICK in rules and tricks == 0:
        found -= NO_TRICK_POINTS * (HOPE + (1 - HOPE) * progress)
    if Rule.ONE_TRICK in rules and tricks < 2:
        found += ONE_TRICK_POINTS * progress * progress * (1 if tricks == 0 else -1)
    return found


def kept_points(worth: Worth, card: int) -> float:
    """Return what it is worth to keep a card to the end: under rule 40 it becomes a trick, otherwise nothing."""
    if Rule.HAND_TRICKS not in worth.law.rules:
        return 0.0
    return worth.points_of((card,), 0) * worth.progress


def gives_all_away(worth: Worth, number: int) -> bool:
    """Return whether who wins this trick gives all its tricks away."""
    return Rule.GIVE_ALL_AWAY in worth.law.rules and number == worth.scene.last
