"""`python -m tools.check_openspiel`: the games through OpenSpiel's own tests, and a data set as Parquet.

These need large packages (extras `openspiel` and `parquet`), so they are not part of the usual tests.
"""

from __future__ import annotations

import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tafelrunde.domain.registry import GAMES
from tafelrunde.workers.cli import app
from tools.commands import alone

PLAYED = ("coup", "mondkrone")
"""The games whose playthroughs are short enough to be written twice."""


def check_games() -> None:
    """Run random matches with all checks of OpenSpiel, every state written and read again; compare two playthroughs of a seed."""
    pyspiel: Any = import_module("pyspiel")
    short_name = import_module("tafelrunde.research.openspiel").short_name
    playthrough: Any = import_module("open_spiel.python.algorithms.generate_playthrough").playthrough
    for game in GAMES.values():
        name = short_name(game)
        pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)
        if game.id in PLAYED and playthrough(name, None, seed=1) != playthrough(name, None, seed=1):
            raise AssertionError(f"{name}: two playthroughs of one seed differ")
        sys.stdout.write(f"{name}: right\n")


def check_search() -> None:
    """Let a search that knows nothing of these games choose a move."""
    pyspiel: Any = import_module("pyspiel")
    numpy: Any = import_module("numpy")
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    game = pyspiel.load_game('tafelrunde_coup(players=2,options={"fifth_role":"inquisitor"})')
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    rng = numpy.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 10, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    if bot.step(state) not in state.legal_actions():
        raise AssertionError("a search of OpenSpiel has chosen what is not legal")
    sys.stdout.write("MCTS: right\n")


def check_parquet() -> None:
    """Compare a data set as Parquet with the same rows as lines of JSON."""
    parquet: Any = import_module("pyarrow.parquet")
    with tempfile.TemporaryDirectory() as folder:
        lines, columns = Path(folder, "rows.ndjson"), Path(folder, "rows.parquet")
        for form, out in (("ndjson", lines), ("parquet", columns)):
            command = ["dataset", "play", "coup", "--seats", "2", "--matches", "3", "--format", form, "--out", str(out)]
            CliRunner().invoke(app, command, catch_exceptions=False)
        rows = parquet.read_table(columns).to_pylist()
        for row in rows:
            row |= {name: json.loads(row[name]) for name in ("options", "view", "command")}
        if not rows or rows != [json.loads(line) for line in lines.read_bytes().splitlines()]:
            raise AssertionError("Parquet has other rows than the lines of JSON")
    sys.stdout.write(f"Parquet: right, {len(rows)} rows\n")


if __name__ == "__main__":
    alone(__doc__)
    check_games()
    check_search()
    check_parquet()
