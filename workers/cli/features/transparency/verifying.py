"""The command that verifies finished matches: one record, or many."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from .....service.errors import StartupRefused
from ....processes import REFUSED
from ...environment import names_of_games, settings_of, token_of_environment

if TYPE_CHECKING:
    from .....audit.check_record import Evidence
    from .....service.features.records.verdict import Conclusion

UNDECIDED = 3

_BOTS = (
    "Of this number of answers of bots, compute one again (1: all, 0: none). Default: of one record 20 or more, evenly spread "
    "and for a minute at most; of many records none."
)
_LOG = "A file with the response of /log/proofs/{match}, to check the match against."
_KEPT = "The file that your client kept of the match, to compare with; for many records, the folder with these files."
_CHECKPOINT = "A saved checkpoint, as size:root, to check the log against."
_REPORT = "Of many records: also write a report to this file (.html, .json or .txt)."
_TOURNAMENT = "The source is the URL of a tournament: check its commitments, its pairings, and each of its matches."
_PROCESSES = "Of many records: check on this many processes."

EveryBot: TypeAlias = Annotated[int | None, typer.Option(min=0, help=_BOTS)]
LogProofs: TypeAlias = Annotated[Path | None, typer.Option(help=_LOG)]
Checkpoint: TypeAlias = Annotated[str | None, typer.Option(help=_CHECKPOINT)]
KeptFile: TypeAlias = Annotated[Path | None, typer.Option(help=_KEPT)]
Reports: TypeAlias = Annotated[list[Path] | None, typer.Option(help=_REPORT)]
Processes: TypeAlias = Annotated[int | None, typer.Option(min=1, help=_PROCESSES)]

app = typer.Typer()


@app.command()
def verify(  # noqa: PLR0913, PLR0917 - each is an option of the command
    source: Annotated[
        str, typer.Argument(help="A record file, a folder of them, the URL of a match, or the id of a stored match.")
    ],
    log: LogProofs = None,
    checkpoint: Checkpoint = None,
    kept: KeptFile = None,
    bots: EveryBot = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    report: Reports = None,
    processes: Processes = None,
    tournament: Annotated[bool, typer.Option("--tournament", help=_TOURNAMENT)] = False,
) -> None:
    """Verify a finished match by running it again; exit code 1 if anything is wrong. Files need no service.

    Exit code 3 if nothing is wrong, but not everything could be decided here: the match was played under a rules version that is
    not installed here, answers of its bots could not be computed again, what was kept does not prove that the cards were not
    chosen or that the events are those that were sent, or a key or token is missing. A line says which.

    A folder, or a file with many records, is checked on all cores, together with the transparency log that `export-all` saved
    there; progress goes to standard error. Files may be packed (.zst, .gz). Exit code 2 if any file cannot be read.

    With --log or --checkpoint, also verify that it is in the transparency log; for a URL, the proofs come from that service,
    for a folder from the log that was saved there.

    With --kept, say what was compared with it: commitment, nonce, roots of deals, your feed, signatures, and the log of the
    service, or of the folder. What is not as it was kept is wrong.

    With --tournament, --kept is the folder in which your client keeps the tournament and your matches, and exit code 3 says that
    something is not public, or not over yet.

    Requests to a service use the token in TAFELRUNDE_TOKEN, if it is set.
    """
    from .....audit.check_record import Evidence, check_record
    from .....audit.kept_evidence import conclude
    from .....audit.record_sources import has_many_records
    from .....audit.remote import is_address
    from .....audit.verdict_text import as_json as json_of
    from .....audit.verdict_text import as_text
    from ..records.stored import read_stored

    if tournament:
        _check_tournament(source, Evidence(None, None, bots, kept, names_of_games()), as_json)
        return
    many = has_many_records(source)
    if many or report or processes:
        if log is not None:
            raise StartupRefused("--log is for one record: many are compared with the log that `export-all` saved beside them.")
        if is_address(source):
            raise StartupRefused("--report and --processes are for files and folders, not for the match at an address.")
        _audit(Path(source), Evidence(None, checkpoint, bots or 0, kept, names_of_games()), as_json, report or [], processes)
        return
    evidence = Evidence(log, checkpoint, bots, kept, names_of_games())
    found = check_record(
        source, lambda match: read_stored(match, lambda: settings_of("verify")), token_of_environment(), evidence
    )
    typer.echo(json_of(*found) if as_json else as_text(*found))
    _exit(conclude(*found))


def _check_tournament(address: str, evidence: Evidence, as_json: bool) -> None:
    """Check the tournament at an address, and exit as the verdict says."""
    from .....audit import tournament_check

    found = tournament_check.check_tournament(address, token_of_environment(), evidence)
    typer.echo(tournament_check.as_json(found) if as_json else tournament_check.as_text(found))
    _exit(found.conclusion)


def _audit(source: Path, evidence: Evidence, as_json: bool, reports: list[Path], processes: int | None) -> None:
    """Check many records, report, and exit as the worst of them says."""
    from .....audit import folder_report
    from .....audit.check_folder import check_records
    from .....audit.progress import to_stderr

    forms = {
        ".html": lambda: folder_report.as_html(found).encode(),
        ".json": lambda: folder_report.as_json(found),
        ".txt": lambda: folder_report.as_text(found).encode() + b"\n",
    }
    if any(path.suffix not in forms for path in reports):
        raise StartupRefused("A report is a file whose name ends with .html, .json or .txt.")
    if not source.exists():
        raise StartupRefused(f"{source}: no such file or folder.")
    found = check_records(source, to_stderr, processes, evidence)
    for path in reports:
        path.write_bytes(forms[path.suffix]())
    typer.echo(folder_report.as_json(found) if as_json else folder_report.as_text(found), nl=not as_json)
    _exit(found.conclusion)


def _exit(conclusion: Conclusion | None) -> None:
    """End as a conclusion says, or without one as for what could not be read."""
    code = REFUSED if conclusion is None else {"right": 0, "wrong": 1, "undecided": UNDECIDED}[conclusion.value]
    if code:
        raise typer.Exit(code)
