"""Texts: everything shown to people exists in both languages, and fits its arguments."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from string import Formatter
from typing import Any, get_type_hints

import msgspec

from ...api.http.catalog import rule_sheet
from ...domain.game import AnyGame, Ask, Choice, Command, Event, Message, Refusal, Seat
from ...domain.wording import wording
from .cases import CASES, SENSIBLE, WILD, Case, every_case, every_game, played, values
from .stored import stored
from .thorough import some

SEEDS = (WILD, SENSIBLE, *range(6, 12))


def placeholders(text: str) -> set[str]:
    """Return the names of the arguments that a text needs."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def lacking(messages: Mapping[str, Message], key: str, arguments: Iterable[str]) -> list[str]:
    """Return what is wrong with the texts of a key for these arguments."""
    if key not in messages:
        return [f"{key} has no text"]
    given = set(arguments)
    return [
        f"{key} ({language}) needs {sorted(placeholders(text) - given)}"
        for language, text in (("de", messages[key].de), ("en", messages[key].en))
        if not text or placeholders(text) - given
    ]


@functools.cache
def refusals(case: Case, seed: int) -> list[Refusal]:
    """Return the refusals of a random match: of what each seat could think of, and of what only the others could."""
    found: dict[bytes, Refusal] = {}
    for step in played(case, seed):
        menus = [case.game.menu(step.after, Seat(seat)) for seat in range(case.seats)]
        for seat in map(Seat, range(case.seats)):
            for command in some(others(menus)):
                refusal = case.game.why_not(step.after, seat, command)
                if refusal is not None:
                    found[stored(refusal)] = refusal
    return list(found.values())


def others(menus: list[list[Choice]]) -> list[Command]:
    """Return the commands of all menus, each once."""
    return list({stored(choice.command): choice.command for menu in menus for choice in menu}.values())


@every_case
def test_prompts_have_texts_that_fit(case: Case) -> None:
    """Every prompt that is given can be shown with its arguments."""
    for step in played(case, seed=SENSIBLE):
        ask = case.game.pending(step.after)
        if ask is not None:
            assert lacking(case.game.messages, ask.prompt, ask.arguments) == []


def seats_named(text: str) -> set[str]:
    """Return the arguments that a text says as seats."""
    return {name for name in placeholders(text) if re.search(rf"[Ss]eat {{{name}}}", text)}


@every_case
def test_prompts_speak_to_who_is_asked(case: Case) -> None:
    """Every seat that is asked reads a text that speaks to it, and is not called by its number there."""
    for step in played(case, seed=SENSIBLE):
        if (ask := case.game.pending(step.after)) is None:
            continue
        for seat in ask.open:
            more = case.game.prompt_arguments(case.game.view(step.after, seat))
            key = wording(case.game.messages, ask.prompt, {**ask.arguments, **more}, seat, asked=True)
            assert key.endswith(".you"), (ask.prompt, ask.arguments)
            assert lacking(case.game.messages, key, ask.arguments) == []
            own = {name for name, value in ask.arguments.items() if value == seat}
            assert seats_named(case.game.messages[key].en) & own == set(), key


ADDRESSES = re.compile(r"\b(?:ihr|euch|eure[mnrs]?|(?i:wählt|sagt|gebt|legt|nehmt|spielt) (?:geheim|alle))\b")
"""German that speaks to several people at once."""


@every_game
def test_german_speaks_to_one_person(game: AnyGame) -> None:
    """Texts say "du" to the one who reads them."""
    assert [key for key, text in game.messages.items() if ADDRESSES.search(text.de)] == []


COUNTED = re.compile(r"\{(\w+)\} (?:verdeckte )?(?:Münzen|Karten|Stiche|Punkte)\b")


OWN = Seat(7)
OTHER = 3


def read_with_one(texts: Mapping[str, Message], key: str, names: Iterable[str]) -> Iterator[Message]:
    """Yield the texts of a key with a single one of what it counts, for every reader that it may name."""
    for found in COUNTED.finditer(texts[key].de):
        for own in (None, *names):
            given = {name: 1 if name == found[1] else OWN if name == own else OTHER for name in names}
            yield from (texts[wording(texts, key, given, OWN, asked=asked)] for asked in (False, True))


def namelessly_told(kinds: Iterable[type[Event]], texts: Mapping[str, Message]) -> list[str]:
    """Return where an event's text names a seat, and there is none for a reader on that seat in which it is not named."""
    lists = {"winners", "seats"}
    named = [(tag_of(kind), name) for kind in kinds for name in seats_named(texts[tag_of(kind)].en) - lists]
    own = [(f"{tag}.{name}.you", name) for tag, name in named]
    return [key for key, name in own if key not in texts or name in seats_named(texts[key].en)]


@every_game
def test_events_speak_to_the_seats_they_name(game: AnyGame) -> None:
    """Where an event's text names a seat, there is one for a reader on that seat, in which it is not named."""
    assert namelessly_told(game.event_types, game.messages) == []


def read_with_ones(keys: Iterable[tuple[str, tuple[str, ...]]], texts: Mapping[str, Message]) -> list[tuple[str, str]]:
    """Return keys with the German texts of a single one of each thing that they count."""
    return [(key, text.de) for key, names in keys for text in read_with_one(texts, key, names)]


@every_game
def test_texts_that_count_have_one_for_one(game: AnyGame) -> None:
    """No text says "1 Münzen": where a number stands before what it counts, there is a text for a single one."""
    keys = [(tag_of(kind), fields(kind)) for kind in game.event_types]
    prompts = (key for key in game.messages if re.search(r"\.prompt\.[a-z-]+$", key))
    keys += [(key, tuple(sorted(placeholders(game.messages[key].de)))) for key in prompts]
    assert [each for each in read_with_ones(keys, game.messages) if COUNTED.search(each[1])] == []


