"""The schemas of the contract: made from the types that read and write the wire, in shapes that every generator likes.

msgspec writes unions inline and names types by their classes. Here every union has a name, a discriminator and a full
mapping, and every type of a game is named after the game.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import inspect

from ...domain.game import AnyGame, Command, Event, GameId, GameView
from ...domain.match.events import MATCH_EVENTS
from ..http.catalog import package_of
from ..http.feature import INBOX, Messages
from ..schema.common import UNION
from ..schema.fields import END

Json: TypeAlias = dict[str, Any]
"""A JSON object of the contract; its meaning depends on its place only."""

REF = "#/components/schemas/"
UNIONS: Mapping[type, str] = {Command: "GameCommand", Event: "FeedEvent", GameView: "GameView"}
GROWING = {"x-extensible": True}
"""Marks what may get further members without a new path version, also in answers: clients ignore unknown ones."""
LARGEST_INT32 = 2**31 - 1
"""Marks integers that may be larger: generators for compiled languages assume 32 bits otherwise, for times too."""
KEPT = frozenset({"default", "examples", "enum", "const"})
"""The keys of a schema whose values are not schemas."""


def ref(name: str) -> Json:
    """Return a reference to a component."""
    return {"$ref": REF + name}


def camel(text: str) -> str:
    """Return `coup.claim-tax` as `CoupClaimTax`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._-]", text))


class Components:
    """The named schemas of the contract: those of *types*, all words of the games, and what is *sent* to others.

    *notices* are the kinds of messages that come into inboxes.
    """

    def __init__(
        self,
        games: Mapping[GameId, AnyGame],
        types: Iterable[type],
        sent: Sequence[Messages] = (),
        notices: Sequence[type] = (),
    ) -> None:
        self._games = games
        self.sent = sent
        self._notices = notices
        self._messages = {*notices, *(kind for each in sent for kind in each.kinds)}
        parts: list[type] = [*types, *MATCH_EVENTS, *(kind for each in sent for kind in each.kinds), *notices]
        for game in games.values():
            parts += [*game.command_types, *game.event_types, game.view_type, game.options_type]
        classes = dict.fromkeys(_classes(inspect.multi_type_info(parts)))
        self.names = {cls: self._name(cls) for cls in classes}
        if twice := [name for name, count in Counter(self.names.values()).items() if count > 1]:
            raise TypeError(f"several types would be called {twice} in the contract")
        self._by_plain = {plain: self.names[cls] for cls, plain in _plain_names(classes).items()}
        found = msgspec.json.schema_components(parts, ref_template=REF + "{name}")[1]
        self.schemas: Json = {self._by_plain[plain]: self.clean(schema) for plain, schema in found.items()}
        self._add_unions()

    def name_of(self, body: object) -> str | None:
        """Return the name of a body's shape; None if it has none."""
        return self.names.get(body) if isinstance(body, type) else None

    def _name(self, cls: type) -> str:
        """Return the name of a type: from its tag, or with the name of its game before it."""
        if cls in UNIONS:
            return UNIONS[cls]
        tag = _tag(cls)
        if tag is not None and "." in tag:
            return camel(tag) + ("Message" if cls in self._messages else "")
        game = next((game for game in self._games.values() if _of_game(cls, game)), None)
        if game is None:
            return cls.__name__.removesuffix("Body")
        special = {game.view_type: "View", game.options_type: "Options"}
        return camel(game.id) + special.get(cls, _without_game(cls.__name__, game.id))

    @property
    def messages(self) -> Json:
        """The schemas of each game, and of the match around it, for clients that know one game only."""
        kinds: Json = {"match": {"event": ref("MatchEvent")}}
        for game in self._games.values():
            kinds[game.id] = {
                "options": ref(self.names[game.options_type]),
                "command": ref(f"{camel(game.id)}Command"),
                "event": ref(f"{camel(game.id)}Event"),
                "view": ref(self.names[game.view_type]),
            }
        return kinds

    def _add_unions(self) -> None:
        games = self._games.values()
        for game in games:
            self.add_union(f"{camel(game.id)}Command", game.command_types, f"A command of {game.id}.")
            self.add_union(f"{camel(game.id)}Event", game.event_types, f"An event of {game.id}.")
        self.add_union("GameCommand", [each for game in games for each in game.command_types], "A command of any game.")
        self.add_union("MatchEvent", MATCH_EVENTS, "An event of the match around the table.")
        events = [*MATCH_EVENTS, *(each for game in games for each in game.event_types)]
        self.add_union("FeedEvent", events, "An event of any game, or of the match around it.")
        self.add_union("GameView", [game.view_type for game in games], "The table of any game.")
        for sent in self.sent:
            self.add_union(sent.union, sent.kinds, sent.about)
        if self._notices:
            self.add_union(INBOX, self._notices, "A message in an inbox.")
        options = [ref(self.names[game.options_type]) for game in games]
        self.schemas["GameOptions"] = {"description": "Options of the match's game.", "anyOf": options, **GROWING}
        for name in ("Scope", "ExpiryReason"):
            self.schemas[name].update(GROWING)

    def add_union(self, name: str, members: Sequence[type], description: str, *, growing: bool = True) -> None:
        """Add a union of types with different tags; *growing* if more may follow."""
        mapping = {tag_of(member): REF + self.names[member] for member in members}
        self.schemas[name] = {
            "description": description,
            "oneOf": [{"$ref": target} for target in mapping.values()],
            "discriminator": {"propertyName": "type", "mapping": mapping},
            **(GROWING if growing else {}),
        }

    def clean(self, schema: Json) -> Json:
        """Return a schema in the shape that generators like, with our names in its references."""
        if UNION in schema:
            return ref(schema[UNION])
        cleaned: Json = {key: self._value(key, value) for key, value in schema.items() if key not in {"title", "discriminator"}}
        _mark_tag(cleaned.get("properties", {}).get("type"), is_sent=cleaned.get("additionalProperties") is False)
        _tell_default(cleaned)
        _part_lists(cleaned)
        if cleaned.get("type") == "integer" and cleaned.get("maximum", LARGEST_INT32 + 1) > LARGEST_INT32:
            cleaned["format"] = "int64"
        if all(isinstance(each, str) for each in cleaned.get("enum", (None,))):
            cleaned = {"type": "string", **cleaned}
        return cleaned if cleaned.get("required") != [] else {key: value for key, value in cleaned.items() if key != "required"}

    def _value(self, key: str, value: object) -> object:
        """Return the value of one key of a schema."""
        if key in KEPT:
            return value
        if isinstance(value, str):
            return self._text(key, value)
        if key == "properties":
            return {name: self.clean(each) for name, each in cast("Json", value).items()}
        if isinstance(value, dict):
            return self.clean(cast("Json", value))
        if isinstance(value, list):
            return [self.clean(cast("Json", each)) if isinstance(each, dict) else each for each in cast("list[object]", value)]
        return value

    def _text(self, key: str, value: str) -> str:
        match key:
            case "$ref":
                return REF + self._by_plain[value.removeprefix(REF)]
            case "pattern":
                return value.replace(END, "$")
            case "description":
                return " ".join(value.split())
            case _:
                return value


