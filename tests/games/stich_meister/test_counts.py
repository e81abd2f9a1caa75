"""Counted positions: how many ways small hands can be played, by the engine and by the oracle, which is written independently."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.messages import PlayCard
from tafelrunde.domain.stich_meister.table import StichTable
from tests.games.stich_meister.audit import card
from tests.games.stich_meister.kit import Scene, Script, cards
from tests.games.stich_meister.oracle import Card, Oracle, Play

HANDS = ("f2 f9 c6 k3", "f6 c4 k8 t5", "c2 k6 k9 t4")
"""Three seats with four cards each."""


def ways(table: StichTable) -> int:
    """Count the sequences of plays until all cards are played, by the engine."""
    if not any(table.hands):
        return 1
    seat = Seat(table.asked[0])
    total = 0
    for command in GAME.legal(table, seat):
        assert isinstance(command, PlayCard)
        work = table.copy()
        GAME.play(work, seat, command, Script())
        total += ways(work)
    return total


def ways_by_oracle(law: Oracle, hands: list[set[Card]], leader: int, number: int, trick: list[Play]) -> int:
    """Count them by the rulings."""
    if not any(hands):
        return 1
    seat = law.turns(leader, number, len(hands))[len(trick)]
    total = 0
    for played in law.may_play(sorted(hands[seat]), [play.card for play in trick]):
        left = [hand - {played} for hand in hands]
        known = law._replace(shown=played[0]) if 21 in law.rules and number == 2 and not trick else law
        lying = [*trick, Play(seat, played)]
        if len(lying) < len(hands):
            total += ways_by_oracle(known, left, leader, number, lying)
        else:
            total += ways_by_oracle(known, left, known.next_leader(known.winner(lying), len(hands)), number + 1, [])
    return total


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        ((52, 53, 54, 55), 456),
        ((5, 17, 28, 36), 192),
        ((21, 27, 28, 37), 298),
        ((1, 20, 29, 30), 284),
        ((3, 31, 32, 36), 824),
        ((16, 27, 33, 37), 368),
    ],
)
def test_ways_to_play_small_hands_are_counted(rules: tuple[int, ...], count: int) -> None:
    """Who may play what, who wins and who leads next decide how many ways there are."""
    hands = [{card(each) for each in cards(said)} for said in HANDS]
    assert ways(Scene(rules, *HANDS).table) == count
    assert ways_by_oracle(Oracle(frozenset(rules)), hands, 0, 1, []) == count
