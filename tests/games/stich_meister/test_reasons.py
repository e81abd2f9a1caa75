"""Why a trick was won, as the view says it."""

from __future__ import annotations

import itertools
import random

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.deciding import DECIDING_RULES, Deciding, decision
from tafelrunde.domain.stich_meister.guide.texts import TRICK_REASONS
from tafelrunde.domain.stich_meister.messages import StichOptions
from tafelrunde.domain.stich_meister.rule_cards import NUMBERS
from tafelrunde.domain.stich_meister.table import StichTable
from tafelrunde.domain.stich_meister.trick import law_of, winner
from tafelrunde.domain.stich_meister.trump import NO_SUIT
from tests.games.stich_meister.kit import PLAIN, Scene, cards, four
from tests.games.stich_meister.oracle import SUITS, Oracle, Play
from tests.games.stich_meister.play import play


def reason_of(rules: tuple[int, ...], said: str) -> tuple[str, tuple[int, ...]]:
    """Return why a trick was won, its cards in the order of play."""
    scene = Scene(rules, *said.split()).play(said)
    # the round may be over with this trick, and the next one dealt
    trick = (scene.view(None).tricks or scene.view(None).last_tricks)[0]
    assert trick.reason is not None
    return trick.reason.deciding.value, trick.reason.rules


@pytest.mark.parametrize(
    ("rules", "said", "reason"),
    [
        (PLAIN, "f6 t15 f9 f8", ("highest-of-led-suit", ())),
        ((15,), "f6 t15 f9 f8", ("highest-of-led-suit", ())),
        ((15,), "f6 t15 c1 f8", ("strongest-trump", (15,))),
        ((15,), "c6 t15 c1 f8", ("strongest-trump", (15,))),
        ((5, 15), "f6 t15 c14 k6", ("strongest-trump", (5,))),
        ((5, 15), "f6 t15 c14 c6", ("strongest-trump", (5, 15))),
        ((29,), "f9 f6 f8 t15", ("highest-of-led-suit-but-first", (29,))),
        ((29,), "f6 f9 f8 t15", ("highest-of-led-suit", ())),
        ((29,), "f6 t3 k5 c4", ("highest-value-but-first", (29,))),
        ((30,), "f6 f9 f8 t15", ("second-strongest", (30,))),
        ((15, 30), "f6 f9 f8 c2", ("second-strongest", (15, 30))),
        ((31,), "f6 f9 f3 t1", ("lowest-of-led-suit", (31,))),
        ((32, 15), "f6 f9 f8 c2", ("highest-of-led-suit", (32,))),
        ((32, 15), "c6 f9 k14 c2", ("highest-plain-value", (15, 32))),
        ((32, 15), "c6 c9 c14 c2", ("strongest-trump", (15,))),
        ((33,), "f6 f9 t10 k2", ("highest-value", (33,))),
        ((31, 33), "f6 f9 t10 k2", ("lowest-value", (31, 33))),
        ((31, 5), "f6 k6 t10 f2", ("strongest-trump", (5,))),
    ],
)
def test_reason_names_the_winning_card_and_the_rules_that_made_it_win(
    rules: tuple[int, ...], said: str, reason: tuple[str, tuple[int, ...]]
) -> None:
    """What the card was, and the rules without which another would have won, or which made it trump."""
    assert reason_of(rules, said) == reason


def test_rule_21_decides_from_the_second_trick_on_only() -> None:
    """In the first trick a card of the suit that will be trump is not yet one."""
    scene = Scene((21,), "f6 c1", "f7 f3", "c15 c9", "f9 f1").play("f6 f7 c15 f9")
    while scene.table.stage and len(scene.table.tricks) < 2 and not scene.table.rounds:
        seat = scene.asked[0]
        scene.do(seat, GAME.legal(scene.table, Seat(seat))[0])
    tricks = scene.view(None).tricks or scene.view(None).last_tricks
    assert [trick.reason and trick.reason.deciding for trick in tricks[:1]] == [Deciding.HIGHEST_LED]
    second = tricks[1]
    assert second.plays[0].card in cards("f1 f3 c1 c9")
    assert second.reason is not None
    assert second.reason.deciding is Deciding.STRONGEST_TRUMP
    assert second.reason.rules == (21,)


def test_card_of_rule_40_has_no_reason() -> None:
    """No card beat another: it lies before its owner."""
    scene = Scene((40,), "f6 f1 f2 f3", "f7 k1 k2 k3", "f8 t1 t2 t3", "f9 c1 c2 c3").trick(12).play("f6 f7 f8 f9")
    tricks = scene.view(None).last_tricks
    assert {trick.reason is None for trick in tricks if not trick.number} == {True}
    assert all(trick.reason for trick in tricks if trick.number)


def test_reasons_stay_those_of_their_round() -> None:
    """The tricks of the round before, also at the end of the match, keep the reasons that they had under their own rules."""
    kept: dict[int, tuple[object, ...]] = {0: ()}
    played: list[StichTable] = []

    def look(table: StichTable) -> None:
        view = GAME.view(table, None)
        kept[table.round] = tuple(trick.reason for trick in view.tricks)
        before = kept[table.round - 1]
        assert tuple(trick.reason for trick in view.last_tricks)[: len(before)] == before
        played[:] = [table]

    play(StichOptions(), 3, 5, look=look)
    over = GAME.view(played[0], None)
    assert (over.stage, over.round) == ("over", 3)
    assert min(map(len, (kept[1], kept[2], kept[3]))) >= 12
    assert tuple(trick.reason for trick in over.last_tricks)[: len(kept[2])] == kept[2]
    assert tuple(trick.reason for trick in over.tricks)[: len(kept[3])] == kept[3]


