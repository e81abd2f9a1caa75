"""What the suites know of Coup."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tafelrunde.domain.chance import Chance
from tafelrunde.domain.coup import rules
from tafelrunde.domain.coup.events import (
    Action,
    CardExamined,
    CardReplaced,
    CardsDrawn,
    ClaimProved,
    CoupDealt,
    InfluenceLost,
)
from tafelrunde.domain.coup.messages import DraftCard, LetPass
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import Command, Event, Table
from tests.support.facts import Facts, Ladder, Watched, Wrong
from tests.support.sights import Sight, dealt


def changed_rule(patch: pytest.MonkeyPatch) -> None:
    """Taxes are four coins."""

    def carry_out(table: CoupTable, chance: Chance) -> None:
        if table.action is Action.TAX:
            table.f_coins_taken(table.turn, 1)
        usual(table, chance)

    usual = rules.carry_out
    patch.setattr(rules, "carry_out", carry_out)


def sights(event: Event) -> Iterator[Sight]:
    """A shown or lost card is public, a drawn one is seen by its seat, an examined one by two."""
    match event:
        case CoupDealt(hands):
            yield from dealt([role.value for role in hand or ()] for hand in hands)
        case ClaimProved(seat, role, drawn):
            yield Sight(f"shown by {seat}", role)
            yield Sight("drawn", drawn, seat)
        case InfluenceLost(seat, role):
            yield Sight(f"shown by {seat}", role)
        case CardsDrawn(seat, _, _, roles):
            yield Sight("drawn", tuple(sorted(role.value for role in roles or ())), seat)
        case CardExamined(seat, target, role):
            yield Sight(f"examined of {target}", role, seat)
        case CardReplaced(_, target, _, drawn):
            yield Sight("drawn", drawn, target)
        case _:
            pass


def unseen(_: Table, command: Command) -> bool:
    """A pass is, and the choice of the draft."""
    return isinstance(command, LetPass | DraftCard)


FACTS = Facts(
    rule_tests=("test_actions.py", "test_reactions.py"),
    headings=frozenset(
        [
            "Spielaufbau",
            "Spielziel",
            "Einfluss",
            "Spielregeln",
            "Aktionen",
            "Standardaktionen",
            "Einkommen",
            "Entwicklungshilfe",
            "Charakteraktionen",
            "Großherzog – Steuern",
            "Attentäterin – Mordanschlag",
            "Captain – Diebstahl",
            "Botschafter – Austausch",
            "Inquisitor – Untersuchung",
            "Reaktionen",
            "Anfechtungen",
            "Coup mit zwei Spielern & Spielvariante für Zwei",
        ]
    ),
    changed_rule=changed_rule,
    wrong_options=(Wrong(2, "fifth_role", "duke"), Wrong(3, "duel_draft", True), Wrong(2, "colour", "red")),
    random_options=None,
    positions="test_drawn_worlds.py",
    shows_lacks=False,
    secret_answers=True,
    sights=sights,
    unseen=unseen,
    back_of=None,
    laid_open=frozenset(),
    watched=(
        Watched("two", 2, 1),
        Watched("three", 3, 5),
        Watched("four-inquisitor", 4, 2, {"fifth_role": "inquisitor"}),
        Watched("six", 6, 5),
    ),
    planted=Watched("four", 4, 2),
    suits=(),
    trick_won=None,
    fixed_options={},
    replay_heading=None,
    ladder=Ladder(rules=20, small=10, large=0),
    ladder_seats=(2, 4, 3, 5, 6),
)
