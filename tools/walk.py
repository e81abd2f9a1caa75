"""Walks through the service in any order until something is wrong: `make walk STEPS=10000`, each game in turn, or `GAME=coup`.

`SEED` is that of the first walk; each further walk has the next one. `ON=serve` walks through real processes with an embedded
Valkey, in real time. What is found is walked again with fewer and fewer steps (`SHRINK` seconds, 60), and printed with the line
that repeats it; `DRAWS` says which draws that line takes. A finding ends it with 1.
"""

from __future__ import annotations

import random
import sys
import time

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.walk.walker import GROUNDS, MEMORY, WALK_DRAWS, Plan, report, shrink, walk
from tools.commands import CommandLine

PROGRESS_SECONDS = 60.0


def _draws(text: str) -> tuple[int, ...] | range:
    """Read which draws to take: `0:182`, or `3,5,18`."""
    first, colon, last = text.partition(":")
    return range(int(first), int(last)) if colon else tuple(map(int, text.split(",")))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def walks(game: GameId, seed: int, steps: int, on: str, shrink_seconds: float) -> bool:
    """Walk until *steps* were taken; return whether nothing was found."""
    began = noted = time.monotonic()
    taken = 0
    while taken < steps:
        walked = walk(Plan(game, seed, range(WALK_DRAWS)), on)
        taken += walked.steps
        if walked.failure is not None:
            _say(
                f"{game}: found after {taken} steps and {time.monotonic() - began:.1f} s, with seed {seed}: {walked.failure.kind}"
            )
            _say(report(shrink(walked.failure, shrink_seconds, on=on) if shrink_seconds else walked.failure))
            return False
        seed += 1
        if time.monotonic() - noted > PROGRESS_SECONDS:
            noted = time.monotonic()
            _say(f"{game}: {taken} steps, {noted - began:.0f} s, next seed {seed}")
    _say(f"{game}: {taken} steps without a finding, {time.monotonic() - began:.0f} s, next seed {seed}")
    return True


def main() -> None:
    """Walk, and print."""
    parser = CommandLine(__doc__)
    parser.add_argument("--game", choices=[*GAMES], help="only this one")
    parser.add_argument("--steps", type=int, default=10_000, help="of each game")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--draws", type=_draws, help="only these, once")
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds")
    parser.add_argument("--on", choices=[*GROUNDS], default=MEMORY)
    wanted = parser.parse_args()
    games = [GameId(wanted.game)] if wanted.game else [*GAMES]
    _say(f"seed {wanted.seed}")
    if wanted.draws is not None:
        failure = walk(Plan(games[0], wanted.seed, wanted.draws), wanted.on).failure
        _say(report(failure) if failure is not None else "nothing was found")
        sys.exit(failure is not None)
    fine = [walks(game, wanted.seed, wanted.steps, wanted.on, wanted.shrink) for game in games]
    sys.exit(not all(fine))


if __name__ == "__main__":
    main()
