"""What games hand out and show: the hands that a match commits to, and the cards that it can prove.

A commitment reveals which seats got how many cards, and nothing else; a proof reveals what was shown to its viewer.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import pytest

from ...domain.game import AnyGame, Command, Event, Hand, Seat, Shown, Table
from ...domain.secrecy import redact
from .cases import PLAIN, SENSIBLE, WILD, Case, every_case, every_game, folded, played, reached
from .dice import Dice
from .spyhole import Spyhole
from .thorough import tries

TABLES = tries(4, 12)
WORLDS = tries(1, 2)
COMMANDS = 4


class Fact(NamedTuple):
    """An event, the hands that it dealt, and the cards that it showed."""

    event: Event
    dealt: tuple[Hand, ...]
    shown: tuple[Shown, ...]


def facts(game: AnyGame, before: Table, events: Iterable[Event]) -> list[Fact]:
    """Return what some events mean for the cards."""
    table = before.copy()
    found = list[Fact]()
    for event in events:
        game.fold(table, event)
        found.append(Fact(event, game.dealt(table, event), game.shown(event)))
    return found


@functools.cache
def history(case: Case, seed: int) -> list[Fact]:
    """Return all facts of a random match."""
    return [fact for step in played(case, seed) for fact in facts(case.game, step.before, step.events)]


@every_case
def test_match_deals_and_shows_when_it_is_played(case: Case) -> None:
    """A game that hands cards out says which they are, and which of them were shown."""
    found = history(case, seed=SENSIBLE)
    assert any(fact.dealt for fact in found)
    assert any(fact.shown for fact in found)


@every_case
def test_hands_are_the_same_when_a_fact_is_made_and_when_it_is_folded(case: Case) -> None:
    """The hands are those just after the fact, whether the rules are making it or it is read from a log."""
    seed = 2
    for number, step in enumerate(played(case, seed)):
        if step.seat is None or step.command is None:
            continue
        table = step.before.copy()
        made = list[tuple[Hand, ...]]()
        table.emit = lambda event, table=table, made=made: made.append(case.game.dealt(table, event))
        case.game.play(table, step.seat, step.command, Dice((seed, number)))
        assert made == [fact.dealt for fact in facts(case.game, step.before, step.events)]


def check_shown(found: list[Fact]) -> None:
    """Check that what is shown is in the hand that was dealt; a card that is shown twice must be the only one of its kind."""
    several = {card for fact in found for card, copies in Counter(cards_of(fact)).items() if copies > 1}
    held: dict[Seat, Counter[str]] = {}
    seen: dict[Seat, Counter[str]] = {}
    for fact in found:
        for shown in fact.shown:
            assert held[shown.seat][shown.card] > seen[shown.seat][shown.card] * (shown.card in several)
            seen[shown.seat][shown.card] += shown.to is None
        for hand in fact.dealt:
            held[hand.seat] = Counter(hand.cards)
            seen[hand.seat] = Counter()


def cards_of(fact: Fact) -> list[str]:
    """Return all cards that were dealt."""
    return [card for hand in fact.dealt for card in hand.cards]


@every_case
def test_shown_card_is_in_the_newest_dealt_hand(case: Case) -> None:
    """Whatever a seat shows is in the hand that was last committed to: it can be proved."""
    check_shown(history(case, seed=SENSIBLE))


@every_game
def test_shown_card_is_missed_when_its_hand_was_not_dealt(game: AnyGame) -> None:
    """The same check sees a game that forgets to say that it dealt."""
    case = next(case for case in PLAIN if case.game is game)
    found = [fact._replace(dealt=()) for fact in history(case, seed=SENSIBLE)]
    with pytest.raises((AssertionError, KeyError)):
        check_shown(found)


def known(found: list[Fact], viewer: Seat | None) -> object:
    """Return what the commitments and proofs of some events reveal to a viewer."""
    hands = [[(hand.seat, len(hand.cards), hand.cards if hand.seat == viewer else None) for hand in fact.dealt] for fact in found]
    shown = [[each for each in fact.shown if each.to is None or viewer in (each.seat, *each.to)] for fact in found]
    return [each for each in hands if each], [each for each in shown if each]


def commands(case: Case, tables: tuple[Table, Table], rng: random.Random) -> list[tuple[Seat, Command]]:
    """Return some commands that two tables both allow."""
    table, world = tables
    common = [
        (Seat(seat), command)
        for seat in range(case.seats)
        for command in case.game.legal(table, Seat(seat))
        if case.game.why_not(world, Seat(seat), command) is None
    ]
    return rng.sample(common, min(COMMANDS, len(common)))


class Lived(NamedTuple):
    """What a command caused, and the table after it."""

    facts: list[Fact]
    after: Table


def lived(case: Case, table: Table, seat: Seat, command: Command) -> Lived:
    """Carry a command out."""
    events = case.game.decide(table, seat, command, Dice(34))
    return Lived(facts(case.game, table, events), folded(case.game, table, events))


def perceived(hole: Spyhole, world: Lived, viewer: Seat | None) -> tuple[bytes, bytes]:
    """Return everything a viewer receives of a command and sees after it."""
    return hole.hears([fact.event for fact in world.facts], viewer), hole.sees(world.after, viewer)


@every_case
def test_commitments_and_proofs_are_alike_when_hidden_parts_are_drawn_again(case: Case) -> None:
    """If a viewer cannot distinguish two worlds, the same seats are dealt as many cards in both, and it sees the same ones."""
    rng = random.Random(34)
    hole = Spyhole(case.game)
    for table in reached(case, WILD, TABLES):
        for viewer in case.viewers() * WORLDS:
            world = case.game.determinize(case.game.view(table, viewer), rng)
            for seat, command in commands(case, (table, world), rng):
                one, other = (lived(case, each, seat, command) for each in (table, world))
                if perceived(hole, one, viewer) == perceived(hole, other, viewer):
                    assert known(one.facts, viewer) == known(other.facts, viewer)


@every_case
def test_hand_is_known_to_its_seat_when_it_is_dealt(case: Case) -> None:
    """A seat that is dealt cards sees them, and everyone sees that it happened."""
    for fact in history(case, seed=SENSIBLE):
        for viewer in case.viewers() if fact.dealt else ():
            assert redact(fact.event, viewer) is not None
