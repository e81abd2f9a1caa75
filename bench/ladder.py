"""The ladder: every level of bots against the one below, in every game, written to docs/strength/. `python -m bench.ladder`.

Outcomes are kept in a folder, with the stamp of the bots that played, so that a stopped run can be resumed, with more deals too:
`LADDER_DEALS=400 LADDER_FOLDER=... make ladder`. `LADDER_TABLES=coup-2,coup-6` measures these tables only. LADDER_DEALS=0 plays
nothing and writes what the bots of today have played. What is not measured keeps its rows, and the page says if the bots play
differently now: docs/strength/stamps.json has a stamp of the bots that each table was measured with.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bench.scale import SMALL, part, sized
from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, GameId, Level
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.arena import CHEAT, Duel, DuelOutcome, Rating, Task, duels, rate, read_outcomes, tasks
from tafelrunde.service.features.bots.stamps import stamp_of
from tafelrunde.service.matches.pacing import DEEP
from tafelrunde.workers.cli.features.bots.arena_runner import contest, rungs_of
from tests.support.facts import facts_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "strength" / "index.md"
STAMPS = PAGE.with_name("stamps.json")
STRENGTH = ROOT / "service" / "features" / "bots" / "strength.json"
TABLES = [(game, seats) for place in range(6) for game in GAMES for seats in facts_of(game).ladder_seats[place : place + 1]]
"""Games and numbers of seats, first one table of each game: it gives the game's bots their ratings."""
STALE = "Measured with bots that played differently:"
"""How the page begins the line for figures of bots of before."""
UNLIKE = 1.5
"""A level has at least these odds against the one below, as a multiple of fair odds; with less it is none at that table."""
FAR = 8
"""Divisor for the number of deals that show the distance from the rules of thumb to the top, and to the bound."""


def main() -> None:
    """Measure what has not been measured yet, and write all of it."""
    if SMALL:
        with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
            print("\n".join(_played(1, Path(folder), TABLES[: len(GAMES)])[1].values()))
        return
    folder = Path(os.environ.get("LADDER_FOLDER", ROOT / ".tafelrunde" / "ladder"))
    folder.mkdir(parents=True, exist_ok=True)
    wanted = os.environ.get("LADDER_TABLES", ",".join(map(named, TABLES))).split(",")
    deals = int(os.environ.get("LADDER_DEALS", "400"))
    ratings, parts = _played(deals, folder, [table for table in TABLES if named(table) in wanted])
    known = msgspec.json.decode(STRENGTH.read_bytes(), type=dict[str, dict[str, int]])
    STRENGTH.write_bytes(msgspec.json.format(msgspec.json.encode({**known, **ratings})) + b"\n")
    stamps = {**stamps_kept(), **{name: stamp_of(*_table(name)) for name in parts}}
    STAMPS.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(stamps.items())))) + b"\n")
    PAGE.write_text(page({**sections(), **parts}, stamps), encoding="utf-8")


def named(table: tuple[str, int]) -> str:
    """Return the name of a table: the game and the number of seats."""
    return f"{table[0]}-{table[1]}"


def _table(name: str) -> tuple[AnyGame, int]:
    game, _, seats = name.rpartition("-")
    return GAMES[GameId(game)], int(seats)


def outcomes_of(folder: Path, table: tuple[str, int]) -> Path:
    """Return where the outcomes of a table are kept: those of bots that played differently are in another file."""
    name = named(table)
    return folder / f"{name}-{stamp_of(*_table(name))}.ndjson"


def stamps_kept() -> dict[str, str]:
    """Return with which bots each table was measured."""
    return msgspec.json.decode(STAMPS.read_bytes(), type=dict[str, str])


def sections() -> dict[str, str]:
    """Return what the page says of each table that was ever measured."""
    titles = {_title(GAMES[game], seats): named((game, seats)) for game, seats in TABLES}
    parts = PAGE.read_text("utf-8").split("\n## ")[1:]
    lines = {titles["## " + title]: "## " + part for part in parts if "## " + (title := part.partition("\n")[0]) in titles}
    return {name: "\n".join(line for line in part.split("\n") if not line.startswith(STALE)) for name, part in lines.items()}


def stale(stamps: Mapping[str, str]) -> list[str]:
    """Return the tables whose bots play differently now than when they were measured."""
    return [name for name, stamp in stamps.items() if stamp_of(*_table(name)) != stamp]


