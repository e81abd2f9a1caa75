"""Why a move is recommended: from what its seat can know, in words of both languages."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from tafelrunde.domain.coup.guide.reasons import reason
from tafelrunde.domain.coup.view import CoupView
from tafelrunde.domain.game import AnyGame, GameId, Seat, Table
from tafelrunde.domain.reasons import Feature, Reason, about_trick, more, separating, tenths
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import Considered, Steps, Weighed
from tafelrunde.domain.wording import wording
from tafelrunde.service.features.bots.hints import searcher_of
from tafelrunde.testing.suites.test_texts import lacking
from tests.support.dice import Dice

STEPS = 24
MATCHES = 3
MOST = 12
"""How many random matches are looked at in each game, and decisions of each, every few."""
OFTEN = 7


def decisions(game: AnyGame, seed: int) -> Iterator[tuple[Table, Seat]]:
    """Yield tables of a match played at random, and a seat that has a choice there."""
    rng = random.Random(seed)
    chance = Dice(seed)
    table = game.create(game.options_type(), game.min_seats)
    for event in game.start(table, chance):
        game.fold(table, event)
    count = 0
    while (ask := game.pending(table)) is not None and count < OFTEN * MOST:
        seat = rng.choice(ask.open)
        legal = game.legal(table, seat)
        count += 1
        if len(legal) > 1 and count % OFTEN == 0:
            yield table, seat
        game.play(table, seat, rng.choice(legal), chance)


def reason_of(game: AnyGame, view_of: Table, seat: Seat, seed: int) -> Reason | None:
    """Return why a search recommends its move at a table."""
    bot = searcher_of(game)
    view = game.view(view_of, seat)
    assert bot is not None
    considered = bot.consider(view, game.legal(view_of, seat), random.Random(seed), Steps(STEPS))
    assert bot.reason is not None
    return bot.reason(view, considered) if len(considered.moves) > 1 else None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_reasons_have_texts_and_know_only_the_view(game: AnyGame) -> None:
    """The same in another world with the same view; shares are of ten, and some are about more than numbers."""
    rng = random.Random(5)
    keys = set[str]()
    for seed in range(MATCHES):
        for table, seat in decisions(game, seed):
            found = reason_of(game, table, seat, seed)
            other = game.determinize(game.view(table, seat), rng)
            assert reason_of(game, other, seat, seed) == found
            if found is None:
                continue
            keys.add(found.key)
            key = f"{game.id}.why.{found.key}"
            assert lacking(game.messages, key, found.arguments) == []
            assert lacking(game.messages, wording(game.messages, key, found.arguments), found.arguments) == []
            assert 0 < found.arguments.get("share", 1) <= 10  # pyright: ignore[reportOperatorIssue] - a share is a number
    assert "more" in keys
    assert keys - {"more"}


def test_recommended_claim_in_coup_says_whether_it_is_a_bluff() -> None:
    """With the role it says what a doubt costs others, without it what a doubt costs oneself; blocks are claims, too."""
    game = GAMES[GameId("coup")]
    keys = set[str]()
    for seed in range(10 * MATCHES):
        for table, seat in decisions(game, seed):
            view = game.view(table, seat)
            assert isinstance(view, CoupView)
            for command in game.legal(table, seat):
                found = reason(view, Considered([Weighed(command, 1.0, 0)], [], []))
                if found is not None and (role := found.arguments.get("role")) is not None:
                    assert (found.key == "own") is (role in [each.value for each in view.hand])
                    keys.add(f"{found.key} {msgspec.to_builtins(command)['type']}")
    assert {"own coup.block", "bluff coup.block", "own coup.claim-tax", "bluff coup.claim-tax"} <= keys


def test_share_is_of_ten_worlds() -> None:
    """Rounded; of no worlds it is nothing."""
    worlds = [GAMES[GameId("coup")].create(GAMES[GameId("coup")].options_type(), 2)] * 7
    assert tenths(worlds, lambda world: world is worlds[0]) == 10
    assert tenths(worlds[:0], lambda world: world is worlds[0]) == 0


def test_ten_of_ten_and_none_are_said_only_without_an_exception() -> None:
    """A share of 97 in 100 is nine of ten: "in all" would be untrue of the other three."""
    game = GAMES[GameId("coup")]
    worlds = [game.create(game.options_type(), 2) for _ in range(100)]
    few = {id(world) for world in worlds[:3]}
    assert tenths(worlds, lambda world: id(world) in few) == 1
    assert tenths(worlds, lambda world: id(world) not in few) == 9
    assert more([[1.0] * 97 + [0.0] * 3, [0.0] * 97 + [1.0] * 3]) == Reason("more", {"share": 9})
    assert more([[1.0] * 100, [0.0] * 4 + [1.0] * 96]) == Reason("more", {"share": 10})


def test_feature_separates_two_moves_where_it_makes_the_difference() -> None:
    """Where the better move gains only in worlds that have it, it is the reason; chance is not."""
    game = GAMES[GameId("coup")]
    worlds = [game.create(game.options_type(), 2) for _ in range(20)]
    having = {id(world) for world in worlds[:10]}
    noise = {id(world) for world in worlds[::2]}
    features = [
        Feature(Reason("noise", {}), lambda world: id(world) in noise),
        Feature(Reason("telling", {"seat": 1}), lambda world: id(world) in having),
    ]
    rng = random.Random(1)
    best = [0.5 + (0.4 if id(world) in having else 0.0) + rng.random() / 10 for world in worlds]
    following = [0.5 + rng.random() / 10 for _ in worlds]
    assert separating(worlds, [best, following], features) == Reason("telling", {"seat": 1, "share": 5})
    assert separating(worlds, [following, best], features) is None
    assert separating(worlds, [best], features) is None


def test_more_is_said_only_if_it_is_so_in_most_worlds() -> None:
    """Worlds in which both moves bring the same say nothing."""
    assert more([[1.0] * 9 + [0.0], [0.0] * 9 + [1.0]]) == Reason("more", {"share": 9})
    assert more([[1.0, 0.0] * 5, [0.0, 1.0] * 5]) is None
    assert more([[0.5] * 10, [0.5] * 10]) is None


@pytest.mark.parametrize(
    ("share", "other", "last", "ahead", "key"),
    [
        (8, 3, False, True, "stands"),
        (3, 8, False, True, "ducks"),
        (0, 8, False, False, "leaves"),
        (10, 0, True, True, "takes"),
        (0, 10, True, False, "leaves"),
        (4, 4, False, True, None),
    ],
)
def test_trick_is_a_reason_if_the_next_card_stands_less_or_more_often(
    share: int, other: int, last: bool, ahead: bool, key: str | None
) -> None:
    """A card that stands as often as the next best one is not chosen for that; one that is beaten already is given up."""
    found = about_trick(5, share, other, last=last, ahead=ahead)
    assert (found.key if found is not None else None) == key
