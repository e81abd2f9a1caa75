"""What a viewer sees of a table, as text and as a picture (SVG)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import cos, pi, sin
from typing import Any, Final, NamedTuple, cast

import msgspec

from ..domain.game import AnyGame, Seat
from .course import Course

RENDER_MODES: Final = ("human", "ansi", "svg")
CARDS: Final = frozenset(
    (
        *("aside", "card", "cards", "choice", "hand", "lacks", "open_cards", "out", "palette", "palette_cards"),
        *("picked", "pile", "scored", "taken", "top"),
    )
)
"""The fields whose values are cards."""
HIDDEN: Final = frozenset(("type", "options", "seat", "rounds", "last_trick", "last_tricks"))
"""What a picture leaves out."""

WIDTH, HEIGHT = 900, 640
BOX_WIDTH, LINE = 190, 15
LETTERS = 30
"""How many letters a line in a picture has."""


class Table(NamedTuple):
    """A table in words: its heading, a line for each fact, and some lines for each seat."""

    heading: str
    facts: list[str]
    seats: list[list[str]]
    asked: int


def rendered(course: Course, mode: str | None, seat: Seat | None = None) -> str | None:
    """Return the table as a seat sees it, or a spectator, in a mode of rendering; `human` prints it."""
    if mode == "svg":
        return svg_of(course, seat)
    if mode is None:
        return None
    text = text_of(course, seat)
    if mode == "ansi":
        return text
    sys.stdout.write(text)
    return None


def text_of(course: Course, seat: Seat | None) -> str:
    """Return the table as a seat sees it, or a spectator, in lines."""
    table = _table(course, seat)
    seats = (f"  {'>' if number == table.asked else ' '} {'; '.join(lines)}" for number, lines in enumerate(table.seats))
    return "\n".join((table.heading, *(f"  {fact}" for fact in table.facts), *seats, ""))


def svg_of(course: Course, seat: Seat | None) -> str:
    """Return the table as a seat sees it, or a spectator, as a picture."""
    return "\n".join(_picture(_table(course, seat))) + "\n"


def _table(course: Course, seat: Seat | None) -> Table:
    game = course.game
    seen: dict[str, Any] = msgspec.to_builtins(game.view(course.table, seat))
    heading = f"{game.messages[game.id].en}, {course.seats} seats"
    if seat is not None:
        heading += f", as seat {seat} sees it"
    seats: Sequence[dict[str, Any]] = seen.pop("seats", ())
    facts = [f"{name}: {_words(game, name, value)}" for name, value in seen.items() if name not in HIDDEN and _says(value)]
    lines = [[f"seat {place}", *_seat(game, each)] for place, each in enumerate(seats)]
    return Table(heading, facts, lines or [[f"seat {place}"] for place in range(course.seats)], course.asked)


def _seat(game: AnyGame, record: Mapping[str, Any]) -> list[str]:
    return [f"{name} {_words(game, name, value)}" for name, value in record.items() if name != "seat" and _says(value)]


def _says(value: Any) -> bool:
    """Return whether there is something to say of a value."""
    return value not in (None, (), "") and value is not False


def _words(game: AnyGame, name: str, value: Any) -> str:
    """Return a value in words, with the names of cards."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return "(" + " ".join(f"{key} {_words(game, key, each)}" for key, each in fields.items() if _says(each)) + ")"
    if isinstance(value, list | tuple):
        return ", ".join(_words(game, name, each) for each in cast("Sequence[Any]", value))
    if value is True:
        return "yes"
    text = game.messages.get(f"{game.id}.card.{value}") if name in CARDS else None
    return str(value) if text is None else text.en


def _picture(table: Table) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f6f4ee"/>'
    place = f'cx="{WIDTH / 2}" cy="{HEIGHT / 2}" rx="{WIDTH * 0.36}" ry="{HEIGHT * 0.34}"'
    yield f'<ellipse {place} fill="#dfe8df" stroke="#8aa08a"/>'
    yield from _text([table.heading], 16, 28, "font-size='18' font-weight='bold'")
    facts = [line for fact in table.facts for line in _wrapped(fact, LETTERS + 14)]
    room = int(HEIGHT * 0.45 / LINE)
    shown = facts if len(facts) <= room else [*facts[: room - 1], "…"]
    yield from _text(shown, WIDTH / 2 - 130, HEIGHT / 2 - LINE * len(shown) / 2, "fill='#333'")
    for place, lines in enumerate(table.seats):
        angle = pi / 2 + 2 * pi * place / len(table.seats)
        wrapped = [line for each in lines for line in _wrapped(each, LETTERS)][:12]
        height = LINE * len(wrapped) + 12
        x = WIDTH / 2 + WIDTH * 0.38 * cos(angle) - BOX_WIDTH / 2
        y = min(max(HEIGHT / 2 + HEIGHT * 0.4 * sin(angle) - height / 2, 44), HEIGHT - height - 6)
        edge = "stroke='#b03a2e' stroke-width='3'" if place == table.asked else "stroke='#999'"
        yield f"<rect x='{x:.0f}' y='{y:.0f}' width='{BOX_WIDTH}' height='{height}' rx='8' fill='#fff' {edge}/>"
        yield from _text(wrapped, x + 8, y + LINE + 2, "")
    yield "</svg>"


def _text(lines: list[str], x: float, y: float, style: str) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"<text x='{x:.0f}' y='{y + number * LINE:.0f}' {style}>{escape(line)}</text>"


def _wrapped(text: str, letters: int) -> list[str]:
    """Return a text in lines of at most that number of letters."""
    return [text[start : start + letters] for start in range(0, len(text), letters)]
