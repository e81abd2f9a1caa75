"""What players of MatchMaster play: fits the policy that its strongest bot expects of all seats. `python -m bench.plays`.

The strongest bot plays matches with itself, with two to seven seats. Each decision with a choice is noted: the features of the
legal cards, and which of them was played. The weights are those under which these cards are most likely (a conditional logit, by
Newton's method), for each kind of decision its own. Prints what to write into domain/matchmaster/bots/learned_policy.py, and how
many nats a card costs with it and with all legal cards alike.

The bot reckons with this policy itself, so a fit after a change of it is repeated until it stands still. PLAYS_MATCHES says how
many matches of each number of seats (100). Their deals and chance are the same in each run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from bench.conditional_logit import Choice, report
from bench.scale import part, size, sized
from bench.self_play import answers
from tafelrunde.domain.game import GameId
from tafelrunde.domain.matchmaster.bots.policy import FEATURES, KINDS, Course, Weights, about, scores
from tafelrunde.domain.matchmaster.messages import PlayCard
from tafelrunde.domain.matchmaster.moves import playable
from tafelrunde.domain.matchmaster.table import MatchMasterTable
from tafelrunde.domain.registry import GAMES

MATCHES = size(100, 1)
BOT = "inference"
SEATS = range(2, size(7, 2) + 1)
UNITS = tuple(Weights([float(place == each) for place in range(FEATURES)]) for each in range(FEATURES))
"""Weights with which the score of a card is one of its features."""


def main() -> None:
    """Print the weights, and what a card costs."""
    matches = int(os.environ.get("PLAYS_MATCHES", MATCHES))
    plan = [(seats, number) for number in range(matches) for seats in SEATS]
    part(f"{len(plan)} matches")
    with ProcessPoolExecutor() as pool:
        choices = [each for noted in pool.map(choices_of, *zip(*plan, strict=True), chunksize=4) for each in noted]
    print(report(choices, KINDS, FEATURES))


def choices_of(seats: int, number: int) -> list[Choice]:
    """Return all decisions with a choice of one match of the strongest bot with itself."""
    return list(_choices(seats, random.Random(f"{seats}/{number}")))


def _choices(seats: int, rng: random.Random) -> Iterator[Choice]:
    for table, seat, command in answers(GAMES[GameId("matchmaster")], BOT, seats, rng):
        assert isinstance(table, MatchMasterTable)
        if isinstance(command, PlayCard) and len(legal := playable(table.hands[seat], table.trick)) > 1:
            yield _choice(table, legal, command.card)


def _choice(table: MatchMasterTable, legal: list[int], card: int) -> Choice:
    seen = sum(1 << each for each in [*table.trick, *(each for trick in table.tricks for each in trick.cards)])
    course = Course(table.leader, table.trick, table.bids, table.taken, seen)
    hand = table.hands[table.turn]
    columns = [scores(course, hand, legal, unit) for unit in UNITS]
    return Choice(about(course, len(hand)), tuple(zip(*columns, strict=True)), legal.index(card))


if __name__ == "__main__":
    sized(__doc__)
    main()