def reachable(document: Json, schemas: Json, *, unions: bool = True) -> Json:
    """Return the schemas that a document leads to, and with *unions* those of single games, sorted by name."""
    found: set[str] = set()
    waiting = {*_targets(document), *(name for name, schema in schemas.items() if unions and "discriminator" in schema)}
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= set(_targets(schemas[name])) - found
    return {name: schemas[name] for name in sorted(found)}


def _targets(node: object) -> Iterator[str]:
    """Yield the names of all components that a part of the contract names."""
    if isinstance(node, str) and node.startswith(REF):
        yield node.removeprefix(REF)
    elif isinstance(node, dict):
        for each in cast("Json", node).values():
            yield from _targets(each)
    elif isinstance(node, (list, tuple)):
        for each in cast("list[object]", node):
            yield from _targets(each)


def _mark_tag(field: Json | None, *, is_sent: bool) -> None:
    """Write the tag of a member of a union as a constant, and as the only value for tools without constants.

    In what clients send it is the default as well, so that generated classes fill it in.
    """
    if field is not None and len(field.get("enum", ())) == 1:
        tag = field["enum"][0]
        field.update({"type": "string", "const": tag, **({"default": tag} if is_sent else {})})


def _tell_default(schema: Json) -> None:
    """Say a default of one of several types, or that is an object, in words: generators for some languages cannot write it."""
    default = schema.get("default")
    if (default is not None and "anyOf" in schema) or isinstance(default, dict):
        text = json.dumps(schema.pop("default"))
        schema["description"] = f"{schema.get('description', '')}  Default: `{text}`.".strip()


def _part_lists(schema: Json) -> None:
    """Say a union of a list and something else as a condition: generators for compiled languages have no class for it."""
    many: list[Json] = schema.get("anyOf", [])
    lists = [each for each in many if each.get("type") == "array"]
    others = [each for each in many if each not in lists]
    if lists and any(each != {"type": "null"} for each in others):
        del schema["anyOf"]
        rest = others[0] if len(others) == 1 else {"anyOf": others}
        # Rule sets want `items` beside every array, also where it only asks for the type.
        schema.update({"if": {"type": "array", "items": {}}, "then": lists[0], "else": rest})


def tag_of(cls: type) -> str:
    """Return the tag of a member of a union; the empty text if it has none."""
    return _tag(cls) or ""


def _tag(cls: type) -> str | None:
    tag = getattr(getattr(cls, "__struct_config__", None), "tag", None)
    return tag if isinstance(tag, str) else None


def _without_game(name: str, game: GameId) -> str:
    """Return the name of a type without that of its game, whole or its first word: `RoundView` for `StichRoundView`."""
    return re.sub(rf"^(?i:{camel(game)}|{camel(game.split('-')[0])})(?=[A-Z])", "", name)


def _of_game(cls: type, game: AnyGame) -> bool:
    """Return whether a type is defined in a game's package."""
    return f"{cls.__module__}.".startswith(f"{package_of(game)}.")


def _classes(infos: Iterable[inspect.Type]) -> Iterator[type]:
    """Yield all types that get a name, as msgspec finds them."""
    seen: set[type] = set()

    def visit(info: inspect.Type) -> Iterator[type]:
        cls = getattr(info, "cls", None)
        if cls is not None:
            if cls in seen:
                return
            seen.add(cls)
            yield cls
        for each in _parts(info):
            yield from visit(each)

    for info in infos:
        yield from visit(info)


def _parts(info: inspect.Type) -> Iterable[inspect.Type]:
    match info:
        case inspect.StructType(fields=fields):
            return [field.type for field in fields]
        case inspect.Metadata(type=inner):
            return [inner]
        case inspect.CollectionType(item_type=inner):
            return [inner]
        case inspect.TupleType(item_types=inner) | inspect.UnionType(types=inner):
            return inner
        case inspect.DictType(key_type=key, value_type=value):
            return [key, value]
        case _:
            return []


def _plain_names(classes: Iterable[type]) -> dict[type, str]:
    """Return the names that msgspec gives: of the class alone, or with its module where that is not unique."""
    found = list(classes)
    count = Counter(cls.__name__ for cls in found)
    return {cls: cls.__name__ if count[cls.__name__] == 1 else f"{cls.__module__}.{cls.__qualname__}" for cls in found}
