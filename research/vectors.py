"""Many tables of a game that are played at once: one call takes an action for each, and gives the next observations as arrays."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..domain.match.terms import OptionValue
from ..domain.seats import NOBODY
from .course import SeededChance
from .environment import course_of


class Batch(NamedTuple):
    """What the asked seat of each table observes, and what has just ended.

    `seats` are the seats that are asked now. A table whose match has just ended (`ended`) has been dealt again, and `rewards` has
    what each of its seats got, 0 for all others; `matches` counts the matches that each table has ended.
    """

    observations: npt.NDArray[np.float32]
    action_masks: npt.NDArray[np.int8]
    seats: npt.NDArray[np.int64]
    ended: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    matches: npt.NDArray[np.int64]


def tables(
    game: str, number: int, *, seats: int | None = None, options: Mapping[str, OptionValue] | None = None, seed: int | None = None
) -> Tables:
    """Return that number of tables, dealt; raise InvalidOptions, and ValueError for a game that there is not.

    The same seed and actions give the same matches.
    """
    return Tables(game, number, seats=seats, options=options, seed=seed)


class Tables:
    """Tables in one process. The arrays of a batch are new ones with each step, so they may be kept."""

    def __init__(
        self,
        game: str,
        number: int,
        *,
        seats: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        seed: int | None = None,
    ) -> None:
        if number < 1:
            raise ValueError("there has to be a table")
        self.courses = [course_of(game, seats, options) for _ in range(number)]
        first = self.courses[0]
        self.vocabulary = first.vocabulary
        self.layout = first.layout
        self.seats = first.seats
        self.shape = (number, first.width)
        """The shape of the observations of a batch."""
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Batch:
        """Deal all tables and return what their asked seats observe."""
        source = random.Random(seed)  # noqa: S311 - matches to learn from, not to be fair in
        for course in self.courses:
            course.deal(SeededChance(random.Random(source.getrandbits(64))))  # noqa: S311 - matches to learn from
        self._matches = np.zeros(len(self.courses), np.int64)
        self._batch = self._observed(np.zeros(len(self.courses), np.bool_), self._no_rewards())
        return self._batch

    def batch(self) -> Batch:
        """Return the newest batch again."""
        return self._batch

    def step(self, actions: Sequence[int] | npt.NDArray[np.int64]) -> Batch:
        """Let the asked seat of each table take an action, and return what the seats that are asked then observe.

        Raises ValueError if an action is not possible; the tables before that one have moved then.
        """
        ended = np.zeros(len(self.courses), np.bool_)
        rewards = self._no_rewards()
        for place, (course, action) in enumerate(zip(self.courses, actions, strict=True)):
            course.say(int(action))
            if course.asked == NOBODY:
                ended[place] = True
                rewards[place] = course.rewards()
                course.deal_again()
        self._matches = self._matches + ended
        self._batch = self._observed(ended, rewards)
        return self._batch

    def _no_rewards(self) -> npt.NDArray[np.float32]:
        return np.zeros((len(self.courses), self.seats), np.float32)

    def _observed(self, ended: npt.NDArray[np.bool_], rewards: npt.NDArray[np.float32]) -> Batch:
        rows = bytearray()
        masks = bytearray()
        seats = [0] * len(self.courses)
        for place, course in enumerate(self.courses):
            seats[place] = course.asked
            rows += memoryview(course.row(course.asked)).cast("B")
            masks += course.mask(course.asked)
        return Batch(
            np.frombuffer(rows, np.float32).reshape(self.shape),
            np.frombuffer(masks, np.int8).reshape(len(self.courses), len(self.vocabulary)),
            np.array(seats),
            ended,
            rewards,
            self._matches,
        )
