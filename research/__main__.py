"""`python -m tafelrunde.research GAME [SEATS]`: what each place of an observation means, and each action."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ..domain.game import AnyGame, GameId
from ..domain.registry import GAMES
from .actions import vocabulary_of
from .observations import VERSION, layout_of


def reference(game: AnyGame, seats: int) -> Iterator[str]:
    """Yield all places of the observations of a game with that number of seats, and all actions, a line for each."""
    layout, vocabulary = layout_of(game, seats), vocabulary_of(game, seats)
    yield f"# {game.id}, {seats} seats, observations of version {VERSION}"
    for place, name in enumerate(layout.names):
        yield f"observation {place}: {name}"
    for number, word in enumerate(vocabulary.words):
        yield f"observation {len(layout.names) + number}: said {word}"
    for number, word in enumerate(vocabulary.words):
        yield f"action {number}: {word}"


def main(arguments: list[str]) -> int:
    """Print the reference; return 2 if there is no such game."""
    name, *rest = arguments or ["?"]
    if name not in GAMES or len(rest) > 1 or not all(each.isdigit() for each in rest):
        sys.stderr.write(f"Name a game ({', '.join(GAMES)}), and the number of seats if it is not the fewest.\n")
        return 2
    game = GAMES[GameId(name)]
    seats = int(rest[0]) if rest else game.min_seats
    if not game.min_seats <= seats <= game.max_seats:
        sys.stderr.write(f"{name} has {game.min_seats} to {game.max_seats} seats.\n")
        return 2
    sys.stdout.writelines(f"{line}\n" for line in reference(game, seats))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
