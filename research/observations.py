"""Views as vectors of one fixed length: nothing but what the seat may know gets in.

What a game's view is made of says how most of it is encoded. A member of a closed set has one place for each member, 1 for the
one that it is. A seat has that too, counted clockwise from the viewer, so that a policy is the same on all seats. A list of
members has in each place how often it occurs. Records that name a seat stand in that seat's places. What types cannot say (which
numbers are cards, how large a score gets) is in encodings.py. The encoder of a game is written once as straight code.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import count
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from ..domain.game import AnyGame, GameView, Seat
from .closed_sets import members_of, plain
from .encodings import ENCODINGS, Among, Encoding, Fixed, Merged, Number, Omitted, Order, Shares

Row: TypeAlias = "array[float]"

VERSION = 3
"""Grows whenever a place of any game gets another meaning."""
LEAST, MOST = -16.0, 16.0
RECENT = 8
"""How many entries of a list are encoded of which nothing else is known."""
LETTERS = 997
SEATS: Sequence[Any] = ("seat",)
"""Stands for the seats of a table, which are counted from the viewer."""


class Block(NamedTuple):
    """The places of one field of a view: its name, the first of them, how many there are, and what they hold, in words."""

    field: str
    start: int
    size: int
    meaning: str


class _Places(NamedTuple):
    """Some places in a row: their names, and what they hold, in words."""

    names: list[str]
    meaning: str


class _Field(NamedTuple):
    """A value to encode: its type, its names for people and for encodings, and the code that has it."""

    kind: Any
    name: str
    path: str
    code: str


class Layout:
    """How the views of a game with that number of seats are encoded; `names` has the name of each place."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._of = game, seats
        writer = _Writer(game, seats)
        self.blocks: tuple[Block, ...] = tuple(writer.blocks)
        self.names: tuple[str, ...] = tuple(writer.names)
        self.fields: frozenset[str] = frozenset(writer.met)
        """All fields of the view, and of the records in it, as encodings name them."""
        self.unsaid: frozenset[str] = frozenset(writer.unsaid)
        """Those of which neither their type nor an encoding says what they can be."""
        self._fill = writer.compiled()
        self._empty = bytes(4 * len(self.names))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it is made of: code is written again."""
        return layout_of, self._of

    def fill(self, view: GameView, row: Row) -> None:
        """Encode a view into the first places of a row, all of which are 0 before."""
        self._fill(view, row)

    def row(self, view: GameView) -> Row:
        """Return a view as a vector of 32-bit numbers."""
        row = array("f", self._empty)
        self._fill(view, row)
        return row


@cache
def layout_of(game: AnyGame, seats: int) -> Layout:
    """Return the layout of a game with that number of seats."""
    return Layout(game, seats)


class _Writer:
    """Writes the code of an encoder, field by field; `at` is the code of the place where a value begins."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._encodings: Mapping[str, Encoding] = ENCODINGS.get(game.id, {})
        self._seats = seats
        self._constants: dict[str, Any] = {"crc32": zlib.crc32}
        self._numbers = count()
        self._lines = ["def fill(view, row):", "    own = view.seat or 0"]
        self.blocks: list[Block] = []
        self.names: list[str] = []
        self.met: set[str] = set()
        self.unsaid: set[str] = set()
        for field in _fields_of(game.view_type, "", "view"):
            if field.name == "seat":
                continue  # all seats are counted from this one
            places = self._value(field, str(len(self.names)), 1)
            if places.names:
                self.blocks.append(Block(field.name, len(self.names), len(places.names), places.meaning))
            self.names += places.names

    def compiled(self) -> Callable[[GameView, Row], None]:
        """Return the encoder."""
        exec("\n".join(self._lines), self._constants)  # noqa: S102 - made of the names of fields alone
        return cast("Callable[[GameView, Row], None]", self._constants["fill"])

    def _put(self, depth: int, line: str) -> None:
        self._lines.append("    " * depth + line)

    def _variable(self) -> str:
        return f"x{next(self._numbers)}"

    def _constant(self, value: object) -> str:
        name = f"C{next(self._numbers)}"
        self._constants[name] = value
        return name

    def _value(self, field: _Field, at: str, depth: int) -> _Places:
        """Write the code for a value that may be missing."""
        encoding = self._encodings.get(field.path)
        self.met.add(field.path)
        if isinstance(encoding, Omitted):
            return _Places([], "")
        kind, optional = _unwrapped(field.kind)
        field = field._replace(kind=kind)
        if not optional:
            return self._present(field, encoding, at, depth)
        variable = self._variable()
        self._put(depth, f"{variable} = {field.code}")
        self._put(depth, f"if {variable} is not None:")
        named = _says_itself(kind, encoding)
        before = len(self._lines)
        inner = self._present(field._replace(code=variable), encoding, at if named else f"{at}+1", depth + 1)
        if len(self._lines) == before:
            self._put(depth + 1, "pass")
        if named:
            return inner
        self._put(depth + 1, f"row[{at}] = 1.0")
        return _Places([f"{field.name}?", *inner.names], f"1 if there is one; {inner.meaning}")

    def _present(self, field: _Field, encoding: Encoding | None, at: str, depth: int) -> _Places:
        """Write the code for a value that is there."""
        if get_origin(field.kind) is tuple:
            return self._list(field, encoding, at, depth)
        if _is_record(field.kind):
            return self._record(field, at, depth)
        if isinstance(encoding, Among):
            return self._member(field, encoding.members, at, depth)
        if isinstance(encoding, Number):
            self._put(depth, f"row[{at}] = {field.code} * {1 / encoding.largest!r}")
            return _Places([field.name], f"the number / {encoding.largest:g}")
        if field.kind is Seat:
            self._put(depth, f"row[{at}+({field.code}-own)%{self._seats}] = 1.0")
            return _Places([f"{field.name}={label}" for label in self._labels()], "one place per seat, yours first")
        if field.kind is bool:
            self._put(depth, f"if {field.code}: row[{at}] = 1.0")
            return _Places([field.name], "1 if so")
        return self._any(field, at, depth)

    def _any(self, field: _Field, at: str, depth: int) -> _Places:
        """Write the code for what only its type says."""
        if (members := _closed(field.kind)) is not None:
            return self._member(field, members, at, depth)
        self.unsaid.add(field.path)
        if field.kind is str:
            self._put(depth, f"row[{at}] = (1 + crc32({field.code}.encode()) % {LETTERS}) / {LETTERS}")
            return _Places([field.name], "a number made of its letters")
        self._put(depth, f"row[{at}] = min(max({field.code} / 100, {LEAST}), {MOST})")
        return _Places([field.name], "the number / 100")

    def _member(self, field: _Field, members: Sequence[Any], at: str, depth: int) -> _Places:
        self._put(depth, f"row[{at}+{self._place_of(members, field.code)}] = 1.0")
        return _Places([f"{field.name}={plain(each)}" for each in members], f"one place per value, {_span(members)}")

    def _place_of(self, members: Sequence[Any], code: str) -> str:
        """Return the code of a member's place. Members of an enum are found by their identity, since hashing them is slow."""
        if isinstance(members, range):
            return code if members.start == 0 else f"{code}-{members.start}"
        if all(isinstance(each, Enum) for each in members):
            return f"{self._constant({id(each): place for place, each in enumerate(members)})}[id({code})]"
        return f"{self._constant({each: place for place, each in enumerate(members)})}[{code}]"

    def _list(self, field: _Field, encoding: Encoding | None, at: str, depth: int) -> _Places:
        element = _unwrapped(get_args(field.kind)[0])[0]
        if isinstance(encoding, Shares):
            return self._shares(field, encoding, at, depth)
        if isinstance(encoding, Fixed):
            return self._fixed(field, encoding, at, depth)
        if isinstance(encoding, Order):
            return self._order(field, at, depth)
        if _is_record(element):
            return self._records(field._replace(kind=element), encoding, at, depth)
        return self._members(field._replace(kind=element), encoding, at, depth)

    def _fixed(self, field: _Field, encoding: Fixed, at: str, depth: int) -> _Places:
        each, place = self._variable(), self._variable()
        self._put(depth, f"for {place}, {each} in enumerate({field.code}, {at}):")
        self._put(depth + 1, f"row[{place}] = {each} * {1 / encoding.largest!r}")
        names = [f"{field.name}[{number}]" for number in range(encoding.length)]
        return _Places(names, f"each number / {encoding.largest:g}")

    def _order(self, field: _Field, at: str, depth: int) -> _Places:
        each, place = self._variable(), self._variable()
        self._put(depth, f"for {place}, {each} in enumerate({field.code}, 1):")
        self._put(depth + 1, f"row[{at}+({each}-own)%{self._seats}] = 1 / {place}")
        names = [f"{field.name}={label}" for label in self._labels()]
        return _Places(names, "one place per seat: 1 for the first, 1/2 for the second, and so on")

    def _members(self, field: _Field, encoding: Encoding | None, at: str, depth: int) -> _Places:
        """Write the code for a list of members of a closed set, or of anything else."""
        members = encoding.members if isinstance(encoding, Among) else _closed(field.kind)
        each = self._variable()
        if field.kind is Seat:
            self._put(depth, f"for {each} in {field.code}: row[{at}+({each}-own)%{self._seats}] = 1.0")
            return _Places([f"{field.name}={label}" for label in self._labels()], "one place per seat, yours first")
        if members is None:
            return self._recent(field, RECENT, at, depth)
        unique = isinstance(encoding, Among)
        self._put(depth, f"for {each} in {field.code}: row[{at}+{self._place_of(members, each)}] {'=' if unique else '+='} 1.0")
        many = "one place per value" if unique else "how often each occurs"
        return _Places([f"{field.name}={plain(one)}" for one in members], f"{many}, {_span(members)}")

    def _records(self, field: _Field, encoding: Encoding | None, at: str, depth: int) -> _Places:
        """Write the code for a list of records: by what they name first, merged, or the newest."""
        if isinstance(encoding, Merged):
            each = self._variable()
            self._put(depth, f"for {each} in {field.code}:")
            places = self._record(field._replace(code=each), at, depth + 1)
            return places._replace(meaning=f"all of them in the same places: {places.meaning}")
        fields = _fields_of(field.kind, field.path, "")
        first = next(each for each in fields if not isinstance(self._encodings.get(each.path), Omitted))
        self.met |= {each.path for each in _fields_of(field.kind, field.path, "")}
        members = self._members_named(first)
        if members is None:
            self.unsaid.add(field.path)
            return self._recent(field, RECENT, at, depth)
        return self._keyed(field, first, members, at, depth)

    def _members_named(self, key: _Field) -> Sequence[Any] | None:
        """Return what the first field of a record may name, None if there is no end of it; a list of one is that of the seats."""
        encoding = self._encodings.get(key.path)
        kind = _unwrapped(key.kind)[0]
        if isinstance(encoding, Among):
            return encoding.members
        return SEATS if kind is Seat or key.name == "seats" else _closed(kind)

    def _keyed(self, field: _Field, key: _Field, members: Sequence[Any], at: str, depth: int) -> _Places:
        """Write the code for records that have places of their own for each seat, or each member, that they name first."""
        each = self._variable()
        base = self._variable()
        own = key.name.rpartition(".")[2]
        self._put(depth, f"for {each} in {field.code}:")
        name = f"{each}.{own}"
        if own == "seats":
            name = self._variable()
            depth += 1
            self._put(depth, f"for {name} in {each}.{own}:")
        where = len(self._lines)
        rest = [f for f in _fields_of(field.kind, field.path, each) if f.path != key.path]
        inner = self._fields([f._replace(name=f"[*].{f.name}") for f in rest], base, depth + 1)
        seats = members is SEATS
        place = f"({name}-own)%{self._seats}" if seats else self._place_of(members, name)
        self._lines.insert(where, "    " * (depth + 1) + f"{base} = {at}+{len(inner.names)}*({place})")
        labels = self._labels() if seats else [str(plain(one)) for one in members]
        names = [one.replace("[*]", f"{field.name}[{label}]", 1) for label in labels for one in inner.names]
        of_what = "each seat, yours first" if seats else f"each {own}, {_span(members)}"
        return _Places(names, f"for {of_what}: {inner.meaning}")

    def _recent(self, field: _Field, entries: int, at: str, depth: int) -> _Places:
        """Write the code for the newest entries of a list, the newest first, behind its length."""
        each, place, base = self._variable(), self._variable(), self._variable()
        self._put(depth, f"row[{at}] = len({field.code}) / {entries}")
        self._put(depth, f"for {place}, {each} in enumerate({field.code}[:-{entries + 1}:-1]):")
        where = len(self._lines)
        inner = self._value(field._replace(name="[*]", code=each), base, depth + 1)
        self._lines.insert(where, "    " * (depth + 1) + f"{base} = {at}+1+{len(inner.names)}*{place}")
        names = [one.replace("[*]", f"{field.name}[-{number}]", 1) for number in range(1, entries + 1) for one in inner.names]
        return _Places([f"{field.name}#", *names], f"their number / {entries}, then the newest {entries}: {inner.meaning}")

    def _record(self, field: _Field, at: str, depth: int) -> _Places:
        variable = self._variable()
        self._put(depth, f"{variable} = {field.code}")
        fields = [f._replace(name=f"{field.name}.{f.name}") for f in _fields_of(field.kind, field.path, variable)]
        return self._fields(fields, at, depth)

    def _fields(self, fields: Sequence[_Field], at: str, depth: int) -> _Places:
        names: list[str] = []
        meanings: list[str] = []
        for field in fields:
            inner = self._value(field, f"{at}+{len(names)}", depth)
            names += inner.names
            if inner.names:
                meanings.append(f"`{field.path.rpartition('.')[2]}` ({inner.meaning})")
        return _Places(names, ", ".join(meanings))

    def _shares(self, field: _Field, encoding: Shares, at: str, depth: int) -> _Places:
        each, place, card = self._variable(), self._variable(), self._variable()
        self._put(depth, f"for {place}, {each} in enumerate({field.code}):")
        self._put(depth + 1, f"for {card} in {each}.{encoding.field}: row[{at}+{card}] = 1 - {place} / len({field.code})")
        names = [f"{field.name}={each}" for each in encoding.members]
        return _Places(names, f"one place per card, {_span(encoding.members)}: 1 for the strongest, less for the others")

    def _labels(self) -> list[str]:
        """Return the names of the seats, as the viewer counts them."""
        return ["self", *(f"+{number}" for number in range(1, self._seats))]


