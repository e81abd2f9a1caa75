"""The ladder: every level of bots against the one below, in every game, written to docs/strength/. `python -m bench.ladder`.

Outcomes are kept in a folder, with the stamps of the bots that played, so that a stopped run can be resumed, with more deals too:
`LADDER_DEALS=400 LADDER_FOLDER=... make ladder`. `LADDER_TABLES=coup-2,coup-6` measures these tables only, and LADDER_QUICK=1
only bots that answer at once. LADDER_DEALS=0 plays nothing and writes what the bots of today have played. What is not measured
keeps its rows and its date, and the page says of which rows the bots play differently now: docs/strength/stamps.json has the
stamps that each row was measured with.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bench.scale import SMALL, part, sized
from bench.strength_page import Measured, Section, deals_and_share, kept, named_rung, row_of, section_of, stamps_kept, write
from bench.strength_tables import TABLES, LadderTable, Rung, answers_at_once, stamps_today
from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, Level
from tafelrunde.service.features.bots.arena import CHEAT, DuelOutcome, duels, rate, read_outcomes, tasks
from tafelrunde.service.features.bots.placing import NOISE
from tafelrunde.service.matches.pacing import DEEP
from tafelrunde.service.strength.model import BEGINNER
from tafelrunde.service.strength.scores import BASE, SCALE
from tafelrunde.workers.cli.features.bots.arena_runner import contest, rungs_of

ROOT = Path(__file__).resolve().parents[1]
STRENGTH = ROOT / "service" / "features" / "bots" / "strength.json"
FAR = 4
"""Divisor for the number of deals that show the distance from the rules of thumb to the top, and to the bound."""
SWEEPS = 40
"""How often the ratings of all bots that are rated among others are improved."""


def main() -> None:
    """Measure what has not been measured yet, and write all of it."""
    wanted = os.environ.get("LADDER_TABLES", ",".join(table.name for table in TABLES)).split(",")
    if SMALL:
        with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
            for table in TABLES[:5]:
                print("\n".join(row_of(duel) for duel in duels(_outcomes(table, 1, Path(folder)))))
        return
    folder = Path(os.environ.get("LADDER_FOLDER", ROOT / ".tafelrunde" / "ladder"))
    folder.mkdir(parents=True, exist_ok=True)
    deals = int(os.environ.get("LADDER_DEALS", "400"))
    sections, stamps = kept(), stamps_kept()
    ratings = msgspec.json.decode(STRENGTH.read_bytes(), type=dict[str, dict[str, int]])
    for table in (table for table in TABLES if table.name in wanted):
        part(table.name)
        if not (outcomes := _outcomes(table, deals, folder)):
            continue
        before, old = sections.get(table.name), stamps.get(table.name)
        sections[table.name] = section = measured(table, outcomes, before, old.rungs if old else {})
        on = old.on if old and before and before.rows == section.rows else f"{datetime.now(UTC):%Y-%m-%d}"
        stamps[table.name] = Measured(on, _stamps(table, section, outcomes, old))
        if table == next(each for each in TABLES if each.game == table.game):
            ratings[table.game] = {bot: points for bot, (points, _) in section.ratings.items() if bot in table.rules.bots()}
        STRENGTH.write_bytes(msgspec.json.format(msgspec.json.encode(ratings)) + b"\n")
        write(sections, stamps)
    write(sections, stamps)


def outcomes_of(folder: Path, table: LadderTable, rung: Rung) -> Path:
    """Return where the outcomes of a rung are kept: those of bots that played differently are in another file."""
    stamp = stamps_today(table).rung(rung)
    return folder / f"{table.name}-{'-'.join(rung).replace(CHEAT, 'cheat-')}-{stamp}.ndjson"


def _outcomes(table: LadderTable, deals: int, folder: Path) -> list[DuelOutcome]:
    """Return what was played of each rung, after the deals that are missing."""
    found: list[DuelOutcome] = []
    for rung in filter(_is_wanted, rungs_of(table.rules)):
        file = outcomes_of(folder, table, rung)
        if deals:
            found += contest(tasks(table.rules, table.options, table.seats, [rung], _deals(table.rules, rung, deals), 1), file)
        elif file.exists():
            found += read_outcomes(file.read_bytes().splitlines(keepends=True))
    return found


def _is_wanted(rung: Rung) -> bool:
    """Return whether a rung is played: a small or a quick run omits bots that think for long."""
    return answers_at_once(rung) or not (SMALL or os.environ.get("LADDER_QUICK") == "1")


def _deals(game: AnyGame, rung: Rung, deals: int) -> int:
    levels = {character(game, name.removeprefix(CHEAT)).level for name in rung if name not in game.exploiters()}
    return max(deals // FAR, 1) if Level.RULES in levels and levels & DEEP else deals


def measured(table: LadderTable, outcomes: Sequence[DuelOutcome], before: Section | None, old: Mapping[str, str]) -> Section:
    """Return the section of a table: rungs that were not played keep their rows, and their bots their ratings.

    A row of today's bots stays if it is of more deals. Bots that are new, or play differently now, are rated among the others.
    """
    played = {(duel.challenger, duel.other): row_of(duel) for duel in duels(outcomes)}
    if before is None:
        return section_of(played, {each.bot: (each.points, each.spread) for each in rate(outcomes)})
    today = stamps_today(table)
    changed = {rung for rung in played if rung in before.rows and old[named_rung(rung)] != today.rung(rung)}
    rows: dict[Rung, str] = {}
    for rung in rungs_of(table.rules):
        known = [each for each in (before.rows.get(rung), played.get(rung)) if each is not None]
        if known:
            rows[rung] = known[-1] if rung in changed else max(known, key=lambda row: deals_and_share(row)[0])
    named = {name for rung in rows for name in rung}
    kept_ratings = {bot: each for bot, each in before.ratings.items() if bot in named - {challenger for challenger, _ in changed}}
    return section_of(rows, kept_ratings | rated_among(rows, kept_ratings, named - kept_ratings.keys(), table.seats))


def rated_among(
    rows: Mapping[Rung, str], known: Mapping[str, tuple[int, int]], bots: Iterable[str], seats: int
) -> dict[str, tuple[int, int]]:
    """Return the ratings of some bots, and their spreads, under which the shares of wins in all rows are most likely.

    The model is that of placing.py, with what is believed of a player of whom nothing is known, by Newton's method.
    """
    points = {bot: float(each) for bot, (each, _) in known.items()}
    points |= dict.fromkeys(bots, BASE)
    spreads: dict[str, float] = {}
    scale, prior = SCALE * NOISE * math.sqrt(seats), (SCALE * BEGINNER.sigma) ** -2
    for bot in [*bots] * SWEEPS:
        slope, curve = (BASE - points[bot]) * prior, prior
        for (challenger, other), row in rows.items():
            if bot in {challenger, other} and {challenger, other} <= points.keys():
                deals, share = deals_and_share(row)
                expected = 1 / (1 + (seats - 1) * math.exp((points[other] - points[challenger]) / scale))
                slope += (1 if bot == challenger else -1) * deals * seats * (share - expected) / scale
                curve += deals * seats * expected * (1 - expected) / scale**2
        points[bot] += max(min(slope / curve, scale), -scale)
        spreads[bot] = 1 / math.sqrt(curve)
    return {bot: (round(points[bot]), max(round(spread), 1)) for bot, spread in spreads.items()}


def _stamps(table: LadderTable, section: Section, outcomes: Sequence[DuelOutcome], old: Measured | None) -> dict[str, str]:
    """Return with which bots each row of a table was measured."""
    today = stamps_today(table)
    played = {(outcome.task.challenger, outcome.task.other) for outcome in outcomes}
    before: Mapping[str, str] = old.rungs if old else {}
    return {(name := named_rung(rung)): today.rung(rung) if rung in played else before[name] for rung in section.rows}


if __name__ == "__main__":
    sized(__doc__)
    main()
