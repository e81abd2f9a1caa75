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

from ..domain.game import InvalidOptions, RuleViolation, Seat
from ..domain.match import MatchId, PlayerId
from ..domain.match.refusals import MATCH_MESSAGES
from ..service.errors import CorruptHistory, Forbidden, NotFound, RecordWrong, StartupRefused, StoreUnavailable, VersionConflict
from ..service.logs import configure
from ..service.players import PLAYER_SCOPES
from ..service.queue import QueueName
from ..service.settings import Settings, read_settings
from .parent import end_with_parent
from .playing import app as matches_of_bots
from .processes import FORKS
from .telling import Language

REFUSED, UNDECIDED = 2, 3
PROCESSES = ("..api.app", ".listening", ".sweeper", ".worker")

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
    settings = read_settings(os.environ)
    configure(settings, process)
    end_with_parent(os.environ)
    return settings


def _check_lists(settings: Settings) -> None:
    """Raise StartupRefused for settings that only the processes to be started would read, again and again in vain."""
    from ..api.cors import listed
    from ..service.webhooks.addresses import networks
    from ..service.webhooks.sending import ports_of

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
    """Run everything in one supervised run: server, api, sweeper and workers. Ctrl-C ends it."""
    from ..service.embedded import EmbeddedServer
    from ..service.queue import client_of
    from .deployment import check, with_server
    from .listening import listen
    from .supervisor import Supervisor

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
    """Run the HTTP API alone."""
    from ..api.app import create_app
    from .deployment import check
    from .listening import adopted, listen, run_api

    settings = _settings("api")
    asyncio.run(check(settings))
    socket = listen(settings) if listener is None else adopted(listener)
    application = create_app(settings)
    if not run_api(application, application.state.running.drain, socket, settings):
        raise typer.Exit(1)


@app.command()
def worker(queue: Annotated[list[QueueName] | None, typer.Option(help="Only these queues, the first one first.")] = None) -> None:
    """Run a worker: it lets bots play and clocks run out."""
    from .worker import run

    if not run(_settings("worker"), queue or list(QueueName)):
        raise typer.Exit(1)


@app.command()
def sweeper() -> None:
    """Run the sweeper: it gives work to the workers in time, and keeps the projections up to date."""
    from .sweeper import run

    run(_settings("sweeper"))


class TokenScope(Enum):
    """What a token can allow."""

    READ = "read"
    PLAY = "play"
    CREATE = "create"
    ADMIN = "admin"
    EMBED = "embed"


class Role(Enum):
    """What can be asked for its health."""

    WORKER = "worker"
    SWEEPER = "sweeper"


@app.command()
def health(role: Role) -> None:
    """Tell whether a worker or sweeper on this host works (exit code 0) or not (1)."""
    from ..service.queue import client_of
    from .heartbeat import alive

    if not alive(client_of(_settings("health")), role.value):
        _fail(f"No {role.value} on this host has given a sign of life lately.", 1)


# Tools


app.add_typer(matches_of_bots)


class Form(Enum):
    """How something is printed: for people, or a JSON object on each line."""

    TEXT = "text"
    JSON = "json"


@app.command()
def replay(
    source: Annotated[str, typer.Argument(help="A file with a record, the address of a match, or the id of a stored match.")],
    seat: Annotated[
        int | None, typer.Option(min=0, help="Only what this seat knew then; without it, what everybody knew.")
    ] = None,
    all_open: Annotated[bool, typer.Option("--open", help="All cards, once the match is over.")] = False,
    form: Annotated[Form, typer.Option("--format", help="A line of words, or of JSON, for each step.")] = Form.TEXT,
    language: Annotated[Language, typer.Option(help="The language of the words.")] = Language.EN,
    as_json: Annotated[bool, typer.Option("--json", help="Deprecated: the same as --format json.", hidden=True)] = False,
) -> None:
    """Show a match step by step, as one viewer may know it. Files need no service.

    A service is asked as the player whose token is in TAFELRUNDE_TOKEN, or as anybody.
    """
    from . import replay as tales
    from .telling import as_text

    if all_open and seat is not None:
        raise typer.BadParameter("Say either --seat or --open.")
    everybody = tales.Audience.OPEN if all_open else tales.Audience.PUBLIC
    viewer = everybody if seat is None else Seat(seat)
    story = tales.told(source, viewer, lambda: _settings("replay"), _token())
    if story.undecided:
        typer.echo("This was played by other rules than those that are here: nothing of it was decided again.", err=True)
    for line in tales.as_json(story) if as_json or form is Form.JSON else as_text(story, language):
        typer.echo(line)


@projections.command("rebuild")
def rebuild_projections() -> None:
    """Make all lists of matches anew from the matches' logs."""
    from .deployment import server_of
    from .projector import rebuild_all

    with server_of(_settings("projections")) as settings:
        count = asyncio.run(rebuild_all(settings))
    typer.echo(f"{count} matches projected anew.")


@app.command()
def archive(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say which matches would be archived.")] = False,
) -> None:
    """Archive all matches that have been over for long enough, now. The sweeper does it by itself in time."""
    from .archiving import archive_all
    from .deployment import server_of

    with server_of(_settings("archive")) as settings:
        asyncio.run(archive_all(settings, dry_run=dry_run, say=typer.echo))


@app.command()
def restore(match: str) -> None:
    """Put an archived match back into its log. It is archived again in time."""
    from .archiving import restore as put_back
    from .deployment import server_of

    with server_of(_settings("restore")) as settings:
        restored = asyncio.run(put_back(settings, MatchId(match)))
    typer.echo("Restored." if restored else "This match is not archived.")


