"""What the suites know of Duel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tafelrunde.domain.game import Command, Event, Seat, Table
from tests.support.duel import rules
from tests.support.duel.cards import DECK, suit
from tests.support.duel.events import Dealt
from tests.support.duel.messages import Bid
from tests.support.duel.table import DuelTable
from tests.support.facts import Facts, Ladder, Watched, Wrong
from tests.support.positions import Position, position, tables
from tests.support.sights import Sight, dealt


def changed_rule(patch: pytest.MonkeyPatch) -> None:
    """A bid that is met is worth four points."""
    patch.setattr(rules, "EXACT_BID", 4)


def positions() -> Iterator[Position]:
    """Tables of three after a card: no hand has a suit that its seat did not follow."""
    for table in tables("duel", 3):
        assert isinstance(table, DuelTable)
        if not table.plays or table.scores is not None:
            continue
        lacks = [not_followed(table, seat) for seat in range(table.seats)]
        seen = {*table.hands[table.turn], *(card for _, card in table.plays)}

        def fits(seat: int, hand: Sequence[int], lacks: list[set[int]] = lacks) -> bool:
            return all(suit(card) not in lacks[seat] for card in hand)

        if found := position("duel", table, table.turn, set(DECK) - seen, fits):
            yield found


def not_followed(table: DuelTable, seat: Seat | int) -> set[int]:
    """Return the suits that a seat did not follow."""
    tricks = [table.plays[start : start + table.seats] for start in range(0, len(table.plays), table.seats)]
    return {suit(trick[0][1]) for trick in tricks for by, card in trick if by == seat and suit(card) != suit(trick[0][1])}


def sights(event: Event) -> Iterator[Sight]:
    """Each seat sees its hand."""
    if isinstance(event, Dealt):
        yield from dealt(event.hands)


def unseen(_: Table, command: Command) -> bool:
    """A bid is."""
    return isinstance(command, Bid)


FACTS = Facts(
    rule_tests=("test_rules.py",),
    headings=frozenset(["Karten", "Ablauf", "Wertung"]),
    changed_rule=changed_rule,
    wrong_options=(Wrong(2, "cards", 5), Wrong(2, "prizes", [1]), Wrong(2, "first_seat", 2)),
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
    suits=(),
    trick_won=None,
    fixed_options={},
    replay_heading="Trick 2",
    ladder=Ladder(rules=20, small=20, large=20),
    ladder_seats=(2,),
)
