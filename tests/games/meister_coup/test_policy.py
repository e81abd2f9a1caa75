"""What the strongest bot expects players to play in its play-outs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.bots.learned_policy import PLAYS
from tafelrunde.domain.meister_coup.bots.policy import FEATURES, KINDS, Tables, Weights, about, choose_card, scores
from tafelrunde.domain.meister_coup.messages import MeisterOptions
from tafelrunde.domain.meister_coup.stages import LEAD, PLAY
from tafelrunde.domain.meister_coup.table import MeisterTable
from tafelrunde.domain.play_policy import odds
from tests.games.meister_coup.kit import Scene, card
from tests.support.dice import Dice

UNITS = [Weights([float(place == each) for place in range(FEATURES)]) for each in range(FEATURES)]
TABLES = [(3, MeisterOptions()), (5, MeisterOptions(diamonds="falling")), (4, MeisterOptions(mode="team"))]


def decisions() -> Iterator[MeisterTable]:
    """Yield the tables of some random matches in which a seat chooses a card."""
    for number, (seats, options) in enumerate(TABLES):
        chance, rng = Dice(number), random.Random(number)
        table = GAME.create(options, seats)
        for event in GAME.start(table, chance):
            GAME.fold(table, event)
        while (ask := GAME.pending(table)) is not None:
            if table.stage in (LEAD, PLAY) and len(table.hands[ask.open[0]]) > 1:
                yield table
            GAME.play(table, ask.open[0], rng.choice(GAME.legal(table, ask.open[0])), chance)


def likely(scene: Scene, tables: Tables = PLAYS) -> dict[int, float]:
    """Return how likely the seat at turn plays each of its cards."""
    table = scene.table
    seat = table.asked[0]
    found = odds(scores(table, seat, tables[about(table)]))
    return {each: share / sum(found) for each, share in zip(table.hands[seat], found, strict=True)}


def test_policy_has_weights_for_every_kind_of_decision() -> None:
    """A seat leads, or three or more, two, one or no seats play after it; random matches have them all."""
    assert len(PLAYS) == KINDS
    assert {about(table) for table in decisions()} == {*range(KINDS)}


def test_scores_are_linear_in_the_weights() -> None:
    """A fit takes them apart by weights that are one for a single feature."""
    numbers = [random.Random(5).uniform(-1, 1) for _ in range(FEATURES)]
    for table in decisions():
        seat = table.asked[0]
        columns = [scores(table, seat, unit) for unit in UNITS]
        sums = [sum(number * part for number, part in zip(numbers, row, strict=True)) for row in zip(*columns, strict=True)]
        assert scores(table, seat, Weights(numbers)) == pytest.approx(sums)


def test_every_feature_tells_cards_apart() -> None:
    """One that is the same for all cards of every hand would be without effect."""
    spread = [0.0] * FEATURES
    for table in decisions():
        for place, unit in enumerate(UNITS):
            found = scores(table, table.asked[0], unit)
            spread[place] = max(spread[place], max(found) - min(found))
    assert min(spread) > 0


def test_features_are_about_one() -> None:
    """So a fit that holds large weights down treats them alike."""
    for table in decisions():
        for unit in UNITS:
            assert max(map(abs, scores(table, table.asked[0], unit))) <= 3


def test_cards_are_drawn_as_often_as_they_are_likely() -> None:
    """Shares of many draws lie near the odds."""
    scene = Scene("v1 b5 g9 y12", "v2 b6 g10 y11", "v3 b7 g11 y10")
    rng = random.Random(1)
    found = [choose_card(scene.table, 0, PLAYS, rng) for _ in range(4_000)]
    for each, share in likely(scene).items():
        assert found.count(each) / len(found) == pytest.approx(share, abs=0.04)


def test_last_card_is_played_without_a_draw() -> None:
    """There is nothing to choose."""
    rng = random.Random(1)
    before = rng.getstate()
    assert choose_card(Scene("v1", "v2", "v3").table, 0, PLAYS, rng) == card("v1")
    assert rng.getstate() == before


def test_who_closes_a_trick_wins_it_if_it_can() -> None:
    """y11 makes yellow win and is its highest card; both violet ones leave the trick to the others."""
    assert likely(Scene("y10 v3", "b3 v4", "y11 v1 v2").play("y10 b3"))[card("y11")] > 0.5


def test_who_gets_nothing_of_a_trick_throws_a_low_card() -> None:
    """Two yellow cards of others win and come second, whatever is played last."""
    found = likely(Scene("y12 v3", "y11 v4", "g9 g1").play("y12 y11"))
    assert found[card("g1")] > 0.7


def test_wins_against_a_team_mate_score_less() -> None:
    """To take a trick counts what its winner loses: for the seat if it is a rival, against it if it is a mate."""
    unit = Weights([0.0] * 9 + [1.0] + [0.0] * (FEATURES - 10))
    hands = ("y10 v3", "b1 v4", "y11 v1", "v5 v6")
    rival, mate = (scores(Scene(*hands, mode=mode).play("y10 b1").table, 2, unit) for mode in ("standard", "team"))
    assert rival[1] > 0 > mate[1]
    assert rival[1] == -mate[1]
    assert rival[0] == mate[0] == 0
