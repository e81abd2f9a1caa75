"""One table of a game as a PettingZoo environment in which all agents act at once (parallel API)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]  # typed, but without the marker

from ..domain.game import DecisionId, GameView, Seat
from ..domain.match.terms import OptionValue
from ..domain.seats import NOBODY
from .actions import Sentence
from .course import SeededChance
from .environment import Actions, Observation, check_render_mode, course_of, metadata_of, space_of
from .pictures import rendered


def parallel_env(
    game: str, *, seats: int | None = None, options: Mapping[str, OptionValue] | None = None, render_mode: str | None = None
) -> ParallelTafelrunde:
    """Return an environment; raise InvalidOptions, and ValueError for a game or a render mode that there is not."""
    return ParallelTafelrunde(game, seats=seats, options=options, render_mode=render_mode)


class ParallelTafelrunde(ParallelEnv[str, Observation, int]):
    """One table, all of whose seats act in each step: those that are asked say something, the others wait.

    Seats that are asked the same really answer at the same time. The answers are carried out in the order of the seats that are
    asked; once one of them has closed the decision (a challenge), the others of that step come too late and are dropped.
    The last action of the space is to wait: the only one for a seat that is not asked.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.course = course_of(game, seats, options)
        self.vocabulary = self.course.vocabulary
        self.layout = self.course.layout
        self.wait = len(self.vocabulary)
        self.metadata = metadata_of(self.course)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.course.seats)]
        self.agents: list[str] = []
        self._actions = {agent: Actions(self.wait + 1) for agent in self.possible_agents}
        self._observations = {agent: space_of(self.course, self.wait + 1) for agent in self.possible_agents}
        self._rng = random.Random()  # noqa: S311 - matches to learn from, not to be fair in
        self._sentences: dict[int, Sentence] = {}
        self._decision: DecisionId | None = None

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's observations."""
        return self._observations[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's actions; `vocabulary.words` says what each means, and the last is to wait."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal. The same seed and actions give the same match; without a seed the match is random."""
        if seed is not None:
            self._rng = random.Random(seed)  # noqa: S311 - matches to learn from, not to be fair in
        self.course.deal(SeededChance(self._rng))
        self.agents = self.possible_agents[:]
        self._decision = None
        self._ask()
        return self._observed(), {agent: {} for agent in self.agents}

    def _ask(self) -> None:
        """Begin a sentence for each seat that is asked and has said nothing yet."""
        course = self.course
        ask = self.course.game.pending(self.course.table)
        if ask is None or ask.decision != self._decision:
            self._sentences = {}
        self._decision = None if ask is None else ask.decision
        rules = course.game.rulebook
        open_ = () if ask is None else ask.open
        for seat in {*self._sentences} - {*open_}:
            del self._sentences[seat]
        for seat in open_:
            if seat not in self._sentences:
                self._sentences[seat] = Sentence(self.vocabulary, rules.legal(course.table, seat), seat)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Let all agents act; raise ValueError if one of them cannot do so now, before anything has happened."""
        self._check(actions)
        decision = self._decision
        for seat in list(self._sentences):
            if self._decision != decision or seat not in self._sentences:
                break
            move = self._sentences[seat].say(int(actions[self.possible_agents[seat]]))
            if move is not None:
                self.course.carry_out(seat, move)
                self._ask()
        over = self.course.asked == NOBODY
        rewards = self.course.rewards() if over else [0.0] * self.course.seats
        agents = self.agents
        seen = self._observed()
        if over:
            self.agents = []
        return (
            seen,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def _check(self, actions: Mapping[str, int]) -> None:
        for seat, agent in enumerate(self.agents):
            possible = self._sentences[seat].next if seat in self._sentences else [self.wait]
            if actions.get(agent) not in possible:
                raise ValueError(f"{agent}: action {actions.get(agent)} is not possible now: see the action mask")

    def _observed(self) -> dict[str, Observation]:
        return {agent: self._observation(seat) for seat, agent in enumerate(self.agents)}

    def _observation(self, seat: int) -> Observation:
        sentence = self._sentences.get(seat)
        row = self.course.row_saying(seat, () if sentence is None else sentence.said)
        mask = np.zeros(self.wait + 1, np.int8)
        mask[[self.wait] if sentence is None else sentence.next] = 1
        return {"observation": np.frombuffer(row, np.float32), "action_mask": mask}

    def view(self, agent: str) -> GameView:
        """Return the whole view of an agent's seat."""
        return self.course.view(Seat(self.possible_agents.index(agent)))

    def render(self) -> str | None:
        """Return what a spectator sees, as text (`ansi`) or as a picture (`svg`); `human` prints the text."""
        return rendered(self.course, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def state(self) -> Any:
        """Return the observations of all seats behind each other, for a critic that may see all of them while it learns."""
        return np.concatenate([np.frombuffer(self.course.row_saying(seat, ()), np.float32) for seat in range(self.course.seats)])
