"""What the suites know of Meister Coup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tafelrunde.domain.game import Command, Event, Seat, Table
from tafelrunde.domain.meister_coup import rules
from tafelrunde.domain.meister_coup.cards import CARDS, counted
from tafelrunde.domain.meister_coup.events import MeisterDealt
from tafelrunde.domain.meister_coup.table import MeisterTable
from tests.support.facts import Facts, Ladder, Watched, Wrong
from tests.support.positions import Position, position, tables
from tests.support.sights import Sight, dealt

ELEVEN = [0] * 11


def changed_rule(patch: pytest.MonkeyPatch) -> None:
    """Four tricks are enough."""
    patch.setattr(rules, "ENOUGH", 4)


def back_of(card: int) -> int:
    """Return the colour of a card, which its back shows."""
    return card // 12


def positions() -> Iterator[Position]:
    """The last trick of a round: the colours of all hands are open."""
    for table in tables("meister-coup", 3):
        assert isinstance(table, MeisterTable)
        if table.number < 8 or not table.asked or len(table.trick) > 1:
            continue
        viewer = Seat(table.asked[0])
        seen = {*table.hands[viewer], *table.trick, *(card for trick in table.tricks for card in trick.cards)}

        def fits(seat: int, hand: Sequence[int], table: MeisterTable = table) -> bool:
            return counted(hand) == counted(table.hands[seat])

        if found := position("meister-coup", table, viewer, set(range(CARDS)) - seen, fits):
            yield found


def sights(event: Event) -> Iterator[Sight]:
    """Each seat sees its hand, and everyone the backs of all cards, which have the cards' colours."""
    if isinstance(event, MeisterDealt):
        yield from dealt(event.hands)
        yield Sight("backs", [sorted(map(back_of, hand or ())) for hand in event.hands])


def unseen(_: Table, __: Command) -> bool:
    """Everyone receives everything."""
    return False


FACTS = Facts(
    rule_tests=("test_tricks.py", "test_match.py", "test_teams.py", "test_options.py"),
    headings=frozenset(
        [
            "Spielmaterial",
            "Spielübersicht",
            "Spielvorbereitung",
            "Standard-Modus",
            "Ablauf einer Runde",
            "Eine Karte ausspielen",
            "Einen Stich gewinnen",
            "Einen Meistercoup landen",
            "Ende einer Runde",
            "Sieg durch 3 gelungene Meistercoups",
            "Sieg durch Punkte",
            "Team-Modus",
        ]
    ),
    changed_rule=changed_rule,
    wrong_options=(
        Wrong(5, "mode", "team"),
        Wrong(6, "mode", "standard"),
        Wrong(4, "diamonds", ELEVEN),
        Wrong(4, "diamonds", [4, *ELEVEN]),
        Wrong(4, "diamonds", "many"),
    ),
    random_options=None,
    positions=positions,
    shows_lacks=True,
    secret_answers=False,
    sights=sights,
    unseen=unseen,
    back_of=back_of,
    laid_open=frozenset(),
    watched=(Watched("three", 3, 1), Watched("teams", 4, 0, {"mode": "team"})),
    planted=Watched("three", 3, 0),
    suits=("violet", "blue", "green", "yellow"),
    trick_won="trick-cleared",
    fixed_options={},
    replay_heading="Round 2, Trick 3",
    ladder=Ladder(rules=12, small=5, large=0),
    ladder_seats=(3, 4, 5),
)
