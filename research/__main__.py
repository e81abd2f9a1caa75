"""`python -m tafelrunde.research GAME [SEATS]`: what each place of an observation means, and each action."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import NoReturn

from ..domain.game import AnyGame
from ..service.games import list_available
from .actions import vocabulary_of
from .environment import load_game
from .observations import VERSION, layout_of


def reference(game: AnyGame, seats: int) -> Iterator[str]:
    """Yield all places of the observations of a game with that number of seats, and all actions, a line for each."""
    layout = layout_of(game, seats)
    vocabulary = vocabulary_of(game, seats)
    yield f"# {game.id}, {seats} seats, observations of version {VERSION}"
    for place, name in enumerate(layout.names):
        yield f"observation {place}: {name}"
    for number, word in enumerate(vocabulary.words):
        yield f"observation {len(layout.names) + number}: said {word}"
    for number, word in enumerate(vocabulary.words):
        yield f"action {number}: {word}"


class _CommandLine(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(
            2, f"{message}. Name a game ({', '.join(list_available())}), and the number of seats if it is not the fewest.\n"
        )


def main(arguments: list[str]) -> int:
    """Print the reference; exit with 2 if there is no such game."""
    command = _CommandLine(prog="python -m tafelrunde.research", description=__doc__)
    command.add_argument("game", choices=list_available())
    command.add_argument("seats", nargs="?", type=int, help="the fewest if there are none")
    given = command.parse_args(arguments)
    game = load_game(given.game)
    seats: int = game.min_seats if given.seats is None else given.seats
    if not game.min_seats <= seats <= game.max_seats:
        command.error(f"{game.id} has {game.min_seats} to {game.max_seats} seats")
    sys.stdout.writelines(f"{line}\n" for line in reference(game, seats))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
