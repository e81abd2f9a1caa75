"""Stich-Meister under random sets of rules: matches end, and the auditor agrees with all that the engine says."""

from __future__ import annotations

import functools
import random

import msgspec
import pytest

from tafelrunde.domain.stich_meister.events import RoundScored, StichEvent, TrickWon
from tafelrunde.domain.stich_meister.messages import StichOptions
from tests.games.stich_meister.audit import Audit, deck
from tests.games.stich_meister.play import SeededChance, dealt, move, play, random_rules
from tests.support.thorough import tries
from tools.stich_meister_exhaustive import SEATS, Rules, all_sets

SAMPLE = tries(1_050, 10_500)
PARTS = 21
AUDITED = 10
"""One sampled set out of this many is judged by the auditor."""


@functools.cache
def sample() -> list[Rules]:
    """Return the sets of rules of the sampled run."""
    return random.Random("stich-meister").sample(list(all_sets()), SAMPLE)


@pytest.mark.parametrize("part", range(PARTS))
def test_sampled_set_of_rules_plays_its_round_to_the_end(part: int) -> None:
    """No set of four rules is a dead end, for any player; the exhaustive run plays them all."""
    for place in range(part, SAMPLE, PARTS):
        rules = sample()[place]
        seats = SEATS[place // PARTS % len(SEATS)]
        audit = Audit(seats) if place // PARTS % AUDITED == 0 else None
        outcome = play(StichOptions(rules=rules), seats, (rules, seats), rounds=1, audit=audit)
        cards = len(deck(seats)) // seats
        assert outcome.tricks == (cards - 3 if 40 in rules else cards), (rules, seats)


@pytest.mark.parametrize("seats", SEATS)
def test_match_under_random_rules_is_what_the_auditor_expects(seats: int) -> None:
    """Every legal set, trick, leader, direction, holder and score follows from the rulings; no card is lost or doubled."""
    rng = random.Random(seats)
    for seed in range(tries(15, 40)):
        rules = random_rules(rng)
        audit = Audit(seats)
        outcome = play(StichOptions(rules=rules), seats, seed, audit=audit)
        assert audit.over
        assert (tuple(audit.scores), audit.tricks) == (outcome.scores, outcome.tricks), (rules, seed)


@pytest.mark.parametrize("seats", SEATS)
def test_match_of_chosen_rules_is_what_the_auditor_expects(seats: int) -> None:
    """Rule cards are refilled, chosen, shown, used once and revealed at the end as the rulings say."""
    for seed in range(tries(10, 30)):
        audit = Audit(seats)
        outcome = play(StichOptions(), seats, seed, audit=audit)
        assert audit.over
        assert tuple(audit.scores) == outcome.scores


def round_of(rules: Rules) -> list[StichEvent]:
    """Return the events of a round of four seats."""
    rng = random.Random(str(rules))
    chance = SeededChance(rng)
    table, events = dealt(StichOptions(rules=rules), 4, chance)
    table.emit = events.append  # type: ignore[assignment]  # it emits events of its own game
    while not table.rounds:
        move(table, rng, chance, None)
    return events


@pytest.mark.parametrize("rules", [(1, 22, 34, 41), (21, 26, 39, 58), (15, 24, 36, 57)])
def test_auditor_sees_a_wrong_winner_and_a_wrong_score(rules: Rules) -> None:
    """The auditor would notice: the same round with another winner, or with one point more, is refused."""
    events = round_of(rules)
    Audit(4).read(events)
    for place, event in enumerate(events):
        match event:
            case TrickWon(_, seat):
                wrong = msgspec.structs.replace(event, seat=(seat + 1) % 4)
            case RoundScored(_, lines, scores):
                more = (scores[0] + 1, *scores[1:])
                wrong = msgspec.structs.replace(
                    event, scores=more, lines=(*lines[:-1], msgspec.structs.replace(lines[-1], totals=more))
                )
            case _:
                continue
        with pytest.raises(AssertionError):
            Audit(4).read([*events[:place], wrong])
