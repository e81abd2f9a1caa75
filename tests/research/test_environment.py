"""The games as environments: PettingZoo's own tests, and what a seat must not learn from them."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from tafelrunde.domain.game import GameId, InvalidOptions, Placing, Seat, Standing
from tafelrunde.domain.registry import GAMES
from tafelrunde.research import Tafelrunde, env
from tafelrunde.research.actions import Sentence, Vocabulary
from tafelrunde.research.environment import rewards
from tafelrunde.research.observations import features_of
from tests.support.cases import CASES
from tests.support.facts import facts_of
from tests.support.paths import ROOT
from tests.support.stored import stored

with warnings.catch_warnings():  # where pygame is installed, this makes a game of PettingZoo's own by a way that it deprecates
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test  # pyright: ignore[reportMissingTypeStubs]  # typed, but without the marker

every_game = pytest.mark.parametrize("game", GAMES)


def largest(game: GameId) -> Tafelrunde:
    """Return an environment with as many seats as the game has, with the first options that go with them."""
    case = next(case for case in CASES if case.game.id == game and case.seats == GAMES[game].max_seats)
    return Tafelrunde(game, seats=case.seats, options=msgspec.to_builtins(case.options))


def played(table: Tafelrunde, seed: int, most: int = 10_000) -> int:
    """Play at random; return how many actions that took."""
    rng = random.Random(seed)
    table.reset(seed=seed)
    for number, agent in enumerate(table.agent_iter(most)):
        if table.terminations[agent]:
            return number
        table.step(int(rng.choice(np.flatnonzero(table.observe(agent)["action_mask"]))))
    return most


# PettingZoo wants an array and a Box, and excepts its own card games by name; a terminated agent has nothing to say.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@every_game
def test_environment_passes_the_api_test(game: GameId) -> None:
    """PettingZoo's own test of everything it promises to learners."""
    api_test(env(game), num_cycles=60)


@every_game
def test_environment_passes_the_seed_test(game: GameId) -> None:
    """The same seed gives the same match."""
    seed_test(lambda: env(game), num_cycles=60)


@every_game
def test_match_ends_with_rewards_by_rank(game: GameId) -> None:
    """With as many seats as may be, too; rewards are in -1..1 and add up to nothing."""
    table = largest(game)
    assert played(table, 1) > 0
    assert table.terminations == dict.fromkeys(table.possible_agents, True)
    assert sum(table.rewards.values()) == pytest.approx(0)
    assert max(table.rewards.values()) > 0


def test_rewards_are_by_rank() -> None:
    """Who beats all gets 1, who is beaten by all -1, and equals get the same."""
    ranks = (1, 2, 2, 4)
    standing = Standing(tuple(Placing(Seat(seat), rank) for seat, rank in enumerate(ranks)))
    assert rewards(standing) == [1, 0, 0, -1]


@every_game
def test_every_legal_command_can_be_said_in_one_way(game: GameId) -> None:
    """Whatever is legal can be reached action by action, and each way leads to a command of its own."""
    table = largest(game)
    rng = random.Random(2)
    table.reset(seed=2)
    for agent in table.agent_iter(150):
        if table.terminations[agent]:
            break
        legal = table.game.legal(table.table, Seat(table.possible_agents.index(agent)))
        for command in rng.sample(legal, min(5, len(legal))):
            sentence = Sentence(table.vocabulary, legal)
            said = None
            for word in table.vocabulary.spell(command):
                if said is None:
                    assert word in sentence.next()
                    said = sentence.say(word)
            assert said == command
        table.step(int(rng.choice(np.flatnonzero(table.observe(agent)["action_mask"]))))


@pytest.mark.parametrize("game", [game for game in GAMES if facts_of(game).secret_answers])
def test_seat_asked_later_learns_nothing_of_the_answers_before(game: GameId) -> None:
    """Where several seats are asked at once, the observation of the next is the same whatever the one before has said."""
    table, branch = largest(game), largest(game)
    rng, compared = random.Random(3), 0
    table.reset(seed=3)
    branch.reset(seed=3)
    for agent in table.agent_iter(120):
        ask = table.game.pending(table.table)
        if ask is None:
            break
        if len(ask.open) > 1 and not table._sentence.said:
            seen = {seen for seen in next_views(table, branch, rng) if seen is not None}
            compared += len(seen)
            assert len(seen) <= 1
        table.step(int(rng.choice(np.flatnonzero(table.observe(agent)["action_mask"]))))
    assert compared > 0


def next_views(table: Tafelrunde, branch: Tafelrunde, rng: random.Random) -> Iterator[bytes | None]:
    """Yield what the seat that is asked next gets after some answers of the first; None where it is not asked any more."""
    ask = table.game.pending(table.table)
    assert ask is not None
    first, second = sorted(ask.open)[:2]
    legal = table.game.legal(table.table, first)
    for command in rng.sample(legal, min(3, len(legal))):
        branch.table = table.table.copy()
        branch.game.play(branch.table, first, command, branch._chance)
        branch._ask_next()
        now = branch.game.pending(branch.table)
        if now is None or now.decision != ask.decision:
            yield None
            continue
        assert branch.agent_selection == f"seat_{second}"
        yield branch.observe(f"seat_{second}")["observation"].tobytes()


@every_game
def test_observation_is_made_of_the_own_view_alone(game: GameId) -> None:
    """Two tables that a seat cannot distinguish give it the same observation."""
    table = Tafelrunde(game)
    played(table, 4, most=12)
    for agent in table.agents:
        seen = table.observe(agent)["observation"][: len(table.features.names)]
        other = table.game.determinize(table.view(agent), random.Random(5))
        again = Tafelrunde(game)
        again.reset(seed=6)
        again.table = other
        assert np.array_equal(again.observe(agent)["observation"][: len(table.features.names)], seen)


@every_game
def test_places_of_an_observation_have_names(game: GameId) -> None:
    """Each place is named once, and each action is said in words."""
    names, words = features_of(GAMES[game].view_type).names, [str(word) for word in Vocabulary(GAMES[game]).words]
    assert len(set(names)) == len(names)
    assert len(set(words)) == len(words)


def test_what_may_not_be_said_is_refused() -> None:
    """An action outside the mask changes nothing, and neither do options that the game does not have."""
    table = Tafelrunde("coup")
    table.reset(seed=1)
    closed = int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"] == 0)[0])
    before = stored(table.table.digest_form())
    with pytest.raises(ValueError, match="cannot take action"):
        table.step(closed)
    assert stored(table.table.digest_form()) == before
    with pytest.raises(InvalidOptions):
        Tafelrunde("coup", seats=9)
    with pytest.raises(ValueError, match="there is no game 'poker', only coup, "):
        Tafelrunde("poker")


def test_page_shows_what_works() -> None:
    """The code of docs/research.md runs as it is."""
    page = ROOT / "docs" / "research.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    told: dict[str, Any] = {}
    exec(code, told)  # noqa: S102 - the page's own code is what is tested
    assert told["table"].agents == []
