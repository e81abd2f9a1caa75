"""Search: a bot that tries its moves out in worlds that agree with what its seat may know.

Every step draws one world and plays all moves that are still in question in it, each to the horizon of the game's *rollout*.
So moves are compared by what they bring in the same worlds, and far fewer steps tell them apart than if each had worlds of
its own. Moves that are clearly worse are given up on the way. It is a bandit at the root over determinized worlds (Long et
al. 2010 say when that works); the players' later moves come from a policy of the game.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from .deal_sampling import shuffle_cards
from .game import Budget, C, GameView, Rng, Seat, T
from .reasons import Reason

Element = TypeVar("Element")
V = TypeVar("V", bound=GameView)

DOUBT: Final = 2.5
"""A move is given up once it is worse than the best by more than this number of standard errors ..."""
TRUST: Final = 8
"""... and at least this number of worlds were seen."""
PREFERENCE: Final = 1.0
"""The first move is only replaced by one that is better by this number of standard errors."""
FIRST: Final = 8
MORE: Final = 2
"""How many worlds are drawn before the first of the likely ones is taken, and before each further one."""


class Rollout(Protocol[T, C]):
    """One decision as its seat sees it: the worlds that may be true, and what a move brings in one of them."""

    def candidates(self, commands: Sequence[C], rng: Rng) -> Sequence[C]:
        """Return those of the legal commands that are worth trying; the first is what would be chosen without a search."""
        ...

    def world(self, rng: Rng) -> T:
        """Return a table that agrees with everything the seat may know."""
        ...

    def worth(self, world: T, command: C, rng: Rng) -> float:
        """Return what *command* brings the seat in a world, from 0 (lost) to 1 (won). The world stays as it is."""
        ...


class Weighed(NamedTuple, Generic[C]):
    """A move, what it brought on average (0 to 1), and in how many worlds it was tried."""

    command: C
    worth: float
    worlds: int


class Considered(NamedTuple, Generic[T, C]):
    """A search: its moves, the best first, the worlds it drew, and what each of the moves brought in them, in the same order.

    A move that was given up has results for the first worlds only. The worlds stay as they are.
    """

    moves: list[Weighed[C]]
    worlds: list[T]
    results: list[list[float]]


class Steps:
    """A budget in steps."""

    def __init__(self, most: int) -> None:
        self._most = most

    def allows(self, steps: int) -> bool:
        """Return whether there are steps left."""
        return steps < self._most


class SampledChance:
    """Chance for the future of an imagined table."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        return shuffle_cards(items, self._rng)

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        return int(self._rng.random() * bound)


class SearchBot(Generic[V, T, C]):
    """Plays the move that brings most in *steps* worlds, or in as many as the budget allows.

    The number of worlds may depend on the view. Cost: steps x moves x one play-out. `longest_ms`: what the longest thought
    takes on a usual core, where that differs from what is usual for the level. Its answers are never shown sooner. `reason`:
    says why the best move of a search is recommended, from the view and what was considered. `mix`: it plays any of the moves
    that are worse than the best by at most this number of standard errors in a view, so that rivals cannot foresee it.
    """

    def __init__(
        self,
        rollout: Callable[[V], Rollout[T, C]],
        steps: int | Callable[[V], int],
        *,
        longest_ms: int | None = None,
        mix: Callable[[V], float] | None = None,
        reason: Callable[[V, Considered[T, C]], Reason | None] | None = None,
    ) -> None:
        self.rollout = rollout
        self.reason = reason
        self.longest_ms = longest_ms
        self._steps = steps
        self._mix = mix

    def choose(self, view: V, legal: Sequence[C], rng: Rng, budget: Budget) -> C:
        """Return the best of *legal*."""
        if len(legal) == 1:
            return legal[0]
        if self._mix is None or not (errors := self._mix(view)):
            return self.weigh(view, legal, rng, budget)[0].command
        rollout = self.rollout(view)
        tried = rollout.candidates(legal, rng)
        order, results = _race(tried, rollout, rollout.world, rng, self._more(view, budget))
        equals = _equals(order, results, errors)
        return tried[equals[int(rng.random() * len(equals))]]

    def weigh(self, view: V, legal: Sequence[C], rng: Rng, budget: Budget, truth: T | None = None) -> list[Weighed[C]]:
        """Return the moves that were tried, the best first. With the *truth* it cheats: for the arena alone."""
        rollout = self.rollout(view)
        tried = rollout.candidates(legal, rng)

        def world(rng: Rng) -> T:
            return rollout.world(rng) if truth is None else truth

        return race(tried, rollout, world, rng, self._more(view, budget))

    def consider(self, view: V, legal: Sequence[C], rng: Rng, budget: Budget, also: C | None = None) -> Considered[T, C]:
        """Return the same search with all that it has seen. It tries *also*, one of the legal moves, in any case."""
        rollout = self.rollout(view)
        tried = rollout.candidates(legal, rng)
        tried = tried if also is None or also in tried else [*tried, also]
        worlds: list[T] = []

        def world(rng: Rng) -> T:
            worlds.append(drawn := rollout.world(rng))
            return drawn

        order, results = _race(tried, rollout, world, rng, self._more(view, budget))
        return Considered(_weigh(tried, order, results), worlds, [results[move] for move in order])

    def worlds(self, view: V) -> int:
        """Return in how many worlds it tries its moves, if its budget allows them."""
        return self._steps(view) if callable(self._steps) else self._steps

    def _more(self, view: V, budget: Budget) -> Callable[[int], bool]:
        most = self.worlds(view)
        return lambda steps: steps < most and budget.allows(steps)


