"""One seat of a game as a Gymnasium environment: bots have the other seats."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, SupportsInt, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..domain.game import GameView, Seat
from ..domain.match import BotName
from ..domain.match.terms import OptionValue
from ..domain.seats import NOBODY
from ..service.simulate import answer, players_of
from .course import SeededChance
from .environment import Actions, check_render_mode, course_of, metadata_of
from .observations import LEAST, MOST
from .pictures import RENDER_MODES, rendered

Vector: TypeAlias = npt.NDArray[np.float32]
Mask: TypeAlias = npt.NDArray[np.int8]

LOST = -1.0
"""The reward of a seat that is last alone, and of an action that is not possible."""


def solo_env(
    game: str,
    *,
    opponent: str | Sequence[str] = "honest",
    seats: int | None = None,
    seat: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    render_mode: str | None = None,
) -> SoloTafelrunde:
    """Return an environment for one agent; raise InvalidOptions, and ValueError for a game, seat or mode that there is not.

    *opponent* names the bot of all other seats, or those of the next seats clockwise, in turn. *seat*: the agent's, by default
    another one in each match.
    """
    return SoloTafelrunde(game, opponent=opponent, seats=seats, seat=seat, options=options, render_mode=render_mode)


class SoloTafelrunde(gymnasium.Env[Vector, int]):
    """One seat of one table. A step is an action of the agent, and all that bots do until it is asked again.

    Observations and actions are those of `Tafelrunde`. The mask of the possible actions is in each `info` and returned by
    `action_masks`. The reward comes at the end, from 1 (alone first) to -1 (alone last), by rank. An action that is not possible
    ends the match with -1. Bots answer from their own seats' views alone.
    """

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Sequence[str] = "honest",
        seats: int | None = None,
        seat: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.course = course = course_of(game, seats, options)
        if seat is not None and not 0 <= seat < course.seats:
            raise ValueError(f"there is no seat {seat}, only 0 to {course.seats - 1}")
        names = (opponent,) if isinstance(opponent, str) else opponent
        self._bots = players_of(course.game, course.seats - 1, tuple(map(BotName, names)))
        self._always = seat
        self.seat = seat or 0
        self.vocabulary = course.vocabulary
        self.layout = course.layout
        self.metadata = {**metadata_of(course), "render_modes": list(RENDER_MODES), "render_fps": 1}
        self.render_mode = render_mode
        self.action_space: gymnasium.Space[Any] = Actions(len(course.vocabulary))
        self.observation_space = spaces.Box(LEAST, MOST, (course.width,), np.float32)
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Deal, and let the bots play until the agent is asked. The same seed and actions give the same matches."""
        super().reset(seed=seed)
        while True:
            self._rng = random.Random(int.from_bytes(self.np_random.bytes(8)))  # noqa: S311 - matches to learn from
            self.seat = self._rng.randrange(self.course.seats) if self._always is None else self._always
            self.course.deal(SeededChance(self._rng))
            self._bots_play()
            if self.course.asked != NOBODY:  # otherwise bots alone have played the whole match
                self._over = False
                return self._observed()

    def step(self, action: SupportsInt) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Take an action; return observation, reward, whether the match is over, False, and the info.

        Raises ValueError if there is no match: it is over, or was not dealt.
        """
        if self._over:
            raise ValueError("the match is over: reset the environment")
        reward = 0.0
        try:
            self.course.say(int(action))
        except ValueError:
            self._over = True
            reward = LOST
        else:
            self._bots_play()
            if self.course.asked == NOBODY:
                self._over = True
                reward = self.course.rewards()[self.seat]
        row, info = self._observed()
        return row, reward, self._over, False, info

    def _bots_play(self) -> None:
        course = self.course
        while course.asked not in {self.seat, NOBODY}:
            asked = Seat(course.asked)
            bot = self._bots[(asked - self.seat) % course.seats - 1]
            command = answer(course.game, course.table, asked, bot, self._rng)
            course.carry_out(asked, course.game.rulebook.move_of(command))

    def _observed(self) -> tuple[Vector, dict[str, Any]]:
        return np.frombuffer(self.course.row(self.seat), np.float32), {"action_mask": self.action_masks(), "seat": self.seat}

    def action_masks(self) -> Mask:
        """Return a 1 for each action that is possible now, and a 0 for the others."""
        mask = bytearray(len(self.vocabulary)) if self._over else self.course.mask(self.seat)
        return np.frombuffer(mask, np.int8)

    def view(self) -> GameView:
        """Return the whole view of the agent's seat, for callers who prefer a vector of their own."""
        return self.course.view(self.seat)

    def render(self) -> str | None:
        """Return the table as the agent sees it, as text (`ansi`) or as a picture (`svg`); `human` prints the text."""
        return rendered(self.course, self.render_mode, Seat(self.seat))
