"""Commands for operators: accounts, corrections, lists of matches, archives and backups."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from ...domain.match import MatchId, PlayerId
from ...service.errors import StartupRefused
from .environment import run_to_end, settings_of

app = typer.Typer()
projections = typer.Typer(help="The lists of open, running and own matches.", no_args_is_help=True)


class TokenScope(Enum):
    """A scope of a token."""

    READ = "read"
    PLAY = "play"
    CREATE = "create"
    ADMIN = "admin"
    EMBED = "embed"


@projections.command("rebuild")
def rebuild_projections() -> None:
    """Rebuild all lists of matches from their event logs."""
    from ..bootstrap import server_of
    from .admin import rebuild_all

    with server_of(settings_of("projections")) as settings:
        count = run_to_end(rebuild_all(settings))
    typer.echo(f"{count} matches projected.")


@app.command()
def archive(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list the matches that would be archived.")] = False,
    source: Annotated[
        str | None,
        typer.Option("--from", help="First move all archives from there: an address as in TAFELRUNDE_ARCHIVE_URL."),
    ] = None,
    lost: Annotated[bool, typer.Option("--lost", help="First give up archives that are not there any more.")] = False,
) -> None:
    """Archive all matches that are due, now. The sweeper does this on its own over time.

    If archives are lost for good, `--lost` lets the service start without them.

    Archives in the store are moved to where new ones are put, if that is another place.
    """
    from ..bootstrap import server_of
    from .archive import archive_all, go_on_without, move_all

    with server_of(settings_of("archive")) as settings:
        if lost and not dry_run:
            run_to_end(go_on_without(settings))
        failed = run_to_end(move_all(settings, source, typer.echo)) if source is not None and not dry_run else 0
        if not failed:
            failed = run_to_end(archive_all(settings, dry_run=dry_run, say=typer.echo))
    if failed:
        raise typer.Exit(1)


@app.command()
def restore(match: str) -> None:
    """Restore an archived match to its event log. It will be archived again later."""
    from ..bootstrap import server_of
    from .archive import restore as put_back

    with server_of(settings_of("restore")) as settings:
        restored = run_to_end(put_back(settings, MatchId(match)))
    typer.echo("Restored." if restored else "This match is not archived.")


@app.command()
def operator(name: Annotated[str, typer.Argument(help="Name of the operator.")]) -> None:
    """Create a player whose token may operate the service, and print the token. It is shown only once.

    It has the scopes `read` and `admin`: it neither plays nor changes its player. `tafelrunde token` makes one with other scopes.
    """
    from ..bootstrap import server_of
    from .admin import make_operator, read_name

    called = read_name(name, of_staff=True)
    with server_of(settings_of("operator")) as settings:
        typer.echo(run_to_end(make_operator(settings, called)))


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
    with server_of(settings_of("token")) as settings:
        typer.echo(run_to_end(make_token(settings, called, scopes)))


@app.command()
def void(match: str, reason: Annotated[str, typer.Option(help="The reason, shown publicly.")]) -> None:
    """Void the result of a finished match."""
    from ..bootstrap import server_of
    from .admin import read_reason
    from .admin import void as void_match

    said = read_reason(reason)
    with server_of(settings_of("void")) as settings:
        run_to_end(void_match(settings, MatchId(match), said))
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

    placings = read_ranks(ranks)
    said = read_reason(reason)
    with server_of(settings_of("adjudicate")) as settings:
        run_to_end(adjudicate_match(settings, MatchId(match), placings, said))
    typer.echo("The result was changed.")


@app.command()
def forget(player: str) -> None:
    """Delete a player: its name, tokens, seats in unfinished matches, lines in rankings of days, and answers to puzzles.

    Finished matches keep only its id.
    """
    from ..bootstrap import server_of
    from .admin import forget as forget_player

    with server_of(settings_of("forget")) as settings:
        run_to_end(forget_player(settings, PlayerId(player)))
    typer.echo("The player was deleted.")


@app.command()
def failing() -> None:
    """List the work that failed ten times in a row and is tried rarely: what it is about, how it fails, and since when."""
    from ..bootstrap import server_of
    from .admin import list_failing

    with server_of(settings_of("failing")) as settings:
        lines = run_to_end(list_failing(settings))
    typer.echo("\n".join(lines) if lines else "Nothing keeps failing.")


@app.command()
def backup(folder: Annotated[str, typer.Argument(help="Where to put the copy. It must not exist yet.")]) -> None:
    """Copy the data folder of the embedded server. The service may be running."""
    from ...service.runtime.backup import back_up

    settings = settings_of("backup")
    if settings.redis_url is not None:
        raise StartupRefused("This command copies the embedded server's folder. Back up your own server with its own tools.")
    size = back_up(settings.data_dir, folder)
    typer.echo(f"{size} bytes copied to {folder}.")
