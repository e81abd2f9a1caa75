"""The ladder: every level of bots against the one below, in every game, written to docs/strength/. `python -m bench.ladder`.

Outcomes are kept in a folder, so that a stopped run can be resumed, also with more deals:
`LADDER_DEALS=400 LADDER_FOLDER=... make ladder`. LADDER_DEALS=0 plays nothing and writes the stored outcomes.
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
from tafelrunde.domain.game import AnyGame, Level
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.arena import CHEAT, Duel, DuelOutcome, Rating, Task, duels, rate, read_outcomes, tasks
from tafelrunde.service.matches.pacing import DEEP
from tafelrunde.workers.cli.arena_runner import contest, rungs_of
from tests.support.facts import facts_of

ROOT = Path(__file__).resolve().parents[1]
TABLES = [(game, seats) for place in range(2) for game in GAMES for seats in facts_of(game).ladder_seats[place : place + 1]]
"""Games and numbers of seats, first one table of each game: it gives the game's bots their ratings."""
FAR = 8
"""Divisor for the number of deals that show the distance from the rules of thumb to the top, and to the bound."""


def main() -> None:
    """Measure what has not been measured yet, and write all of it."""
    if SMALL:
        with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
            print("\n".join(_played(1, Path(folder))[1]))
        return
    folder = Path(os.environ.get("LADDER_FOLDER", ROOT / ".tafelrunde" / "ladder"))
    folder.mkdir(parents=True, exist_ok=True)
    ratings, parts = _played(int(os.environ.get("LADDER_DEALS", "400")), folder)
    (ROOT / "service" / "features" / "bots" / "strength.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(ratings)) + b"\n"
    )
    (ROOT / "docs" / "strength" / "index.md").write_text(_page(parts), encoding="utf-8")


def _played(deals: int, folder: Path) -> tuple[Mapping[str, Mapping[str, int]], Sequence[str]]:
    """Return the ratings of all bots by game, and a section for each table."""
    ratings: dict[str, dict[str, int]] = {}
    parts: list[str] = []
    for name, seats in TABLES:
        game = GAMES[name]
        part(f"{name}, {seats} seats")
        outcomes = _measured(game, seats, deals, folder / f"{name}-{seats}.ndjson")
        if not outcomes:
            continue
        strength = rate(outcomes)
        ratings.setdefault(name, {each.bot: each.points for each in strength if ":" not in each.bot})
        parts.append(_section(game, seats, duels(outcomes), strength))
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
    levels = {character(game, name.removeprefix(CHEAT)).level for name in rung}
    return max(deals // FAR, 1) if Level.RULES in levels and levels & DEEP else deals


def _section(game: AnyGame, seats: int, results: Iterable[Duel], strength: Iterable[Rating]) -> str:
    lines = [f"## {game.messages[game.id].en}, {seats} seats", ""]
    lines += ["| challenger | against | deals | share of wins | 95 % | fair |", "|---|---|---:|---:|---|---:|"]
    lines += map(_row, results)
    lines += ["", "| bot | rating | give or take |", "|---|---:|---:|"]
    lines += [f"| {each.bot} | {each.points} | {each.spread} |" for each in strength]
    return "\n".join([*lines, ""])


def _row(duel: Duel) -> str:
    share, low, high, fair = (f"{value:.1%}" for value in (duel.share, duel.low, duel.high, duel.fair))
    return f"| {duel.challenger} | {duel.other} | {duel.deals} | {share} | {low} to {high} | {fair} |"


def _page(parts: Iterable[str]) -> str:
    head = f"""# How strong the bots are

For whoever chooses an opponent, or wants to know whether a change made a bot better. One seat of the challenger plays against
a table full of the other bot; every deal is played once for each seat of the challenger, with the same cards. The intervals
are bootstrapped over deals. Bots think in steps here, not in time, so the figures do not depend on the machine. A level is
meant to win 60% against the one below with two seats, 43% with three and 33% with four: the same odds each time. `cheat:` is
shown the true table: a bound, not an opponent. [Bots](../bots.md) says who they are. Written by `make ladder` on
{datetime.now(UTC):%Y-%m-%d}.

"""
    return head + "\n".join(parts)


if __name__ == "__main__":
    sized(__doc__)
    main()
