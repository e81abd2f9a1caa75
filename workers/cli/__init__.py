"""The command line, and the composition root of all layers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Annotated

import typer

from ...domain.game import InvalidOptions, RuleViolation
from ...service.errors import CorruptHistory, Forbidden, NotFound, RecordWrong, StartupRefused, StoreUnavailable, VersionConflict
from ...service.runtime.gc_tuning import collect_rarely
from ...service.runtime.queue_names import QueueName
from ...service.settings import Settings
from ..processes import FORKS, REFUSED
from .dataset import app as datasets
from .environment import games_of_environment, run_to_end, settings_of, token_of_environment
from .features import Section, section
from .operators import app as operating
from .operators import projections
from .simulating import app as simulating

MOST_PORT = 65_535
PROCESSES = ("...api.app", "...api.server.process", "..sweeper", "..worker")

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"tafelrunde {version('tafelrunde')}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)] = False,
) -> None:
    """Card games with hidden information: rules, bots and clocks behind an HTTP API. Settings come from the environment."""


def main() -> None:
    """Run the command line. An operator's error is reported in one sentence, with exit code 2."""
    collect_rarely()
    try:
        _command()()
    except (StartupRefused, InvalidOptions) as refusal:
        _fail(str(refusal), REFUSED)
    except RuleViolation as violation:
        _fail(refusal_text(violation), 1)
    except (NotFound, Forbidden, RecordWrong, StoreUnavailable, CorruptHistory, VersionConflict) as error:
        said = str(error)  # names and ids in it keep their capitals
        _fail(f"{said[:1].upper()}{said[1:]}.", 1)


@cache
def _command() -> Callable[[], None]:
    """Return the command line, built once: the forked children of `serve` inherit it."""
    return typer.main.get_command(app)


def refusal_text(violation: RuleViolation) -> str:
    """Return why a match refuses something, as text."""
    from ...domain.match.refusals import MATCH_MESSAGES

    text = MATCH_MESSAGES.get(f"match.refusal.{violation.refusal.code}")
    return text.en if text is not None else violation.refusal.code


def _fail(sentence: str, code: int) -> None:
    sys.stderr.write(f"{sentence}\n")  # at once: lines of other processes must not come between
    sys.exit(code)


def _usable(process: str) -> Settings:
    """Return the settings of a process; raise StartupRefused if it could not work with them."""
    settings = settings_of(process)

    from ..setting_checks import require_usable

    require_usable(settings)
    return settings


def _import_processes(games: str = "") -> None:
    """Import what the processes of `serve` need, if they are forked from this one: once for all of them, and all restarts."""
    if FORKS:
        for module in PROCESSES:
            import_module(module, __package__)

        from ...service.games import games_of
        from ...service.matches.codec import Codec

        Codec(games_of(games))  # msgspec examines the types of all events here, and keeps the result with each type


# Processes. Their modules are imported on use: other commands start faster without them.


@app.command()
def serve() -> None:
    """Run the whole service, supervised: embedded server, API, sweeper and workers. Stop it with Ctrl-C.

    Settings are variables: TAFELRUNDE_PORT, TAFELRUNDE_HOST, TAFELRUNDE_DATA_DIR; all of them are in docs/operating.md.
    """
    settings = _usable("serve")

    from ...api.http.cors import read_origins
    from ...api.http.response import problem
    from ...api.problems import problem_of
    from ...service.errors import StoreUnavailable
    from ...service.runtime.embedded_valkey import EmbeddedServer
    from ...service.runtime.job_queue import client_of
    from ..bootstrap import check, with_embedded
    from ..listener import listen
    from ..supervisor import Supervisor
    from ..unavailable_responder import unavailable_responder

    read_origins(settings.cors_origins)
    _import_processes(settings.games)
    with listen(settings) as listener:
        server = EmbeddedServer.of(settings) if settings.redis_url is None else None
        try:
            settings = settings if server is None else with_embedded(settings, server.url)
            away = problem(problem_of(StoreUnavailable("no server yet")))
            turn_away = unavailable_responder(listener, away.headers, away.body)
            settings = run_to_end(check(settings, patient=True, while_waiting=turn_away))
            client_of(settings, while_waiting=turn_away).close()
            if not Supervisor(settings, listener, server, typer.echo, main).run():
                raise typer.Exit(REFUSED)
        finally:
            if server is not None:
                server.stop()