def race(
    legal: Sequence[C], rollout: Rollout[T, C], world: Callable[[Rng], T], rng: Rng, more: Callable[[int], bool]
) -> list[Weighed[C]]:
    """Return moves by what they bring, the best first; those that were given up on the way come last.

    The first of *legal* is put first unless another one is clearly better.
    """
    return _weigh(legal, *_race(legal, rollout, world, rng, more))


def _race(
    legal: Sequence[C], rollout: Rollout[T, C], world: Callable[[Rng], T], rng: Rng, more: Callable[[int], bool]
) -> tuple[list[int], list[list[float]]]:
    """Return the places of the moves, the best first, and what each move, by its place, brought in one world after the other."""
    results: list[list[float]] = [[] for _ in legal]
    running = list(range(len(legal)))
    steps = 0
    while len(running) > 1 and (steps == 0 or more(steps)):
        imagined = world(rng)
        for move in running:
            results[move].append(rollout.worth(imagined, legal[move], rng))
        steps += 1
        if steps >= TRUST and steps & 3 == 0:
            running = _still_in_question(results, running, steps)
    order = sorted(range(len(legal)), key=lambda move: (len(results[move]), _mean(results[move])), reverse=True)
    if order[0] and len(results[0]) == steps and not _worse(results[0], results[order[0]], steps, PREFERENCE):
        order.remove(0)
        order.insert(0, 0)
    return order, results


def _equals(order: Sequence[int], results: Sequence[Sequence[float]], errors: float) -> list[int]:
    """Return the best move, and those that may be as good by their results in the same worlds."""
    best = max(order, key=lambda move: (len(results[move]), _mean(results[move])))
    steps = len(results[best])
    return [
        move
        for move in order
        if move == best or (len(results[move]) == steps and not _worse(results[move], results[best], steps, errors))
    ]


def _weigh(legal: Sequence[C], order: Sequence[int], results: Sequence[Sequence[float]]) -> list[Weighed[C]]:
    return [Weighed(legal[move], _mean(results[move]), len(results[move])) for move in order]


def _still_in_question(results: Sequence[Sequence[float]], running: Sequence[int], steps: int) -> list[int]:
    """Return the moves that may still turn out best, by their differences to the best in the same worlds."""
    best = max(running, key=lambda move: sum(results[move]))
    return [move for move in running if move == best or not _worse(results[move], results[best], steps, DOUBT)]


def _worse(own: Sequence[float], best: Sequence[float], steps: int, errors: float) -> bool:
    """Return whether moves differ, in the same worlds, by more than *errors* standard errors."""
    total = squares = 0.0
    for mine, other in zip(own, best, strict=True):
        gap = other - mine
        total += gap
        squares += gap * gap
    mean = total / steps
    spread = max(squares / steps - mean * mean, 1e-6)
    return mean * mean * steps > errors * errors * spread


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


class Likely(Generic[T]):
    """Worlds of one decision, each taken as often as it is likely: few new ones are drawn each time, and all are kept."""

    def __init__(self, world: Callable[[Rng], T], likelihood: Callable[[T], float]) -> None:
        self._world = world
        self._likelihood = likelihood
        self._worlds: list[T] = []
        self._sums: list[float] = [0.0]

    def draw(self, rng: Rng) -> T:
        """Return one of the worlds drawn so far; it may be returned again, so it must stay as it is."""
        for _ in range(MORE if self._worlds else FIRST):
            world = self._world(rng)
            self._worlds.append(world)
            self._sums.append(self._sums[-1] + self._likelihood(world))
        found = bisect(self._sums, rng.random() * self._sums[-1])
        return self._worlds[min(found, len(self._worlds)) - 1]


def ahead(commands: Sequence[C], favourite: C) -> list[C]:
    """Return the commands with one of them put first."""
    return [favourite, *(command for command in commands if command != favourite)]


def seat_of(view: GameView, seat: Seat | None) -> Seat:
    """Return the seat that a view belongs to."""
    assert seat is not None, f"a bot sits somewhere: {type(view).__name__}"
    return seat
