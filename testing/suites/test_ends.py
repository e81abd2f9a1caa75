"""Every match ends, with any random players and any absent ones."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection

import msgspec
import pytest

from ...domain.game import AnyGame, Command, Seat
from ...domain.match import BotName, Clock, MatchSettings, PlayerId, Status
from ...domain.match.commands import BotPlay, MatchCommand, OpenMatch, Play, Seating, TimeOut
from ...domain.match.decide import decide
from ...domain.match.state import Match
from ...domain.search import Steps
from ...service.simulate import simulate
from .cases import GAMES, Case, every_case, every_game, plain_cases, played
from .dice import Dice
from .thorough import some, tries

SEEDS = tries(2, 12)
MOST_COMMANDS = 3_000
SMALL = tries(3, 4)


@every_case
def test_match_ends_when_all_play_at_random(case: Case) -> None:
    """Random legal commands come to an end, long before the bound of this test."""
    options = msgspec.to_builtins(case.options)
    tally = simulate(case.game, case.seats, SEEDS, 1, options=options, bots=[BotName("random")])
    assert tally.ended == SEEDS
    assert sum(tally.wins) >= SEEDS


@every_case
def test_seat_that_is_out_is_never_asked_again(case: Case) -> None:
    """`plays_on` is true of every seat that is asked, and stays false once it is false."""
    for seed in range(SEEDS):
        out = set[Seat]()
        for step in played(case, seed=seed):
            out |= {seat for seat in map(Seat, range(case.seats)) if not case.game.plays_on(step.after, seat)}
            assert [seat for seat in out if case.game.plays_on(step.after, seat)] == []
            ask = case.game.pending(step.after)
            assert ask is None or not out & {*ask.seats, *ask.open}


@every_game
def test_random_bot_is_always_there(game: AnyGame) -> None:
    """Every game has a bot that plays at random, to measure others by."""
    assert "random" in game.bots()


def opened(case: Case, stand_in_after: int, seed: int) -> Match:
    """Return a match with a player on every seat."""
    command = OpenMatch(
        settings=MatchSettings(
            game=case.game.id,
            seats=case.seats,
            options=msgspec.to_builtins(case.options),
            clock=Clock(stand_in_after=stand_in_after),
        ),
        host=PlayerId("0"),
        secret="",
        commitment="",
        seating=tuple(Seating(seat=Seat(seat), player=PlayerId(str(seat))) for seat in range(case.seats)),
        start=True,
    )
    return decide(Match(GAMES), command, Dice(("open", seed)), 0).match


def next_command(match: Match, absent: Collection[int], rng: random.Random) -> MatchCommand:
    """Return the answer of a present player or of a stand-in, in random order; if there is neither, time is up."""
    ask = match.pending()
    decision = match.open_decision()
    assert ask is not None
    assert decision is not None
    ready = [seat for seat in ask.open if seat not in absent or match.chairs[seat].bot is not None]
    if not ready:
        return TimeOut(decision)
    seat = rng.choice(ready)
    legal = match.game.legal(match.table, seat)
    player = match.chairs[seat].player
    if match.chairs[seat].bot is None and player is not None:
        return Play(player, decision, rng.choice(legal))
    return BotPlay(seat, decision, stand_in(match, seat, legal, rng))


def stand_in(match: Match, seat: Seat, legal: list[Command], rng: random.Random) -> Command:
    """Return what the stand-in answers."""
    bot = match.game.bots()[match.chairs[seat].bot or BotName("")]
    return bot.choose(match.game.view(match.table, seat), legal, rng, Steps(9))


def patterns(seats: int) -> list[tuple[int, ...]]:
    """Return who may be away: every set of seats at small tables; at large ones one, all but one, or all."""
    if seats <= SMALL:
        return [away for size in range(1, seats + 1) for away in itertools.combinations(range(seats), size)]
    one = list(itertools.combinations(range(seats), 1))
    others = list(itertools.combinations(range(seats), seats - 1))
    return [*some(one, 2), *some(others, 2), tuple(range(seats))]


def play_out(case: Case, absent: Collection[int], stand_in_after: int, seed: int) -> tuple[Match, int]:
    """Play a match in which some are never there; return it and the number of commands."""
    rng = random.Random(seed)
    match = opened(case, stand_in_after, seed)
    for number in range(MOST_COMMANDS):
        if match.status is not Status.RUNNING:
            return match, number
        match = decide(match, next_command(match, absent, rng), Dice((seed, number)), 0).match
    return match, MOST_COMMANDS


@pytest.mark.parametrize("stand_in_after", [0, 1, 2])
@plain_cases
def test_match_ends_when_some_seats_are_always_away(case: Case, stand_in_after: int) -> None:
    """Defaults, and stand-ins, bring every match to its end, whichever seats are away."""
    for number, absent in enumerate(patterns(case.seats)):
        match, _ = play_out(case, absent, stand_in_after, number)
        assert match.status is Status.OVER, f"away: {absent}"


@every_case
def test_match_ends_when_everyone_is_away(case: Case) -> None:
    """A forgotten match ends by its defaults alone."""
    for seed in range(3):
        assert play_out(case, range(case.seats), 0, seed)[0].status is Status.OVER
