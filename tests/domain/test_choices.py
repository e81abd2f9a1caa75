"""What searching bots choose is fixed: a search that is made faster tries the same moves in the same worlds."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping

import pytest

from tafelrunde.domain.game import AnyGame, GameId, Seat
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import SearchBot, Steps
from tests.support.dice import Dice

SEATS, MATCHES, STRIDE, MOST, WORLDS = 4, 2, 7, 5, 4
"""At most five decisions of a match are weighed, every seventh with a choice, in four worlds each."""
GOLDEN = {
    "coup": "67fc3b1f44ca26f7",
    "matchmaster": "137f840efaad837c",
    "meister-coup": "e25793401b105599",
    "mondkrone": "860d9892be385900",
    "stich-meister": "4c34595478036c99",
}
"""Digests of all that is weighed. Another one means that bots play differently: measure their strength before you change it."""


DUEL = {"coup": "e736b7bf715f3ced"}
"""The same with two seats, of games whose bots think of one rival in another way."""


FROZEN = {
    ("matchmaster", "inference", "frozen-inference"): "c3acd4a6bc5f44a4",
    ("meister-coup", "search-large", "frozen-large"): "db3faad7e0e051e3",
    ("mondkrone", "search-large", "frozen-large"): "78abe0a733d99626",
    ("stich-meister", "search-large", "frozen-large"): "4c34595478036c99",
}
"""The same of the searches of before: by game, the strongest bot and the one whose place it took, which is put there again."""


def weighed(game: AnyGame, seats: int = SEATS, frozen: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield what each searching bot makes of decisions of random matches: the moves in its order, with worth and worlds."""
    played = {**game.bots(), **{name: game.exploiters()[before] for name, before in (frozen or {}).items()}}
    searching = {name: bot for name, bot in played.items() if isinstance(bot, SearchBot)}
    for number in range(MATCHES):
        chance = Dice(number)
        rng = random.Random(number)
        seen = 0
        table = game.create(game.options_type(), seats)
        for event in game.start(table, chance):
            game.fold(table, event)
        while (ask := game.pending(table)) is not None and seen < STRIDE * MOST:
            seat = Seat(ask.open[0])
            legal = game.legal(table, seat)
            seen += len(legal) > 1
            if len(legal) > 1 and seen % STRIDE == 0:
                for name, bot in searching.items():
                    for each in bot.weigh(game.view(table, seat), legal, random.Random(seen), Steps(WORLDS)):
                        yield f"{name} {each.command} {each.worth:.9f} {each.worlds}"
            game.play(table, seat, rng.choice(legal), chance)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_search_weighs_moves_as_before(game: AnyGame) -> None:
    """Same view, same generator, same number of worlds: the same moves, equally good, in the same order."""
    digest = hashlib.sha256("\n".join(weighed(game)).encode()).hexdigest()[:16]
    assert digest == GOLDEN[game.id]


@pytest.mark.parametrize("name", DUEL)
def test_search_weighs_moves_with_two_seats_as_before(name: str) -> None:
    """As with four."""
    digest = hashlib.sha256("\n".join(weighed(GAMES[GameId(name)], 2)).encode()).hexdigest()[:16]
    assert digest == DUEL[name]


@pytest.mark.parametrize(("name", "strongest", "before"), FROZEN)
def test_strongest_search_of_before_weighs_moves_as_it_did(name: str, strongest: str, before: str) -> None:
    """What a stronger bot is measured against is the very bot whose place it took."""
    found = "\n".join(weighed(GAMES[GameId(name)], frozen={strongest: before}))
    assert hashlib.sha256(found.encode()).hexdigest()[:16] == FROZEN[name, strongest, before]
