"""The layout of a report: its heading, its parts, their tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain


def sheet(title: str, machine: Mapping[str, str | int], seconds: float, parts: Sequence[Iterable[str]]) -> str:
    """Return a report: its title, where and how long it was measured, and its parts, separated by empty lines."""
    about = ", ".join(f"{name} {value}" for name, value in machine.items()) + f"; {seconds:.0f} s in all"
    lines = chain((f"# {title}", "", about), *(("", *part) for part in parts))
    return "\n".join(lines) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Give the lines of a table."""
    yield _row(heads)
    yield f"|{'---|' * len(heads)}"
    yield from map(_row, rows)


def _row(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)
