"""Commands of the transparency log: those for a deployment, which are here, and those for people who check one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...environment import run_to_end, settings_of, token_of_environment
from ...stored import ask_store
from .. import Commands, Section, beside
from .verifying import app as verifying
from .watching import app as watching

exporting = typer.Typer()
operating = typer.Typer()
auditing = typer.Typer()
with_records: Commands = {Section.MATCHES: exporting} if beside("records") else {}
if with_records:
    auditing.add_typer(verifying)
auditing.add_typer(watching)
COMMANDS: Commands = {**with_records, Section.OPERATING: operating, Section.AUDITING: auditing}


@exporting.command("export-all")
def export_all(
    folder: Annotated[Path, typer.Argument(help="The folder to write to. It may have an earlier export.")],
    source: Annotated[
        str | None, typer.Option("--from", help="The URL of a service, instead of the store that the environment names.")
    ] = None,
    public: Annotated[bool, typer.Option(help="Of a service: all listed matches, instead of your own.")] = False,
) -> None:
    """Write the records of all finished matches to a folder, packed, one file each, and the transparency log beside them.

    If it is interrupted, the next run resumes. A file is replaced if its match was corrected since.

    From a service: the matches of the player whose token is in TAFELRUNDE_TOKEN, or with --public all that are listed.
    """
    from .....audit import exports
    from .....audit.progress import to_stderr

    token = token_of_environment()
    if source is None:
        from ....bootstrap import server_of

        with server_of(settings_of("export-all")) as settings:
            counts = run_to_end(exports.export_from_store(settings, folder, to_stderr))
    else:
        counts = exports.export_from_service(source, None if public else token, folder, to_stderr)
    typer.echo(f"{counts.written} records written, {counts.kept} kept, {counts.absent} matches without a record.")


@operating.command("accept-signing-key")
def accept_signing_key() -> None:
    """Let this deployment's key sign, although the one before is lost. The log notes it; no key that was kept leads to it."""
    from .....service.features.transparency.log import TransparencyLog

    noted = ask_store(lambda: settings_of("accept-signing-key"), lambda application: application.get(TransparencyLog).note_key())
    typer.echo("The log has the new key." if noted else "The log has this key already.")
