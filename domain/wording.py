"""Which text fits best: a game may have more special texts for some values of the arguments, and for who reads them.

A text is found by its key. `<key>.<argument>.<value>` is the text for that value, for instance `coup.coins-taken.1.coins.1` for
a single coin; `<key>.<argument>.you` is for a reader whose own seat that argument is; and `<key>.you` speaks to a seat that is
asked. For a list with a single entry, `<key>.<argument>.you` is for the reader whose seat that entry is, and
`<key>.<argument>.one` for all others. Suffixes follow each other. A client that does not know them has the plain text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import cast

from .game import Message, Seat

YOU = "you"
ONE = "one"


class Language(Enum):
    """The languages of all texts."""

    DE = "de"
    EN = "en"


def wording(
    messages: Mapping[str, Message], key: str, arguments: Mapping[str, object], seat: Seat | None = None, *, asked: bool = False
) -> str:
    """Return the key of the most special text of *key* for a reader on *seat* (None: a spectator) who may be *asked*.

    Arguments are tried in their order, each for the reader before its value, until none leads on.
    """
    endings = [*_endings(arguments, seat), *([YOU] if asked else [])]
    while (found := next((f"{key}.{each}" for each in endings if f"{key}.{each}" in messages), None)) is not None:
        key = found
    return key


def _items(given: object) -> Sequence[object]:
    return cast("Sequence[object]", given) if isinstance(given, list | tuple) else ()


def _endings(arguments: Mapping[str, object], seat: Seat | None) -> Iterator[str]:
    for name, given in arguments.items():
        items = _items(given)
        alone = len(items) == 1
        value = items[0] if alone else given
        said: object = value.value if isinstance(value, Enum) else value
        if isinstance(said, int) and not isinstance(said, bool) and seat is not None and said == seat:
            yield f"{name}.{YOU}"
        if alone:
            yield f"{name}.{ONE}"
        elif isinstance(said, (int, str)):
            yield f"{name}.{said}"