def _fields_of(kind: type[msgspec.Struct], path: str, code: str) -> Iterator[_Field]:
    hints = get_type_hints(kind, include_extras=True)
    for name in kind.__struct_fields__:
        yield _Field(hints[name], name, f"{path}.{name}" if path else name, f"{code}.{name}")


def _unwrapped(kind: Any) -> tuple[Any, bool]:
    """Return a type without None, and whether it had it."""
    if get_origin(kind) in {Union, UnionType} and NoneType in get_args(kind):
        rest = [each for each in get_args(kind) if each is not NoneType]
        return (rest[0] if len(rest) == 1 else Union[tuple(rest)]), True  # noqa: UP007 - the members are values here
    if get_origin(kind) is Annotated and get_origin(get_args(kind)[0]) is tuple:
        return get_args(kind)[0], False
    return kind, False


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _closed(kind: Any) -> list[Any] | None:
    """Return the members of a closed set, None if it is none."""
    try:
        return None if kind is Seat else members_of(kind)
    except TypeError:
        return None


def _says_itself(kind: Any, encoding: Encoding | None) -> bool:
    """Return whether a missing value can be seen by its places, since one of them is 1 otherwise."""
    return kind is Seat or isinstance(encoding, Among) or (kind is not bool and _closed(kind) is not None)


def _span(members: Sequence[Any]) -> str:
    """Return members in words."""
    return f"{members[0]} to {members[-1]}" if isinstance(members, range) else ", ".join(str(plain(each)) for each in members)
