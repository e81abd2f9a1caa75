"""The page on strength, docs/strength/index.md: read, so that what is not measured again stays, and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.strength_tables import LEAST_DEALS, LEAST_DEALS_AT_ONCE, TABLES, LadderTable, Rung, least_deals, stamps_today
from tafelrunde.domain.match import BotName
from tafelrunde.service.features.bots.arena import Duel
from tafelrunde.service.features.bots.levels import LEAST, LadderRow, odds_of

PAGE = Path(__file__).resolve().parents[1] / "docs" / "strength" / "index.md"
STAMPS = PAGE.with_name("stamps.json")
FIGURES = PAGE.parents[2] / "service" / "features" / "bots" / "ladder.json"
"""The rows of bots that sit in matches, as the service shows them at a table."""
STALE = "Measured with bots that played differently:"
"""How the page begins the line for rows of bots of before."""
ROWS = "| challenger | against | deals | share of wins | 95 % | fair | odds |\n|---|---|---:|---:|---|---:|---:|"
RATINGS = "| bot | rating | give or take |\n|---|---:|---:|"


class Section(NamedTuple):
    """What is known of a table: a row for each rung, and for each bot its rating and the spread of that."""

    rows: Mapping[Rung, str]
    ratings: Mapping[str, tuple[int, int]]


class Measured(msgspec.Struct, frozen=True):
    """When the newest rows of a table were measured, and the stamp of each rung."""

    on: str
    rungs: Mapping[str, str]


def section_of(rows: Mapping[Rung, str], ratings: Mapping[str, tuple[int, int]]) -> Section:
    """Return a section, the strongest bot first."""
    return Section(rows, dict(sorted(ratings.items(), key=lambda item: -item[1][0])))


def shown(section: Section) -> Section:
    """Return the rows of enough deals, and the ratings of the bots in them."""
    rows = {rung: row for rung, row in section.rows.items() if deals_and_share(row)[0] >= least_deals(rung)}
    named = {name for rung in rows for name in rung}
    return section_of(rows, {bot: rating for bot, rating in section.ratings.items() if bot in named})


def named_rung(rung: Rung) -> str:
    """Return what a rung is called."""
    return " v ".join(rung)


def stamps_kept() -> dict[str, Measured]:
    """Return with which bots each table was measured, and when."""
    return msgspec.json.decode(STAMPS.read_bytes(), type=dict[str, Measured])


def figures(sections: Mapping[str, Section], stamps: Mapping[str, Measured]) -> dict[str, list[LadderRow]]:
    """Return the rows of bots that sit in matches, by table."""
    found: dict[str, list[LadderRow]] = {}
    for table in (table for table in TABLES if table.name in sections):
        bots, rows = table.rules.bots(), sections[table.name].rows
        old = stale(table, rows, stamps[table.name])
        found[table.name] = [_figure(row, named_rung(rung) not in old) for rung, row in rows.items() if {*rung} <= bots.keys()]
    return dict(sorted(found.items()))


def _figure(row: str, current: bool) -> LadderRow:
    challenger, other, deals, share, ends = _cells(row)[:5]
    low, high = map(_part, ends.split(" to "))
    return LadderRow(BotName(challenger), BotName(other), int(deals), _part(share), low, high, current)


def _part(percent: str) -> float:
    return round(float(percent.strip("%")) / 100, 3)


def write(sections: Mapping[str, Section], stamps: Mapping[str, Measured]) -> None:
    """Write the page, its stamps, and its figures as data: all rows of enough deals."""
    sections = {name: section for name, each in sections.items() if (section := shown(each)).rows}
    stamps = {
        name: Measured(stamps[name].on, {rung: stamps[name].rungs[rung] for rung in map(named_rung, section.rows)})
        for name, section in sections.items()
    }
    PAGE.write_text(page(sections, stamps), encoding="utf-8")
    STAMPS.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(stamps.items())))) + b"\n")
    tables = [f'"{name}": {_lines(rows)}' for name, rows in figures(sections, stamps).items()]
    FIGURES.write_text("{\n" + ",\n".join(tables) + "\n}\n", encoding="utf-8")


def _lines(rows: Iterable[LadderRow]) -> str:
    """Return rows as JSON, one a line."""
    return "[\n" + ",\n".join(msgspec.json.encode(row).decode() for row in rows) + "\n]"


def kept() -> dict[str, Section]:
    """Return what the page says of each table that was ever measured."""
    names = {table.title: table.name for table in TABLES}
    parts = PAGE.read_text("utf-8").split("\n## ")[1:]
    return {names[title]: _read(part) for part in parts if (title := part.partition("\n")[0]) in names}


def _read(text: str) -> Section:
    rows, ratings = text.partition(RATINGS)[::2]
    cells = {row: _cells(row) for row in rows.partition(ROWS)[2].splitlines() if row}
    points = [_cells(row) for row in ratings.splitlines() if row]
    return Section({(each[0], each[1]): row for row, each in cells.items()}, {bot: (int(a), int(b)) for bot, a, b in points})


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def stale(table: LadderTable, rows: Iterable[Rung], stamps: Measured) -> list[str]:
    """Return the rungs of which a bot plays differently now than when they were measured."""
    today = stamps_today(table)
    return [name for rung in rows if stamps.rungs[(name := named_rung(rung))] != today.rung(rung)]


def row_of(duel: Duel) -> str:
    """Return the row of a duel."""
    share, low, high, fair = (f"{value:.1%}" for value in (duel.share, duel.low, duel.high, duel.fair))
    odds = f"{odds_of(duel.share, duel.fair):.1f}" if duel.share < 1 else "-"
    return f"| {duel.challenger} | {duel.other} | {duel.deals} | {share} | {low} to {high} | {fair} | {odds} |"


def deals_and_share(row: str) -> tuple[int, float]:
    """Return how many deals a row is of, and the share of wins."""
    cells = _cells(row)
    return int(cells[2]), _part(cells[3])


def page(sections: Mapping[str, Section], stamps: Mapping[str, Measured]) -> str:
    """Return the page: all sections in the order of the tables, which rows are of bots of before, and what is missing."""
    missing = ", ".join(f"`{table.name}`" for table in TABLES if table.name not in sections)
    shown = [_shown(table, sections[table.name], stamps[table.name]) for table in TABLES if table.name in sections]
    return HEAD + (f"Not measured yet: {missing}.\n\n" if missing else "") + "\n".join(shown)


def _shown(table: LadderTable, section: Section, stamps: Measured) -> str:
    old = stale(table, section.rows, stamps)
    lines = [f"## {table.title}", "", f"`{table.name}`, last measured on {stamps.on}.", ""]
    if old:
        lines += [f"{STALE} {', '.join(old)}. `LADDER_TABLES={table.name} make ladder` measures those of today.", ""]
    ratings = [f"| {bot} | {points} | {spread} |" for bot, (points, spread) in section.ratings.items()]
    return "\n".join([*lines, ROWS, *section.rows.values(), "", RATINGS, *ratings, ""])


HEAD = f"""# How strong the bots are

For players choosing an opponent, and for developers checking whether a change made a bot better. One seat of the challenger
plays against a table full of the other bot; every deal is played once for each seat of the challenger, with the same cards. The
intervals are bootstrapped over deals, and no row has fewer than {LEAST_DEALS} of them, or {LEAST_DEALS_AT_ONCE}
where all bots answer at once. Bots think in steps here, not in time,
so the figures do not depend on the machine. `odds`
are those of the share of wins as a multiple of fair odds, so that tables of any size compare. A level is meant to have
{LEAST} times fair odds against the one below: 60% with two seats, 43% with three, 33% with four. With less it is no level at
that table. In teams a win is split among the members, and one seat is a part of its team: there the odds say little.
`cheat:` is shown the true table: a bound, not an opponent. `watcher`, `fitted` and the like look for weaknesses of
the strongest bots, and sit in no match. [Bots](../bots.md) says who they are. Written by `make ladder`; bots that are new at a
table, or play differently now, are rated by their rows among the others.

"""
