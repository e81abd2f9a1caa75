"""Commands, events and tables of a game in words. All texts come from the service's sheet of the game: nothing here knows one.

words = Words(client.game("coup"), seat=0)
words.sentence({"type": "coup.launch-coup", "target": 1})  # "Launch a coup against seat 1 (seven coins)"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, cast

import msgspec

from .shapes import Command, GameSheet, Plain

Schema: TypeAlias = Mapping[str, Plain]
TERM = "x-term"
"""Marks, in the schema of a view, a number that stands for something with a name of its own: a card, a rule."""
SEATS = {"seats", "winners"}
"""Lists of seats."""
BY_SEAT = {"bids", "coins", "points", "scores"}
"""Lists with a number for each seat."""
WRITTEN_BY_PEOPLE = {"reason"}
"""Arguments with free text: no sentence repeats it."""
_UNSAID = re.compile(
    r"^match\.(opened|seat-taken|bot-seated|decision-opened|cards-committed|draws-keyed|drawn|misses-forgotten|seat-played)\."
    r"|\.(window-opened|gathering-begun|trick-begun)\."
)
"""Events about how a match is kept, and those that the question after them says better."""
_ARGUMENT = re.compile(r"\{(\w+)\}")


class Words:
    """The words of a game in one language (`en`, `de`), for a reader on a seat, or on none."""

    def __init__(self, sheet: GameSheet, seat: int | None = None, lang: str = "en") -> None:
        self._sheet = sheet
        self._seat = seat
        self._lang = lang

    def said(self, events: Iterable[Mapping[str, Plain]]) -> Iterator[str]:
        """Yield a sentence for each event that a player would want to read."""
        return (self.sentence(event) for event in events if not _UNSAID.search(event["type"]))

    def sentence(self, thing: Mapping[str, Plain]) -> str:
        """Return a command or an event in words; its bare data if the sheet has no text for it."""
        text = self._text(self.wording(thing["type"], thing))
        if text is None:
            return msgspec.json.encode(thing).decode()
        return _ARGUMENT.sub(lambda found: self._argument(found[1], thing.get(found[1])), text)

    def term(self, name: str, value: Plain) -> str:
        """Return what a value of a field is called: `term("card", 17)`."""
        found = self._text(f"{self._sheet.id}.{re.sub(r'^(palette|pile)_', '', name)}.{value}")
        return str(value) if found is None else found

    def table(self, table: Mapping[str, Plain]) -> dict[str, Plain]:
        """Return the table of a view with the name of every card in place of its number, and without empty fields."""
        return cast("dict[str, Plain]", self._named(table, self._sheet.view))

    def command(self, name: str) -> str:
        """Return what a command does, from the sheet, by its `type`."""
        return self._command_schemas().get(name, {}).get("description", name)

    def commands(self) -> Iterator[str]:
        """Yield the types of all commands of the game."""
        yield from self._command_schemas()

    def _command_schemas(self) -> dict[str, dict[str, Plain]]:
        schemas = self._sheet.commands.get("$defs", {}).values()
        tagged = ((each.get("properties", {}).get("type", {}).get("enum"), each) for each in schemas)
        return {tags[0]: each for tags, each in tagged if tags}

    def wording(self, key: str, given: Mapping[str, Plain]) -> str:
        """Return the key of the most special text for these arguments and this reader (see docs/clients.md)."""
        for name, values in given.items():
            several = cast("list[Plain]", values) if isinstance(values, list) else []
            alone = len(several) == 1
            value: object = several[0] if alone else cast("object", values)
            own = isinstance(value, int) and not isinstance(value, bool) and value == self._seat
            for ending in ([f"{name}.you"] if own else []) + [f"{name}.{'one' if alone else value}"]:
                if f"{key}.{ending}" in self._sheet.messages:
                    return self.wording(f"{key}.{ending}", given)
        return key

    def _argument(self, name: str, value: Plain) -> str:
        match value:
            case _ if name in WRITTEN_BY_PEOPLE:
                return "(in the match's `correction`)"
            case None:
                return "–"
            case list() if name in BY_SEAT:
                return ", ".join(f"{self._one(seat)} {each}" for seat, each in enumerate(cast("list[Plain]", value)))
            case list() if name in SEATS and len(cast("list[Plain]", value)) > 1:
                return ", ".join(self._one(each) for each in cast("list[int]", value))
            case list():
                return ", ".join(self._argument(name.removesuffix("s"), each) for each in cast("list[Plain]", value))
            case dict():
                return " ".join(self._argument(key, each) for key, each in cast("Command", value).items())
            case _:
                return self.term(name, value)

    def _one(self, seat: int) -> str:
        german = self._lang == "de"
        return ("du" if german else "you") if seat == self._seat else f"{'Platz' if german else 'seat'} {seat}"

    def _text(self, key: str) -> str | None:
        found = self._sheet.messages.get(key)
        return None if found is None else found.de if self._lang == "de" else found.en

    def _named(self, value: Plain, schema: Schema) -> Plain:
        """Return a value of a schema with names where it is marked, and without what is empty."""
        schema = self._fitting(value, schema)
        if isinstance(value, dict):
            fields: Schema = schema.get("properties", {})
            named = {key: self._named(each, fields.get(key, {})) for key, each in cast("Command", value).items()}
            return {key: each for key, each in named.items() if each is not None and each != []}
        if isinstance(value, list):
            return [self._named(each, schema.get("items") or {}) for each in cast("list[Plain]", value)]
        return self.term(schema[TERM], value) if TERM in schema and value is not None else value

    def _fitting(self, value: Plain, schema: Schema) -> Schema:
        """Return the schema itself behind references, and of several the first one that is not for null."""
        while (reference := schema.get("$ref")) is not None:
            schema = self._sheet.view.get("$defs", {}).get(reference.rpartition("/")[2], {})
        several = cast("list[Schema]", schema.get("anyOf") or schema.get("oneOf") or [])
        if not several or value is None:
            return schema
        return self._fitting(value, next(each for each in several if each.get("type") != "null"))
