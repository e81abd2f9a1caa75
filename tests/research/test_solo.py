"""One seat as a Gymnasium environment: Gymnasium's own check, and what the agent and the bots must not learn from it."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tafelrunde.domain.game import Budget, Command, GameView, InvalidOptions, Rng, Seat
from tafelrunde.domain.registry import GAMES
from tafelrunde.research import SoloTafelrunde, solo_env
from tafelrunde.research.pictures import text_of

every_game = pytest.mark.parametrize("game", GAMES)


def played(table: SoloTafelrunde, seed: int, actions: random.Random) -> list[tuple[bytes, float, int]]:
    """Play one match with random actions; return what was observed, the rewards and the seats."""
    row, info = table.reset(seed=seed)
    seen = [(row.tobytes(), 0.0, int(info["seat"]))]
    over = False
    while not over:
        action = actions.choice([*np.flatnonzero(info["action_mask"])])
        row, reward, over, truncated, info = table.step(action)
        assert not truncated
        seen.append((row.tobytes(), reward, int(info["seat"])))
    assert not table.action_masks().any()
    return seen


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@every_game
def test_environment_passes_gymnasium_s_check(game: str) -> None:
    """Spaces, seeds, what a step returns, and that no array is used twice."""
    check_env(solo_env(game, opponent="random", render_mode="ansi"))


@every_game
def test_match_ends_with_a_reward_when_all_actions_are_possible(game: str) -> None:
    """At the end alone, by rank; the mask is that of the info, and never empty before."""
    table = solo_env(game, opponent="honest")
    seen = played(table, 1, random.Random(1))
    assert all(reward == 0 for _, reward, _ in seen[:-1])
    assert seen[-1][1] == table.course.rewards()[table.seat]


@every_game
def test_same_seed_and_actions_give_the_same_matches(game: str) -> None:
    """Another seed gives another one, and a reset without a seed goes on from the last."""
    one, two = solo_env(game, opponent="honest"), solo_env(game, opponent="honest")
    assert played(one, 7, random.Random(2)) == played(two, 7, random.Random(2))
    assert one.reset()[0].tobytes() == two.reset()[0].tobytes()
    assert played(one, 7, random.Random(2)) != played(two, 8, random.Random(2))


def test_agent_sits_on_every_seat_unless_one_is_named() -> None:
    """Drawn from the seed; the opponents sit clockwise from the agent."""
    table = solo_env("coup", seats=3, opponent="random")
    assert {int(table.reset(seed=seed)[1]["seat"]) for seed in range(20)} == {0, 1, 2}
    fixed = solo_env("coup", seats=3, opponent="random", seat=2)
    assert {int(fixed.reset(seed=seed)[1]["seat"]) for seed in range(5)} == {2}


def test_impossible_action_ends_the_match_as_lost() -> None:
    """As after any end, nothing more can be done then until the next deal."""
    table = solo_env("coup", opponent="random")
    _, info = table.reset(seed=1)
    impossible = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, truncated, info = table.step(impossible)
    assert (reward, over, truncated, info["action_mask"].any()) == (-1.0, True, False, False)
    with pytest.raises(ValueError, match="reset the environment"):
        table.step(impossible)


class Spy:
    """A bot that takes the first command, and notes what it was shown."""

    def __init__(self) -> None:
        self.shown: list[Any] = []

    def choose(self, view: GameView, legal: Any, rng: Rng, budget: Budget) -> Command:
        """Choose the first."""
        self.shown.append(view)
        return legal[0]


@every_game
def test_bots_and_agent_see_their_own_seats_views_alone(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is shown the view of the seat that it answers for; the agent's observation follows from its own view."""
    table = solo_env(game, seat=1)
    spy = Spy()
    monkeypatch.setattr(table, "_bots", [spy] * (table.course.seats - 1))
    row, info = table.reset(seed=3)
    over = False
    while not over:
        own = np.frombuffer(table.layout.row(table.course.view(1)), np.float32)
        assert np.array_equal(row[: len(own)], own)
        assert msgspec.json.encode(table.view()) == msgspec.json.encode(table.course.view(1))
        row, _, over, _, info = table.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert spy.shown
    assert all(view.seat != 1 for view in spy.shown)


def test_opponents_sit_in_turn_when_several_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clockwise from the agent."""
    table = solo_env("coup", seats=3, seat=1, opponent=["random", "honest"])
    first, second = Spy(), Spy()
    monkeypatch.setattr(table, "_bots", [first, second])
    _, info = table.reset(seed=3)
    over = False
    while not over:
        _, _, over, _, info = table.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert {view.seat for view in first.shown} == {2}
    assert {view.seat for view in second.shown} == {0}


def test_environment_shows_what_the_agent_sees() -> None:
    """And not what a spectator sees."""
    table = solo_env("coup", seat=0, opponent="random", render_mode="ansi")
    table.reset(seed=1)
    other = solo_env("coup", seat=0, opponent="random", render_mode="svg")
    other.reset(seed=1)
    assert table.render() == text_of(table.course, Seat(0)) != text_of(table.course, None)
    assert str(other.render()).startswith("<svg")
    assert solo_env("coup").render() is None


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [({"game": "poker"}, "no game"), ({"game": "coup", "seat": 2}, "no seat 2"), ({"game": "coup", "render_mode": "x"}, "mode")],
)
def test_environment_is_refused_when_there_is_no_such_thing(wrong: dict[str, Any], reason: str) -> None:
    """With what there is."""
    with pytest.raises(ValueError, match=reason):
        solo_env(**wrong)


def test_environment_is_refused_when_the_game_has_no_such_bot() -> None:
    """With the names of those that it has."""
    with pytest.raises(InvalidOptions, match="random"):
        solo_env("coup", opponent="oracle")
