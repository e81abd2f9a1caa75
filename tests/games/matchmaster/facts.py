"""What the suites know of MatchMaster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tafelrunde.domain.game import Command, Event, Seat, Table
from tafelrunde.domain.matchmaster import rules
from tafelrunde.domain.matchmaster.cards import CARDS
from tafelrunde.domain.matchmaster.events import MatchMasterDealt
from tafelrunde.domain.matchmaster.messages import PlaceBid
from tafelrunde.domain.matchmaster.moves import playable
from tafelrunde.domain.matchmaster.table import MatchMasterTable
from tests.support.facts import Facts, Ladder, Watched, Wrong
from tests.support.positions import Plays, Position, held_then, position, tables
from tests.support.sights import Sight, dealt


def changed_rule(patch: pytest.MonkeyPatch) -> None:
    """A bid that is met is worth eleven points."""
    patch.setattr(rules, "MET", 11)


def positions() -> Iterator[Position]:
    """Rounds of few cards, in the middle of their tricks: only legal plays can have been made."""
    for table in tables("matchmaster", 3):
        assert isinstance(table, MatchMasterTable)
        if not table.shown or not table.tricks or not table.trick:
            continue
        done: list[Plays] = [
            (table.leader, 1, table.trick),
            *((trick.leader, 1, trick.cards) for trick in reversed(table.tricks)),
        ]
        seen = {*table.hands[table.turn], *(card for each in done for card in each[2])}

        def fits(seat: int, hand: Sequence[int], done: list[Plays] = done) -> bool:
            return all(card in playable(list(held), list(trick)) for trick, card, held in held_then(done, seat, 3, hand))

        if found := position("matchmaster", table, Seat(table.turn), set(range(CARDS)) - seen, fits):
            yield found


def sights(event: Event) -> Iterator[Sight]:
    """Each seat sees its hand."""
    if isinstance(event, MatchMasterDealt):
        yield from dealt(event.hands)


def unseen(_: Table, command: Command) -> bool:
    """A bid is."""
    return isinstance(command, PlaceBid)


FACTS = Facts(
    rule_tests=("test_rules.py",),
    headings=frozenset(
        [
            "Spielziel",
            "Spielverlauf",
            "Spielmaterial",
            "Während des Spiels gilt",
            "Die Punkte werden wie folgt vergeben",
            "Beispiele",
            "Die übrigen Runden",
            "Ende des Spiels",
        ]
    ),
    changed_rule=changed_rule,
    wrong_options=(Wrong(3, "first_dealer", 3), Wrong(3, "first_dealer", "me")),
    random_options=None,
    positions=positions,
    shows_lacks=True,
    secret_answers=True,
    sights=sights,
    unseen=unseen,
    back_of=None,
    laid_open=frozenset(),
    watched=(Watched("three", 3, 1),),
    planted=Watched("three", 3, 1),
    suits=("dark_orange", "light_orange", "dark_blue", "light_blue"),
    trick_won="trick-won",
    fixed_options={},
    replay_heading="Round 2, Trick 3",
    ladder=Ladder(rules=20, small=12, large=8),
    ladder_seats=(2, 4, 3, 5, 6, 7),
)
