"""The arena's command: its numbers as JSON, a run that was killed and goes on, and wishes that cannot be met."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tafelrunde.domain.game import GameId, InvalidOptions
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.features.bots.arena import DuelOutcome, Task, tasks
from tafelrunde.service.features.bots.shipped_ratings import RATINGS
from tafelrunde.workers.cli.features.bots import program_arena
from tafelrunde.workers.cli.features.bots.arena_runner import contest, pairs_of
from tafelrunde.workers.cli.features.bots.commands import measure_bots
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import alive, until

MATCHMASTER = GAMES[GameId("matchmaster")]
COMMAND = [sys.executable, "-P", "-m", "tafelrunde.workers", "arena", "matchmaster", "--seats", "2"]


def arena(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)


def some(deals: int) -> list[Task]:
    """Return that many deals of one duel."""
    return tasks(MATCHMASTER, {}, 2, [("honest", "random")], deals, 1)


def test_arena_prints_the_documented_object() -> None:
    """What docs/bots.md says of it: shares with their intervals, and ratings, the strongest first."""
    printed: dict[str, Any] = json.loads(arena("--bots", "honest,random", "--deals", "4", "--json").stdout)
    assert set(printed) == {"game", "seats", "seed", "duels", "ratings"}
    assert set(printed["duels"][0]) == {"challenger", "other", "deals", "matches", "share", "low", "high", "fair"}
    assert [set(rating) for rating in printed["ratings"]] == 2 * [{"bot", "points", "spread", "matches"}]
    assert [(duel["challenger"], duel["matches"]) for duel in printed["duels"]] == [("honest", 8), ("random", 8)]


def test_arena_that_was_killed_goes_on_and_leaves_no_one_behind(tmp_path: Path) -> None:
    """No deal is lost, none is played twice, the numbers are those of one run, and its processes end with it."""
    out = tmp_path / "outcomes.ndjson"
    wish = ["--bots", "honest,random", "--deals", "60", "--out", str(out)]
    with subprocess.Popen([*COMMAND, *wish], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        until("a deal is stored", lambda: out.exists() and out.stat().st_size > 0)
        players = children(running.pid)
        running.send_signal(signal.SIGKILL)
    assert players
    until("no player is left", lambda: not any(alive(player) for player in players))
    wanted = tasks(MATCHMASTER, {}, 2, pairs_of(["honest", "random"]), 60, 1)
    assert contest(wanted, out, quiet=True) == contest(wanted, None, quiet=True)
    played = [json.dumps(json.loads(line)["task"]) for line in out.read_text().splitlines()]
    assert len(played) == len(set(played)) == 120


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_line_that_was_torn_spoils_nothing_that_is_added(tmp_path: Path) -> None:
    """A run that was killed while writing is resumed twice: the torn deal is played again, and the file stays whole."""
    out = tmp_path / "outcomes.ndjson"
    whole = contest(some(4), out, quiet=True)
    os.truncate(out, out.stat().st_size - 9)
    assert contest(some(4), out, quiet=True) == whole
    assert contest(some(5), out, quiet=True)[:4] == whole
    assert len(out.read_bytes().splitlines()) == 5


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        pytest.param({"bots": "honest"}, "bots", id="alone"),
        pytest.param({"bots": "honest,nobody"}, "bots", id="unknown"),
        pytest.param({"ladder": True}, "bots", id="bots-and-ladder"),
        pytest.param({"out": Path("/nowhere/outcomes")}, "out", id="no-folder"),
        pytest.param({"out": Path("/")}, "out", id="a-folder"),
        pytest.param({"option": ["jokers=1"]}, "jokers", id="option"),
        pytest.param({"seats": 9}, "seats", id="seats"),
    ],
)
def test_arena_is_refused_when_a_wish_cannot_be_met(wish: dict[str, Any], named: str) -> None:
    """The wrong wish is named, before anything is played."""
    wishes: dict[str, Any] = {"seats": 2, "bots": "honest,random", "deals": 1, **wish}
    with pytest.raises(InvalidOptions) as caught:
        measure_bots("matchmaster", **wishes)
    assert caught.value.field == named


@pytest.mark.parametrize("content", ["hello\n", "hello", '{"game": "coup"}'])
def test_file_with_something_else_is_refused_and_kept(tmp_path: Path, content: str) -> None:
    """Nothing is added to a file that is not the arena's, and nothing is taken from it."""
    out = tmp_path / "notes.txt"
    out.write_text(content)
    with pytest.raises(InvalidOptions, match="something else"):
        contest(some(1), out, quiet=True)
    assert out.read_text() == content


def test_outcomes_come_in_the_order_of_their_tasks(tmp_path: Path) -> None:
    """Whichever process was first."""
    found: list[DuelOutcome] = contest(some(6), None, quiet=True)
    assert [outcome.task for outcome in found] == some(6)


def test_arena_of_a_program_shows_how_far_it_is_and_what_its_rating_compares_with(tmp_path: Path) -> None:
    """From the first deal on, also where standard error is no terminal; and beside the rating those of the bots that it met."""
    program = tmp_path / "bot.py"
    program.write_text((ROOT / "docs" / "examples" / "bot.py").read_text(encoding="utf-8"), encoding="utf-8")
    done = arena("--program", str(program), "--bots", "random,beginner", "--deals", "1")
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stderr.splitlines()
    assert (first, last) == ("matchmaster: 0 of 2 deals played.", "matchmaster: 2 of 2 deals played.")
    ratings = RATINGS[MATCHMASTER.id]
    assert done.stdout.splitlines()[-1] == (f"On the same scale: random {ratings['random']}, beginner {ratings['beginner']}.")


def test_deal_is_counted_when_it_is_done_and_the_rest_is_dropped_when_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow deal at the beginning hides none of the others; a program that fails is not started for each deal that is left."""
    counted, ended = threading.Event(), threading.Event()
    begun: list[int] = []

    class Pool(ThreadPoolExecutor):
        """Two threads, which play what is left only once no further deal is begun."""

        def __init__(self, workers: int | None) -> None:
            super().__init__(2)

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            """Drop what is left."""
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            ended.set()
            super().shutdown(wait=wait)

    def play(place: object, task: Task) -> DuelOutcome:
        begun.append(task.deal)
        if task.deal == 0:
            assert counted.wait(PATIENCE_SECONDS), "another deal was counted meanwhile"
        if task.deal == 2:
            raise StartupRefused("the program failed")
        if task.deal > 2:
            assert ended.wait(PATIENCE_SECONDS), "the failure was noticed"
        return DuelOutcome(task, (), 0)

    monkeypatch.setattr(program_arena, "_play", play)
    monkeypatch.setattr(program_arena, "ThreadPoolExecutor", Pool)
    with pytest.raises(StartupRefused):
        program_arena.contest("x", MATCHMASTER, 2, {}, ["random"], 50, counted.set)
    assert len(begun) < 10
