"""Conduct: what everyone has seen a seat claim, let pass and doubt, and what the strongest bot makes of it."""

from __future__ import annotations

import random
from statistics import fmean
from typing import cast

import pytest

from bench.thinking import QuickChance
from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.bots import BOTS
from tafelrunde.domain.coup.bots.best_response import BestResponse, cell_of
from tafelrunde.domain.coup.bots.exploiters import EXPLOITERS
from tafelrunde.domain.coup.bots.learned_habits import HABITS
from tafelrunde.domain.coup.bots.rivals import Rivals, features
from tafelrunde.domain.coup.messages import (
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupOptions,
    KeepCards,
    LoseInfluence,
    Role,
    ShowCard,
    TakeForeignAid,
    TakeIncome,
)
from tafelrunde.domain.coup.table import INDEX, CoupTable
from tafelrunde.domain.coup.view import CoupConduct, counted
from tafelrunde.domain.game import Seat
from tafelrunde.domain.search import SearchBot, Steps
from tafelrunde.domain.seats import NOBODY
from tests.games.coup.kit import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, Scene
from tests.support.cases import CASES, Case, reached
from tests.support.dice import Dice

COUP = [pytest.param(case, id=case.name) for case in CASES if case.game.id == GAME.id]
HONEST_HANDS = ((DUKE, CAPTAIN), (CONTESSA, AMBASSADOR))
DRAWS = 400


def conduct(scene: Scene, seat: int) -> CoupConduct:
    """Return what a spectator reads of a seat."""
    return GAME.view(scene.table, None).seats[seat].conduct


def rivals(scene: Scene, viewer: int = 0) -> Rivals:
    """Return what the strongest bot thinks of the others."""
    return Rivals(GAME.view(scene.table, Seat(viewer)), viewer, HABITS, learns=True)


def share(scene: Scene, role: Role, seat: int = 1) -> float:
    """Return how likely, to the strongest bot in seat 0, another seat holds a role."""
    thought = rivals(scene)
    view = GAME.view(scene.table, Seat(0))
    rng = random.Random(1)
    worlds = [GAME.determinize(view, rng) for _ in range(DRAWS)]
    weights = [thought.likelihood(world) for world in worlds]
    return sum(weight for world, weight in zip(worlds, weights, strict=True) if INDEX[role] in world.hands[seat]) / sum(weights)


def test_claims_and_passes_are_counted_when_all_know_them() -> None:
    """A claim at once; that a seat let it stand when the window is closed, since until then others may still think."""
    scene = Scene(*HONEST_HANDS, (DUKE, ASSASSIN)).do(0, ClaimTax()).let_pass(1)
    assert conduct(scene, 0).claimed == (1, 0, 0, 0, 0, 0, 0, 0)
    assert [conduct(scene, seat).trusts for seat in range(3)] == [0, 0, 0]
    scene.let_pass(2)
    assert [conduct(scene, seat).trusts for seat in range(3)] == [0, 1, 1]


def test_chances_not_taken_are_counted() -> None:
    """Turns without a claim, with the coins of an assassin, and beside a rival worth robbing; and blocks that were not made."""
    scene = Scene(*HONEST_HANDS, coins=(3, 2)).do(0, TakeForeignAid()).let_pass(1)
    assert conduct(scene, 0).declined == (1, 1, 1, 0, 0, 0)
    assert conduct(scene, 1).declined == (0, 0, 0, 1, 0, 0)
    scene.do(1, ClaimSteal(Seat(0))).let_pass(0, 0)
    assert conduct(scene, 0).declined == (1, 1, 1, 0, 1, 0)
    scene.do(0, ClaimAssassination(Seat(1))).let_pass(1, 1)
    assert conduct(scene, 1).declined[5] == 1


def test_lie_is_counted_once_and_settles_the_claim() -> None:
    """Also where its owner then loses the next card to the assassin that it tried to block."""
    scene = Scene((ASSASSIN, DUKE), (CAPTAIN, AMBASSADOR), (DUKE, DUKE), coins=(3, 2, 2))
    scene.do(0, ClaimAssassination(Seat(1))).let_pass(1, 2).do(1, Block(CONTESSA))
    assert conduct(scene, 1).claimed[5] == 1
    scene.do(0, Challenge()).do(1, ShowCard(AMBASSADOR))
    found = conduct(scene, 1)
    assert (found.lies, found.proofs, found.claimed[5]) == (1, 0, 0)
    assert conduct(scene, 0).doubts == 1


