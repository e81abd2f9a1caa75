"""Whole matches of MatchMaster: what the events say is counted again, independently of the rules' code."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.matchmaster import GAME
from tafelrunde.domain.matchmaster.events import (
    MatchMasterBidsShown,
    MatchMasterCardPlayed,
    MatchMasterDealt,
    MatchMasterEvent,
    MatchMasterRoundScored,
    MatchMasterTrickWon,
)
from tafelrunde.domain.matchmaster.messages import MatchMasterOptions, PlayCard
from tafelrunde.domain.matchmaster.moves import playable
from tafelrunde.domain.search import Steps
from tafelrunde.service.simulate import play, players_of
from tests.games.matchmaster.kit import Scene, cards
from tests.support.dice import Dice

SEEDS = range(4)
MATCHES = 100


def match(seats: int, seed: int) -> Iterator[MatchMasterEvent]:
    """Yield the events of a match of random play."""
    rng = random.Random(seed)
    table = GAME.create(MatchMasterOptions(), seats)
    events = GAME.start(table, Dice((seed, "start")))
    while True:
        yield from events
        for event in events:
            GAME.fold(table, event)
        ask = GAME.pending(table)
        if ask is None:
            return
        seat = rng.choice(ask.open)
        events = GAME.decide(table, seat, rng.choice(GAME.legal(table, seat)), Dice((seed, ask.decision)))


def strength(card: int, led: int) -> tuple[bool, bool, int]:
    """Return how strong a card is in a trick: trump first, then the led suit, then its value."""
    return card // 13 == 0, card // 13 == led // 13, card % 13


@pytest.mark.parametrize("seats", range(2, 8))
def test_winners_scores_and_cards_are_those_that_the_log_gives(seats: int) -> None:
    """Each trick goes to its strongest card, each card is played once by who holds it, rounds are scored from bids and tricks."""
    for seed in SEEDS:
        hands: list[set[int]] = []
        bids: tuple[int, ...] = ()
        taken = [0] * seats
        totals = [0] * seats
        trick = list[MatchMasterCardPlayed]()
        for event in match(seats, seed):
            match event:
                case MatchMasterDealt(_, size, _, dealt):
                    hands = [set(hand or ()) for hand in dealt]
                    taken = [0] * seats
                    assert sum(map(len, hands)) == len(set().union(*hands)) == size * seats
                case MatchMasterBidsShown(shown):
                    bids = shown
                case MatchMasterCardPlayed(seat, card):
                    hands[seat].remove(card)
                    trick.append(event)
                case MatchMasterTrickWon(seat):
                    best = max(trick, key=lambda each: strength(each.card, trick[0].card))
                    assert (best.seat, len(trick)) == (seat, seats)
                    taken[seat] += 1
                    trick = []
                case MatchMasterRoundScored(_, points, scores):
                    wanted = [10 + won if won == bid else -abs(won - bid) for won, bid in zip(taken, bids, strict=True)]
                    totals = [total + more for total, more in zip(totals, wanted, strict=True)]
                    assert (list(points), list(scores), hands) == (wanted, totals, [set()] * seats)
                case _:
                    pass


def allowed(hand: set[int], trick: list[int]) -> set[int]:
    """Return what may be played, straight from the words of the ruling."""
    trumps = {card for card in hand if card < 13}
    if not trick:
        return hand
    same = {card for card in hand if card // 13 == trick[0] // 13}
    if same and trick[0] >= 13:
        return same
    above = {card for card in trumps if all(card > other for other in trick if other < 13)}
    return above or trumps or same or hand


def test_playable_cards_are_those_of_the_ruling_for_any_hand_and_trick() -> None:
    """Compared for many random hands and tricks."""
    rng = random.Random(1)
    for _ in range(20_000):
        deck = rng.sample(range(52), 13)
        hand = sorted(deck[: rng.randrange(1, 8)])
        trick = deck[7 : 7 + rng.randrange(7)]
        assert set(playable(hand, trick)) == allowed(set(hand), trick)


def orders(scene: Scene) -> int:
    """Return how many ways there are to play the round to its end."""
    table = scene.table
    count = 0
    stack = [table]
    while stack:
        here = stack.pop()
        if here.round != table.round:
            count += 1
            continue
        for command in GAME.legal(here, Seat(here.turn)):
            after = here.copy()
            GAME.play(after, Seat(here.turn), command, Dice("count"))
            stack.append(after)
    return count


@pytest.mark.parametrize(
    ("hands", "count"),
    [
        (("T1 o2 b3", "o4 o5 o6"), 30),
        (("T1 T2", "T3 T4"), 4),
        (("o1 o2", "o3 T1", "b1 T2"), 2),
        (("o1 b1 l1 T1", "o2 b2 l2 T2"), 24),
    ],
)
def test_number_of_ways_to_play_is_the_counted_one(hands: tuple[str, ...], count: int) -> None:
    """Small rounds, counted by hand from the duties."""
    assert orders(Scene(*hands)) == count


def test_honest_bot_beats_random_play() -> None:
    """Two seats, same deals with seats exchanged: well over half; four seats: well over a fair share."""
    honest, rand = (players_of(GAME, 2, [name])[0] for name in ("honest", "random"))  # type: ignore[arg-type, list-item]  # the registry's way to see a game
    wins = 0.0
    for number in range(MATCHES):
        for side in (0, 1):
            players = [rand, rand]
            players[side] = honest
            standing = play(GAME, MatchMasterOptions(), players, random.Random(number)).standing  # type: ignore[arg-type]  # any game's
            assert standing is not None
            wins += (side in standing.winners) / len(standing.winners)
    assert wins / (2 * MATCHES) > 0.65


def test_bot_keeps_to_what_it_may_play() -> None:
    """Also in tight spots its card is a legal one."""
    scene = Scene("o5 b1", "T6 b2", "T2 b7")
    scene.play("o5", "T6")
    view, legal = GAME.view(scene.table, Seat(2)), GAME.legal(scene.table, Seat(2))
    assert GAME.bots()["honest"].choose(view, legal, random.Random(1), Steps(100)) == PlayCard(cards("T2")[0])