def misplaced(kinds: Iterable[type[Event]], texts: Mapping[str, Message]) -> list[str]:
    """Return the keys that go on behind an event, but not with a field of it, or whose text needs more than the event has."""
    wrong: list[str] = []
    for kind in kinds:
        start = f"{tag_of(kind)}."
        for key in (key for key in texts if key.startswith(start)):
            names = key.removeprefix(start).split(".")[::2]
            if not set(names) <= set(fields(kind)) or lacking(texts, key, fields(kind)):
                wrong.append(key)
    return wrong


@every_game
def test_special_texts_belong_to_something(game: AnyGame) -> None:
    """Every key that goes on behind an event does so with a field of it, and its text needs no more than the event has."""
    assert misplaced(game.event_types, game.messages) == []


@every_case
def test_refusals_have_texts_that_fit(case: Case) -> None:
    """Every refusal that is given can be shown with its arguments."""
    for refusal in refusals(case, seed=WILD):
        assert lacking(case.game.messages, f"{case.game.id}.refusal.{refusal.code}", refusal.arguments) == []


@every_game
def test_codes_commands_and_events_have_texts(game: AnyGame) -> None:
    """No code, command or event is without its texts; those of commands and events use their fields."""
    assert lacking(game.messages, game.id, ()) == []
    for code in game.refusals:
        assert f"{game.id}.refusal.{code.value}" in game.messages
    wrong = [
        line for kind in (*game.command_types, *game.event_types) for line in lacking(game.messages, tag_of(kind), fields(kind))
    ]
    assert wrong == []


def tag_of(kind: type[Command] | type[Event]) -> str:
    """Return the tag that is also the key of the texts."""
    return str(kind.__struct_config__.tag)


def fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the names of a struct's fields."""
    return kind.__struct_fields__


@every_game
def test_options_have_texts(game: AnyGame) -> None:
    """A form can be made of the options: each has a label (`<game>.option.<name>`), and so has each of its named values."""
    wanted = list(fields(game.options_type))
    wanted += [f"{name}.{value}" for name, kind in get_type_hints(game.options_type).items() for value in named(kind)]
    assert [line for key in wanted for line in lacking(game.messages, f"{game.id}.option.{key}", ())] == []


def named(kind: Any) -> list[str]:
    """Return the values of an option that are words."""
    return [said for value in values(kind) if isinstance(said := value.value if isinstance(value, Enum) else value, str)]


@every_game
def test_rule_sheet_names_variants_as_the_form_does(game: AnyGame) -> None:
    """A sheet is for players: no name of the API stands in it, and its table has each variant by the words of the form."""
    for language in ("de", "en"):
        sheet = (rule_sheet(game, language) or b"").decode()
        table = re.findall(r"^\| (.+?) \| .+? \| .+? \|$", sheet, re.MULTILINE)
        labels = [getattr(game.messages[f"{game.id}.option.{name}"], language) for name in fields(game.options_type)]
        assert "`" not in sheet
        assert len(labels) == 1 or set(labels) <= set(table)


@every_game
def test_cards_have_names(game: AnyGame) -> None:
    """Clients can name every card in both languages, and no two are the same card."""
    keys = [f"{game.id}.card.{face.card}" for face in game.faces()]
    assert len(set(keys)) == len(keys)
    assert [line for key in keys for line in lacking(game.messages, key, ())] == []


@every_case
def test_words_in_arguments_have_texts(case: Case) -> None:
    """An argument that is a word (a role, a suit) is said in both languages: `<game>.<argument>.<word>`."""
    prompts = [ask.arguments for step in played(case, WILD) if (ask := case.game.pending(step.after)) is not None]
    said = [*prompts, *(refusal.arguments for refusal in refusals(case, seed=WILD))]
    words = {
        f"{case.game.id}.{name}.{value}" for arguments in said for name, value in arguments.items() if isinstance(value, str)
    }
    assert words - case.game.messages.keys() == set()


@every_game
def test_texts_need_the_same_arguments_in_both_languages(game: AnyGame) -> None:
    """A translation says the same."""
    unequal = [key for key, text in game.messages.items() if placeholders(text.de) != placeholders(text.en)]
    assert unequal == []


@every_game
def test_every_text_is_used(game: AnyGame) -> None:
    """Prompts are given in random play, and all other texts belong to something."""
    known = {tag_of(kind) for kind in (*game.command_types, *game.event_types)} | {game.id}
    known |= {f"{game.id}.refusal.{code.value}" for code in game.refusals}
    unused = {key for key in game.messages if ".prompt." in key}
    for prompts in given(game):
        unused -= prompts
        if not unused:
            break
    assert unused == set()
    assert {key for key in game.messages if key not in known and ".refusal." in key} == set()


def given(game: AnyGame) -> Iterator[set[str]]:
    """Yield the keys that prompts of many random matches have, for all readers."""
    for seed, case in itertools.product(SEEDS, CASES):
        if case.game is game:
            for step in played(case, seed):
                if (ask := game.pending(step.after)) is not None:
                    yield {ask.prompt, *read(game, step.after, ask, case.seats)}


def read(game: AnyGame, table: Any, ask: Ask, seats: int) -> Iterator[str]:
    """Yield the keys that each reader has for a prompt, whether it has answered already or not."""
    more = game.prompt_arguments(game.view(table, None))
    for reader in (None, *map(Seat, range(seats))):
        for asked in {False, reader in ask.open}:
            yield wording(game.messages, ask.prompt, {**ask.arguments, **more}, reader, asked=asked)
