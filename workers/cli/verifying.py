"""The command that verifies finished matches: one record, or many."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...service.errors import StartupRefused
from .environment import settings_of, token_of_environment
from .options import EveryBot, KeptFile, LogProofs, Processes, Reports, SavedCheckpoint

if TYPE_CHECKING:
    from ...audit import single

REFUSED, UNDECIDED = 2, 3

app = typer.Typer()


@app.command()
def verify(  # noqa: PLR0913, PLR0917 - each is an option of the command
    source: Annotated[
        str, typer.Argument(help="A record file, a folder of them, the URL of a match, or the id of a stored match.")
    ],
    log: LogProofs = None,
    checkpoint: SavedCheckpoint = None,
    kept: KeptFile = None,
    bots: EveryBot = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    report: Reports = None,
    processes: Processes = None,
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

    Requests to a service use the token in TAFELRUNDE_TOKEN, if it is set.
    """
    from ...audit import kept as keeping
    from ...audit import records, single
    from .stored import stored

    many = records.has_many(source)
    if many or report or processes:
        if log is not None:
            raise StartupRefused("--log is for one record: many are compared with the log that `export-all` saved beside them.")
        if records.is_address(source):
            raise StartupRefused("--report and --processes are for files and folders, not for the match at an address.")
        _audit(Path(source), single.Evidence(None, checkpoint, bots or 0, kept), as_json, report or [], processes)
        return
    evidence = single.Evidence(log, checkpoint, bots, kept)
    found = single.checked(source, lambda match: stored(match, lambda: settings_of("verify")), token_of_environment(), evidence)
    typer.echo(keeping.as_json(*found) if as_json else keeping.as_text(*found))
    if code := keeping.code_of(*found):
        raise typer.Exit(code)


def _audit(source: Path, evidence: single.Evidence, as_json: bool, reports: list[Path], processes: int | None) -> None:
    """Check many records, report, and exit as the worst of them says."""
    from ...audit import audit, audit_report
    from ...audit.progress import to_stderr
    from ...service.records.verdict import Conclusion

    forms = {
        ".html": lambda: audit_report.as_html(found).encode(),
        ".json": lambda: audit.as_json(found),
        ".txt": lambda: audit_report.as_text(found).encode() + b"\n",
    }
    if any(path.suffix not in forms for path in reports):
        raise StartupRefused("A report is a file whose name ends with .html, .json or .txt.")
    if not source.exists():
        raise StartupRefused(f"{source}: no such file or folder.")
    found = audit.audit(source, to_stderr, processes, evidence)
    for path in reports:
        path.write_bytes(forms[path.suffix]())
    typer.echo(audit.as_json(found) if as_json else audit_report.as_text(found), nl=not as_json)
    code = {Conclusion.RIGHT: 0, Conclusion.WRONG: 1, Conclusion.UNDECIDED: UNDECIDED, None: REFUSED}[found.conclusion]
    if code:
        raise typer.Exit(code)
