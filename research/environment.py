"""One table of a game as a PettingZoo environment whose agents take turns (AEC)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, TypedDict, cast

import gymnasium
import msgspec
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]  # typed, but without the marker
from pettingzoo.utils import wrappers  # pyright: ignore[reportMissingTypeStubs]  # typed, but without the marker

from ..domain.game import Ask, Command, GameId, GameView, Seat, Standing
from ..domain.match.decide import read_options
from ..domain.match.terms import OptionValue
from ..domain.registry import GAMES
from ..service.bots.simulate import SeededChance, started
from .actions import Sentence, Vocabulary
from .observations import LEAST, MOST, features_of


class Observation(TypedDict):
    """What an agent observes: its seat's view, its choices so far for a command, and a mask of the actions possible now."""

    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]


def env(
    game: str, *, seats: int | None = None, options: Mapping[str, OptionValue] | None = None, render_mode: str | None = None
) -> AECEnv[str, Observation, int | None]:
    """Return an environment that also complains about actions out of range and calls out of order; raise InvalidOptions."""
    made = Tafelrunde(game, seats=seats, options=options, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class Tafelrunde(AECEnv[str, Observation, int | None]):
    """One table: `seats` of them (None: as few as may be), one agent `seat_<n>` each.

    A seat that is asked has the turn; seats that are asked at the same time answer in seat order, and none sees what the others
    have answered. At the end each agent gets from 1 (alone first) to -1 (alone last), by rank; before, nothing.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if game not in GAMES:
            raise ValueError(f"there is no game {game!r}, only {', '.join(GAMES)}")
        self.game = GAMES[GameId(game)]
        self.seats = seats or self.game.min_seats
        self.options = read_options(self.game, options or {}, self.seats)
        self.vocabulary = Vocabulary(self.game)
        self.features = features_of(self.game.view_type)
        self.metadata = {"name": f"{game.replace('-', '_')}_v{self.game.rules_version}", "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self.action_spaces = {agent: self._words() for agent in self.possible_agents}
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self._rng = random.Random()  # noqa: S311 - matches to learn from, not to be fair in

    def _words(self) -> gymnasium.Space[Any]:
        return spaces.Discrete(len(self.vocabulary))

    def _space(self) -> gymnasium.Space[Any]:
        words = len(self.vocabulary)
        vector = spaces.Box(LEAST, MOST, (len(self.features.names) + words,), np.float32)
        return spaces.Dict({"observation": vector, "action_mask": spaces.Box(0, 1, (words,), np.int8)})

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's actions; `vocabulary.words` says what each means."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. The same seed and actions give the same match; without a seed the match is random."""
        if seed is not None:
            self._rng = random.Random(seed)  # noqa: S311 - matches to learn from, not to be fair in
        self._chance = SeededChance(self._rng)
        self.table = started(self.game, self.options, self.seats, self._chance)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: cast("dict[str, Any]", {}) for agent in self.agents}
        self._ask_next()

    def _ask_next(self) -> None:
        """Give the turn to the first seat whose answer is missing, or end the match."""
        ask = self.game.pending(self.table)
        if ask is None:
            self._end()
            return
        self._asked = _first(ask)
        self._sentence = Sentence(self.vocabulary, self.game.legal(self.table, self._asked))
        self.agent_selection = self.possible_agents[self._asked]

    def _end(self) -> None:
        standing = self.game.standing(self.table)
        assert standing is not None, "a table that asks nobody is over"
        self.rewards = dict(zip(self.possible_agents, rewards(standing), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """Let the selected agent take one action; raise ValueError if it is not possible now."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        command = self._say(action)
        if command is not None:
            self.game.play(self.table, self._asked, command, self._chance)
            self._ask_next()
        self._accumulate_rewards()

    def _say(self, action: int | None) -> Command | None:
        if action is None or int(action) not in self._sentence.next():
            raise ValueError(f"{self.agent_selection} cannot take action {action} now: see the action mask")
        return self._sentence.say(int(action))

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation; its mask is all 0 while it is not asked."""
        vector = np.zeros(len(self.features.names) + len(self.vocabulary), np.float32)
        mask = np.zeros(len(self.vocabulary), np.int8)
        self.features.fill(self.view(agent), vector, 0)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask[list(self._sentence.next())] = 1
            vector[[len(self.features.names) + word for word in self._sentence.said]] = 1
        return {"observation": vector, "action_mask": mask}

    def view(self, agent: str) -> GameView:
        """Return the whole view of an agent's seat, for callers who prefer a vector of their own."""
        return self.game.view(self.table, Seat(self.possible_agents.index(agent)))

    def render(self) -> str | None:
        """Return what a spectator sees, as JSON, if the mode is `ansi`."""
        return msgspec.json.encode(self.game.view(self.table, None)).decode() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


def _first(ask: Ask) -> Seat:
    return min(ask.open)


def rewards(standing: Standing) -> list[float]:
    """Return each seat's reward: the number of seats it beats less the number that beat it, as a share of the others."""
    ranks = [placing.rank for placing in standing.placings]
    return [sum((other > rank) - (other < rank) for other in ranks) / (len(ranks) - 1) for rank in ranks]
