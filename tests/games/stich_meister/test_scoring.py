"""Scoring: rules 41 to 60, in number order on running totals. All sums are done by hand."""

from __future__ import annotations

import pytest

from tafelrunde.domain.stich_meister.events import RoundScored
from tafelrunde.domain.stich_meister.messages import TakeCardOut
from tests.games.stich_meister.kit import Scene, card

PAST = ((1, 0, "f2 f3 f4 f5"), (2, 1, "f6 f8 c9 t11"), (5, 0, "k2 k10 k7 k15"), (6, 1, "c15 k14 c7 t13"))
LAST = "c2 c3 c4 c1"
"""Tricks 1, 2, 5 and 6 as they lie before seats 0 and 1; trick 15 is won by seat 2. Seat 3 has none."""


def scene_of(*rules: int, last: str = LAST) -> Scene:
    """The round just before its last trick."""
    plays = [said.split() for _, _, said in PAST] + [last.split()]
    scene = Scene(rules, *(" ".join(play[seat] for play in plays) for seat in range(4)))
    for number, holder, said in PAST:
        scene.past(number, holder, said)
    return scene.trick(15)


def scores(*rules: int) -> tuple[int, ...]:
    """All players' points under some rules."""
    return scene_of(*rules).play(LAST).scores


def test_tricks_count_one_point_each_without_scoring_rules() -> None:
    """One each for three seats, none for the fourth."""
    scene = Scene(
        (27, 28, 36, 37), *(" ".join(said.split()[seat] for said in (PAST[0][2], PAST[1][2], LAST)) for seat in range(4))
    )
    scene.past(1, 0, PAST[0][2]).past(2, 1, PAST[1][2]).trick(15).play(LAST)
    assert scene.scores == (1, 1, 1, 0)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (41, (1 + 1, 3 + 3, 1, 0)),
        (42, (2 + 1, 2 + 1, 1, 0)),
        (43, (4, 4, 2, 0)),
        (44, (1 + 3, 2, 1, 0)),
        (45, (0 + 1, 0 + 1, 3, 0)),
        (46, (2 + 1, 2 + 1, 1 + 1, 0)),
        (47, (2 - 4, 2 - 2, 1, 0)),
        (48, (2, 2 - 3, 1 - 4, 0)),
        (49, (2 - 4, 2 - 1, 1, 0)),
        (50, (2, 2 - 2, 1, 0)),
        (51, (2, 2, 1, 0)),
        (52, (2 + 3, 2 + 3, 1, 0)),
        (53, (2 - 3, 2 - 3, 1, 0)),
        (54, (2, 2, 1, 10)),
        (55, (2, 2, 1 + 5, 0)),
        (56, (4, 4, 1, 0)),
        (57, (2, 2, 1, 0)),
        (58, (2, 2, 1, 0)),
        (59, (2 + 2, 2 + 1, 1 + 0, 0 + 2)),
        (60, (-2, -2, -1, 0)),
    ],
)
def test_scoring_rule_alone(rule: int, expected: tuple[int, ...]) -> None:
    """Each of the rules 41 to 60 alone, on two, two, one and no trick.

    41 suits, 42 no samurai, 43 no trump, 44 the fifth trick, 45 the first two and the last, 46 samurai, 47 fans, 48 coins, 49
    koi, 50 torii, 51 trumps (there are none), 52 sevens, 53 fifteens, 54 no trick, 55 one trick, 56 an even number, 57 the
    fewest (doubling nothing), 58 minus points on the right (there are none), 59 the points on the left, 60 the sign.
    """
    assert scores(rule) == expected


def test_rule_41_looks_at_printed_suits() -> None:
    """Sixes and sevens are trumps but still of four printed suits: three in seat 1's tricks."""
    assert scores(5, 6, 41) == (2, 6, 1, 0)


def test_rules_47_to_50_count_printed_suits() -> None:
    """Coins that are trumps are coins all the same."""
    assert scores(15, 48) == (2, -1, -3, 0)


def test_rule_42_doubles_every_trick_of_three_seats() -> None:
    """They play without samurai."""
    scene = Scene((42,), "f2 f5", "f3 f6", "f4 f7").past(15, 0, "f2 f3 f4").trick(16).play("f5 f6 f7")
    assert scene.scores == (2, 0, 2)


def test_rule_43_doubles_tricks_without_trump() -> None:
    """With sevens trump, tricks 5 and 6 have one each."""
    assert scores(6, 43) == (2 + 1, 2 + 1, 2, 0)


def test_rule_43_with_21_uses_the_final_trump_for_all_tricks() -> None:
    """The second trick is led with f6: fans are trump, and the first trick had four of them already."""
    assert scores(21, 43) == (1 + 2, 1 + 2, 2, 0)


