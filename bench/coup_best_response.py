"""A best response to Coup's bot `policy` with two seats, learned as a table: `python -m bench.coup_best_response`.

Monte Carlo control: each cell keeps the share of matches won after each of its moves, and mostly plays the best one. It takes a
few minutes of one core, writes domain/coup/bots/response_table.py, and with the same code the same bytes. `make ladder` then
shows what the table wins in fresh deals: how far `policy` can be exploited at the least.

RESPONSE_MATCHES: of how many matches it learns (40000).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from bench.scale import part, size, sized
from tafelrunde.domain.coup.bots.best_response import HONEST, cell_of, choices_of
from tafelrunde.domain.coup.game import Coup
from tafelrunde.domain.coup.messages import CoupOptions
from tafelrunde.domain.game import Seat
from tafelrunde.domain.search import Steps
from tests.support.dice import Dice

TARGET = Path(__file__).resolve().parents[1] / "domain" / "coup" / "bots" / "response_table.py"
MATCHES = int(os.environ.get("RESPONSE_MATCHES", size(40_000, 20)))
GAME = Coup()
CURIOUS, LEAST_CURIOUS = 0.15, 0.03
"""How often a move is tried that is not the best so far: at the beginning, and at the end."""
SLOWEST = 1 / 500
"""The least weight of a new match in a share, as the rest of the table changes as well."""
TRUSTED = 20
"""After how many tries a cell's best move is written down; before that `honest` decides."""
HEAD = '''"""What `python -m bench.coup_best_response` has learned against `policy`: situations and the best move in each."""

from __future__ import annotations

from typing import Final

CELLS: Final = """
'''


class Learner:
    """A table of shares, and how often each move was tried."""

    def __init__(self) -> None:
        self.shares: dict[tuple[str, str], float] = {}
        self.tries: Counter[tuple[str, str]] = Counter()

    def note(self, visited: list[tuple[str, str]], won: bool) -> None:
        """Learn from one match."""
        for place in visited:
            self.tries[place] += 1
            share = self.shares.get(place, 0.5)
            self.shares[place] = share + max(1 / (1 + self.tries[place]), SLOWEST) * (won - share)

    def best(self, cell: str, usual: str, choices: Iterable[str]) -> str:
        """Return the move of a cell that won most so far; among equals the *usual* one."""
        return max(choices, key=lambda each: (self.shares.get((cell, each), 0.5), each == usual))

    def moves(self) -> dict[str, str]:
        """Return the best move of each cell that was met often enough."""
        best: dict[str, tuple[float, str]] = {}
        for (cell, move), share in sorted(self.shares.items()):
            if self.tries[cell, move] >= TRUSTED:
                best[cell] = max(best.get(cell, (-1.0, "")), (share, move))
        return {cell: move for cell, (_, move) in best.items()}


def play(learner: Learner, number: int, curious: float) -> bool:
    """Play one match, with the learner in turn on each seat, and learn from it; return whether it won."""
    game, policy = GAME, GAME.bots()["policy"]
    rng, chance, me = random.Random(number), Dice(number), Seat(number % 2)
    table = game.create(CoupOptions(), 2)
    for event in game.start(table, chance):
        game.fold(table, event)
    visited: list[tuple[str, str]] = []
    while (ask := game.pending(table)) is not None:
        seat = ask.open[0]
        view, legal = game.view(table, seat), game.legal(table, seat)
        if seat != me:
            command = policy.choose(view, legal, rng, Steps(100))
        else:
            command = HONEST.choose(view, legal, rng, Steps(0))
            if len(legal) > 1 and (cell := cell_of(view)) is not None:
                choices = choices_of(view, legal)
                if rng.random() < curious:
                    move = rng.choice([*choices])
                else:
                    usual = type(command).__name__
                    move = learner.best(cell, usual, choices)
                command = choices[move]
                visited.append((cell, move))
        game.play(table, seat, command, chance)
    standing = game.standing(table)
    assert standing is not None
    won = me in standing.winners
    learner.note(visited, won)
    return won


def main() -> None:
    """Learn, and write the table."""
    learner, won = Learner(), 0
    for number in range(MATCHES):
        if number % 5_000 == 0:
            part(f"{number} matches, {won} of the last 5000 won")
            won = 0
        won += play(learner, number, max(CURIOUS * (1 - number / MATCHES), LEAST_CURIOUS))
    cells = [f"{cell}={move}" for cell, move in sorted(learner.moves().items())]
    lines, line = [""], ""
    for cell in cells:
        line = f"{lines[-1]} {cell}".strip()
        lines[-1:] = [line] if len(line) < 128 else [lines[-1], cell]
    if MATCHES > 1_000:
        TARGET.write_text(HEAD + "\n".join(lines) + '\n"""\n"""The move of each situation."""\n', encoding="utf-8")
    print(f"{len(cells)} cells")


if __name__ == "__main__":
    sized(__doc__)
    main()
