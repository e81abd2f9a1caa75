"""Meistercoups, rounds, scores and the end of Meister Coup."""

from __future__ import annotations

import msgspec
import pytest

from tafelrunde.domain.game import Placing, Seat
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.cards import FALLING, RISING
from tafelrunde.domain.meister_coup.events import (
    MatchWon,
    MeistercoupTicked,
    MeisterDealt,
    MeisterEvent,
    Reason,
    RoundScored,
    TrickCleared,
)
from tafelrunde.domain.meister_coup.messages import MeisterOptions
from tests.games.meister_coup.kit import Scene, cards, kinds
from tests.support.dice import Dice

OWN = (3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def ticks(events: list[MeisterEvent]) -> list[tuple[int, int, int]]:
    """Return who ticked which Meistercoup of the round, and of all."""
    return [(event.seat, event.in_round, event.total) for event in events if isinstance(event, MeistercoupTicked)]


def placed(scene: Scene) -> list[tuple[int, int | None]]:
    """Return rank and score of each seat."""
    return [(placing.rank, placing.score) for placing in scene.standing().placings]


# Meistercoups


def test_meistercoup_is_ticked_at_once_when_the_pick_completes_four_colours() -> None:
    """Four cards of different colours make a Meistercoup at the moment the last one is taken: before the runner-up's cards."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="v1 b1 g1").play("v9 v5 y3")
    events = scene.pick("y3")
    assert kinds(events) == ["CardPicked", "MeistercoupTicked", "CardsTaken", "TrickCleared"]
    assert ticks(events) == [(0, 1, 1)]
    assert GAME.view(scene.table, None).seats[0].meistercoups == 1


def test_meistercoup_is_ticked_when_the_runner_up_completes_four_colours() -> None:
    """The two cards of the runner-up count as soon as it has them."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s1="b1 g1").play("v9 v5 y3")
    assert ticks(scene.pick("v9")) == [(1, 1, 1)]


def test_both_takers_tick_when_one_trick_completes_both_sets() -> None:
    """Winner and runner-up of one trick can each land one; the winner comes first."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="b1 g1 y1", s1="b2 g2").play("v9 v5 y3")
    assert ticks(scene.pick("v9")) == [(0, 1, 1), (1, 1, 1)]


def test_no_meistercoup_is_ticked_when_a_colour_is_missing() -> None:
    """As many as the smallest of the four counts: three colours make none, however many cards."""
    scene = Scene("v9 v1", "v5 v2", "b3 v3").give(s0="v2 v4 b1 b2 g1 g3").play("v9 v5 b3")
    assert ticks(scene.pick("b3")) == []


def test_second_meistercoup_needs_two_cards_of_each_colour() -> None:
    """A card counts for one set only: with one more blue and yellow card a second set is there."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="v1 b1 g1 y1 v2 b2 g2").play("v9 v5 y3")
    assert GAME.view(scene.table, None).seats[0].meistercoups == 1
    assert ticks(scene.pick("y3")) == [(0, 2, 2)]


def test_two_meistercoups_are_ticked_when_two_cards_complete_two_sets() -> None:
    """A runner-up that lacked only one colour can complete two sets with two cards of it."""
    scene = Scene("v9 v1", "v5 v2", "v3 v4").give(s1="b1 b2 g1 g2 y1 y2").play("v9 v5 v3")
    assert ticks(scene.pick("v9")) == [(1, 1, 1), (1, 2, 2)]


def test_meistercoups_add_up_over_rounds_and_cards_do_not() -> None:
    """Ticks stay on the pad; each round begins without cards."""
    scene = Scene("v9", "v5", "y3", last=True).give(s0="v1 b1 g1").enter(0, 4, 1).play("v9 v5 y3")
    assert ticks(scene.pick("y3")) == [(0, 1, 2)]
    seats = GAME.view(scene.table, None).seats
    assert (scene.table.round, seats[0].cards, seats[0].meistercoups, seats[0].total_meistercoups) == (2, (), 0, 2)


# Three Meistercoups


def test_third_meistercoup_wins_at_once_when_it_is_the_picks() -> None:
    """The match is over in the middle of the trick; the runner-up gets nothing any more, and points do not count."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="v1 b1 g1", s2="v7 v8 b7 b8 g7").enter(0, 0, 2).enter(2, 50).play("v9 v5 y3")
    events = scene.pick("y3")
    assert kinds(events) == ["CardPicked", "MeistercoupTicked", "MatchWon"]
    assert (scene.stage, scene.asked, scene.standing().winners) == ("over", (), (0,))
    assert scene.taken(1) == ""


def test_third_meistercoup_of_the_winner_comes_first_when_both_takers_would_have_one() -> None:
    """Of two that would land their third in one trick, the one that got its card first wins: the winner of the trick."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="b1 g1 y1", s1="b2 g2").enter(0, 0, 2).enter(1, 0, 2).play("v9 v5 y3")
    scene.pick("v9")
    assert scene.standing().winners == (0,)


def test_third_meistercoup_wins_at_once_when_it_is_the_runner_ups() -> None:
    """The runner-up can win the match with its cards, if the winner did not before."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="b1 g1", s1="b2 g2").enter(0, 0, 2).enter(1, 0, 2).play("v9 v5 y3")
    events = scene.pick("v9")
    assert kinds(events) == ["CardPicked", "CardsTaken", "MeistercoupTicked", "MatchWon"]
    assert events[-1] == MatchWon((Seat(1),), Reason.MEISTERCOUPS)


def test_third_meistercoup_wins_at_once_when_the_runner_up_chose_its_cards() -> None:
    """The choice among equal cards can be the winning one."""
    scene = Scene("v9 v1", "v8 v2", "g4 v3", "b4 v4", "y2 v5").give(s1="v1 g1").enter(1, 0, 2).play("v9 v8 g4 b4 y2")
    scene.pick("v9")
    assert kinds(scene.take("y2 b4")) == ["CardsTaken", "MeistercoupTicked", "MatchWon"]


def test_match_is_won_in_one_round_when_three_sets_are_taken() -> None:
    """Three sets of one round are enough."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="v1 b1 g1 y1 v2 b2 g2 y2 v4 b4 g4").play("v9 v5 y3")
    assert ticks(scene.pick("y3")) == [(0, 3, 3)]
    assert scene.standing().winners == (0,)


def test_all_others_share_the_second_rank_when_three_meistercoups_win() -> None:
    """Points are not counted then: no score, and no order among the others."""
    scene = Scene("v9 v1", "v5 v2", "y3 v3").give(s0="v1 b1 g1").enter(0, 1, 2).enter(1, 30).enter(2, 20, 1).play("v9 v5 y3")
    scene.pick("y3")
    assert placed(scene) == [(1, None), (2, None), (2, None)]


# The end of a round


def test_eight_tricks_make_a_round_when_hands_are_empty() -> None:
    """The round ends with the eighth trick; then it is scored and the next one is dealt."""
    table = GAME.create(MeisterOptions(first_leader=0), 3)
    for event in GAME.start(table, Dice("eight")):
        GAME.fold(table, event)
    events: list[MeisterEvent] = []
    while table.round == 1:
        seat = Seat(table.asked[0])
        facts = GAME.decide(table, seat, GAME.legal(table, seat)[0], Dice("next"))
        for event in facts:
            GAME.fold(table, event)
        events += facts
    cleared = [event for event in events if isinstance(event, TrickCleared)]
    assert [event.number for event in cleared] == list(range(1, 9))
    assert [event.asked for event in cleared] == [True] * 7 + [False]
    assert kinds(events[-2:]) == ["RoundScored", "MeisterDealt"]


def test_round_scores_a_point_for_each_card_and_each_diamond() -> None:
    """The rulebook's example: six cards with three diamonds on them make nine points."""
    scene = Scene("v1", "v2", "g3", last=True).give(s0="v4 b7 g5 y8 b9 g1", s1="v12").play("v1 v2 g3")
    scored = next(event for event in scene.pick("g3") if isinstance(event, RoundScored))
    assert (scored.points, scored.meistercoups) == ((9, 4 + 2, 1), (1, 0, 0))


@pytest.mark.parametrize(("diamonds", "found"), [("rising", RISING), ("falling", FALLING), (OWN, OWN)])
def test_diamonds_of_the_option_count_when_a_round_is_scored(diamonds: object, found: tuple[int, ...]) -> None:
    """The list of the option says how many diamonds a value carries, and the first event of the game pins it."""
    options = msgspec.structs.replace(MeisterOptions(), diamonds=diamonds)
    (dealt,) = GAME.start(GAME.create(options, 3), Dice("pinned"))
    assert isinstance(dealt, MeisterDealt)
    assert dealt.diamonds == found
    for value in range(1, 13):
        scene = Scene("v9", "v5", "y3", diamonds=diamonds).give(s0=f"b{value}")
        view = GAME.view(scene.table, None)
        assert (view.diamonds, view.seats[0].points) == (found, 1 + found[value - 1])


def test_diamonds_stay_as_dealt_when_the_lists_of_the_game_change() -> None:
    """A stored match keeps its own list: it is in the event, whatever the option's name means later."""
    table = GAME.create(MeisterOptions(), 3)
    GAME.fold(table, MeisterDealt(1, Seat(0), OWN, ((1, 0, 0, 0),) * 3, (cards("v1"), cards("v2"), cards("v3"))))
    assert GAME.view(table, None).diamonds == OWN


def test_last_runner_up_leads_when_the_next_round_begins() -> None:
    """The player who got two cards in the eighth trick begins the next round, and all 48 cards are dealt again."""
    scene = Scene("v9", "v5", "y3", last=True).play("v9 v5 y3")
    dealt = scene.pick("v9")[-1]
    assert isinstance(dealt, MeisterDealt)
    assert (dealt.round, dealt.leader, scene.asked) == (2, 1, (1,))
    assert dealt.hands == tuple(tuple(sorted(Dice("scene").shuffle("cards", range(48))[seat:24:3])) for seat in range(3))


def test_view_has_the_scores_of_each_round_when_it_is_over() -> None:
    """Finished rounds are listed with all players' points and Meistercoups."""
    scene = Scene("v1", "v2", "g3", last=True).give(s1="v4 b4 g4").enter(0, 3).play("v1 v2 g3")
    scene.pick("g3")
    view = GAME.view(scene.table, None)
    assert [(each.round, each.points, each.meistercoups, each.entered) for each in view.rounds] == [(1, (0, 5, 1), (0, 0, 0), ())]
    assert [(side.points, side.meistercoups) for side in view.sides] == [(3, 0), (5, 0), (1, 0)]


# The end of the match


def test_most_points_win_when_three_rounds_are_over() -> None:
    """After the third round the highest total wins, and the others are ranked by theirs."""
    scene = Scene("v1", "v2", "g3", number=3, last=True).enter(0, 9).enter(1, 20, 1).enter(2, 30).play("v1 v2 g3")
    assert kinds(scene.pick("g3"))[-2:] == ["RoundScored", "MatchWon"]
    assert placed(scene) == [(3, 9), (2, 22), (1, 31)]
    assert GAME.view(scene.table, None).reason is Reason.POINTS


def test_match_goes_on_when_two_rounds_are_over() -> None:
    """There are three rounds, unless three Meistercoups end it before."""
    scene = Scene("v1", "v2", "g3", number=2, last=True).play("v1 v2 g3")
    scene.pick("g3")
    assert (scene.stage, scene.table.round) == ("lead", 3)


def test_most_meistercoups_win_when_totals_are_equal() -> None:
    """With equal totals the Meistercoups decide."""
    scene = Scene("v1", "v2", "g3", number=3, last=True).enter(0, 20, 1).enter(1, 18, 2).enter(2, 19, 1).play("v1 v2 g3")
    scene.pick("g3")
    assert placed(scene) == [(2, 20), (1, 20), (2, 20)]


def test_win_is_shared_when_meistercoups_are_equal_too() -> None:
    """If totals and Meistercoups are equal, the first rank is shared."""
    scene = Scene("v1", "v2", "g3", number=3, last=True).enter(0, 20, 1).enter(1, 18, 1).enter(2, 19).play("v1 v2 g3")
    events = scene.pick("g3")
    assert events[-1] == MatchWon((Seat(0), Seat(1)), Reason.POINTS)
    assert scene.standing().placings == (Placing(Seat(0), 1, 20), Placing(Seat(1), 1, 20), Placing(Seat(2), 3, 20))