def test_proof_is_counted_and_the_new_card_is_unknown() -> None:
    """What a seat did not do says nothing of the card that it drew for the one that it showed."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, AMBASSADOR)).do(0, TakeIncome()).do(1, TakeIncome())
    scene.do(0, ClaimTax()).do(1, Challenge()).do(0, ShowCard(DUKE)).do(1, LoseInfluence(AMBASSADOR))
    found = conduct(scene, 0)
    assert (found.proofs, found.lies, found.claimed, found.declined) == (1, 0, (0,) * 8, (0,) * 6)
    assert conduct(scene, 1).declined[0] == 1


def test_exchange_forgets_the_hand_and_not_the_player() -> None:
    """New cards, the same player: lies, proofs, doubts and trusts stay."""
    scene = Scene((AMBASSADOR, CAPTAIN), (CONTESSA, DUKE)).do(0, TakeIncome()).do(1, ClaimTax()).let_pass(0)
    scene.do(0, ClaimExchange()).let_pass(1)
    scene.do(0, KeepCards((AMBASSADOR, CAPTAIN)))
    found = conduct(scene, 0)
    assert (found.claimed, found.declined, found.trusts) == ((0,) * 8, (0,) * 6, 1)


@pytest.mark.parametrize("case", COUP)
def test_conduct_is_the_same_for_every_viewer(case: Case) -> None:
    """It is made of what everyone has seen."""
    for table in reached(case, 3, 12):
        views = [GAME.view(cast("CoupTable", table), seat) for seat in (None, *map(Seat, range(case.seats)))]
        assert len({tuple(counted(each.conduct) for each in view.seats) for view in views}) == 1


def test_conduct_follows_from_the_facts() -> None:
    """A table that is played on and one that folds the facts of the same commands count the same."""
    played, folded, rng = GAME.create(CoupOptions(), 4), GAME.create(CoupOptions(), 4), random.Random(2)
    for fact in GAME.start(played, Dice(1)):
        GAME.fold(played, fact)
        GAME.fold(folded, fact)
    chance = Dice(2), Dice(2)
    while (ask := GAME.pending(played)) is not None:
        seat = ask.open[0]
        command = rng.choice(GAME.legal(played, seat))
        for fact in GAME.decide(folded, seat, command, chance[0]):
            GAME.fold(folded, fact)
        GAME.play(played, seat, command, chance[1])
        assert played.conduct == folded.conduct


def test_rival_that_let_foreign_aid_pass_is_thought_to_lack_the_duke() -> None:
    """And one that claimed it to have it."""
    before = share(Scene(*HONEST_HANDS), DUKE)
    passed = share(Scene(*HONEST_HANDS).do(0, TakeForeignAid()).let_pass(1), DUKE)
    claimed = share(Scene(*HONEST_HANDS).do(0, TakeIncome()).do(1, ClaimTax()), DUKE)
    assert passed < before < claimed


def test_rival_that_doubts_is_expected_to_doubt_again() -> None:
    """And one that let everything stand to go on with that; nothing is learned of oneself."""
    trusting = Scene((DUKE, DUKE), (CONTESSA, AMBASSADOR)).do(0, ClaimTax()).let_pass(1)
    doubting = Scene((DUKE, DUKE), (CONTESSA, AMBASSADOR)).do(0, ClaimTax()).do(1, Challenge()).do(0, ShowCard(DUKE))
    means = [fmean(rivals(scene).doubts[1]) for scene in (trusting, doubting)]
    assert means[0] < fmean(HABITS.doubts) < means[1]
    assert tuple(rivals(doubting).doubts[0]) == HABITS.doubts


def test_every_role_has_a_weight_for_each_feature() -> None:
    """Otherwise the table of weights was written for other features."""
    seen = features(Scene(*HONEST_HANDS).table, 1, 2)
    assert [len(weights) for weights in HABITS.weights] == [len(seen)] * 5


def test_strongest_bot_mixes_moves_that_are_as_good_as_each_other() -> None:
    """The same position, another chance: no one can tell from its answer what it holds."""
    scene = Scene((CAPTAIN, AMBASSADOR), (DUKE, CONTESSA), coins=(2, 3)).do(0, TakeIncome())
    scene.do(1, ClaimAssassination(Seat(0))).let_pass(0)
    bot, view, legal = BOTS["search-large"], GAME.view(scene.table, Seat(0)), GAME.legal(scene.table, Seat(0))
    found = {type(bot.choose(view, legal, random.Random(seed), Steps(24))) for seed in range(24)}
    assert len(found) > 1


def test_exploiters_are_offered_in_no_match() -> None:
    """They are for the arena; `frozen-large` is the strongest bot as it was before it learned."""
    assert not EXPLOITERS.keys() & GAME.bots().keys()
    assert isinstance(EXPLOITERS["frozen-large"], SearchBot)


def test_best_response_chooses_by_its_table_against_a_single_rival() -> None:
    """Elsewhere, and in situations that it has not learned, it plays as `honest` does."""
    scene = Scene((DUKE, ASSASSIN), (CAPTAIN, CONTESSA))
    view, legal = GAME.view(scene.table, Seat(0)), GAME.legal(scene.table, Seat(0))
    cell = cell_of(view)
    assert cell is not None
    learned = BestResponse({cell: "TakeIncome"})
    assert learned.choose(view, legal, random.Random(0), Steps(0)) == TakeIncome()
    plain = GAME.bots()["honest"].choose(view, legal, random.Random(0), Steps(0))
    assert BestResponse({}).choose(view, legal, random.Random(0), Steps(0)) == plain
    crowd = Scene(*HONEST_HANDS, (DUKE, ASSASSIN))
    assert cell_of(GAME.view(crowd.table, Seat(0))) is None


def test_pass_shows_nothing_before_the_window_is_closed() -> None:
    """No one sees who has passed so far, nor ever, if another one doubts or blocks."""
    scene = Scene(*HONEST_HANDS, (DUKE, ASSASSIN)).do(0, TakeForeignAid())
    before = [conduct(scene, seat) for seat in range(3)]
    scene.let_pass(1)
    assert [conduct(scene, seat) for seat in range(3)] == before
    scene.do(2, Block(DUKE))
    assert conduct(scene, 1) == before[1]


@pytest.mark.parametrize("case", COUP)
def test_conduct_is_in_no_digest_and_each_copy_has_its_own(case: Case) -> None:
    """Stored matches of before it have the digests that they had; what a copy goes on to count is not counted here."""
    for reached_table in reached(case, 5, 6):
        table = cast("CoupTable", reached_table)
        digest, counted_before = table.digest_form(), [*table.conduct]
        twin = table.copy()
        twin.conduct[0] += 1
        assert (table.conduct, twin.digest_form()) == (counted_before, digest)


@pytest.mark.parametrize("case", COUP)
def test_play_is_the_same_when_no_view_is_made(case: Case) -> None:
    """A table that no view is made of counts nothing, nor does a copy of it, and goes on as any other does."""
    options = cast("CoupOptions", case.options)
    seen, unseen = (GAME.create(options, case.seats) for _ in range(2))
    unseen.leave_unwatched()
    rngs = random.Random(7), random.Random(7)
    for table, rng in zip((seen, unseen), rngs, strict=True):
        GAME.rulebook.set_up(table, QuickChance(rng))
    while (seat := GAME.rulebook.waiting(seen)) != NOBODY:
        moves = GAME.rulebook.legal(seen, seat)
        assert GAME.rulebook.legal(unseen, seat) == moves
        for table, rng in zip((seen, unseen), rngs, strict=True):
            GAME.rulebook.apply(table, seat, moves[rng.randrange(len(moves))], QuickChance(rng))
        assert unseen.digest_form() == seen.digest_form()
        unseen = unseen.copy()
    assert any(seen.conduct)
    assert unseen.conduct == []
