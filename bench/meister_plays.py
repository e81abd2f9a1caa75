"""What players of Meister Coup play: fits the policy of its strongest bot's play-outs. `python -m bench.meister_plays`.

The strongest bot plays matches with itself, with three to five seats and in teams of four and six, one in four with falling
diamonds. Each card of a hand of several is noted: the features of all of them, and which was played. The weights are those under
which these cards are most likely (a conditional logit, by Newton's method), for each kind of decision its own. Prints what to
write into domain/meister_coup/bots/learned_policy.py, and how many nats a card costs with it and with all cards alike.

The bot plays out by this policy itself, so a fit after a change of it is repeated until it stands still. MEISTER_PLAYS_MATCHES
says how many matches of each kind of table (100). Their deals and chance are the same in each run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Literal, TypeAlias

from bench.conditional_logit import Choice, report
from bench.scale import part, size, sized
from bench.self_play import answers
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.meister_coup.bots.policy import FEATURES, KINDS, Weights, about, scores
from tafelrunde.domain.meister_coup.messages import MeisterOptions, PlayCard
from tafelrunde.domain.meister_coup.table import MeisterTable
from tafelrunde.domain.registry import GAMES

Mode: TypeAlias = Literal["standard", "team"]

MATCHES = size(100, 1)
BOT = "search-large"
TABLES: list[tuple[int, Mode]] = [(3, "standard"), (4, "standard"), (5, "standard"), (4, "team"), (6, "team")]
FALLING = 4
"""One match of this number has falling diamonds, the others rising ones."""
UNITS = tuple(Weights([float(place == each) for place in range(FEATURES)]) for each in range(FEATURES))
"""Weights with which the score of a card is one of its features."""


def main() -> None:
    """Print the weights, and what a card costs."""
    matches = int(os.environ.get("MEISTER_PLAYS_MATCHES", MATCHES))
    plan = [(seats, mode, number) for number in range(matches) for seats, mode in TABLES[: size(len(TABLES), 1)]]
    part(f"{len(plan)} matches")
    with ProcessPoolExecutor() as pool:
        choices = [each for noted in pool.map(choices_of, *zip(*plan, strict=True), chunksize=4) for each in noted]
    print(report(choices, KINDS, FEATURES))


def choices_of(seats: int, mode: Mode, number: int) -> list[Choice]:
    """Return all decisions about a card of one match of the strongest bot with itself."""
    options = MeisterOptions(mode=mode, diamonds="falling" if number % FALLING == FALLING - 1 else "rising")
    return list(_choices(options, seats, random.Random(f"{seats}/{mode}/{number}")))


def _choices(options: MeisterOptions, seats: int, rng: random.Random) -> Iterator[Choice]:
    for table, seat, command in answers(GAMES[GameId("meister-coup")], BOT, seats, rng, options):
        assert isinstance(table, MeisterTable)
        if isinstance(command, PlayCard) and len(table.hands[seat]) > 1:
            yield _choice(table, seat, command.card)


def _choice(table: MeisterTable, seat: Seat, card: int) -> Choice:
    columns = [scores(table, seat, unit) for unit in UNITS]
    return Choice(about(table), tuple(zip(*columns, strict=True)), table.hands[seat].index(card))


if __name__ == "__main__":
    sized(__doc__)
    main()
