"""What the suites know of Stich-Meister."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import pytest

from tafelrunde.domain.game import Command, Event, Seat, Table
from tafelrunde.domain.stich_meister import scoring, stages
from tafelrunde.domain.stich_meister.cards import deck_for
from tafelrunde.domain.stich_meister.events import HandTricksMade, RulesShown, StichDealt
from tafelrunde.domain.stich_meister.messages import ChooseRule, OpenCards, PassCards, PlayCard, SetCardAside
from tafelrunde.domain.stich_meister.table import StichTable
from tafelrunde.domain.stich_meister.trick import playable
from tests.games.stich_meister.seated import random_match
from tests.support.facts import Facts, Ladder, Watched, Wrong
from tests.support.positions import Plays, Position, held_then, position
from tests.support.sights import Sight, dealt

LATE = 14
Count: TypeAlias = Callable[[int, int, int], int]


def changed_rule(patch: pytest.MonkeyPatch) -> None:
    """Rules about few tricks give more points."""
    changed: Mapping[int, Count] = {
        54: lambda total, tricks, _: total + 11 * (tricks == 0),
        55: lambda total, tricks, _: total + 6 * (tricks == 1),
        56: lambda total, tricks, _: total if tricks % 2 else 3 * total,
    }
    patch.setattr(scoring, "OWN", {**scoring.OWN, **changed})


def random_options(rng: random.Random) -> Mapping[str, object]:
    """Return four of the sixty rule cards."""
    return {"rules": tuple(rng.sample(range(1, 61), 4))}


def positions() -> Iterator[Position]:
    """The last tricks of a round with a trump suit, in which who cannot follow must play a trump if it has one."""
    for seed in range(400):
        for running in random_match(4, ("enumerated", seed), (15, 28, 48, 49)):
            if running.round > 1:
                break
            table = running.copy()
            if table.number < LATE or not table.trick or len(table.trick) == table.seats:
                continue
            done: list[Plays] = [(table.leader, table.step, table.trick), *(trick[1:4] for trick in reversed(table.tricks))]
            viewer = table.asked[0]
            seen = {*table.hands[viewer], *(card for each in done for card in each[2])}

            def fits(seat: int, hand: Sequence[int], done: list[Plays] = done, table: StichTable = table) -> bool:
                then = held_then(done, seat, table.seats, hand)
                return all(card in playable(table.law, list(trick), list(held)) for trick, card, held in then)

            if found := position("stich-meister", table, Seat(viewer), set(deck_for(4)) - seen, fits):
                yield found


def sights(event: Event) -> Iterator[Sight]:
    """Each seat sees its cards and rule cards, and everyone the rules in force and the cards that rule 40 makes tricks."""
    match event:
        case StichDealt(_, _, hands, rules):
            yield from dealt(hands)
            yield from dealt(rules, "rule cards")
        case RulesShown(rules):
            yield Sight("rules", rules)
        case HandTricksMade(hands):
            yield Sight("last cards", hands)
        case _:
            pass


def unseen(table: Table, command: Command) -> bool:
    """What all decide at once is; a card only where it is played face down (rule 26)."""
    hidden = isinstance(table, StichTable) and table.stage is stages.PLAY_HIDDEN
    return isinstance(command, ChooseRule | PassCards | SetCardAside | OpenCards) or (hidden and isinstance(command, PlayCard))


FACTS = Facts(
    rule_tests=(
        "test_counts.py",
        "test_match.py",
        "test_passing.py",
        "test_random_rules.py",
        "test_round_end.py",
        "test_scoring.py",
        "test_tricks.py",
        "test_trump.py",
        "test_views.py",
    ),
    headings=frozenset(
        [
            "Inhalt",
            "Spielidee",
            "Die Regelkarten",
            "Spielvorbereitung",
            "Ablauf einer Spielrunde",
            "Auswählen der Regelkarten",
            "Trumpf ermitteln",
            "Stichspiel",
            "Stichspiel: Bedienen",
            "Wer gewinnt den Stich?",
            "Wertung der Stiche",
            "Spielende",
        ]
    ),
    changed_rule=changed_rule,
    wrong_options=(Wrong(3, "rules", [1, 2, 3, 61]), Wrong(3, "rules", [1, 2, 3, 3]), Wrong(3, "rules", [1, 2, 3])),
    random_options=random_options,
    positions=positions,
    shows_lacks=True,
    secret_answers=True,
    sights=sights,
    unseen=unseen,
    back_of=None,
    laid_open=frozenset(["stich-meister.hand-tricks-made.1"]),
    watched=(Watched("three", 3, 3), Watched("four-passing", 4, 2, {"rules": [22, 23, 25, 38]})),
    planted=Watched("four-passing", 4, 2, {"rules": [22, 23, 25, 38]}),
    suits=("fan", "coin", "koi", "torii"),
    trick_won="trick-taken",
    fixed_options={"rules": [1, 2, 3, 4]},
    replay_heading="Round 2, Trick 3",
    ladder=Ladder(rules=10, small=4, large=0),
    ladder_seats=(3, 4, 5),
)
