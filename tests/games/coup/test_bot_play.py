"""The honest bot at the table: how well it plays, and that it plays from its own view alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from tafelrunde.domain.bots import RandomBot
from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.bots.honest import HonestBot
from tafelrunde.domain.coup.messages import Challenge, CoupCommand, CoupOptions, LetPass
from tafelrunde.domain.coup.table import NOBODY, CoupTable
from tafelrunde.domain.coup.view import CoupView
from tafelrunde.domain.game import Bot, Seat, Standing
from tafelrunde.domain.search import Steps
from tests.support.dice import Dice
from tests.support.thorough import tries

Player = Bot[CoupView, CoupCommand]
Chooser = Callable[[CoupTable, Seat], CoupCommand]


# How well it plays


def play(players: Sequence[Player], seed: object, options: CoupOptions | None = None) -> Standing:
    """Play one match; asked seats answer in random order."""
    rng = random.Random(str(seed))
    chance = Dice(seed)
    table = GAME.create(options or CoupOptions(), len(players))
    for event in GAME.start(table, chance):
        GAME.fold(table, event)
    while (ask := GAME.pending(table)) is not None:
        seat = rng.choice(ask.open)
        command = players[seat].choose(GAME.view(table, seat), GAME.legal(table, seat), rng, Steps(100))
        GAME.play(table, seat, command, chance)
    standing = GAME.standing(table)
    assert standing is not None
    return standing


def decisions(players: Sequence[Player], seed: object) -> int:
    """Return how many decisions a match of these players has."""
    rng, chance = random.Random(str(seed)), Dice(seed)
    table = GAME.create(CoupOptions(), len(players))
    for event in GAME.start(table, chance):
        GAME.fold(table, event)
    count = 0
    while (ask := GAME.pending(table)) is not None:
        count = ask.decision
        seat = ask.open[0]
        command = players[seat].choose(GAME.view(table, seat), GAME.legal(table, seat), rng, Steps(100))
        GAME.play(table, seat, command, chance)
    return count


def share_of_wins(seats: int, matches: int, options: CoupOptions | None = None) -> float:
    """Return the share of matches that the honest bot wins against random ones, sitting on each seat in turn."""
    wins = 0.0
    for number in range(matches):
        players: list[Player] = [RandomBot() for _ in range(seats)]
        players[number % seats] = HonestBot()
        winners = play(players, (seats, number), options).winners
        wins += (number % seats in winners) / len(winners)
    return wins / matches


def test_honest_bot_beats_random_play_with_two_seats() -> None:
    """It wins far more than 70 % of 1,000 matches, seats alternated."""
    assert share_of_wins(2, 1_000) >= 0.9


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_honest_bot_beats_random_play_with_more_seats(seats: int) -> None:
    """Against random players only, it wins most matches, where its fair share is one over the number of seats."""
    assert share_of_wins(seats, 300) >= 0.8


@pytest.mark.parametrize(
    "options", [CoupOptions(fifth_role="inquisitor"), CoupOptions(duel_draft=True), CoupOptions(duel_coins="starter_only")]
)
def test_honest_bot_beats_random_play_with_other_options(options: CoupOptions) -> None:
    """It copes with every variant."""
    assert share_of_wins(2, 300, options) >= 0.85


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_matches_of_honest_bots_end_by_themselves(seats: int) -> None:
    """No two roles keep each other from ever winning: every match has one winner, before the bound on decisions."""
    for number in range(150):
        assert len(play([HonestBot() for _ in range(seats)], ("alike", seats, number)).winners) == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_matches_of_bots_have_at_most_150_decisions(seats: int) -> None:
    """At tables of one of the bots by rules of thumb and at mixed ones: `make thorough` plays a thousand of each."""
    fast = [GAME.bots()[name] for name in ("honest", "careful", "bold", "bluffer", "suspicious", "beginner")]
    tables = [[bot] * seats for bot in fast] + [[fast[(seat + first) % len(fast)] for seat in range(seats)] for first in range(4)]
    longest = max(decisions(players, ("length", seats, number)) for players in tables for number in range(tries(6, 1_000)))
    assert longest <= 150


def test_honest_bot_is_the_stand_in() -> None:
    """The first bot that a game lists plays for absent players; a random one is always there."""
    assert list(GAME.bots())[:2] == ["honest", "random"]


# What it knows


def hidden_anew(table: CoupTable, seat: Seat, rng: random.Random) -> CoupTable:
    """Return the table with all cards that a seat cannot see shuffled among the others' hands and the court."""
    other = table.copy()
    pool = [card for place in range(table.seats) if place != seat for card in table.hands[place]] + table.court
    rng.shuffle(pool)
    for place in range(table.seats):
        if place != seat:
            other.hands[place] = sorted(pool.pop() for _ in table.hands[place])
    other.court = pool
    return other


def positions(seats: int, count: int) -> list[tuple[CoupTable, Seat]]:
    """Return positions of random matches, each with a seat that is asked."""
    found: list[tuple[CoupTable, Seat]] = []
    for seed in range(count):
        rng = random.Random(seed)
        chance = Dice(seed)
        table = GAME.create(CoupOptions(fifth_role=rng.choice(["ambassador", "inquisitor"])), seats)
        for event in GAME.start(table, chance):
            GAME.fold(table, event)
        while (ask := GAME.pending(table)) is not None:
            seat = rng.choice(ask.open)
            found.append((table.copy(), seat))
            GAME.play(table, seat, rng.choice(GAME.legal(table, seat)), chance)
    return found


def honest(table: CoupTable, seat: Seat) -> CoupCommand:
    """Choose as the honest bot does."""
    return HonestBot().choose(GAME.view(table, seat), GAME.legal(table, seat), random.Random(1), Steps(100))


def peeking(table: CoupTable, seat: Seat) -> CoupCommand:
    """Choose as a bot would that looks into the others' cards: it doubts exactly the lies."""
    claimant = table.turn if table.blocker == NOBODY else table.blocker
    role = table.role if table.blocker == NOBODY else table.block_role
    choice = LetPass() if role in table.hands[claimant] else Challenge()
    return choice if choice in GAME.legal(table, seat) else honest(table, seat)


def changed_choices(choose: Chooser, seats: int) -> int:
    """Return how often a choice changes with what its seat cannot see."""
    rng = random.Random(2)
    return sum(
        choose(table, seat) != choose(hidden_anew(table, seat, rng), seat)
        for table, seat in positions(seats, 40)
        for _ in range(2)
    )


@pytest.mark.parametrize("seats", [2, 4])
def test_choice_is_the_same_when_hidden_cards_are_shuffled(seats: int) -> None:
    """The bot knows nothing that its seat does not."""
    assert changed_choices(honest, seats) == 0


@pytest.mark.parametrize("seats", [2, 4])
def test_peeking_is_found(seats: int) -> None:
    """The same check sees a bot that looks into others' cards."""
    assert changed_choices(peeking, seats) > 20


def test_choice_is_the_same_when_the_generator_is() -> None:
    """All of its chance is handed in."""
    assert all(honest(table, seat) == honest(table, seat) for table, seat in positions(3, 10))
