"""Facts: what deciding gives, folding repeats, also from stored bytes."""

from __future__ import annotations

import msgspec

from ...domain.game import AnyGame, Event
from .cases import GAMES, SENSIBLE, WILD, Case, begin, every_case, every_game, played
from .dice import Dice
from .stored import decoder, stored

READER = decoder(GAMES.values())


@every_case
def test_stored_facts_fold_to_the_live_table(case: Case) -> None:
    """Folding the decoded bytes of a whole match gives, after every command, the table that was played on."""
    table = case.game.create(case.options, case.seats)
    for step in played(case, seed=SENSIBLE):
        for event in step.events:
            decoded = READER.decode(stored(event))
            assert decoded == event
            assert msgspec.json.encode(decoded) == msgspec.json.encode(event)  # so both give a feed the same cursors
            case.game.fold(table, decoded)
        assert stored(table.digest_form()) == stored(step.after.digest_form())


@every_case
def test_playing_changes_the_table_as_folding_its_facts_does(case: Case) -> None:
    """Rules change a table through facts only."""
    for number, step in enumerate(played(case, seed=WILD)):
        if step.seat is None or step.command is None:
            continue
        table = step.before.copy()
        case.game.play(table, step.seat, step.command, Dice((WILD, number)))
        assert stored(table.digest_form()) == stored(step.after.digest_form())


@every_case
def test_deciding_leaves_the_table_as_it_is(case: Case) -> None:
    """Only `play` and `fold` change a table; a copy shares nothing with it."""
    for number, step in enumerate(played(case, seed=SENSIBLE)):
        before = stored(step.before.digest_form())
        if step.seat is not None and step.command is not None:
            assert tuple(case.game.decide(step.before, step.seat, step.command, Dice((SENSIBLE, number)))) == step.events
        table = step.before
        for event in step.events:
            now = stored(table.digest_form())
            later = table.copy()
            case.game.fold(later, event)
            assert stored(table.digest_form()) == now
            table = later
        assert stored(step.before.digest_form()) == before
        assert stored(table.digest_form()) == stored(step.after.digest_form())


@every_case
def test_copy_has_no_sink(case: Case) -> None:
    """A copied table emits no events."""
    table = begin(case, seed=4).after.copy()
    heard: list[Event] = []
    table.emit = heard.append
    assert table.copy().emit is None


@every_case
def test_same_chance_gives_the_same_match(case: Case) -> None:
    """All chance is handed in."""
    before = case.game.create(case.options, case.seats)
    assert case.game.start(before, Dice("same")) == case.game.start(before, Dice("same"))


@every_game
def test_tags_are_the_games_own_and_carry_a_version(game: AnyGame) -> None:
    """Commands are `<game>.<words>`, events `<game>.<words>.<version>`; no tag is used twice."""
    commands = [str(kind.__struct_config__.tag) for kind in game.command_types]
    events = [str(kind.__struct_config__.tag) for kind in game.event_types]
    assert len({*commands, *events}) == len(commands) + len(events)
    for tag in commands:
        assert tag.startswith(f"{game.id}.")
        assert tag.count(".") == 1
    for tag in events:
        name, _, version = tag.rpartition(".")
        assert name.startswith(f"{game.id}.")
        assert version.isdecimal()


@every_game
def test_events_are_immutable(game: AnyGame) -> None:
    """A fact never changes."""
    assert all(kind.__struct_config__.frozen for kind in (*game.event_types, *game.command_types, game.view_type))
