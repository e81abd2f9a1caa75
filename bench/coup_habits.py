"""What players of Coup do: fits the habits that its strongest bot expects of rivals. `python -m bench.coup_habits`.

Bots of all kinds play `search-large`, with two seats or with `HABITS_SEATS`, and each time when it is asked, what the other has
done is noted beside the hand that it holds. A hand is as likely as its roles: the weights of the roles are those under which the
hands that were held are most likely (a conditional logit, by gradient ascent). With `HABITS_OF=search-large` it is fitted to that
bot alone, as the exploiter `fitted` is. Prints the habits, and how many nats a hand costs with them and with all hands alike.

`search-large` reckons with these habits itself, so a fit after a change of it is repeated until it stands still.
HABITS_MATCHES says how many matches (1,500); those take about a quarter of an hour of one core with two seats, a third of that in
the compiled form. Their deals and chance are the same in each run. The habits that are shipped were not fitted by this command
(decision 52 says how strong the bot is with those of such a run).
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations_with_replacement
from math import comb
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from bench.scale import part, size, sized
from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.bots import BOTS
from tafelrunde.domain.coup.bots.exploiters import EXPLOITERS
from tafelrunde.domain.coup.bots.rivals import features
from tafelrunde.domain.coup.conduct import KINDS, kind_of
from tafelrunde.domain.coup.messages import Challenge, CoupOptions
from tafelrunde.domain.coup.moves import COPIES, deck_roles
from tafelrunde.domain.coup.stages import BLOCK_CHALLENGE, CHALLENGE, EXCHANGE, LOSE, PROVE
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.search import Steps
from tafelrunde.service.features.bots.arena import DealtChance

MATCHES = size(1_500, 8)
STEPS = Steps(size(1_000, 8))
POPULATION: Mapping[str, int] = {
    "search-large": 16,
    "frozen-large": 5,
    "honest": 6,
    "search-small": 3,
    "bluffer": 1,
    "suspicious": 1,
    "always-bluffs": 1,
    "always-doubts": 1,
}
"""Whose hands are learned, and how many matches of each: about as for the habits that are shipped, nearly half of them of the
strongest bot."""
Weights: TypeAlias = npt.NDArray[np.float64]
ROLES = 5
EPOCHS, RATE, DECAY, BATCH = 12, 0.03, 3e-4, 256
NOTED = 1.0
"""Which part of the decisions is noted: those of one match are alike, so that with very many matches a part of them suffices."""


class Seen(msgspec.Struct, frozen=True):
    """What is known of a seat, how many of each role are unseen, and the hand that it holds."""

    features: tuple[float, ...]
    unseen: tuple[int, ...]
    hand: tuple[int, ...]


class Noted(msgspec.Struct):
    """What one match showed: hands, and for each kind of claim the doubts and the chances to doubt, as `quick` counts them."""

    hands: list[Seen]
    doubts: list[float]
    chances: list[float]
    decisions: int


def main() -> None:
    """Print the habits of the population, or of one bot."""
    names = [os.environ["HABITS_OF"]] if "HABITS_OF" in os.environ else [*POPULATION]
    shares = {name: POPULATION.get(name, 1) for name in names}
    matches = int(os.environ.get("HABITS_MATCHES", MATCHES))
    seats = int(os.environ.get("HABITS_SEATS", "2"))
    plan = [(name, number) for name in names for number in range(max(matches * shares[name] // sum(shares.values()), 1))]
    part(f"{len(plan)} matches")
    with ProcessPoolExecutor() as pool:
        noted = list(pool.map(partial(noted_in, seats), *zip(*plan, strict=True), chunksize=4))
    hands = [seen for each in noted for seen in each.hands]
    weights = fitted(hands)
    print(f"{len(hands)} hands, {cost(hands, weights):.3f} nats a hand, {cost(hands, weights * 0):.3f} with all hands alike")
    print("\n\n".join(" ".join(f"{value:.2f}" for value in row) for row in weights[:ROLES]))
    print(f"pair={weights[ROLES, 0]:.2f}")
    doubts, chances = (
        [sum(kind) for kind in zip(*counts, strict=True)]
        for counts in ([each.doubts for each in noted], [each.chances for each in noted])
    )
    print("doubts=", [round(count / max(chance, 1), 3) for count, chance in zip(doubts, chances, strict=True)])
    print("usual_doubt=", round(sum(doubts) / max(sum(each.decisions for each in noted), 1), 3))


def noted_in(seats: int, name: str, number: int) -> Noted:
    """Play one match of a bot against a table of the strongest one, and note what that one could have learned."""
    chance, rng = DealtChance(1, number), random.Random(f"{name}/{number}")
    place = number % seats
    bots = [BOTS["search-large"]] * seats
    bots[place] = {**EXPLOITERS, **BOTS}[name]
    table = GAME.create(CoupOptions(), seats)
    for event in GAME.start(table, chance):
        GAME.fold(table, event)
    noted = Noted([], [0.0] * KINDS, [0.0] * KINDS, 0)
    while (ask := GAME.pending(table)) is not None:
        seat = ask.open[0]
        legal = GAME.legal(table, seat)
        command = bots[seat].choose(GAME.view(table, seat), legal, rng, STEPS)
        if seat == place:
            _note_doubt(noted, table, seat, doubted=isinstance(command, Challenge))
        elif table.hands[place] and table.stage not in (PROVE, LOSE, EXCHANGE) and rng.random() < NOTED:
            noted.hands.append(_seen(table, seat, place))
        GAME.play(table, seat, command, chance)
    return noted


def _note_doubt(noted: Noted, table: CoupTable, seat: int, *, doubted: bool) -> None:
    """Note a chance to doubt, if it was a free choice: not where a play-out doubts for a reason of its own."""
    if table.stage not in (CHALLENGE, BLOCK_CHALLENGE) or len(table.hands[seat]) == 1:
        return
    role = table.open_claim()[1]
    seen = table.hands[seat].count(role) + sum(cards.count(role) for cards in table.up)
    if seen < COPIES:
        kind = kind_of(table.role, table.block_role)
        noted.chances[kind] += 1 + seen
        noted.doubts[kind] += doubted
        noted.decisions += 1


def _seen(table: CoupTable, viewer: int, seat: int) -> Seen:
    unseen = [COPIES if role in deck_roles(table) else 0 for role in range(ROLES)]
    hidden = [*table.stocked] if table.stocker == viewer else []
    for card in [*table.hands[viewer], *hidden, *(card for cards in table.up for card in cards)]:
        unseen[card] -= 1
    return Seen(tuple(features(table, seat, len(table.hands[seat]))), tuple(unseen), tuple(table.hands[seat]))


def _possible(seen: Seen) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the hands that a seat may hold, and in how many ways."""
    for hand in combinations_with_replacement(range(ROLES), len(seen.hand)):
        ways = 1
        for role in {*hand}:
            ways *= comb(seen.unseen[role], hand.count(role))
        if ways:
            yield hand, ways


