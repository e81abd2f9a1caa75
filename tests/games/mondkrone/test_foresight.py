"""How the strongest bot plays rounds out: each seat leaves the next one few answers."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.bots.exploiters import EXPLOITERS
from tafelrunde.domain.mondkrone.bots.foresight import ANSWER, NONE, foreseeing, weighed
from tafelrunde.domain.mondkrone.messages import MondkroneOptions
from tafelrunde.domain.mondkrone.move_codec import move_of
from tafelrunde.domain.mondkrone.moves import BOTH, DISCARD, DROP_OUT, PLAY, Move, legal
from tafelrunde.domain.mondkrone.rules import apply
from tafelrunde.domain.mondkrone.stages import TURN
from tafelrunde.domain.mondkrone.table import MondkroneTable
from tafelrunde.domain.search import SearchBot
from tests.games.mondkrone.kit import Scene, both, play, put
from tests.support.dice import Dice

OPTIONS = [MondkroneOptions(), MondkroneOptions(draw=False), MondkroneOptions(deck="extended")]
MATCHES = 3


def turns(options: MondkroneOptions, seats: int) -> Iterator[MondkroneTable]:
    """Yield the turns of some random matches."""
    for number in range(MATCHES):
        chance, rng = Dice(number), random.Random(number)
        table = GAME.create(options, seats)
        for event in GAME.start(table, chance):
            GAME.fold(table, event)
        while (ask := GAME.pending(table)) is not None:
            if table.stage is TURN:
                yield table
            GAME.play(table, ask.open[0], rng.choice(GAME.legal(table, ask.open[0])), chance)


def worth_of(table: MondkroneTable, seat: int, move: Move) -> float:
    """Return what a move is worth, from what the rules allow after it."""
    after = table.copy()
    apply(after, seat, move, Dice(0))
    found = legal(after, after.turn)
    answers = {card for verb, card in found if verb in (PLAY, DISCARD)}
    return len(after.hands[seat]) - (ANSWER * len(answers) if answers else -NONE)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS)
def test_play_out_weighs_every_move_by_cards_in_hand_and_answers(options: MondkroneOptions, seats: int) -> None:
    """All moves but dropping out, also those with two cards; an answer is a card with which the next seat can go on."""
    seen = 0
    for table in turns(options, seats):
        found = {move: value for value, move in weighed(table, table.turn)}
        assert found.keys() == {*legal(table, table.turn)} - {(DROP_OUT, 0)}
        assert found == {move: worth_of(table, table.turn, move) for move in found}
        seen += len(found)
    assert seen > MATCHES


def moves(scene: Scene) -> set[Move]:
    """Return what a play-out does in a position, over some seeds."""
    return {foreseeing(scene.table, random.Random(seed)) for seed in range(50)}


def test_play_out_takes_a_move_that_no_card_answers() -> None:
    """Two crowns beat anything that is played for the highest card; with small values asked for, they are of no use."""
    scene = Scene("ace-of-suns author desert", "merchant", hands=["windfall pact", "bard end"])
    assert scene.allows(play("windfall"))
    assert moves(scene) == {move_of(put("windfall")), move_of(both("pact", "windfall"))}


def test_play_out_plays_two_cards_though_one_would_do() -> None:
    """In some of the play-outs: a card in hand is given for a rival without an answer."""
    for table in turns(MondkroneOptions(), 2):
        found = {foreseeing(table, random.Random(seed))[0] for seed in range(20)}
        if BOTH in found and found & {PLAY, DISCARD}:
            return
    pytest.fail("no turn was played with two cards in one play-out and with one in another")


def test_play_out_drops_out_when_nothing_leads() -> None:
    """And only then."""
    assert moves(Scene("author", "sea", hands=["savage", "soldier"])) == {(DROP_OUT, 0)}
    assert (DROP_OUT, 0) not in moves(Scene("sea", "author", hands=["bard soldier", "mill"]))


def test_strongest_bot_of_before_is_for_the_arena_only() -> None:
    """`frozen-large` is in no match, and sees as many worlds as the bot that took its place did then."""
    assert not EXPLOITERS.keys() & GAME.bots().keys()
    frozen = EXPLOITERS["frozen-large"]
    assert isinstance(frozen, SearchBot)
    table = next(turns(MondkroneOptions(), 2))
    assert frozen.worlds(GAME.view(table, Seat(table.turn))) == 50
