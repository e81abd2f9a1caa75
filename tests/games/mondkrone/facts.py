"""What the suites know of Mondkrone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tafelrunde.domain.game import Command, Event, Seat, Table
from tafelrunde.domain.mondkrone import rules
from tafelrunde.domain.mondkrone.events import CardsDrawn, RoundDealt
from tafelrunde.domain.mondkrone.table import MondkroneTable
from tests.support.facts import Facts, Ladder, Watched, Wrong
from tests.support.positions import Position, position, tables
from tests.support.sights import Sight, dealt


def changed_rule(patch: pytest.MonkeyPatch) -> None:
    """Twenty points end the match."""
    patch.setattr(rules, "TARGETS", dict.fromkeys((2, 3, 4), 20))


def positions() -> Iterator[Position]:
    """Rounds in which the other seat holds little: it may be any of the cards that lie nowhere in sight."""
    for table in tables("mondkrone", 2):
        assert isinstance(table, MondkroneTable)
        viewer = Seat(max(table.turn, 0))
        hidden = [*table.hands[1 - viewer], *table.deck]
        if found := position("mondkrone", table, viewer, hidden, lambda *_: True):
            yield found


def sights(event: Event) -> Iterator[Sight]:
    """The first cards of all palettes lie open; a hand and what is drawn is its seat's."""
    match event:
        case RoundDealt(_, _, palettes, _, _, hands):
            yield Sight("palettes", palettes)
            yield from dealt(hands)
        case CardsDrawn(seat, _, cards):
            yield Sight("drawn", cards, seat)
        case _:
            pass


def unseen(_: Table, __: Command) -> bool:
    """Everyone receives everything."""
    return False


FACTS = Facts(
    rule_tests=("test_conditions.py", "test_turns.py", "test_scoring.py"),
    headings=frozenset(
        [
            "Vorbereitung",
            "Spielablauf",
            "Spielziel",
            "Stapel",
            "Startspieler und Reihenfolge",
            "Aktionen",
            "Rundenende und Wertung",
            "Spielende",
            "Erweitertes Deck",
            "Varianten",
        ]
    ),
    changed_rule=changed_rule,
    wrong_options=(Wrong(2, "deck", "huge"), Wrong(2, "draw", 1)),
    random_options=None,
    positions=positions,
    shows_lacks=False,
    secret_answers=False,
    sights=sights,
    unseen=unseen,
    back_of=None,
    laid_open=frozenset(),
    watched=(Watched("two", 2, 0), Watched("four", 4, 1)),
    planted=Watched("two", 2, 0),
    suits=("moons", "suns", "waves", "leaves", "wyrms", "knots"),
    trick_won=None,
    fixed_options={},
    replay_heading="Round 2",
    ladder=Ladder(rules=12, small=0, large=0),
    ladder_seats=(2, 3, 4),
)
