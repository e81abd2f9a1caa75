"""Hidden information, with the dealt cards as truth and not what the game says that a viewer may know.

Hidden cards are exchanged for others before the match, and both matches are played alike. Until a card that differs is
shown, all others see and hear the same to the byte: what happens, what is seen, who is asked what, and whether at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias, cast

import pytest

from tafelrunde.domain.coup import GAME as COUP
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import AnyGame, Event, Seat, Shown, Table
from tafelrunde.domain.stich_meister.events import RulesShown
from tests.domain.registry.spyhole import Spyhole, SwappedDice
from tests.support.cases import CASES, PLAIN, Case, Step, every_game, folded, played
from tests.support.dice import Dice
from tests.support.thorough import tries

SEEDS, EXCHANGES, STEPS = (1, 2), tries(6, 12), 60


Moment: TypeAlias = tuple[Table, Sequence[Event]]
"""A table, and the events that led to it."""


class Pair(NamedTuple):
    """The same moment of both matches: the table as it was dealt, and the one with the exchanged cards."""

    step: Step
    twin: Table


def held(table: Table, viewer: Seat | None) -> object:
    """Return the cards of a viewer's own; a seat that draws an exchanged card sees it."""
    if viewer is None:
        return None
    drawn = getattr(table, "drawn", None) if getattr(table, "turn", None) == viewer else None
    own = [hands[viewer] for name in ("hands", "rule_hands") if (hands := getattr(table, name, None)) is not None]
    return own, drawn


class Twins:
    """A match and its twin, which differs in two places of each shuffled deck."""

    def __init__(self, case: Case, seed: int, exchange: int) -> None:
        self.case, self.seed, self.exchange = case, seed, exchange
        self.hole = Spyhole(case.game)
        self.viewers: list[Seat | None] = []

    def together(self) -> Iterator[Pair]:
        """Yield every moment at which the twin can still be the match, for all that the viewers were shown; check that it can."""
        first, *steps = played(self.case, self.seed)[:STEPS]
        events = self.case.game.start(first.before, SwappedDice((self.seed, "start"), self.exchange))
        twin = folded(self.case.game, first.before, events)
        self.viewers = [viewer for viewer in self.case.viewers() if self.is_like(viewer, first, twin, events)]
        for number, step in enumerate(steps, start=1):
            if not self.viewers or step.seat is None or step.command is None:
                return
            if self.case.game.why_not(twin, step.seat, step.command) is not None:
                return  # nobody could have done this with the exchanged card: doing it told so
            events = self.case.game.decide(twin, step.seat, step.command, Dice((self.seed, number)))
            twin = folded(self.case.game, twin, events)
            self.viewers = [
                viewer for viewer in self.viewers if not self.learns(viewer, (step.after, step.events), (twin, events))
            ]
            for viewer in self.viewers:
                assert self.is_like(viewer, step, twin, events), (step.seat, step.command, viewer)
            yield Pair(step, twin)

    def is_like(self, viewer: Seat | None, step: Step, twin: Table, events: Sequence[Event]) -> bool:
        """Return whether a viewer sees and hears the same of both."""
        sees, hears = self.hole.sees, self.hole.hears
        return hears(step.events, viewer) == hears(events, viewer) and sees(step.after, viewer) == sees(twin, viewer)

    def learns(self, viewer: Seat | None, one: Moment, other: Moment) -> bool:
        """Return whether a viewer is shown different cards, or has drawn them itself; what comes before must be the same."""
        if held(one[0], viewer) != held(other[0], viewer):
            return True
        for event, twin in zip(one[1], other[1], strict=False):
            if self.hole.hears([event], viewer) != self.hole.hears([twin], viewer):
                shows = [self.shown(viewer, each) for each in (event, twin)]
                return all(shows) and shows[0] != shows[1]
        return False

    def shown(self, viewer: Seat | None, event: Event) -> Sequence[Shown | int]:
        """Return the cards that an event shows to a viewer; at three seats a rule card is shown that was nobody's."""
        if isinstance(event, RulesShown):
            return [*event.rules]
        return [shown for shown in self.case.game.shown(event) if shown.to is None or viewer in shown.to]


def moments(case: Case) -> Iterator[Pair]:
    """Yield the moments of several matches and their twins."""
    for seed in SEEDS:
        for exchange in range(EXCHANGES):
            yield from Twins(case, seed, exchange).together()


@every_game
def test_exchanged_card_shows_nowhere_until_it_is_shown(game: AnyGame) -> None:
    """Neither in views, feeds and prompts nor by who is asked, when, or whether."""
    hidden = sum(
        pair.step.after.digest_form() != pair.twin.digest_form() for case in PLAIN if case.game is game for pair in moments(case)
    )
    assert hidden >= 100


COUP_CASES = [pytest.param(case, id=case.name) for case in CASES if case.game.id == COUP.id]


def answers(game: AnyGame, table: Table) -> list[int]:
    """Return how many answers each asked seat has."""
    ask = game.pending(table)
    return [len(game.legal(table, seat)) for seat in ask.seats] if ask is not None else []


@pytest.mark.parametrize("case", COUP_CASES)
def test_coup_asks_alike_whether_a_seat_has_a_choice_or_not(case: Case) -> None:
    """Two equal cards, or two different ones: the same question, the same events, the same pace."""
    for _ in moments(case):
        pass


def test_coup_is_tried_where_a_seat_has_a_choice_in_one_world_only() -> None:
    """Else the tests before would prove little."""
    found: set[int] = set()
    for case in PLAIN:
        if case.game.id == COUP.id:
            found |= {
                cast("CoupTable", pair.twin).stage
                for pair in moments(case)
                if answers(case.game, pair.step.after) != answers(case.game, pair.twin)
            }
    assert len(found) >= 3


def test_rules_that_ask_only_who_has_a_choice_are_found() -> None:
    """Version 1 of Coup's rules left out questions with one answer: the same check sees that."""
    first = cast("AnyGame", COUP.of_version(1))
    assert first.rules_version == 1
    cases = [case._replace(game=first, name=f"{case.name}-1") for case in CASES if case.game.id == COUP.id]
    with pytest.raises(AssertionError):
        list(chain.from_iterable(map(moments, cases)))
