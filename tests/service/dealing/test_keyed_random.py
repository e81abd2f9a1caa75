"""Draws: every number and every order is equally likely."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from tafelrunde.service.dealing import keyed_random
from tafelrunde.service.dealing.keyed_random import Draw

CARDS = 52
SECRETS = 3_000
CHI_SQUARE_2601 = 2_830.0
"""The 99.9 % quantile of chi-square with 51 x 51 degrees of freedom is about 2,830."""


def key(number: int) -> bytes:
    """Return a secret's bytes."""
    return hashlib.sha256(str(number).encode()).digest()


def test_card_is_at_every_place_equally_often_when_a_deck_is_shuffled() -> None:
    """52 cards, 52 places, 3,000 secrets (chi-square)."""
    seen = Counter[tuple[int, int]]()
    for number in range(SECRETS):
        seen.update(enumerate(Draw(key(number), "deck").shuffle(range(CARDS))))
    expected = SECRETS / CARDS
    cells = ((place, card) for place in range(CARDS) for card in range(CARDS))
    assert sum((seen[cell] - expected) ** 2 / expected for cell in cells) < CHI_SQUARE_2601


class Scripted(Draw):
    """A draw whose numbers are given."""

    def __init__(self, numbers: list[int]) -> None:
        super().__init__(b"", "")
        self._numbers = numbers

    def _next(self) -> int:
        return self._numbers.pop(0)


@pytest.mark.parametrize("bound", range(1, 17))
def test_each_result_is_equally_likely_when_numbers_are_dropped(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over numbers of four bits, all of them tried: those kept give every result equally often, and few are dropped."""
    monkeypatch.setattr(keyed_random, "RANGE", 16)
    kept = Counter[int]()
    for number in range(16):
        draw = Scripted([number, 0])
        result = draw.below(bound)
        kept[result] += len(draw._numbers)
    assert set(kept.values()) == {16 // bound}
    assert set(kept) == set(range(bound))


def test_numbers_are_dropped_when_the_bound_does_not_divide_their_range() -> None:
    """Just above the half of the range almost every second number is dropped; what is kept is below the bound."""
    bound = (1 << 63) + 1
    dropped = 0
    for number in range(400):
        draw, plain = Draw(key(number), "half"), Draw(key(number), "half")
        first = plain.below(1 << 64)
        result = draw.below(bound)
        assert result < bound
        dropped += result != first
    assert 140 < dropped < 260
