"""The games as OpenSpiel's: importing this registers them (extra `openspiel`).

import pyspiel
import tafelrunde.research.openspiel

game = pyspiel.load_game("tafelrunde_coup(players=2)")

Chance is explicit: a shuffle is a row of draws with equally likely outcomes, so that algorithms that walk the whole tree see it.
Seats that are asked at once answer one after the other without seeing each other's answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import msgspec
import numpy as np

from ..domain.game import AnyGame
from ..domain.match.opening import read_options
from ..domain.registry import GAMES
from .actions import vocabulary_of
from .chance_nodes import Tree
from .observations import layout_of

pyspiel: Any = import_module("pyspiel")

LONGEST = 100_000
"""What OpenSpiel hears of the length of a match; none comes near it."""
MOST_OUTCOMES = 128
"""More cards than any deck has."""


def short_name(game: AnyGame) -> str:
    """Return what OpenSpiel calls a game."""
    return f"tafelrunde_{game.id.replace('-', '_')}"


def _type_of(game: AnyGame) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=short_name(game),
        long_name=game.messages[game.id].en,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.min_seats, "options": "{}"},
    )


class SpielGame(pyspiel.Game):
    """A game with a number of players, and options as a JSON object; raises InvalidOptions."""

    def __init__(self, game: AnyGame, kind: Any, params: Mapping[str, Any] | None) -> None:
        given = dict(params or {})
        self.game = game
        self.seats = int(given.get("players", game.min_seats))
        self.options = read_options(game, msgspec.json.decode(given.get("options", "{}")), self.seats)
        self.vocabulary = vocabulary_of(game, self.seats)
        self.width = len(layout_of(game, self.seats).names) + len(self.vocabulary)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.vocabulary),
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, given)  # pyright: ignore[reportUnknownMemberType] # OpenSpiel has no types

    def new_initial_state(self, *_: object) -> SpielState:
        """Return the state before the deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> SpielObserver:
        """Return an observer; with perfect recall it has strings only."""
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self, recalls=recalls)


class SpielState(pyspiel.State):
    """A node of the tree."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)  # pyright: ignore[reportUnknownMemberType] # OpenSpiel has no types
        self.tree = Tree(game.game, game.options, game.seats)

    def current_player(self) -> int:
        """Return the seat that is asked, or that chance draws, or that the match is over."""
        if self.tree.over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.tree.bounds else self.tree.asked

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(set(self.tree.sentence.next)) if player == self.tree.asked and not self.tree.bounds else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the draw that is due, each as likely as the others."""
        bound = self.tree.bounds[0]
        return [(outcome, 1 / bound) for outcome in range(bound)]

    def _apply_action(self, action: int) -> None:
        if self.tree.bounds:
            self.tree.draw(action)
        else:
            self.tree.say(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player == pyspiel.PlayerId.CHANCE else str(self.tree.vocabulary.words[action])

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.tree.over

    def returns(self) -> list[float]:
        """Return the rewards of all seats: 0 before the end."""
        return self.tree.rewards() if self.tree.over else [0.0] * self.tree.seats

    def __str__(self) -> str:
        """Return all facts so far, and what is missing: two histories with the same text are the same."""
        missing = f"{len(self.tree.bounds)} draws are missing" if self.tree.bounds else ""
        return "\n".join((*_lines(self.tree.events), f"{self.tree.pending}", missing))


class SpielObserver:
    """What a seat observes: the tensor and text of its view, or as text all that it has ever been shown."""

    def __init__(self, game: SpielGame, *, recalls: bool) -> None:
        self._start = game.width - len(game.vocabulary)
        self.tensor = None if recalls else np.zeros(game.width, np.float32)
        self.dict: dict[str, Any] = {} if self.tensor is None else {"observation": self.tensor}
        self._recalls = recalls

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the observation of a seat into the tensor."""
        if self.tensor is None:
            raise ValueError("only a text tells all that a seat remembers")
        self.tensor.fill(0)
        self.tensor[: self._start] = np.frombuffer(state.tree.row(player), np.float32)
        for word in state.tree.said(player):
            self.tensor[self._start + word] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat observes, or remembers, as text."""
        tree = state.tree
        said = "; ".join(str(tree.vocabulary.words[word]) for word in tree.said(player))
        seen = _lines(tree.memory(player)) if self._recalls else (msgspec.json.encode(tree.view(player)).decode(),)
        return "\n".join((f"seat {player}", *seen, said))


def _lines(values: Sequence[object]) -> Iterator[str]:
    return (msgspec.json.encode(value).decode() for value in values)


def _register(game: AnyGame) -> None:
    kind = _type_of(game)

    class Registered(SpielGame):
        """OpenSpiel makes games by calling a class with their parameters."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, kind, params)

    pyspiel.register_game(kind, Registered)


for _game in GAMES.values():
    _register(_game)
