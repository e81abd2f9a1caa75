"""What no bot of Coup does, on whatever level: moves that are blunders for certain."""

from __future__ import annotations

import random

import pytest

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.bots.blunders import sensible
from tafelrunde.domain.coup.events import Action
from tafelrunde.domain.coup.messages import (
    Block,
    Challenge,
    ClaimAssassination,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    LaunchCoup,
    LetPass,
    Role,
)
from tafelrunde.domain.coup.table import INDEX, CoupTable
from tafelrunde.domain.game import Seat
from tafelrunde.domain.search import Steps
from tests.games.coup.test_bot import blockable, claimed, dealt, ints

ASSASSIN, CAPTAIN, CONTESSA, DUKE = Role.ASSASSIN, Role.CAPTAIN, Role.CONTESSA, Role.DUKE
ME, RIVAL = Seat(0), Seat(1)
THINKING = [name for name in GAME.bots() if name != "random"]
every_bot = pytest.mark.parametrize("name", THINKING)


def answers(name: str, table: CoupTable, tries: int = 40, worlds: int = 4) -> set[CoupCommand]:
    """Return what a bot answers at seat 0."""
    view, legal = GAME.view(table, ME), GAME.legal(table, ME)
    return {GAME.bots()[name].choose(view, legal, random.Random(seed), Steps(worlds)) for seed in range(tries)}


def open_moves(table: CoupTable) -> list[CoupCommand]:
    """Return the legal moves of seat 0 that are no blunders."""
    return list(sensible(GAME.view(table, ME), GAME.legal(table, ME)))


def seen(table: CoupTable, role: Role) -> CoupTable:
    """Let seat 0 have looked at a card of seat 1, and have left it there."""
    table.hands[1] = sorted([INDEX[role], INDEX[Role.AMBASSADOR]])
    table.f_card_examined(0, 1, INDEX[role])
    table.f_card_left(0, 1)
    table.f_turn_begun(table.turn, asked=True)
    return table


def gone(table: CoupTable, role: Role) -> CoupTable:
    """Let all three copies of a role lie open."""
    table.up[1] = ints((role, role, role))
    return table


@every_bot
def test_true_claim_is_not_doubted_when_the_card_was_seen(name: str) -> None:
    """A bot that has seen the duke does not doubt it."""
    table = claimed(seen(dealt(CONTESSA, CAPTAIN, turn=1), DUKE), Action.TAX, DUKE)
    assert Challenge() in GAME.legal(table, ME)
    assert answers(name, table) == {LetPass()}


@every_bot
def test_false_claim_is_doubted_when_all_copies_are_elsewhere(name: str) -> None:
    """Two dukes in its own hand and one face up: the claim is a lie, and doubting it costs nothing."""
    table = claimed(dealt(DUKE, DUKE, turn=1, up=(DUKE,)), Action.TAX, DUKE)
    assert answers(name, table) == {Challenge()}


@every_bot
def test_theft_is_not_tried_when_there_is_nothing_to_take(name: str) -> None:
    """A poor rival is left alone."""
    table = dealt(CAPTAIN, CONTESSA, coins=(2, 0))
    assert ClaimSteal(RIVAL) in GAME.legal(table, ME)
    assert ClaimSteal(RIVAL) not in answers(name, table)


@every_bot
def test_assassin_is_not_sent_when_the_contessa_was_seen(name: str) -> None:
    """Three coins for a block that is certain."""
    table = seen(dealt(ASSASSIN, CAPTAIN, coins=(4, 2)), CONTESSA)
    assert ClaimAssassination(RIVAL) in GAME.legal(table, ME)
    assert ClaimAssassination(RIVAL) not in answers(name, table)


@every_bot
def test_assassin_is_not_sent_without_three_coins(name: str) -> None:
    """It costs three coins."""
    assert ClaimAssassination(RIVAL) not in answers(name, dealt(ASSASSIN, CONTESSA, coins=(2, 2)))


@every_bot
def test_last_influence_is_not_risked_when_a_contessa_saves_it(name: str) -> None:
    """The assassin is blocked; only a claim that cannot be true is doubted."""
    table = dealt(CONTESSA, CAPTAIN, coins=(2, 4), turn=1)
    table.f_influence_lost(0, INDEX[CAPTAIN])
    claimed(table, Action.ASSASSINATION, ASSASSIN, target=0)
    assert answers(name, table) == {LetPass()}
    assert answers(name, gone(table, ASSASSIN)) == {Challenge()}


@every_bot
def test_role_is_not_claimed_when_all_copies_lie_open(name: str) -> None:
    """No one believes a fourth one: neither as an action nor as a block."""
    assert ClaimTax() not in answers(name, gone(dealt(CONTESSA, CONTESSA), DUKE))
    block = blockable(gone(dealt(CAPTAIN, DUKE, turn=1), CONTESSA), Action.ASSASSINATION, ASSASSIN, target=0)
    assert Block(CONTESSA) not in answers(name, block)


@pytest.mark.parametrize("name", ["honest", "search-large"])
def test_coup_hits_the_leader_when_there_are_ten_coins(name: str) -> None:
    """With ten coins a coup is all there is; it hits a rival with two cards and nine coins, not one with one card and none."""
    table = dealt(CONTESSA, DUKE, coins=(10, 9, 0))
    table.f_influence_lost(2, table.hands[2][0])
    assert answers(name, table, tries=5, worlds=160) == {LaunchCoup(Seat(1))}


@every_bot
@pytest.mark.parametrize("hand", [(CONTESSA, DUKE), (Role.AMBASSADOR, CAPTAIN)])
def test_last_coup_is_launched_when_it_wins_the_game(name: str, hand: tuple[Role, Role]) -> None:
    """Found by play: with seven coins and a rival of one card, a search took a tax or stole, since that was about as good."""
    table = dealt(*hand, coins=(7, 4))
    table.f_influence_lost(RIVAL, table.hands[1][0])
    assert answers(name, table, tries=12, worlds=24) == {LaunchCoup(RIVAL)}


def test_no_move_is_left_out_when_nothing_is_known_for_certain() -> None:
    """What may be right stays open, a bluff as well."""
    table = dealt(CONTESSA, CONTESSA, coins=(3, 2))
    assert open_moves(table) == GAME.legal(table, ME)