def test_rule_51_counts_trumps_whatever_is_printed() -> None:
    """Sevens and koi are trump: seat 0 took four of them, seat 1 two."""
    assert scores(6, 17, 51) == (2 - 4, 2 - 2, 1, 0)


def test_rule_51_with_21_uses_the_final_trump_for_all_tricks() -> None:
    """Fans are trump from the second trick on, and those of the first trick count too."""
    assert scores(21, 51) == (2 - 4, 2 - 2, 1, 0)


def test_trick_value_is_multiplied_in_number_order() -> None:
    """Suits, doubled without samurai, doubled without trump, tripled as the last: trick 15 has a samurai."""
    assert scores(41, 42, 43, 44) == (1 * 2 * 2 + 1 * 2 * 3, 3 * 2 * 2 + 3 * 2, 2, 0)
    assert scores(41, 42, 43, 45) == (0 + 2, 0 + 6, 2 * 3, 0)


def test_rule_45_leaves_a_worthless_trick_a_trick_with_its_cards() -> None:
    """Seat 0 and seat 1 have two tricks each for 56, and their fans count for 47."""
    assert scores(45, 47) == (1 - 4, 1 - 2, 3, 0)
    assert scores(45, 56) == (1 * 2, 1 * 2, 3, 0)


def test_rule_34_card_is_missing_for_41_to_43() -> None:
    """Seat 2 takes the one samurai out of the last trick: now 42 doubles it."""
    scene = scene_of(34, 42).play(LAST).do(2, TakeCardOut(card("c1")))
    assert scene.scores == (3, 3, 2, 0)


def test_rules_54_and_55_add_after_the_cards() -> None:
    """Ten for none, five for exactly one."""
    assert scores(54, 55) == (2, 2, 6, 10)


def test_rules_54_to_57_count_tricks_held_after_35_and_39() -> None:
    """By 35 the last trick lies before seat 3; so seat 2 has none. By 39 seat 2 gives nothing away then."""
    assert scores(35, 54, 55) == (2, 2, 10, 6)
    assert scores(39, 54, 55) == (2, 2, 10, 6)
    assert scores(35, 39, 54, 55) == (2, 2, 10, 6)


def test_rule_56_doubles_for_an_even_number_and_for_none() -> None:
    """Zero is even: the ten points of 54 are doubled; minus points are too."""
    assert scores(54, 56) == (4, 4, 1, 20)
    assert scores(47, 56) == (-4, 0, 1, 0)


def test_rule_57_doubles_for_all_that_are_tied() -> None:
    """The fewest tricks: alone, or with others."""
    assert scores(54, 57) == (2, 2, 1, 20)
    scene = Scene((53, 54, 57), "f2 c2", "f3 c3", "f4 c4", "f5 c5").past(14, 0, "f2 f3 f4 f5").trick(15).play("c2 c3 c4 c5")
    assert scene.scores == (1, 20, 20, 1)


def test_rules_56_and_57_double_one_after_the_other() -> None:
    """No trick is both even and the fewest."""
    assert scores(54, 56, 57) == (4, 4, 1, 40)


def test_rule_58_adds_the_minus_points_of_the_right_neighbour() -> None:
    """Seat 0 is at minus two and keeps it; seat 1 gets two."""
    assert scores(47) == (-2, 0, 1, 0)
    assert scores(47, 58) == (-2, 0 + 2, 1, 0)


def test_rule_59_adds_minus_points_of_the_left_neighbour_too() -> None:
    """Left of seat 3 sits seat 0 with minus two."""
    assert scores(47, 59) == (-2 + 0, 0 + 1, 1 + 0, 0 - 2)


def test_rules_58_and_59_read_one_snapshot() -> None:
    """Both see minus two, nought, one, nought: what 58 adds is not seen by 59."""
    assert scores(47, 58, 59) == (-2 + 0, 0 + 2 + 1, 1 + 0, 0 - 2)


def test_rule_60_turns_the_sign_at_the_end() -> None:
    """After all others; minus becomes plus."""
    assert scores(47, 59, 60) == (2, -1, -1, 2)
    assert scores(54, 60) == (-2, -2, -1, -10)


def test_score_lines_show_each_rule_in_number_order() -> None:
    """The event has the tricks first, then all players' running totals after each scoring rule."""
    lines = scene_of(60, 57, 54, 47).play(LAST).last(RoundScored).lines
    assert [(line.rule, line.totals) for line in lines] == [
        (0, (2, 2, 1, 0)),
        (47, (-2, 0, 1, 0)),
        (54, (-2, 0, 1, 10)),
        (57, (-2, 0, 1, 20)),
        (60, (2, 0, -1, -20)),
    ]