def judged(rules: tuple[int, ...], trick: list[int], shown: str | None) -> int:
    """Return the place that the judge of the tests lets win."""
    plays = [Play(place, (SUITS[card // 15], card % 15 + 1)) for place, card in enumerate(trick)]
    return Oracle(frozenset(rules), shown).winner(plays)


def test_reasons_agree_with_a_judge_that_knows_nothing_of_the_engine() -> None:
    """In random tricks the rules named are those without which the judge lets another card win, and those of a winning trump."""
    rng = random.Random(7)
    seen = set[Deciding]()
    for often in range(1_500):
        rules = tuple(sorted({*rng.sample(sorted(DECIDING_RULES), 4), *((29, 31, 32) if often % 4 == 0 else ())}))
        trick = rng.sample(range(60), rng.choice((3, 4, 5)))
        second = rng.choice((NO_SUIT, 0, 1, 2, 3)) if 21 in rules else NO_SUIT
        shown = None if second == NO_SUIT else SUITS[second]
        found = decision(rules, second, trick)
        oracle = Oracle(frozenset(rules), shown)
        won = (SUITS[trick[found.place] // 15], trick[found.place] % 15 + 1)
        assert found.place == judged(rules, trick, shown)
        wanted = {rule for rule in rules if judged(tuple(each for each in rules if each != rule), trick, shown) != found.place}
        if found.deciding in {Deciding.STRONGEST_TRUMP, Deciding.STRONGEST_TRUMP_BUT_FIRST}:
            assert oracle.is_trump(won)
            wanted |= set(oracle.matching(won))
        assert set(found.rules) == wanted
        seen.add(found.deciding)
    assert seen == set(Deciding)


def is_true(claim: str, rules: tuple[int, ...], trick: list[int], place: int, shown: str | None) -> bool:
    """Return whether what is said of the card at a place is true of the cards that lie there, without the engine."""
    oracle = Oracle(frozenset(rules), shown)
    printed = [(SUITS[card // 15], card % 15 + 1) for card in trick]
    trump = [oracle.is_trump(card) for card in printed]
    kind = claim.removesuffix("-but-first")
    among = range(1 if kind != claim else 0, len(trick))
    values = [printed[each][1] for each in among if not ("plain" in kind and trump[each])]
    if "led-suit" in kind:
        same = [each for each in among if not trump[each] and printed[each][0] == printed[0][0]]
        values = [printed[each][1] for each in same] if place in same and not trump[0] else []
    if kind.startswith(("highest", "lowest")):
        return printed[place][1] == (max if kind.startswith("highest") else min)(values, default=0)
    order = tuple(rule for rule in rules if rule not in {29, 30})
    if kind == "strongest-trump":
        trumps = [each for each in among if trump[each]]
        return place in trumps and place == trumps[judged(order, [trick[each] for each in trumps], shown)]
    best = judged((*order, 29) if kind != claim else order, trick, shown)
    left = [each for each in range(len(trick)) if each != best or not best]
    return place == left[judged((*order, 29) if kind != claim or not best else order, [trick[each] for each in left], shown)]


def test_what_is_said_of_the_winning_card_is_true_of_the_cards_that_lie_there() -> None:
    """Also with rules that take cards out of the order; the first card is named only where it is higher and may not win."""
    rng = random.Random(11)
    false = list[object]()
    for often in range(2_000):
        rules = tuple(sorted({*rng.sample(sorted(DECIDING_RULES), 4), *((29, 30)[: often % 3])}))
        trick = rng.sample(range(60), rng.choice((3, 4, 5)))
        second = rng.choice((NO_SUIT, 0, 1, 2, 3)) if 21 in rules else NO_SUIT
        shown = None if second == NO_SUIT else SUITS[second]
        found = decision(rules, second, trick)
        claim = found.deciding.value
        if not is_true(claim, rules, trick, found.place, shown):
            false.append((claim, rules, trick))
        assert claim.endswith("-but-first") is (29 in found.rules)
    assert false == []


def test_card_that_wins_below_a_higher_first_one_is_said_to_be_the_highest_without_it() -> None:
    """Coin 15 is led and taken out by rule 29: of the others, coin 1 is the highest of its suit."""
    assert reason_of((2, 29, 37, 57), "c15 t5 c1 k12")[0] == "highest-of-led-suit-but-first"


def test_other_rules_never_decide_a_trick() -> None:
    """Whatever other rule cards are in force, who wins stays the same: so no reason can be missing one."""
    rng = random.Random(3)
    others = [rule for rule in range(1, NUMBERS + 1) if rule not in DECIDING_RULES]
    for rule, trick in itertools.product(others, [rng.sample(range(60), 4) for _ in range(20)]):
        assert winner(law_of((5, 20, 29), NO_SUIT), trick) == winner(law_of((5, 20, 29, rule), NO_SUIT), trick)


def test_every_reason_has_a_text_in_both_languages() -> None:
    """`stich-meister.trick-reason.<deciding>` is said in German and in English, and nothing else is."""
    assert TRICK_REASONS.keys() == {each.value for each in Deciding}
    assert all(GAME.messages[f"stich-meister.trick-reason.{each.value}"].de for each in Deciding)
    assert four(5)  # the kit fills rules up with such as decide nothing
    assert not DECIDING_RULES.intersection(PLAIN)
