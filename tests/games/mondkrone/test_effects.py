"""What a view says of palettes and of moves before they are made, compared with the definition and with what then happens."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.cards import SUITS, Card
from tafelrunde.domain.mondkrone.effects import MondkroneEffectView
from tafelrunde.domain.mondkrone.messages import DiscardToPile, MondkroneCommand, PlayAndDiscard, PlayToPalette
from tafelrunde.domain.mondkrone.table import MondkroneTable
from tafelrunde.domain.mondkrone.view import MondkroneView
from tests.games.mondkrone import oracle
from tests.games.mondkrone.kit import Scene, both, play, put
from tests.support.cases import CASES, Case, reached
from tests.support.dice import Dice

MONDKRONE = [pytest.param(case, id=case.name) for case in CASES if case.game is GAME]
TABLES = 25


def turns(table: MondkroneTable, seat: Seat) -> list[MondkroneCommand]:
    """Return the legal commands of a seat that play or discard cards."""
    return [each for each in GAME.legal(table, seat) if isinstance(each, PlayToPalette | DiscardToPile | PlayAndDiscard)]


def moved(command: MondkroneCommand) -> tuple[Card | None, Card | None]:
    """Return the cards of a command: that for the palette, and that for the pile."""
    match command:
        case PlayToPalette(card):
            return card, None
        case DiscardToPile(card):
            return None, card
        case PlayAndDiscard(played, discarded):
            return played, discarded
        case _:
            raise AssertionError(command)


def held(view: MondkroneView, seat: Seat) -> dict[str, tuple[int, Card | None]]:
    """Return what a seat's palette shows, by condition."""
    return {each.suit.value: (each.count, each.best) for each in view.seats[seat].results}


def said(effect: MondkroneEffectView) -> dict[str, tuple[int, int, bool]]:
    """Return the counts before and after a move and whether its seat leads then, by condition."""
    return {each.after.suit.value: (each.before.count, each.after.count, each.leads) for each in effect.conditions}


@pytest.mark.parametrize("case", MONDKRONE)
def test_results_of_every_seat_are_those_of_the_definition(case: Case) -> None:
    """Each palette in each of the six conditions; a seat that is out shows nothing, whatever lies below."""
    out = 0
    for table in reached(case, 40, TABLES):
        assert isinstance(table, MondkroneTable)
        for seat in GAME.view(table, None).seats:
            out += seat.out
            assert [each.suit for each in seat.results] == ([] if seat.out else list(SUITS))
            for each in seat.results:
                expected = oracle.result(each.suit, frozenset(seat.palette))
                shown = (each.count, oracle.strength(each.best)) if each.best is not None else None
                assert shown == expected
    assert out


@pytest.mark.parametrize("case", MONDKRONE)
def test_effects_are_what_the_moves_then_do(case: Case) -> None:
    """Of every legal move, all along random matches: the pile's conditions, the palette, and who leads."""
    checked = 0
    for table in reached(case, 41, TABLES):
        assert isinstance(table, MondkroneTable)
        ask = GAME.pending(table)
        if ask is None or GAME.view(table, None).stage != "turn":
            continue
        seat = ask.open[0]
        view = GAME.view(table, seat)
        commands = turns(table, seat)
        assert [(each.palette_card, each.pile_card) for each in view.effects] == [moved(each) for each in commands]
        for command, effect in zip(commands, view.effects, strict=True):
            twin = table.copy()
            GAME.play(twin, seat, command, Dice("effect"))
            then = GAME.view(twin, seat)
            assert then.round == view.round
            for each, condition in zip(effect.conditions, then.conditions, strict=True):
                suit = each.after.suit.value
                assert suit == each.before.suit.value == condition.suit.value
                assert (each.before.count, each.before.best) == held(view, seat)[suit]
                assert (each.after.count, each.after.best) == held(then, seat)[suit]
                assert each.leads == (condition.leader == seat)
                checked += 1
    assert checked >= TABLES


def test_effects_count_the_new_palette_in_the_conditions_of_the_new_top_card() -> None:
    """A card for the palette raises a count; a card for the pile changes what counts."""
    scene = Scene("author", "origin", hands=("mountain pact", "sea"), top="ace-of-suns")
    found = {(each.palette_card, each.pile_card): said(each) for each in GAME.view(scene.table, Seat(0)).effects}
    commands = {moved(play("mountain")), moved(play("pact")), moved(both("mountain", "pact")), moved(both("pact", "mountain"))}
    assert commands <= found.keys()
    assert found[Card.MOUNTAIN, None] == {"suns": (1, 2, True)}
    assert found[Card.MOUNTAIN, Card.PACT] == {"moons": (1, 1, True), "suns": (1, 2, True)}
    assert found[moved(put("pact"))] == {"moons": (1, 1, True), "suns": (1, 1, True)}


def test_others_are_given_no_effects() -> None:
    """Neither a spectator nor a seat that is not asked: they would show the hand of the one who is."""
    scene = Scene("author", "origin", hands=("mountain pact", "sea"), top="ace-of-suns")
    assert GAME.view(scene.table, Seat(0)).effects
    assert GAME.view(scene.table, Seat(1)).effects == GAME.view(scene.table, None).effects == ()
