"""Your own program against the bots of a game: it plays over HTTP, on a service that lives for this contest only."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import uvicorn

from tafelrunde.client import Client

from .....api.app import create_app
from .....api.server.process import configure
from .....domain.game import AnyGame, InvalidOptions
from .....domain.match.opening import read_options
from .....domain.match.terms import OptionValue
from .....service.application import Application
from .....service.errors import StartupRefused
from .....service.features.bots.arena import DuelOutcome, Task
from .....service.memory_store import memory_stores
from .....service.settings import LimitSettings, Settings
from ....listener import listen
from ...environment import games_of_environment
from .opponents import with_exploiters

SECONDS = 900
"""How long a program may take for the matches of one deal."""
PATIENT = {"turn_seconds": 3_600, "reaction_seconds": 3_600, "stand_in_after": 0}
NODE = {".js", ".mjs", ".ts", ".mts"}


class Contest(NamedTuple):
    """A program, the game that it plays, and where."""

    command: Sequence[str]
    name: str
    game: AnyGame
    seats: int
    options: Mapping[str, OptionValue]
    url: str
    token: str


def command_of(program: str) -> list[str]:
    """Return how a program is started: Python by this Python, JavaScript and TypeScript by Node.js, anything else as it is."""
    words = [program] if Path(program).is_file() else shlex.split(program)
    if not words:
        raise InvalidOptions("program", "name a file or a command")
    suffix = Path(words[0]).suffix
    if suffix == ".py":
        return [sys.executable, *words]
    return ["node", *words] if suffix in NODE else words


def contest(
    program: str,
    game: AnyGame,
    seats: int,
    options: Mapping[str, OptionValue],
    rivals: Sequence[str],
    deals: int,
    tick: Callable[[], None],
) -> list[DuelOutcome]:
    """Let a program play a number of deals against a table of each rival, once from every seat.

    Raises InvalidOptions, and StartupRefused if the program cannot be started or fails.
    Deals are drawn, not shared. A match that the program does not play to its end counts as none.
    """
    read_options(game, options, seats)
    offered = with_exploiters(game).bots()
    if unknown := [rival for rival in rivals if rival not in offered]:
        raise InvalidOptions("bots", f"{game.id} has no bot {unknown[0]!r}, but {', '.join(offered)}")
    command = command_of(program)
    name = Path(command[-1]).name
    with serve() as url, Client(url) as client:
        client.sign_up(name[:40], bot=True)
        place = Contest(command, name, game, seats, options, url, client.token or "")
        tasks = [Task(game.id, dict(options), seats, name, rival, 0, deal) for deal in range(deals) for rival in rivals]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            playing = [pool.submit(_play, place, task) for task in tasks]
            try:
                for each in as_completed(playing):
                    each.result()
                    tick()
            finally:
                pool.shutdown(cancel_futures=True)
            return [each.result() for each in playing]


@contextmanager
def serve() -> Generator[str]:
    """Run a service over stores in memory on a free port for the duration of the block; yield its address."""
    settings = Settings(port=0, bot_pause_ms=0, limits=LimitSettings(rate_limits=False), drain_seconds=1)
    games = {name: with_exploiters(game) for name, game in games_of_environment().items()}
    app = create_app(application=Application(memory_stores(), settings, games=games), tend=True)
    with listen(settings) as listener:
        server = uvicorn.Server(configure(app, settings))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def _play(place: Contest, task: Task) -> DuelOutcome:
    """Play one deal: a match from each seat, all of them by one run of the program."""
    with Client(place.url, place.token) as client:
        matches = [_open(client, place, task, seat) for seat in range(place.seats)]
        _run(place, matches)
        ranks = [client.match(match).placings for match in matches]
    return DuelOutcome(task, tuple(None if found is None else tuple(each.rank for each in found) for found in ranks), 0)


def _open(client: Client, place: Contest, task: Task, seat: int) -> str:
    bots = {other: task.other for other in range(place.seats) if other != seat}
    opened = client.open_match(
        place.game.id,
        place.seats,
        bots=bots,
        options=place.options,
        seat=seat,
        clock=PATIENT,
        visibility="unlisted",
        rated=False,
        start=True,
    )
    return opened.match


def _run(place: Contest, matches: Sequence[str]) -> None:
    """Run the program with the addresses of its matches; raise StartupRefused with what it says if it fails."""
    environment = {**os.environ, "TAFELRUNDE_TOKEN": place.token}
    command = [*place.command, place.url, *matches]
    try:
        done = subprocess.run(  # noqa: S603 - the program that the person at the command line names
            command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except FileNotFoundError as error:
        raise StartupRefused(f"{command[0]} is not there.") from error
    except subprocess.TimeoutExpired as error:
        raise StartupRefused(f"{place.name} has not ended its matches within {SECONDS // 60} minutes.") from error
    if done.returncode != 0:
        raise StartupRefused(f"{place.name} failed: {(done.stderr.strip().splitlines() or ['it says nothing'])[-1]}")
