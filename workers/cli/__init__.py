"""The command line, and the place where all layers are put together."""

from __future__ import annotations

import asyncio
import os
import sys
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from ...domain.game import InvalidOptions, RuleViolation, Seat
from ...domain.match import MatchId, PlayerId
from ...domain.wording import Language
from ...service.errors import CorruptHistory, Forbidden, NotFound, RecordWrong, StartupRefused, StoreUnavailable, VersionConflict
from ...service.runtime.queue_names import QueueName
from ...service.settings import Settings, read_settings
from ..parent_watch import end_with_parent
from ..processes import FORKS
from .bots import app as matches_of_bots

REFUSED, UNDECIDED = 2, 3
PROCESSES = ("...api.app", "..api_process", "..sweeper", "..worker")

app = typer.Typer(
    help="Card games with hidden information: rules, bots and clocks behind an HTTP API. Settings come from the environment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
projections = typer.Typer(help="The lists of open, running and own matches.", no_args_is_help=True)
app.add_typer(projections, name="projections")


def main() -> None:
    """Run the command line. What the operator has to mend is said in one sentence, with exit code 2."""
    try:
        app()
    except (StartupRefused, InvalidOptions) as refusal:
        _fail(str(refusal), REFUSED)
    except RuleViolation as violation:
        _fail(refused(violation), 1)
    except (NotFound, Forbidden, RecordWrong, StoreUnavailable, CorruptHistory, VersionConflict) as error:
        said = str(error)  # names and ids in it keep their capitals
        _fail(f"{said[:1].upper()}{said[1:]}.", 1)


def refused(violation: RuleViolation) -> str:
    """Return why a match refuses something, for people."""
    from ...domain.match.refusals import MATCH_MESSAGES

    text = MATCH_MESSAGES.get(f"match.refusal.{violation.refusal.code}")
    return text.en if text is not None else violation.refusal.code


def _token() -> str | None:
    """Return the token in the environment, None if there is none or an empty one."""
    return os.environ.get("TAFELRUNDE_TOKEN", "").strip() or None


def _fail(sentence: str, code: int) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201 - for the person at the command line
    sys.exit(code)


def _settings(process: str) -> Settings:
    """Return the settings of a process, tied to the one that started it and ready to log."""
    from ...service.runtime.logging_setup import configure

    settings = read_settings(os.environ)
    configure(settings, process)
    end_with_parent(os.environ)
    return settings


def _check_lists(settings: Settings) -> None:
    """Raise StartupRefused for settings that otherwise only the children would read, and fail on at every restart."""
    from ...api.http.cors import listed
    from ...service.webhooks.address_guard import networks
    from ...service.webhooks.http_sender import ports_of

    networks(settings.webhook_networks)
    ports_of(settings)
    listed(settings.cors_origins)


def _import_processes() -> None:
    """Import what the processes of `serve` need, if they are forked from this one: once for all of them, and all restarts."""
    if FORKS:
        for module in PROCESSES:
            import_module(module, __package__)


# Processes. Their modules are imported when they are needed: the others start faster without them.


@app.command()
def serve() -> None:
    """Run the whole service, supervised: embedded server, API, sweeper and workers. Stop it with Ctrl-C."""
    from ...service.runtime.embedded_valkey import EmbeddedServer
    from ...service.runtime.job_queue import client_of
    from ..api_process import listen
    from ..bootstrap import check, with_server
    from ..supervisor import Supervisor

    settings = _settings("serve")
    _check_lists(settings)
    _import_processes()
    with listen(settings) as listener:
        server = EmbeddedServer.of(settings) if settings.redis_url is None else None
        try:
            settings = settings if server is None else with_server(settings, server.url)
            asyncio.run(check(settings))
            client_of(settings).close()
            Supervisor(settings, listener, server, typer.echo, main).run()
        finally:
            if server is not None:
                server.stop()


@app.command()
def api(listener: Annotated[int | None, typer.Option(hidden=True)] = None) -> None:
    """Run only the HTTP API."""
    from ...api.app import create_app
    from ..api_process import adopted, listen, run_api
    from ..bootstrap import check

    settings = _settings("api")
    asyncio.run(check(settings))
    socket = listen(settings) if listener is None else adopted(listener)
    application = create_app(settings)
    if not run_api(application, application.state.running.drain, socket, settings):
        raise typer.Exit(1)


@app.command()
def worker(
    queue: Annotated[list[QueueName] | None, typer.Option(help="Serve only these queues, in order of priority.")] = None,
) -> None:
    """Run a worker: it plays bot moves and handles expired clocks."""
    from ..worker import run

    if not run(_settings("worker"), queue or list(QueueName)):
        raise typer.Exit(1)


@app.command()
def sweeper() -> None:
    """Run the sweeper: it schedules work for the workers and keeps the projections up to date."""
    from ..sweeper import run

    run(_settings("sweeper"))


class TokenScope(Enum):
    """A scope of a token."""

    READ = "read"
    PLAY = "play"
    CREATE = "create"
    ADMIN = "admin"
    EMBED = "embed"


class Role(Enum):
    """A process whose health can be checked."""

    WORKER = "worker"
    SWEEPER = "sweeper"


@app.command()
def health(role: Role) -> None:
    """Check whether a worker or sweeper on this host is healthy (exit code 0) or not (1)."""
    from ...service.runtime.job_queue import client_of
    from ..heartbeat import alive

    if not alive(client_of(_settings("health")), role.value):
        _fail(f"No {role.value} on this host has sent a heartbeat recently.", 1)


# Tools


app.add_typer(matches_of_bots)


class Form(Enum):
    """How something is printed: for people, or a JSON object on each line."""

    TEXT = "text"
    JSON = "json"


@app.command()
def replay(
    source: Annotated[str, typer.Argument(help="A record file, the URL of a match, or the id of a stored match.")],
    seat: Annotated[int | None, typer.Option(min=0, help="Show what this seat could see. Default: what was public.")] = None,
    all_open: Annotated[bool, typer.Option("--open", help="Show all cards. The match must be over.")] = False,
    form: Annotated[Form, typer.Option("--format", help="One line per step, as text or as JSON.")] = Form.TEXT,
    language: Annotated[Language, typer.Option(help="Language of the text.")] = Language.EN,
    as_json: Annotated[bool, typer.Option("--json", help="Deprecated: the same as --format json.", hidden=True)] = False,
) -> None:
    """Show a match step by step, as one viewer sees it. Files need no service.

    Requests to a service use the token in TAFELRUNDE_TOKEN, if it is set.
    """
    from .replay import Audience, told
    from .replay import as_json as json_lines
    from .replay_text import as_text

    if all_open and seat is not None:
        raise typer.BadParameter("Say either --seat or --open.")
    everybody = Audience.OPEN if all_open else Audience.PUBLIC
    viewer = everybody if seat is None else Seat(seat)
    story = told(source, viewer, lambda: _settings("replay"), _token())
    if story.undecided:
        typer.echo(
            "This match was played under a rules version that is not installed here: its decisions were not checked.", err=True
        )
    for line in json_lines(story) if as_json or form is Form.JSON else as_text(story, language):
        typer.echo(line)


@projections.command("rebuild")
def rebuild_projections() -> None:
    """Rebuild all lists of matches from their event logs."""
    from ..bootstrap import server_of
    from ..projector import rebuild_all

    with server_of(_settings("projections")) as settings:
        count = asyncio.run(rebuild_all(settings))
    typer.echo(f"{count} matches projected.")


@app.command()
def archive(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list the matches that would be archived.")] = False,
) -> None:
    """Archive all matches that are due, now. The sweeper does this on its own over time."""
    from ..bootstrap import server_of
    from .archive import archive_all

    with server_of(_settings("archive")) as settings:
        asyncio.run(archive_all(settings, dry_run=dry_run, say=typer.echo))


@app.command()
def restore(match: str) -> None:
    """Restore an archived match to its event log. It will be archived again later."""
    from ..bootstrap import server_of
    from .archive import restore as put_back

    with server_of(_settings("restore")) as settings:
        restored = asyncio.run(put_back(settings, MatchId(match)))
    typer.echo("Restored." if restored else "This match is not archived.")


@app.command()
def export(
    match: Annotated[str, typer.Argument(help="The id of a stored match, or the URL of one.")],
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of standard output.")] = None,
) -> None:
    """Write the record of a finished match, with everything needed to verify it, as JSON lines.

    Requests to a service use the token in TAFELRUNDE_TOKEN, if it is set.
    """
    from . import records

    lines = records.export_of(match, lambda: _settings("export"), _token())
    if out is None:
        sys.stdout.buffer.writelines(lines)
    else:
        out.write_bytes(b"".join(lines))


@app.command()
def verify(
    source: Annotated[str, typer.Argument(help="A record file, the URL of a match, or the id of a stored match.")],
    log: Annotated[
        Path | None, typer.Option(help="A file with the response of /log/proofs/{match}, to check the match against.")
    ] = None,
    checkpoint: Annotated[str | None, typer.Option(help="A saved checkpoint, as size:root, to check the log against.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Verify a finished match by running it again; exit code 1 if anything is wrong. Files need no service.

    Exit code 3 if nothing is wrong, but the match was played under a rules version that is not installed here.

    With --log or --checkpoint, also verify that it is in the transparency log; for a URL, the proofs come from that service.

    Requests to a service use the token in TAFELRUNDE_TOKEN, if it is set.
    """
    from . import records

    evidence = records.Evidence(log, checkpoint)
    verdict = records.verdict_of(source, lambda: _settings("verify"), _token(), evidence)
    typer.echo(records.as_json(verdict) if as_json else records.as_text(verdict))
    if not verdict.right:
        raise typer.Exit(1 if verdict.finding is not None else UNDECIDED)


# Operating


@app.command()
def operator(name: Annotated[str, typer.Argument(help="Name of the operator.")]) -> None:
    """Create a player whose token may operate the service, and print the token. It is shown only once."""
    from ..bootstrap import server_of
    from .admin import make_operator, read_name

    called = read_name(name)
    with server_of(_settings("operator")) as settings:
        typer.echo(asyncio.run(make_operator(settings, called)))


@app.command()
def token(
    name: Annotated[str, typer.Argument(help="Name of the player.")],
    scope: Annotated[list[TokenScope] | None, typer.Option(help="A scope of the token; repeat for more.")] = None,
) -> None:
    """Create a player and print its token. The token is shown only once. `--scope embed` makes a key for another application."""
    from ...service.players.accounts import PLAYER_SCOPES
    from ..bootstrap import server_of
    from .admin import make_token, read_name

    called = read_name(name)
    scopes = [each.value for each in scope] if scope else list(PLAYER_SCOPES)
    with server_of(_settings("token")) as settings:
        typer.echo(asyncio.run(make_token(settings, called, scopes)))


@app.command()
def void(match: str, reason: Annotated[str, typer.Option(help="The reason, shown publicly.")]) -> None:
    """Void the result of a finished match."""
    from ..bootstrap import server_of
    from .admin import read_reason
    from .admin import void as void_match

    said = read_reason(reason)
    with server_of(_settings("void")) as settings:
        asyncio.run(void_match(settings, MatchId(match), said))
    typer.echo("The result was voided.")


@app.command()
def adjudicate(
    match: str,
    reason: Annotated[str, typer.Option(help="The reason, shown publicly.")],
    ranks: Annotated[str, typer.Option(help="The rank of each seat, comma-separated: 1,2,2.")],
) -> None:
    """Change the result of a finished match."""
    from ..bootstrap import server_of
    from .admin import adjudicate as adjudicate_match
    from .admin import read_ranks, read_reason

    placings, said = read_ranks(ranks), read_reason(reason)
    with server_of(_settings("adjudicate")) as settings:
        asyncio.run(adjudicate_match(settings, MatchId(match), placings, said))
    typer.echo("The result was changed.")


@app.command()
def forget(player: str) -> None:
    """Delete a player: its name, tokens, and seats in unfinished matches. Finished matches keep only its id."""
    from ..bootstrap import server_of
    from .admin import forget as forget_player

    with server_of(_settings("forget")) as settings:
        asyncio.run(forget_player(settings, PlayerId(player)))
    typer.echo("The player was deleted.")


@app.command()
def backup(folder: Annotated[str, typer.Argument(help="Where to put the copy. It must not exist yet.")]) -> None:
    """Copy the data folder of the embedded server. The service may be running."""
    from ...service.runtime.backup import back_up

    settings = _settings("backup")
    if settings.redis_url is not None:
        raise StartupRefused("This command copies the embedded server's folder. Back up your own server with its own tools.")
    size = back_up(settings.data_dir, folder)
    typer.echo(f"{size} bytes copied to {folder}.")


@app.command()
def mcp(url: Annotated[str, typer.Option(help="URL of a service.")] = "http://127.0.0.1:8000") -> None:
    """Offer a service's matches as tools to a language model (MCP over standard input and output). Needs the extra `mcp`.

    It plays as the player whose token is in TAFELRUNDE_TOKEN, or as a new guest.
    """
    if not url.startswith(("http://", "https://")):
        raise StartupRefused(f"{url} is not the address of a service, like http://127.0.0.1:8000.")
    try:
        from tafelrunde.client.tools import serve
    except ModuleNotFoundError as missing:
        raise StartupRefused(f"{missing.name} is not installed: run pip install '.[mcp]' in a checkout.") from missing

    asyncio.run(serve(url, _token()))


@app.command()
def openapi(
    growing: Annotated[bool, typer.Option(help="Allow unknown members in unions and enums.")] = False,
) -> None:
    """Print the OpenAPI contract of the HTTP API."""
    from ...api.contract.extensible import opened
    from ...api.contract.openapi import contract, document, pretty
    from ...domain.registry import GAMES

    typer.echo(pretty(opened(document(GAMES))) if growing else contract())
