"""Styles of bots: what the bold one does more often than the careful one, at the same decisions of the same matches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import pytest

from tafelrunde.domain.bots import character
from tafelrunde.domain.coup.messages import Block, ClaimAssassination, ClaimExamine, ClaimExchange, ClaimSteal, ClaimTax, Role
from tafelrunde.domain.coup.view import CoupView
from tafelrunde.domain.game import AnyGame, Command, GameId, GameView, Level, Seat
from tafelrunde.domain.matchmaster.messages import PlaceBid
from tafelrunde.domain.meister_coup.cards import VALUE_OF
from tafelrunde.domain.meister_coup.messages import PlayCard as MeisterPlay
from tafelrunde.domain.meister_coup.view import MeisterView
from tafelrunde.domain.mondkrone.messages import PlayAndDiscard
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import Steps
from tafelrunde.domain.stich_meister.bots.honest import law_for, power
from tafelrunde.domain.stich_meister.messages import PlayCard
from tafelrunde.domain.stich_meister.view import StichView
from tafelrunde.service.features.bots.arena import DealtChance
from tests.support.facts import facts_of

MATCHES = 6
STRONG = 0.8


def lied(view: GameView, command: Command) -> float:
    """Return 1 for a claim of a role that the seat does not hold."""
    seen = cast("CoupView", view)
    match command:
        case ClaimAssassination():
            role = Role.ASSASSIN
        case ClaimSteal():
            role = Role.CAPTAIN
        case ClaimTax():
            role = Role.DUKE
        case ClaimExchange() | ClaimExamine():
            role = seen.fifth_role
        case Block(role):
            pass
        case _:
            return 0.0
    return float(role not in seen.hand)


def bid(_: GameView, command: Command) -> float:
    """Return the tricks of a bid."""
    return float(command.tricks) if isinstance(command, PlaceBid) else 0.0


def staked(view: GameView, command: Command) -> float:
    """Return the diamonds on a card that is played."""
    diamonds = cast("MeisterView", view).diamonds
    return float(diamonds[VALUE_OF[command.card] - 1]) if isinstance(command, MeisterPlay) else 0.0


def spent(_: GameView, command: Command) -> float:
    """Return 1 for a move of two cards."""
    return float(isinstance(command, PlayAndDiscard))


def strength(view: GameView, command: Command) -> float:
    """Return 1 for a card that beats most others when it is led."""
    seen = cast("StichView", view)
    return float(isinstance(command, PlayCard) and power(law_for(seen), len(seen.seats))[command.card] >= STRONG)


BOLDNESS: Mapping[str, Callable[[GameView, Command], float]] = {
    "coup": lied,
    "matchmaster": bid,
    "meister-coup": staked,
    "mondkrone": spent,
    "stich-meister": strength,
}
"""What the bold bot of a game does more often, or with more of it."""
OPTIONS: Mapping[str, Mapping[str, object]] = {"stich-meister": {"rules": (11, 12, 13, 14)}}
"""Under other rules of Stich-Meister strong cards may be there to be thrown away."""


def decisions(game: AnyGame) -> Iterator[tuple[GameView, Sequence[Command]]]:
    """Yield the decisions with a choice in some matches of honest bots."""
    honest = game.bots()["honest"]
    seats = facts_of(game.id).ladder_seats[0]
    for number in range(MATCHES):
        chance, rng = DealtChance(number, seats), random.Random(number)
        table = game.create(game.options_type(**OPTIONS.get(game.id, {})), seats)
        for event in game.start(table, chance):
            game.fold(table, event)
        while (ask := game.pending(table)) is not None:
            seat = Seat(ask.open[0])
            view, legal = game.view(table, seat), game.legal(table, seat)
            if len(legal) > 1:
                yield view, legal
            game.play(table, seat, honest.choose(view, legal, rng, Steps(0)), chance)


@pytest.mark.parametrize("name", BOLDNESS)
def test_bold_bot_dares_more_than_the_careful_one(name: str) -> None:
    """In each game by at least a tenth, counted over all decisions of some matches; the honest bot lies between them."""
    game = GAMES[GameId(name)]
    counted = dict.fromkeys(("bold", "honest", "careful"), 0.0)
    for number, (view, legal) in enumerate(decisions(game)):
        for bot in counted:
            counted[bot] += BOLDNESS[name](view, game.bots()[bot].choose(view, legal, random.Random(number), Steps(0)))
    assert counted["bold"] >= counted["honest"] >= counted["careful"], counted
    assert counted["bold"] > 1.1 * counted["careful"], counted


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_beginner_and_two_styles(name: str) -> None:
    """The stand-in stays the honest one; styles are of the level of rules of thumb, and say in words how they play."""
    game = GAMES[GameId(name)]
    assert next(iter(game.bots())) == "honest"
    assert character(game, "beginner").level is Level.BEGINNER
    for style in ("bold", "careful"):
        found = character(game, style)
        assert (found.level, found.offered) == (Level.RULES, True)
    assert character(game, "bold").style != character(game, "careful").style
