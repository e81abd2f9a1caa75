"""Commands for those who watch a service from outside: witnesses, monitors, and who has two texts that contradict each other."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from .....service.errors import StartupRefused
from ...environment import games_of_environment
from .verifying import UNDECIDED

KEY_HELP = "The public key of the service. Without it, the one that the service shows is believed."

app = typer.Typer()


@app.command()
def witness(
    url: Annotated[str, typer.Argument(help="The URL of a service.")],
    folder: Annotated[Path, typer.Option(help="Where the witness's key and what it has seen are kept.")] = Path(
        ".tafelrunde-witness"
    ),
    name: Annotated[str | None, typer.Option(help="The name of a new witness, for instance a host name.")] = None,
    key: Annotated[str | None, typer.Option(help=KEY_HELP)] = None,
) -> None:
    """Check that a service's log continues what was kept of it, sign that, and hand the signature in. Made for cron.

    Exit code 1 if it does not continue: then two signed texts that prove it are in the folder.
    """
    from .....audit.remote import connect_to_log
    from .....audit.witness import Contradicted, Witness
    from .....service.signing.notes import BadNote

    own = Witness(folder, name)
    with connect_to_log(url) as client:
        try:
            done = own.run(client, key)
        except BadNote as error:
            raise StartupRefused(f"{url} shows no checkpoint that can be read: {error}.") from error
        except Contradicted as contradiction:
            typer.echo(str(contradiction), err=True)
            raise typer.Exit(1) from None
    before = "the first checkpoint that was seen" if done.before is None else f"it continues the log of {done.before} leaves"
    typer.echo(f"{done.size} leaves: {before}. Signed by {own.public.text}.")
    if done.refused:
        typer.echo(f"The service did not take the signature: {done.refused}", err=True)


@app.command()
def monitor(
    url: Annotated[str, typer.Argument(help="The URL of a service.")],
    days: Annotated[int, typer.Option(min=1, help="After how many days a match without an end is listed.")] = 30,
    key: Annotated[str | None, typer.Option(help=KEY_HELP)] = None,
) -> None:
    """Read the whole log of a service: list matches without an end, commitments that were changed, and what is late.

    Exit code 1 if there are any.
    """
    from .....audit.monitor import as_text, inspect_log
    from .....audit.remote import connect_to_log

    with connect_to_log(url) as client:
        report = inspect_log(client, days, time.time_ns() // 1_000_000, key)
    typer.echo(as_text(report))
    if report.wrong:
        raise typer.Exit(1)


@app.command()
def judge(
    one: Annotated[Path, typer.Argument(help="A signed note, or an answer of the service that has one.")],
    other: Annotated[
        Path | None,
        typer.Argument(help="Another one, or the record of the match; none for a file with both, as the web client saves it."),
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="A public key of the service; several after a rotation. Default: those that such a file names."),
    ] = None,
    leaves: Annotated[Path | None, typer.Option(help="The hashes of the leaves of the larger checkpoint, in order.")] = None,
) -> None:
    """Say what two signed texts of one service prove: exit code 1 if they contradict each other, 0 if they agree, 3 if undecided.

    Two checkpoints show a split or rewritten log; two marks of a feed, or one and the record, show a feed that was changed.
    """
    from .....audit.judge import as_text, judge_files
    from .....service.signing.judge import Ruling

    judgement = judge_files(one, other, key or (), leaves, games_of_environment())
    typer.echo(as_text(judgement))
    if judgement.ruling is not Ruling.AGREEMENT:
        raise typer.Exit(1 if judgement.ruling is Ruling.CONTRADICTION else UNDECIDED)


@app.command("new-signing-key")
def new_signing_key(
    data_dir: Annotated[Path, typer.Argument(help="The data folder of the embedded server.")],
) -> None:
    """Put a new signing key before those of a data folder. It signs from the next start on, and the log notes who handed over."""
    from .....service.runtime.signing_file import put_new_key

    if not data_dir.is_dir():
        raise StartupRefused(f"{data_dir}: no such folder.")
    put_new_key(data_dir)
    typer.echo("Restart the service: from then on it signs with the new key, and its log has both.")
