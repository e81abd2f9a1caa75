"""Every game's rulebook: the same moves, in the same order, with the same outcome as its commands."""

from __future__ import annotations

import random

import pytest

from ...domain.game import AnyGame, Options, Table
from ...domain.seats import NOBODY
from ...service.simulate import SeededChance
from .cases import CASES, Case

MOST = 300
"""Number of moves of each match that are compared."""


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_random_play_when_moves_and_commands_run_side_by_side(case: Case) -> None:
    """A rulebook asks the first open seat, offers the legal commands in their order, and a move does what its command does."""
    for seed in range(2):
        compare(case.game, case.options, case.seats, seed)


def compare(game: AnyGame, options: Options, seats: int, seed: int) -> None:
    """Play one match twice, by moves and by commands."""
    rng = random.Random(seed)
    quick, plain = game.create(options, seats), game.create(options, seats)
    luck, same_luck = (SeededChance(random.Random(seed)) for _ in range(2))
    assert game.rulebook.waiting(quick) == NOBODY
    game.rulebook.set_up(quick, luck)
    for event in game.start(plain, same_luck):
        game.fold(plain, event)
    for _ in range(MOST):
        assert quick.digest_form() == plain.digest_form()
        if (seat := game.rulebook.waiting(quick)) == NOBODY:
            break
        step(game, quick, plain, seat, rng, (luck, same_luck))
    assert (game.pending(plain) is None) == (game.rulebook.waiting(quick) == NOBODY)


def step(
    game: AnyGame,
    quick: Table,
    plain: Table,
    seat: int,
    rng: random.Random,
    luck: tuple[SeededChance, SeededChance],
) -> None:
    """Make the same move on both tables."""
    ask = game.pending(plain)
    assert ask is not None
    assert ask.open[0] == seat
    moves = list(game.rulebook.legal(quick, seat))
    commands = game.legal(plain, ask.open[0])
    assert [game.rulebook.command_of(move) for move in moves] == commands
    assert [game.rulebook.move_of(command) for command in commands] == moves
    place = rng.randrange(len(moves))
    game.rulebook.apply(quick, seat, moves[place], luck[0])
    game.play(plain, ask.open[0], commands[place], luck[1])
