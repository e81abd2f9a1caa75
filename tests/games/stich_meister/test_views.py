"""What seats and spectators see, and do not see, of a table of Stich-Meister."""

from __future__ import annotations

import random

import msgspec
import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.secrecy import redact
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.events import (
    CardHiddenPlayed,
    CardSetAside,
    CardsPassed,
    CardsReceived,
    CardsSetAside,
    OpeningChosen,
    RuleChosen,
    StichDealt,
)
from tafelrunde.domain.stich_meister.messages import ChooseRule, PassCards, StichOptions
from tafelrunde.domain.stich_meister.table import StichTable
from tests.games.stich_meister.audit import Audit
from tests.games.stich_meister.kit import Scene, card, cards
from tests.games.stich_meister.play import SeededChance, dealt, move, play, random_rules
from tests.games.stich_meister.seated import hiding_rules


def unknown(table: StichTable, viewer: int | None, seat: int) -> list[int]:
    """Return the cards of a hand of which a viewer knows nothing, not even who lacks them."""
    view = GAME.view(table, None if viewer is None else Seat(viewer))
    told = {each.card for each in view.known} | {each for other in view.seats for each in (*other.lacks, *other.open_cards)}
    lacking = [each for bits in (*table.lacks, *(table.lacked or ())) for each in range(60) if bits >> each & 1]
    return [each for each in table.hands[seat] if each not in told and each not in lacking]


def exchanged(table: StichTable, one: int, other: int, mine: int, theirs: int) -> StichTable:
    """Return the table with a card of one hand exchanged for a card of another."""
    twin = table.copy()
    twin.hands[one] = sorted(theirs if each == mine else each for each in twin.hands[one])
    twin.hands[other] = sorted(mine if each == theirs else each for each in twin.hands[other])
    return twin


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_hidden_hands_are_never_in_the_views_of_others(seats: int) -> None:
    """Exchange two hidden cards between two other seats: the view, and the decision asked, stay the same to the byte."""
    rng = random.Random(seats)
    looked = 0

    def look(table: StichTable) -> None:
        nonlocal looked
        one, other, viewer = rng.sample([*range(seats), None], 3)
        if one is None or other is None or table.answers[one] or table.answers[other]:
            return
        mine, theirs = unknown(table, viewer, one), unknown(table, viewer, other)
        if not mine or not theirs:
            return
        seen = None if viewer is None else Seat(viewer)
        twin = exchanged(table, one, other, rng.choice(mine), rng.choice(theirs))
        assert msgspec.json.encode(GAME.view(twin, seen)) == msgspec.json.encode(GAME.view(table, seen))
        assert GAME.pending(twin) == GAME.pending(table)
        looked += 1

    for seed in range(12):
        play(StichOptions(rules=hiding_rules(seed) if seed % 2 else random_rules(rng)), seats, seed, rounds=1, look=look)
    assert looked > 100


def test_own_hand_is_in_one_s_own_view_alone() -> None:
    """A seat sees its hand; a spectator sees no hand."""
    scene = Scene((22,), "f1 f2 f3", "c1 c2 c3", "k1 k2 k3")
    assert scene.view(1).hand == cards("c1 c2 c3")
    assert scene.view(None).hand == ()
    assert [each.hand_size for each in scene.view(None).seats] == [3, 3, 3]


SECRET = (
    RuleChosen(Seat(1), 7),
    CardsPassed(Seat(1), (1, 2, 3)),
    CardSetAside(Seat(1), 4),
    OpeningChosen(Seat(1), (1, 2, 3)),
    CardHiddenPlayed(Seat(1), 4),
)


@pytest.mark.parametrize("event", [pytest.param(event, id=type(event).__name__) for event in SECRET])
def test_secret_choice_is_shown_to_its_seat_alone(event: RuleChosen) -> None:
    """For all others the choice has not even happened."""
    assert redact(event, Seat(1)) == event
    assert [redact(event, viewer) for viewer in (Seat(0), Seat(2), None)] == [None] * 3


def test_deal_is_reported_without_the_hands_and_rule_cards_of_others() -> None:
    """No one sees what is in the rule deck."""
    deal = Scene((), seats=4).last(StichDealt)
    told = redact(deal, Seat(2))
    assert isinstance(told, StichDealt)
    assert told.hands == (None, None, deal.hands[2], None)
    assert told.new_rules == (None, None, (7, 8, 9), None)
    assert told.rule_deck is None


def test_passed_cards_are_shown_to_their_receiver_and_set_aside_ones_to_their_owner() -> None:
    """Others see that it happened."""
    received = CardsReceived(((1,), (2,), (3,)), ((), (), ()))
    assert redact(received, Seat(1)) == CardsReceived((None, (2,), None), ((), (), ()))
    assert redact(CardsSetAside((1, 2, 3)), Seat(0)) == CardsSetAside((1, None, None))
    assert redact(CardsSetAside((1, 2, 3)), None) == CardsSetAside((None, None, None))


def test_refusals_are_the_same_whatever_others_hold() -> None:
    """A refusal shows only what the seat knows: it is the same in two worlds that the seat cannot distinguish."""
    one = Scene((22,), "f1 f2 f3 f4", "c1 c2 c3 c4", "k1 k2 k3 k4")
    other = Scene((22,), "f1 f2 f3 f4", "k1 k2 k3 c4", "c1 c2 c3 k4")
    for command in (PassCards(cards("f1 f2 c1")), PassCards(cards("f1 f2 k1")), ChooseRule(3)):
        assert one.refusal(0, command) == other.refusal(0, command)


def test_finished_tricks_and_scores_are_public() -> None:
    """Everyone sees who played what, who holds the trick, and the points of each round."""
    scene = Scene((34, 35, 41), "f6 k1", "f7 k2", "f9 k3", "f8 k4").play("f6 f7 f9 f8")
    scene.do(2, GAME.legal(scene.table, Seat(2))[0])
    trick = scene.view(None).tricks[0]
    assert (trick.number, trick.winner, trick.holder, trick.out) == (1, 2, 3, card("f6"))
    assert [play.card for play in trick.plays] == list(cards("f6 f7 f9 f8"))
    assert [each.tricks for each in scene.view(None).seats] == [0, 0, 0, 1]


def test_view_of_a_running_match_agrees_with_the_auditor() -> None:
    """Hand sizes, tricks and scores in the spectator's view are those that follow from the events."""
    for seed in range(6):
        rng = random.Random(seed)
        chance = SeededChance(rng)
        audit = Audit(4)
        table, events = dealt(StichOptions(rules=random_rules(rng)), 4, chance)
        table.emit = audit.read(events).check  # type: ignore[assignment]  # it emits events of its own game
        while table.asked:
            seen = GAME.view(table, None).seats
            assert [each.hand_size for each in seen] == [len(hand) for hand in audit.hands]
            assert [each.tricks for each in seen] == [sum(pile.holder == seat for pile in audit.piles) for seat in range(4)]
            assert [each.score for each in seen] == audit.scores
            move(table, rng, chance, None)