@app.command()
def export(
    match: Annotated[str, typer.Argument(help="The id of a stored match, or the address of one.")],
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the standard output.")] = None,
) -> None:
    """Write the record of a finished match: all that is needed to check it, one JSON line for each part.

    A service is asked as the player whose token is in TAFELRUNDE_TOKEN, or as anybody.
    """
    from . import proving

    lines = proving.export_of(match, lambda: _settings("export"), _token())
    if out is None:
        sys.stdout.buffer.writelines(lines)
    else:
        out.write_bytes(b"".join(lines))


@app.command()
def verify(
    source: Annotated[str, typer.Argument(help="A file with a record, the address of a match, or the id of a stored match.")],
    log: Annotated[Path | None, typer.Option(help="A file with the answer of /log/proofs/{match}: it must be in there.")] = None,
    checkpoint: Annotated[str | None, typer.Option(help="A checkpoint that was kept, as size:root: the log must agree.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a finished match by doing all of it again; exit code 1 if anything is wrong. Files need no service.

    Exit code 3 if nothing is wrong, but it was played by rules that are not here, and so cannot be decided again.

    With --log or --checkpoint it must be in the log over all matches, too; a service at an address is asked for proofs.

    A service is asked as the player whose token is in TAFELRUNDE_TOKEN, or as anybody.
    """
    from . import proving

    evidence = proving.Evidence(log, checkpoint)
    verdict = proving.verdict_of(source, lambda: _settings("verify"), _token(), evidence)
    typer.echo(proving.as_json(verdict) if as_json else proving.as_text(verdict))
    if not verdict.right:
        raise typer.Exit(1 if verdict.finding is not None else UNDECIDED)


# Operating


@app.command()
def operator(name: Annotated[str, typer.Argument(help="How this operator is called.")]) -> None:
    """Make a player whose token may operate the service, and print the token. It is shown this once."""
    from .deployment import server_of
    from .operating import make_operator, read_name

    called = read_name(name)
    with server_of(_settings("operator")) as settings:
        typer.echo(asyncio.run(make_operator(settings, called)))


@app.command()
def token(
    name: Annotated[str, typer.Argument(help="How its player is called.")],
    scope: Annotated[list[TokenScope] | None, typer.Option(help="What it allows, once for each.")] = None,
) -> None:
    """Make a player, and print a token of it. It is shown this once. `--scope embed` makes the key of another application."""
    from .deployment import server_of
    from .operating import make_token, read_name

    called = read_name(name)
    scopes = [each.value for each in scope] if scope else list(PLAYER_SCOPES)
    with server_of(_settings("token")) as settings:
        typer.echo(asyncio.run(make_token(settings, called, scopes)))


@app.command()
def void(match: str, reason: Annotated[str, typer.Option(help="Why; everybody is told.")]) -> None:
    """Take the result of a finished match back."""
    from .deployment import server_of
    from .operating import read_reason
    from .operating import void as void_match

    said = read_reason(reason)
    with server_of(_settings("void")) as settings:
        asyncio.run(void_match(settings, MatchId(match), said))
    typer.echo("The result is taken back.")


@app.command()
def adjudicate(
    match: str,
    reason: Annotated[str, typer.Option(help="Why; everybody is told.")],
    ranks: Annotated[str, typer.Option(help="The rank of each seat, with commas between: 1,2,2.")],
) -> None:
    """Give a finished match another result."""
    from .deployment import server_of
    from .operating import adjudicate as adjudicate_match
    from .operating import read_ranks, read_reason

    placings, said = read_ranks(ranks), read_reason(reason)
    with server_of(_settings("adjudicate")) as settings:
        asyncio.run(adjudicate_match(settings, MatchId(match), placings, said))
    typer.echo("The result is set.")


@app.command()
def forget(player: str) -> None:
    """Delete a player: name, tokens, and seats in matches that are not over. Finished matches keep its id alone."""
    from .deployment import server_of
    from .operating import forget as forget_player

    with server_of(_settings("forget")) as settings:
        asyncio.run(forget_player(settings, PlayerId(player)))
    typer.echo("The player is gone.")


@app.command()
def backup(folder: Annotated[str, typer.Argument(help="Where to put the copy; it must not exist yet.")]) -> None:
    """Copy the data folder of the embedded server, whether the service runs or not."""
    from ..service.backup import back_up

    settings = _settings("backup")
    if settings.redis_url is not None:
        raise StartupRefused("This copies the embedded server's folder: a server of your own is backed up by its own means.")
    size = back_up(settings.data_dir, folder)
    typer.echo(f"{size} bytes copied to {folder}.")


@app.command()
def mcp(url: Annotated[str, typer.Option(help="The address of a service.")] = "http://127.0.0.1:8000") -> None:
    """Serve a service's matches as tools for a language model (MCP, standard input and output). Needs the extra `mcp`.

    It plays as the player whose token is in TAFELRUNDE_TOKEN, or else as a new guest.
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
    growing: Annotated[bool, typer.Option(help="Let unions and enums take members that are not known yet.")] = False,
) -> None:
    """Print the description of the HTTP API."""
    from ..api.growing import opened
    from ..api.openapi import contract, document, pretty
    from ..domain.registry import GAMES

    typer.echo(pretty(opened(document(GAMES))) if growing else contract())
