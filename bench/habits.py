"""How seats bid in MatchMaster: fits HABITS of its rollout to bids that searches make among themselves. `python -m bench.habits`.

Prints what to write into domain/matchmaster/bots/rollout.py, and how far bids lie from that. Searches reckon with these habits
themselves, so a fit after a change of the search is repeated until it stands still.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

import msgspec
import numpy as np

from bench.scale import part, size, sized
from tafelrunde.domain.matchmaster import GAME
from tafelrunde.domain.matchmaster.bots.rollout import DOUBT_PER_CARD, HABITS
from tafelrunde.domain.matchmaster.cards import TRUMP, VALUES
from tafelrunde.domain.matchmaster.messages import PlaceBid
from tafelrunde.domain.search import Steps
from tafelrunde.service.simulate import SeededChance

MATCHES = size(100, 1)
BOT = "search-large"
EVERY_STEP = Steps(size(1_000, 5))


class Bid(msgspec.Struct, frozen=True):
    """A hand, and the tricks that were bid on it."""

    hand: tuple[int, ...]
    tricks: int


def main() -> None:
    """Print the habits of tables with two to five seats."""
    matches = int(os.environ.get("HABITS_MATCHES", MATCHES))
    with ProcessPoolExecutor() as pool:
        for seats in HABITS:
            part(f"{seats} seats")
            bids = [bid for part in pool.map(bids_of, [seats] * matches, range(matches)) for bid in part]
            print(seats, len(bids), *fitted(bids))


def bids_of(seats: int, seed: int) -> list[Bid]:
    """Return all bids of one match among searches."""
    return list(_bids(seats, random.Random(seed)))


def _bids(seats: int, rng: random.Random) -> Iterator[Bid]:
    chance = SeededChance(rng)
    table = GAME.create(GAME.options_type(), seats)
    for event in GAME.start(table, chance):
        GAME.fold(table, event)
    while (ask := GAME.pending(table)) is not None:
        seat = ask.open[0]
        command = GAME.bots()[BOT].choose(GAME.view(table, seat), GAME.legal(table, seat), rng, EVERY_STEP)
        if isinstance(command, PlaceBid):
            yield Bid(tuple(table.hands[seat]), command.tricks)
        GAME.play(table, seat, command, chance)


def fitted(bids: Sequence[Bid]) -> tuple[list[float], dict[int, float]]:
    """Return the five numbers of a habit by weighted least squares, and the standard deviation by number of cards."""
    parts = np.array([_parts(bid.hand) for bid in bids])
    tricks = np.array([float(bid.tricks) for bid in bids])
    sizes = np.array([len(bid.hand) for bid in bids])
    weights = 1 / (0.3 + DOUBT_PER_CARD * sizes)
    habit, *_ = np.linalg.lstsq(parts * weights[:, None], tricks * weights, rcond=None)
    misfits = tricks - np.clip(parts @ habit, 0, sizes)
    spread = {int(size): round(float(misfits[sizes == size].std()), 2) for size in np.unique(sizes)}
    return [round(float(part), 2) for part in habit], spread


def _parts(hand: Sequence[int]) -> tuple[float, ...]:
    trumps = [_rank(card) for card in hand if card // VALUES == TRUMP]
    plain = [_rank(card) for card in hand if card // VALUES != TRUMP]
    return (len(trumps), sum(trumps), sum(plain), sum(rank**4 for rank in plain), 1 - len(hand))


def _rank(card: int) -> float:
    return card % VALUES / (VALUES - 1)


if __name__ == "__main__":
    sized(__doc__)
    main()