def _likely(seen: Seen, weights: Weights) -> tuple[list[tuple[int, ...]], Weights]:
    """Return the possible hands, and how likely each is."""
    roles = weights[:ROLES] @ np.array(seen.features)
    hands, ways = zip(*_possible(seen), strict=True)
    logs = [sum(roles[role] for role in {*hand}) + weights[ROLES, 0] * (len({*hand}) < len(hand)) for hand in hands]
    odds = np.array(ways) * np.exp(logs)
    return list(hands), odds / odds.sum()


def cost(hands: Sequence[Seen], weights: Weights) -> float:
    """Return the mean surprise at a hand, in nats."""
    total = 0.0
    for seen in hands:
        possible, likely = _likely(seen, weights)
        total -= float(np.log(likely[possible.index(seen.hand)]))
    return total / max(len(hands), 1)


def _slope(seen: Seen, weights: Weights) -> Weights:
    """Return how the surprise at a hand grows with each weight."""
    slope = np.zeros_like(weights)
    facts = np.array(seen.features)
    for hand, likely in zip(*_likely(seen, weights), strict=True):
        gap = likely - (hand == seen.hand)
        for role in {*hand}:
            slope[role] += gap * facts
        slope[ROLES, 0] += gap * (len({*hand}) < len(hand))
    return slope


def fitted(hands: Sequence[Seen]) -> Weights:
    """Return the weights: a row for each role, and one more, which begins with that of pairs."""
    weights = np.zeros((ROLES + 1, len(hands[0].features)))
    mean, square, order, rng = np.zeros_like(weights), np.zeros_like(weights), [*hands], random.Random(5)
    step = 0
    for epoch in range(EPOCHS):
        rng.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            slope = sum((_slope(seen, weights) for seen in batch), np.zeros_like(weights)) / len(batch) + DECAY * weights
            step += 1
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
            towards = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            weights -= RATE * (1 - epoch / EPOCHS) * towards
    return weights


if __name__ == "__main__":
    sized(__doc__)
    main()
