"""One table of a game as a PettingZoo environment whose agents take turns (AEC)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, TypedDict, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]  # typed, but without the marker

from ..domain.game import AnyGame, GameView, Options, Seat
from ..domain.match.opening import read_options
from ..domain.match.terms import OptionValue
from ..domain.seats import NOBODY
from ..service import games
from ..service.errors import StartupRefused
from .course import Course, SeededChance
from .observations import LEAST, MOST, VERSION
from .pictures import RENDER_MODES, rendered, svg_of, text_of


class Observation(TypedDict):
    """What an agent observes: its seat's view, its choices so far for a command, and a mask of the actions possible now."""

    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]


def env(
    game: str, *, seats: int | None = None, options: Mapping[str, OptionValue] | None = None, render_mode: str | None = None
) -> Tafelrunde:
    """Return an environment; raise InvalidOptions, and ValueError for a game or a render mode that there is not."""
    return Tafelrunde(game, seats=seats, options=options, render_mode=render_mode)


def load_game(name: str) -> AnyGame:
    """Return a game, of the registry or of an installed package; raise ValueError."""
    available = games.list_available()
    if name not in available:
        raise ValueError(f"there is no game {name!r}, only {', '.join(available)}")
    try:
        return games.load_game(name)
    except StartupRefused as refusal:
        raise ValueError(str(refusal)) from refusal


def course_of(game: str, seats: int | None, options: Mapping[str, OptionValue] | None) -> Course:
    """Return a course of a game, with as few seats as may be for None; raise InvalidOptions, ValueError."""
    found = load_game(game)
    count = seats or found.min_seats
    return Course(found, read_options(found, options or {}, count), count)


class Actions(spaces.Discrete):
    """All actions of a game; a sample under a mask is drawn as quickly as it can be."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random action, out of those whose mask is 1 if there is one; 0 if there are none of them."""
        if mask is None or probability is not None:
            return super().sample(mask, probability)
        possible = mask.nonzero()[0]
        return possible[int(self.np_random.random() * len(possible))] if len(possible) else np.int64(0)


def space_of(course: Course, actions: int) -> gymnasium.Space[Any]:
    """Return the space of the observations of a course, with masks for that number of actions."""
    vector = spaces.Box(LEAST, MOST, (course.width,), np.float32)
    return spaces.Dict({"observation": vector, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def metadata_of(course: Course) -> dict[str, Any]:
    """Return what PettingZoo wants to know of an environment; its version grows with the rules and with the observations."""
    name = f"{course.game.id.replace('-', '_')}_v{VERSION * 100 + course.game.rules_version}"
    return {"name": name, "render_modes": list(RENDER_MODES), "observation_version": VERSION, "is_parallelizable": False}


def check_render_mode(mode: str | None) -> None:
    """Raise ValueError for a render mode that there is not."""
    if mode not in {None, *RENDER_MODES}:
        raise ValueError(f"there is no render mode {mode!r}, only {', '.join(RENDER_MODES)}")


class Tafelrunde(AECEnv[str, Observation, int | None]):
    """One table: `seats` of them (None: as few as may be), one agent `seat_<n>` each.

    A seat that is asked has the turn; seats that are asked at the same time answer one after the other, and none sees what the
    others have answered. At the end each agent gets from 1 (alone first) to -1 (alone last), by rank; before, nothing.
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
        check_render_mode(render_mode)
        self.course = course_of(game, seats, options)
        self.vocabulary = self.course.vocabulary
        self.layout = self.course.layout
        self.metadata = metadata_of(self.course)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.course.seats)]
        self.action_spaces: dict[str, gymnasium.Space[Any]] = {
            agent: Actions(len(self.vocabulary)) for agent in self.possible_agents
        }
        self.observation_spaces = {agent: space_of(self.course, len(self.vocabulary)) for agent in self.possible_agents}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._rng = random.Random()  # noqa: S311 - matches to learn from, not to be fair in
        self._running = False

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.course.game

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.course.seats

    @property
    def options(self) -> Options:
        """The options of the game."""
        return self.course.options

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
        self.course.deal(SeededChance(self._rng))
        self._running = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: cast("dict[str, Any]", {}) for agent in self.agents}
        self._turn()

    def _turn(self) -> None:
        """Give the turn to the seat that is asked, or end the match."""
        if self.course.asked != NOBODY:
            self.agent_selection = self.possible_agents[self.course.asked]
            return
        self.rewards = dict(zip(self.possible_agents, self.course.rewards(), strict=True))
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]
        self._running = False

    def step(self, action: int | None) -> None:
        """Let the selected agent take one action; raise ValueError if it is not possible now.

        A terminated agent takes None, and is gone then.
        """
        if not self._running:
            self._was_dead_step(action)
            return
        try:
            ended = self.course.say(int(cast("int", action)))
        except (ValueError, TypeError) as error:
            raise ValueError(f"{self.agent_selection}: {error}") from None
        if ended:
            self._turn()

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation; its mask is all 0 while it is not asked."""
        seat = self._seat_of[agent]
        row = np.frombuffer(self.course.row(seat), np.float32)
        return {"observation": row, "action_mask": np.frombuffer(self.course.mask(seat), np.int8)}

    def view(self, agent: str) -> GameView:
        """Return the whole view of an agent's seat, for callers who prefer a vector of their own."""
        return self.course.view(Seat(self._seat_of[agent]))

    def render(self) -> str | None:
        """Return what a spectator sees, as text (`ansi`) or as a picture (`svg`); `human` prints the text."""
        return rendered(self.course, self.render_mode)

    def text(self, agent: str | None = None) -> str:
        """Return the table as an agent sees it, or a spectator, in lines."""
        return text_of(self.course, None if agent is None else Seat(self._seat_of[agent]))

    def svg(self, agent: str | None = None) -> str:
        """Return the table as an agent sees it, or a spectator, as a picture."""
        return svg_of(self.course, None if agent is None else Seat(self._seat_of[agent]))

    def close(self) -> None:
        """There is nothing to close."""