@app.command()
def api(listener: Annotated[int | None, typer.Option(hidden=True)] = None) -> None:
    """Run only the HTTP API."""
    from ...service.runtime.siblings import Siblings

    siblings = Siblings.of(os.environ)
    settings = _usable("api" if siblings is None else siblings.name)

    from ...api.app import create_app
    from ...api.server.process import run_api
    from ..bootstrap import check
    from ..listener import adopt, listen
    from ..parent_watch import is_supervised
    from ..watchdog import Pulse

    if not is_supervised(os.environ):
        run_to_end(check(settings))
    socket = listen(settings) if listener is None else adopt(listener)
    application = create_app(settings, patient=True, siblings=siblings)
    beating = Pulse.of(os.environ).going_round()
    if not run_api(application, application.state.running.drain, socket, settings, beating, siblings):
        raise typer.Exit(1)


@app.command()
def worker(
    queue: Annotated[
        list[str] | None,
        typer.Option(help=f"Serve only these queues, in order of priority: {', '.join(each.value for each in QueueName)}."),
    ] = None,
) -> None:
    """Run a worker: it plays bot moves and handles expired clocks."""
    queues = [_queue(name) for name in queue or ()]
    settings = _usable("worker")

    from ..worker import run

    if not run(settings, queues or list(QueueName)):
        raise typer.Exit(1)


def _queue(name: str) -> QueueName:
    """Return the queue of that name; raise StartupRefused."""
    try:
        return QueueName(name)
    except ValueError:
        known = ", ".join(each.value for each in QueueName)
        raise StartupRefused(f"--queue is {name!r}, which is not a queue: choose from {known}.") from None


@app.command()
def sweeper() -> None:
    """Run the sweeper: it schedules work for the workers and keeps the projections up to date."""
    settings = _usable("sweeper")

    from ..sweeper import run

    run(settings)


class Role(Enum):
    """A process whose health can be checked."""

    WORKER = "worker"
    SWEEPER = "sweeper"


@app.command()
def health(role: Role) -> None:
    """Check whether a worker or sweeper on this host is healthy (exit code 0) or not (1)."""
    settings = settings_of("health")

    from ...service.runtime.job_queue import client_of
    from ..heartbeat import alive

    if not alive(client_of(settings), role.value):
        _fail(f"No {role.value} on this host has sent a heartbeat recently.", 1)


# Tools


tools = typer.Typer()


@tools.command()
def mcp(
    url: Annotated[str, typer.Option(help="URL of a service.")] = "http://127.0.0.1:8000",
    http: Annotated[str | None, typer.Option(metavar="HOST:PORT", help="Serve any number of models over HTTP there.")] = None,
    origin: Annotated[list[str] | None, typer.Option(help="An origin whose pages may use them; repeat for more.")] = None,
) -> None:
    """Offer a service's matches as tools to a language model (MCP over standard input and output). Needs the extra `mcp`.

    It plays as the player whose token is in TAFELRUNDE_TOKEN, or as a new guest. With --http each model plays as the player of
    the bearer token that it sends (Streamable HTTP, under /mcp).
    """
    if not url.startswith(("http://", "https://")):
        raise StartupRefused(f"{url} is not the address of a service, like http://127.0.0.1:8000.")
    from tafelrunde.client.tool_server import serve

    if http is None:
        run_to_end(serve(url, token_of_environment()))
        return
    host, _, port = http.rpartition(":")
    if not host or not port.isdigit() or int(port) > MOST_PORT:
        raise StartupRefused(f"{http} is not a host and a port, like 127.0.0.1:8100.")
    from tafelrunde.client.tool_http import serve_http

    typer.echo(f"The tools of {url} are at http://{http}/mcp.")
    serve_http(url, host.strip("[]"), int(port), origin or ())


@tools.command()
def openapi(
    growing: Annotated[bool, typer.Option(help="Allow unknown members in unions and enums.")] = False,
    core: Annotated[bool, typer.Option(help="Print only what a client needs to play.")] = False,
) -> None:
    """Print the OpenAPI contract of the HTTP API."""
    from ...api.contract.core import core_contract
    from ...api.contract.openapi import contract

    games = games_of_environment()
    typer.echo(core_contract(games) if core else contract(games, growing=growing))


@tools.command()
def asyncapi() -> None:
    """Print the AsyncAPI contract of the socket."""
    from ...api.contract.asyncapi import contract

    typer.echo(contract(games_of_environment()))


# The list of commands, from here on in this order: those of a feature stand with those of the core that do the like.


app.add_typer(section(Section.MATCHES))
app.add_typer(tools)
app.add_typer(simulating)
app.add_typer(section(Section.BOTS))
app.add_typer(datasets, name="dataset")
app.add_typer(operating)
app.add_typer(section(Section.OPERATING))
app.add_typer(projections, name="projections")
app.add_typer(section(Section.AUDITING))