def _played(
    deals: int, folder: Path, tables: Sequence[tuple[GameId, int]]
) -> tuple[Mapping[str, Mapping[str, int]], Mapping[str, str]]:
    """Return the ratings of all bots by game, and a section for each table that has outcomes."""
    ratings: dict[str, dict[str, int]] = {}
    parts: dict[str, str] = {}
    for name, seats in tables:
        game = GAMES[name]
        part(f"{name}, {seats} seats")
        outcomes = _measured(game, seats, deals, outcomes_of(folder, (name, seats)))
        if not outcomes:
            continue
        strength = rate(outcomes)
        if (name, seats) == next(table for table in TABLES if table[0] == name):
            ratings[name] = {each.bot: each.points for each in strength if each.bot in game.bots()}
        parts[named((name, seats))] = _section(game, seats, duels(outcomes), strength)
    return ratings, parts


def _measured(game: AnyGame, seats: int, deals: int, file: Path) -> list[DuelOutcome]:
    if not deals:
        return list(read_outcomes(file.read_bytes().splitlines(keepends=True))) if file.exists() else []
    planned: list[Task] = []
    for rung in filter(_wanted, rungs_of(game)):
        planned += tasks(game, {}, seats, [rung], _deals(game, rung, deals), 1)
    return contest(planned, file)


def _wanted(rung: Iterable[str]) -> bool:
    """Return whether a rung is played: a small run omits bots that think for long."""
    return not SMALL or not any(name.startswith(CHEAT) or "search" in name or "inference" in name for name in rung)


def _deals(game: AnyGame, rung: Iterable[str], deals: int) -> int:
    levels = {character(game, name.removeprefix(CHEAT)).level for name in rung if name not in game.exploiters()}
    return max(deals // FAR, 1) if Level.RULES in levels and levels & DEEP else deals


def _section(game: AnyGame, seats: int, results: Iterable[Duel], strength: Iterable[Rating]) -> str:
    lines = [_title(game, seats), ""]
    lines += ["| challenger | against | deals | share of wins | 95 % | fair | odds |", "|---|---|---:|---:|---|---:|---:|"]
    lines += map(_row, results)
    lines += ["", "| bot | rating | give or take |", "|---|---:|---:|"]
    lines += [f"| {each.bot} | {each.points} | {each.spread} |" for each in strength]
    return "\n".join([*lines, ""])


def _title(game: AnyGame, seats: int) -> str:
    return f"## {game.messages[game.id].en}, {seats} seats"


def _row(duel: Duel) -> str:
    share, low, high, fair = (f"{value:.1%}" for value in (duel.share, duel.low, duel.high, duel.fair))
    odds = f"{odds_of(duel.share, duel.fair):.1f}" if duel.share < 1 else "-"
    return f"| {duel.challenger} | {duel.other} | {duel.deals} | {share} | {low} to {high} | {fair} | {odds} |"


def odds_of(share: float, fair: float) -> float:
    """Return the odds of a share of wins below 1 as a multiple of fair odds."""
    return share / (1 - share) / (fair / (1 - fair))


def page(parts: Mapping[str, str], stamps: Mapping[str, str]) -> str:
    """Return the page: all sections in the order of the tables, which of them are of bots of before, and which are missing."""
    old = set(stale(stamps))
    missing = ", ".join(f"`{named(table)}`" for table in TABLES if named(table) not in parts)
    shown: list[str] = []
    for table in TABLES:
        if (text := parts.get(name := named(table))) is not None:
            title, _, rest = text.strip().partition("\n")
            note = f"\n{STALE} `LADDER_TABLES={name} make ladder` measures those of today.\n" if name in old else ""
            shown.append(f"{title}\n{note}\n{rest.strip()}\n")
    return _head() + (f"Not measured yet: {missing}.\n\n" if missing else "") + "\n".join(shown)


def _head() -> str:
    return f"""# How strong the bots are

For players choosing an opponent, and for developers checking whether a change made a bot better. One seat of the challenger
plays against a table full of the other bot; every deal is played once for each seat of the challenger, with the same cards. The
intervals are bootstrapped over deals. Bots think in steps here, not in time, so the figures do not depend on the machine. `odds`
are those of the share of wins as a multiple of fair odds, so that tables of any size compare. A level is meant to have
{UNLIKE} times fair odds against the one below: 60% with two seats, 43% with three, 33% with four. With less it is no level at
that table. `cheat:` is shown the true table: a bound, not an opponent. `watcher`, `fitted` and the like look for weaknesses of
the strongest bot, and sit in no match. [Bots](../bots.md) says who they are. Written by `make ladder`, last on
{datetime.now(UTC):%Y-%m-%d}.

"""


if __name__ == "__main__":
    sized(__doc__)
    main()
