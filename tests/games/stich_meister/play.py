"""Random legal play of Stich-Meister: for the sampled and the exhaustive run, and for tests over random rule sets."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, cast

from tafelrunde.domain.game import Seat
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.cards import deck_for
from tafelrunde.domain.stich_meister.events import StichEvent
from tafelrunde.domain.stich_meister.messages import PlayCard, StichOptions
from tafelrunde.domain.stich_meister.table import StichTable
from tafelrunde.service.simulate import SeededChance
from tests.games.stich_meister.audit import Audit

MOST_DECISIONS = 1_000
"""More than any match needs: five rounds of 12 cards and at most four secret choices of five seats each are 400."""


class Outcome(NamedTuple):
    """The outcome of one match, or of the requested number of rounds."""

    decisions: int
    tricks: int
    scores: tuple[int, ...]


class DeadEndError(AssertionError):
    """A match that did not go on although it was not over."""


def random_rules(rng: random.Random) -> tuple[int, ...]:
    """Return a set of four rules."""
    return tuple(sorted(rng.sample(range(1, 61), 4)))


def dealt(options: StichOptions, seats: int, chance: SeededChance) -> tuple[StichTable, list[StichEvent]]:
    """Return a table after the deal, and the events of it."""
    table = GAME.create(options, seats)
    events = GAME.start(table, chance)
    for event in events:
        GAME.fold(table, event)
    return table, events


def play(
    options: StichOptions,
    seats: int,
    seed: object,
    *,
    rounds: int = 5,
    audit: Audit | None = None,
    look: Callable[[StichTable], None] = lambda _: None,
) -> Outcome:
    """Play legal moves at random until that number of rounds is scored, or the match is over.

    The same arguments give the same match. An *audit* reads every event and judges every legal set; *look* sees the table
    before each decision.
    """
    rng = random.Random(str(seed))
    chance = SeededChance(rng)
    table, events = dealt(options, seats, chance)
    if audit is not None:
        audit.read(events)
        table.emit = lambda event: audit.check(cast("StichEvent", event))
    decisions = tricks = done = 0
    while table.asked and done < rounds:
        look(table)
        move(table, rng, chance, audit)
        decisions += 1
        if decisions > MOST_DECISIONS:
            raise DeadEndError(f"{MOST_DECISIONS} decisions and no end")
        if len(table.rounds) > done:
            done += 1
            tricks += finished(table)
    check_end(table, rounds)
    return Outcome(decisions, tricks, tuple(table.scores))


def move(table: StichTable, rng: random.Random, chance: SeededChance, audit: Audit | None) -> None:
    """Let a random seat of those that still have to answer make a random legal move."""
    waiting = [(seat, legal) for seat in table.asked if (legal := GAME.legal(table, Seat(seat)))]
    if not waiting:
        raise DeadEndError("no seat can move")
    seat, legal = waiting[rng.randrange(len(waiting))]
    if audit is not None and isinstance(legal[0], PlayCard):
        assert [each.card for each in legal if isinstance(each, PlayCard)] == sorted(audit.playable(seat))
    GAME.play(table, Seat(seat), legal[rng.randrange(len(legal))], chance)


def finished(table: StichTable) -> int:
    """Return how many tricks were played in the round just scored; all cards lie in its tricks, each once."""
    taken = table.tricks or table.last_tricks
    lying = sorted(card for trick in taken for card in trick[3])
    if lying != deck_for(table.seats):
        raise DeadEndError(f"cards were lost or doubled: {lying}")
    return sum(trick[0] > 0 for trick in taken)


def check_end(table: StichTable, rounds: int) -> None:
    """A match played to the end has a standing and asks no seat."""
    if rounds < table.seats:
        return
    standing = GAME.standing(table)
    if standing is None or GAME.pending(table) is not None or len(table.rounds) != table.seats:
        raise DeadEndError("the match stopped, but it is not over")
