"""The honest bot of Stich-Meister: how well it plays, and what it makes of the rules in force."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import pytest

from tafelrunde.domain.bots import RandomBot
from tafelrunde.domain.game import Seat
from tafelrunde.domain.search import Steps
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.bots.honest import HonestBot
from tafelrunde.domain.stich_meister.cards import Suit, card_of
from tafelrunde.domain.stich_meister.messages import ChooseRule, PassCards, PlayCard, StichCommand, TakeCardOut
from tafelrunde.domain.stich_meister.table import StichTable
from tests.games.stich_meister.seated import Player, match_of, started
from tests.support.dice import Dice
from tests.support.thorough import tries

MATCHES = tries(30, 60)
CHANCE = Dice("bot")
PLAIN = (22, 38, 25, 44)
"""Rules that change nothing about the first tricks."""


def wins(seats: int, matches: int) -> float:
    """Return the share of matches that the honest bot wins alone among random ones, sitting on each seat in turn."""
    found = 0
    for number in range(matches):
        players: list[Player] = [RandomBot() for _ in range(seats)]
        players[number % seats] = HonestBot()
        found += number % seats in match_of(players, (seats, number)).winners
    return found / matches


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_honest_bot_wins_far_more_than_its_share_against_random_play(seats: int) -> None:
    """It wins well over 1.5 times its fair share; in 1,000 matches it is more than twice as much, few allow for bad luck."""
    assert wins(seats, MATCHES) >= 1.5 / seats


def led(*hands: tuple[int, ...], trick: Sequence[int], rules: tuple[int, ...], number: int = 1) -> StichTable:
    """Return a table at which seat 0 leads and the first cards lie; the rest of each hand is as written."""
    table = started(len(hands), 1, rules, dealer=len(hands) - 1)
    table.f_trick_begun(number, 0, 1, asked=True)
    for seat, card in enumerate(trick):
        table.hands[seat] = sorted((card, *hands[seat]))
        GAME.play(table, Seat(seat), PlayCard(card), CHANCE)
    for seat in range(len(trick), len(hands)):
        table.hands[seat] = sorted(hands[seat])
    return table


def choice(table: StichTable, seat: int) -> StichCommand:
    """Return what the honest bot does."""
    view = GAME.view(table, Seat(seat))
    return HonestBot().choose(view, GAME.legal(table, Seat(seat)), random.Random(1), Steps(100))


def fans(*values: int) -> tuple[int, ...]:
    """Return fan cards."""
    return tuple(card_of(Suit.FAN, value) for value in values)


def test_last_seat_takes_a_trick_that_counts() -> None:
    """Where a trick is a point, it beats the highest card on the table, with no more than it takes."""
    table = led((), (), fans(2, 8, 12), trick=fans(5, 7), rules=(13, 14, 44, 45), number=9)
    assert choice(table, 2) == PlayCard(fans(8)[0])


def test_last_seat_leaves_a_trick_that_costs() -> None:
    """Where points are turned into minus points, it stays below."""
    table = led((), (), fans(2, 8, 12), trick=fans(5, 7), rules=(13, 14, 44, 60), number=9)
    assert choice(table, 2) == PlayCard(fans(2)[0])


def test_winner_takes_the_card_out_that_costs_most() -> None:
    """Rule 34 with rule 53: the 15 goes out of the trick."""
    table = led((), (), fans(15), trick=fans(5, 7), rules=(1, 2, 34, 53), number=9)
    GAME.play(table, Seat(2), PlayCard(fans(15)[0]), CHANCE)
    assert choice(table, 2) == TakeCardOut(fans(15)[0])


@pytest.mark.parametrize(("rules", "best"), [((22, 44, 45, 42), False), ((22, 44, 42, 60), True)])
def test_bot_passes_what_it_does_not_need(rules: tuple[int, ...], best: bool) -> None:
    """Weak cards go where tricks count, strong ones where they cost."""
    table = started(4, 2, rules)
    table.hands[1] = list(fans(*range(1, 16)))
    assert choice(table, 1) == PassCards(fans(13, 14, 15) if best else fans(1, 2, 3))


def test_bot_chooses_the_trump_rule_that_its_hand_is_full_of() -> None:
    """A trump rule that makes much of the hand trump is worth having."""
    table = started(4, 3)
    table.hands[0] = list(fans(*range(1, 16)))
    table.rule_hands[0] = (1, 16, 40)
    assert choice(table, 0) == ChooseRule(16)


def test_bot_asks_chance_for_a_bounded_number_of_samples() -> None:
    """It imagines few deals: what it asks of chance for one decision is bounded."""
    table = started(5, 4, PLAIN)

    class Counting(random.Random):
        calls = 0

        def randrange(self, *bounds: int) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - one bound is all it gets
            self.calls += 1
            return super().randrange(*bounds)

    rng = Counting(1)
    view = msgspec.structs.replace(GAME.view(table, Seat(1)), stage="lead")
    HonestBot().choose(view, [PlayCard(card) for card in view.hand], rng, Steps(100))
    assert 0 < rng.calls < 300
