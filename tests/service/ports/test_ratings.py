"""Ratings: the same results in the same order give the same everywhere, and a corrected result changes what came after it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import msgspec
import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.ratings import redis as on_server
from tafelrunde.service.features.ratings.feature import STORE as RATINGS
from tafelrunde.service.features.ratings.port import KEPT_POINTS, LeaderboardKind, Point, RatingStore, Update
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.strength.model import BEGINNER, after, effective, fold, trace
from tafelrunde.service.strength.scores import Entrant, LeaderboardEntry, Result, Score, bot_of
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
COUP, DUEL = GameId("coup"), GameId("duel")
ANNA, BEN, CARL, BOT = Entrant("p-anna"), Entrant("p-ben"), Entrant("p-carl"), Entrant("bot:honest")
PEOPLE = (ANNA, BEN, CARL, BOT)


def result(number: int, *entrants: Entrant, ranks: Sequence[int] | None = None, corrects: bool = False) -> Result:
    """Return the result of a match; the first entrant wins unless *ranks* say otherwise."""
    return Result(
        MatchId(f"m-{number}"), entrants, tuple(ranks if ranks is not None else range(1, len(entrants) + 1)), corrects, number
    )


def some(count: int, seed: int = 1) -> list[Result]:
    """Return random results of two to four entrants."""
    rng = random.Random(seed)
    found: list[Result] = []
    for number in range(count):
        entrants = rng.sample(PEOPLE, rng.randint(2, 4))
        found.append(result(number, *entrants, ranks=[rng.randint(1, 2) if place else 1 for place in range(len(entrants))]))
    return found


# Purely


def test_result_is_read_when_it_was_stored_before_forfeits() -> None:
    """It had one field less, and says the same."""
    old = msgspec.msgpack.encode(("m-1", ("p-anna", "p-ben"), (1, 2), False, 1))
    assert msgspec.msgpack.decode(old, type=Result) == result(1, ANNA, BEN)


def test_no_one_gains_when_someone_forfeits() -> None:
    """Only the score of who forfeited changes, as by a loss."""
    lost = after({}, result(1, ANNA, BEN, BOT, ranks=(2, 1, 1)))
    forfeited = after({}, msgspec.structs.replace(result(1, ANNA, BEN, BOT, ranks=(2, 1, 1)), only=ANNA))
    assert forfeited == {ANNA: lost[ANNA]}
    assert forfeited[ANNA].mu < 25


def test_beginner_has_a_thousand_points() -> None:
    """Nothing is known of a beginner."""
    assert (BEGINNER.points, BEGINNER.matches, BEGINNER.wins) == (1000, 0, 0)


def test_winner_rises_above_loser() -> None:
    """Both are known better afterwards, and both have one match more."""
    found = after({}, result(1, ANNA, BEN))
    assert found[ANNA].mu > BEGINNER.mu > found[BEN].mu
    assert max(found[ANNA].sigma, found[BEN].sigma) < BEGINNER.sigma
    assert [(found[each].matches, found[each].wins, found[each].at_ms) for each in (ANNA, BEN)] == [(1, 1, 1), (1, 0, 1)]


def test_draw_of_equals_changes_no_strength() -> None:
    """Shared ranks are equal."""
    found = after({}, result(1, ANNA, BEN, ranks=(1, 1)))
    assert found[ANNA].mu == pytest.approx(BEGINNER.mu) == found[BEN].mu
    assert (found[ANNA].wins, found[BEN].wins) == (1, 1)


def test_bot_on_several_seats_is_one_entrant() -> None:
    """It gets the mean of what its seats earn, and one match."""
    found = after({}, result(1, BOT, ANNA, BOT))
    assert set(found) == {BOT, ANNA}
    assert (found[BOT].matches, found[BOT].wins) == (1, 1)
    apart = after({}, result(1, BEN, ANNA, CARL))
    assert found[BOT].mu == pytest.approx((apart[BEN].mu + apart[CARL].mu) / 2, abs=1e-5)


def test_result_without_ranks_changes_nothing() -> None:
    """A match that does not count is as if it had not been."""
    assert after({}, result(1, ANNA, BEN, ranks=())) == {}


def test_points_never_fall_below_zero() -> None:
    """However often a player loses."""
    assert Score(0.0, 9.0, 1, 0, 0).points == 0


def test_correction_stands_where_the_match_stood() -> None:
    """Not at the end: what came after it is recomputed."""
    results = some(30)
    wrong = results[4]
    turned = Result(wrong.match, wrong.entrants, tuple(3 - rank for rank in wrong.ranks), corrects=True, at_ms=wrong.at_ms)
    found = fold([*results, turned])
    assert found == fold([*results[:4], turned, *results[5:]])
    assert found != fold(results)
    assert [each.match for each in effective([*results, turned])] == [each.match for each in results]


def test_voided_match_is_as_if_it_had_not_been() -> None:
    """The rest is as without it."""
    results = some(20)
    void = Result(results[7].match, results[7].entrants, (), corrects=True, at_ms=99)
    assert fold([*results, void]) == fold([*results[:7], *results[8:]])


def test_scores_are_written_down() -> None:
    """A new release of the library must not change what stands: these numbers are kept."""
    found = fold([result(1, ANNA, BEN), result(2, BEN, CARL, ANNA), result(3, CARL, ANNA, ranks=(1, 1))])
    told = {each: (score.mu, score.sigma, score.points) for each, score in sorted(found.items())}
    assert told == {
        ANNA: (24.015049, 7.574546, 1052),
        BEN: (25.31876, 7.958789, 1058),
        CARL: (25.712042, 7.78524, 1094),
    }


def test_bots_are_distinguished_from_players() -> None:
    """By their ids."""
    assert (bot_of(BOT), bot_of(ANNA)) == ("honest", None)


# Every store


async def write(store: RatingStore, results: Sequence[Result], game: GameId = COUP) -> None:
    """Count results as the rating projector does."""
    old = await store.position()
    entrants = sorted({each for one in results for each in one.entrants})
    before = await store.scores(game, entrants)
    update = Update(game=game, results=tuple(results), scores=fold(results, before), before=before, complete=False)
    assert await store.write(old, old + len(results), [update])


async def whole(store: RatingStore, game: GameId = COUP, limit: int = 2) -> list[LeaderboardEntry]:
    """Read a leaderboard page by page."""
    found: list[LeaderboardEntry] = []
    below = None
    while page := await store.board(game, below, limit):
        assert len(page) <= limit
        found += page
        below = (page[-1].score.points, page[-1].entrant)
    return found


async def test_empty_store_knows_no_one(stores: Stores) -> None:
    """Nothing is counted yet."""
    store = RATINGS.of(stores)
    assert await store.position() == 0
    assert (list(await store.results(COUP)), await store.scores(COUP, PEOPLE), await whole(store)) == ([], {}, [])
    assert await store.standings(ANNA, (COUP, DUEL)) == {}


async def test_board_is_in_order_of_points(stores: Stores) -> None:
    """Best first, each once, with its place, in pages of any size."""
    results = some(40)
    for start in range(0, 40, 7):
        await write(RATINGS.of(stores), results[start : start + 7])
    scores = fold(results)
    ranked = sorted(scores.items(), key=lambda each: (each[1].points, each[0]), reverse=True)
    expected = [LeaderboardEntry(place, entrant, score) for place, (entrant, score) in enumerate(ranked, start=1)]
    for limit in (1, 2, 3, 50):
        assert await whole(RATINGS.of(stores), limit=limit) == expected
    for standing in expected:
        assert await RATINGS.of(stores).standings(standing.entrant, (DUEL, COUP)) == {COUP: standing}
    assert list(await RATINGS.of(stores).results(COUP)) == results


async def test_each_kind_has_its_own_board(stores: Stores) -> None:
    """People, programs and bots of the house, each from place 1; a program stays one whatever later results say of it."""
    store = RATINGS.of(stores)
    await write(store, [msgspec.structs.replace(result(1, BEN, ANNA, BOT), programs=(BEN,)), result(2, CARL, BEN)])
    await write(store, [result(3, ANNA, BEN), result(4, BOT, CARL)])
    entrants = {kind: [each.entrant for each in await store.board(COUP, None, 9, kind)] for kind in LeaderboardKind}
    assert {kind: sorted(each) for kind, each in entrants.items()} == {
        LeaderboardKind.PEOPLE: [ANNA, CARL],
        LeaderboardKind.PROGRAMS: [BEN],
        LeaderboardKind.BOTS: [BOT],
    }
    first, second = await store.board(COUP, None, 9, LeaderboardKind.PEOPLE)
    assert (first.place, second.place) == (1, 2)
    assert list(await store.board(COUP, (first.score.points, first.entrant), 9, LeaderboardKind.PEOPLE)) == [second]
    assert len(await store.board(COUP, None, 9)) == 4


async def test_games_are_rated_apart(stores: Stores) -> None:
    """A result of one game says nothing of another."""
    await write(RATINGS.of(stores), [result(1, ANNA, BEN)])
    await write(RATINGS.of(stores), [result(2, BEN, ANNA)], DUEL)
    assert [each.entrant for each in await whole(RATINGS.of(stores))] == [ANNA, BEN]
    assert [each.entrant for each in await whole(RATINGS.of(stores), DUEL)] == [BEN, ANNA]
    standings = await RATINGS.of(stores).standings(ANNA, (COUP, DUEL))
    assert {game: each.place for game, each in standings.items()} == {COUP: 1, DUEL: 2}


async def test_nothing_is_written_over_another_position(stores: Stores) -> None:
    """What another process has counted is not counted twice."""
    await write(RATINGS.of(stores), [result(1, ANNA, BEN)])
    before = await whole(RATINGS.of(stores))
    update = Update(game=COUP, results=(result(2, BEN, ANNA),), scores={BEN: BEGINNER}, before={}, complete=False)
    for old in (0, 2):
        assert not await RATINGS.of(stores).write(old, old + 1, [update])
    assert (await whole(RATINGS.of(stores)), await RATINGS.of(stores).position()) == (before, 1)


async def test_all_scores_of_a_game_are_replaced_when_it_is_counted_again(stores: Stores) -> None:
    """Players who are not in the new ones are removed; other games stay."""
    await write(RATINGS.of(stores), [result(1, ANNA, BEN), result(2, CARL, BOT)])
    await write(RATINGS.of(stores), [result(3, ANNA, BEN)], DUEL)
    void = Result(MatchId("m-2"), (CARL, BOT), (), corrects=True, at_ms=9)
    scores = fold([*await RATINGS.of(stores).results(COUP), void])
    assert await RATINGS.of(stores).write(3, 4, [Update(game=COUP, results=(void,), scores=scores, before={}, complete=True)])
    assert {each.entrant for each in await whole(RATINGS.of(stores))} == {ANNA, BEN}
    assert len(await whole(RATINGS.of(stores), DUEL)) == 2
    assert len(await RATINGS.of(stores).results(COUP)) == 3


async def test_reset_forgets_everything(stores: Stores) -> None:
    """As if nothing had ever been rated."""
    await write(RATINGS.of(stores), some(10))
    await write(RATINGS.of(stores), some(3, seed=2), DUEL)
    await RATINGS.of(stores).reset()
    await test_empty_store_knows_no_one(stores)
    await write(RATINGS.of(stores), [result(1, ANNA, BEN)])
    assert len(await whole(RATINGS.of(stores))) == 2


async def test_reset_leaves_no_key_behind(server: Server, redis_kind_stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """No page outlives the results in it, and results go over pages without a seam."""
    before = server.ask("DBSIZE")
    results = some(on_server.PAGE + 100)
    await write(RATINGS.of(redis_kind_stores), results)
    assert list(await RATINGS.of(redis_kind_stores).results(COUP)) == results
    await RATINGS.of(redis_kind_stores).reset()
    assert server.ask("DBSIZE") == before


async def test_many_raters_count_each_leaf_once(stores: Stores) -> None:
    """The position is the fence."""
    update = Update(game=COUP, results=(result(1, ANNA, BEN),), scores={ANNA: BEGINNER}, before={}, complete=False)
    done = await asyncio.gather(*(RATINGS.of(stores).write(0, 1, [update]) for _ in range(8)))
    assert sorted(done) == [False] * 7 + [True]
    assert len(await RATINGS.of(stores).results(COUP)) == 1


@pytest.fixture
def rated(stores: Stores) -> RatingStore:
    """Each store in turn, empty."""
    return RATINGS.of(stores)


def update(*points: int, complete: bool = False) -> Update:
    """Return an update that adds points of Anna."""
    return Update(
        game=COUP,
        results=(result(points[0], ANNA, BEN),),
        scores={},
        before={},
        complete=complete,
        points={ANNA: [Point(each, 1_000 + each) for each in points]},
    )


async def test_history_has_the_newest_points_in_order(rated: RatingStore) -> None:
    """Of each game; a complete update begins it again, and an update at another position adds nothing."""
    assert await rated.write(0, 1, [update(*range(KEPT_POINTS))])
    assert not await rated.write(0, 1, [update(999)])
    assert await rated.write(1, 2, [update(KEPT_POINTS, KEPT_POINTS + 1)])
    found = await rated.histories(ANNA, [DUEL, COUP])
    assert {game: [each.at_ms for each in points] for game, points in found.items()} == {COUP: [*range(2, KEPT_POINTS + 2)]}
    assert found[COUP][-1].rating == 1_000 + KEPT_POINTS + 1
    assert await rated.histories(BEN, [DUEL, COUP]) == {}
    assert await rated.write(2, 3, [update(7, complete=True)])
    assert await rated.histories(ANNA, [COUP]) == {COUP: [Point(7, 1_007)]}
    await rated.reset()
    assert await rated.histories(ANNA, [COUP]) == {}


def test_trace_has_each_step_of_the_fold() -> None:
    """The last step of each entrant is its score."""
    scores, steps = trace(some(30))
    assert scores == fold(some(30))
    assert dict(steps) == scores
    assert [score.at_ms for entrant, score in steps if entrant == ANNA] == [
        each.at_ms for each in some(30) if ANNA in each.entrants
    ]
