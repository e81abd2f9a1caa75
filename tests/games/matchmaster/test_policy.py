"""What plays tell of hands: worlds in which the others were likely to play what they played are drawn more often."""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import fmean

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.matchmaster import GAME
from tafelrunde.domain.matchmaster.bots.exploiters import EXPLOITERS
from tafelrunde.domain.matchmaster.bots.learned_policy import PLAYS
from tafelrunde.domain.matchmaster.bots.policy import FEATURES, KINDS, Course, Weights, about, likelihood, odds, scores
from tafelrunde.domain.matchmaster.bots.rollout import Rollout
from tafelrunde.domain.matchmaster.messages import MatchMasterOptions
from tafelrunde.domain.matchmaster.moves import playable
from tafelrunde.domain.matchmaster.table import MatchMasterTable
from tafelrunde.domain.play_policy import drawn
from tafelrunde.domain.search import SearchBot
from tests.games.matchmaster.kit import Scene, card, cards
from tests.support.dice import Dice

DRAWS = 1_000
UNITS = [Weights([float(place == each) for place in range(FEATURES)]) for each in range(FEATURES)]
Decision = tuple[Course, list[int], list[int]]
"""The course of a round, the hand of the seat at turn, and at least two legal cards."""


def share(scene: Scene, holds: Callable[[MatchMasterTable], bool], *, learned: bool = True) -> float:
    """Return in which part of the worlds something is so, of those that the last seat draws with the policy or without."""
    view = GAME.view(scene.table, Seat(scene.table.seats - 1))
    rollout = Rollout(view, weighing=True, policy=PLAYS if learned else None)
    rng = random.Random(1)
    return fmean(holds(rollout.world(rng)) for _ in range(DRAWS))


def decisions() -> list[Decision]:
    """Return the decisions with a choice of a match played at random."""
    found: list[Decision] = []
    table, rng, chance = GAME.create(MatchMasterOptions(), 4), random.Random(4), Dice(4)
    for event in GAME.start(table, chance):
        GAME.fold(table, event)
    while (ask := GAME.pending(table)) is not None:
        legal = playable(table.hands[table.turn], table.trick) if table.shown else []
        if len(legal) > 1:
            seen = sum(1 << each for each in [*table.trick, *(each for trick in table.tricks for each in trick.cards)])
            course = Course(table.leader, [*table.trick], [*table.bids], [*table.taken], seen)
            found.append((course, [*table.hands[table.turn]], [*legal]))
        GAME.play(table, ask.open[0], rng.choice(GAME.legal(table, ask.open[0])), chance)
    return found


def holds_between(low: str, high: str) -> Callable[[MatchMasterTable], bool]:
    """Return whether seat 1 holds a card of one suit between two."""
    return lambda world: any(card(low) < each < card(high) for each in world.hands[1])


def test_rival_that_throws_a_low_card_is_thought_to_have_no_higher_one_to_throw() -> None:
    """Who wants no trick gets rid of its highest card below the winning one: with b2 under b12 it hardly holds b3 to b11."""
    scene = Scene("b12 o9 l9 l10", "b2 o2 o3 o4", "b13 l7 l8 o11", bids=(2, 0, 1))
    scene.play("b12", "b2")
    held = holds_between("b2", "b12")
    assert share(scene, held) < share(scene, held, learned=False) / 2


def test_rival_that_throws_its_highest_card_tells_less() -> None:
    """With b11 under b12 it did what it would do with any lower ones as well."""
    low, high = (Scene("b12 o9 l9 l10", f"{thrown} o2 o3 o4", "b13 l7 l8 o11", bids=(2, 0, 1)) for thrown in ("b3", "b11"))
    low.play("b12", "b3")
    high.play("b12", "b11")
    assert share(high, holds_between("b3", "b11")) > 2 * share(low, holds_between("b3", "b11"))


def test_card_without_a_choice_tells_nothing() -> None:
    """A seat that had to follow, or to trump, was sure to: such worlds are as likely as before."""
    hands = [cards("b9 b10"), cards("b2 o5"), cards("T4 l2")]
    course = Course(0, [], [1, 1, 1], [0, 0, 0], 0)
    assert likelihood(hands, course, cards("b9 b2 T4"), 0, PLAYS) == 1.0


def test_world_is_as_likely_as_all_that_the_others_played_in_it() -> None:
    """The product over the choices that they had; those of the viewer do not count."""
    hands = [cards("b9 b10"), cards("b2 b5"), cards("b3 b4")]
    course = Course(0, [], [1, 1, 1], [0, 0, 0], 0)
    parts = [likelihood([[*hand] for hand in hands], Course(0, [], [1, 1, 1], [0, 0, 0], 0), cards("b9 b2 b3"), 0, PLAYS)]
    for viewer_hand in ("b9 o1", "b9 T1"):
        other = [cards(viewer_hand), *([*hand] for hand in hands[1:])]
        parts.append(likelihood(other, Course(0, [], [1, 1, 1], [0, 0, 0], 0), cards("b9 b2 b3"), 0, PLAYS))
    assert len({*parts}) == 1
    assert 0 < parts[0] < 1
    assert likelihood(hands, course, cards("b9"), 0, PLAYS) == 1.0


def test_policy_has_weights_for_every_kind_of_decision() -> None:
    """Otherwise it was written for other features; a random match has nearly all kinds."""
    assert len(PLAYS) == KINDS
    assert len({about(course, len(hand)) for course, hand, _ in decisions()}) > KINDS / 2


def test_scores_are_linear_in_the_weights() -> None:
    """A fit takes them apart by weights that are one for a single feature."""
    numbers = [random.Random(5).uniform(-1, 1) for _ in range(FEATURES)]
    for course, hand, legal in decisions():
        columns = [scores(course, hand, legal, unit) for unit in UNITS]
        sums = [sum(number * part for number, part in zip(numbers, row, strict=True)) for row in zip(*columns, strict=True)]
        assert scores(course, hand, legal, Weights(numbers)) == pytest.approx(sums)


def test_every_feature_tells_cards_apart() -> None:
    """One that is the same for all legal cards of every decision would be without effect."""
    spread = [0.0] * FEATURES
    for course, hand, legal in decisions():
        for place, unit in enumerate(UNITS):
            found = scores(course, hand, legal, unit)
            spread[place] = max(spread[place], max(found) - min(found))
    assert min(spread) > 0


def test_cards_are_drawn_as_often_as_they_are_likely() -> None:
    """Shares of many draws lie near the odds."""
    course, hand, legal = decisions()[0]
    likely = odds(course, hand, legal, PLAYS)
    rng = random.Random(1)
    found = [drawn(legal, likely, rng) for _ in range(4_000)]
    for each, share_of in zip(legal, likely, strict=True):
        assert found.count(each) / len(found) == pytest.approx(share_of / sum(likely), abs=0.04)


def test_bot_of_before_is_an_exploiter() -> None:
    """`frozen-inference` plays in the arena, and in no match."""
    assert not EXPLOITERS.keys() & GAME.bots().keys()
    assert isinstance(EXPLOITERS["frozen-inference"], SearchBot)
