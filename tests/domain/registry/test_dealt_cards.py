"""Hidden information, with the dealt cards as truth and not what the game says that a viewer may know.

Hidden cards are exchanged for others before the match, and both matches are played alike. Until a card that differs is
shown, all others receive the same bytes: what happens, what is seen, who is asked what, and whether at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, cast

import pytest

from tafelrunde.domain.coup import GAME as COUP
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import AnyGame, Command, Event, GameId, Seat, Table
from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.testing.suites.spyhole import LeakingFeed, LeakingView, Spyhole, SwappedDice
from tests.support.cases import CASES, PLAIN, Case, Step, every_game, folded, played
from tests.support.dice import Dice
from tests.support.facts import facts_of
from tests.support.paths import ROOT
from tests.support.sights import Seen
from tests.support.thorough import tries

SEEDS = (1, 2)
EXCHANGES = tries(6, 12)
STEPS = 60
DEFAULTS = tries(2, 6)


class Pair(NamedTuple):
    """The same moment of both matches: the table as it was dealt, and the one with the exchanged cards."""

    step: Step
    twin: Table


class Twins:
    """A match and its twin, which differs in two places of each shuffled deck."""

    def __init__(self, case: Case, seed: int, exchange: int, hole: Spyhole | None = None) -> None:
        self.case = case
        self.seed = seed
        self.exchange = exchange
        self.hole = hole or Spyhole(case.game)
        self.seen = Seen(facts_of(case.game.id).sights), Seen(facts_of(case.game.id).sights)
        self.viewers: list[Seat | None] = []

    def together(self) -> Iterator[Pair]:
        """Yield every moment at which the twin can still be the match, for all that the viewers were shown; check that it can."""
        first, *steps = played(self.case, self.seed)[:STEPS]
        events = self.case.game.start(first.before, SwappedDice((self.seed, "start"), self.exchange))
        twin = folded(self.case.game, first.before, events)
        self.viewers = self.case.viewers()
        self.compare(first, twin, events)
        for number, step in enumerate(steps, start=1):
            if not self.viewers or step.seat is None or step.command is None:
                return
            if self.case.game.why_not(twin, step.seat, step.command) is not None:
                return  # not possible for any seat with the exchanged card: doing it revealed the card
            events = self.case.game.decide(twin, step.seat, step.command, Dice((self.seed, number)))
            twin = folded(self.case.game, twin, events)
            self.compare(step, twin, events)
            yield Pair(step, twin)

    def compare(self, step: Step, twin: Table, events: Sequence[Event]) -> None:
        """Forget the viewers who are shown a card that differs; all others see and hear the same."""
        for seen, news in zip(self.seen, (step.events, events), strict=True):
            seen.note(news)
        self.viewers = [viewer for viewer in self.viewers if not self.seen[0].tells_apart(self.seen[1], viewer)]
        for viewer in self.viewers:
            assert self.is_like(viewer, step, twin, events), (step.seat, step.command, viewer)

    def is_like(self, viewer: Seat | None, step: Step, twin: Table, events: Sequence[Event]) -> bool:
        """Return whether a viewer sees the same of both."""
        sees, hears = self.hole.sees, self.hole.hears
        return hears(step.events, viewer) == hears(events, viewer) and sees(step.after, viewer) == sees(twin, viewer)


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


@pytest.mark.parametrize("leak", [LeakingView, LeakingFeed])
@every_game
def test_leak_is_found_when_it_is_planted(game: AnyGame, leak: type[Spyhole]) -> None:
    """A field in a view, and an unredacted event."""
    case = next(case for case in PLAIN if case.game is game)
    with pytest.raises(AssertionError):
        _ = [list(Twins(case, seed, exchange, leak(game)).together()) for seed in SEEDS for exchange in range(4 * EXCHANGES)]


PAGE = (ROOT / "docs" / "decisions" / "0004-what-others-can-infer.md").read_text(encoding="utf-8")
WILD_SEEDS = (2, 4, 6)


def told(name: str) -> list[list[str]]:
    """Return the rows of a table of the page, without its head."""
    table = PAGE.partition(f"<!-- checked: {name} -->\n\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def names(game: str) -> GameId:
    """Return the game of a row."""
    return GameId(game.lower().replace(" ", "-"))


def test_page_lists_every_sight() -> None:
    """What is shown of hidden cards in any game, and to whom, is on the list, and nothing is on it that is never shown."""
    found = {
        (case.game.id, str(type(event).__struct_config__.tag).rpartition(".")[0], "everyone" if sight.to is None else "its seat")
        for case in CASES
        if case.game.id in REGISTERED
        for seed in (WILD_SEEDS if case.game.id == COUP.id else WILD_SEEDS[:1])
        for step in played(case, seed)
        for event in step.events
        for sight in facts_of(case.game.id).sights(event)
    }
    assert {(names(game), event.strip("`"), to) for game, event, to, _ in told("sights")} == found


def test_page_lists_every_stage_whose_default_tells_something() -> None:
    """Where time runs out, the cards decide what is done in the stages on the list, and in no other."""
    found: set[tuple[GameId, str]] = set()
    for case in (case for case in PLAIN if case.game.id in REGISTERED):
        for exchange in range(2 * DEFAULTS):
            twins = Twins(case, SEEDS[exchange % 2], exchange)
            for pair in twins.together():
                if None in twins.viewers and defaults(case, pair.step.after) != defaults(case, pair.twin):
                    found.add((case.game.id, cast("Any", case.game.view(pair.twin, None)).stage))
    listed = {(names(game), stage.strip("` ")) for game, stages, _ in told("defaults") for stage in stages.split(",")}
    assert found - listed == set()
    assert len(found) >= 4, found


def defaults(case: Case, table: Table) -> list[Command]:
    """Return what is done for each asked seat."""
    ask = case.game.pending(table)
    return [case.game.default(table, seat) for seat in ask.open] if ask is not None else []


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
