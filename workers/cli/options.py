"""Options of the command line that take more than a line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

_BOTS = (
    "Of this number of answers of bots, compute one again (1: all, 0: none). Default: of one record 20 or more, evenly spread "
    "and for a minute at most; of many records none."
)
_LOG = "A file with the response of /log/proofs/{match}, to check the match against."
_KEPT = "The file that your client kept of the match, to compare with; for many records, the folder with these files."
_CHECKPOINT = "A saved checkpoint, as size:root, to check the log against."
_REPORT = "Of many records: also write a report to this file (.html, .json or .txt)."
_PROCESSES = "Of many records: check on this many processes."

EveryBot: TypeAlias = Annotated[int | None, typer.Option(min=0, help=_BOTS)]
LogProofs: TypeAlias = Annotated[Path | None, typer.Option(help=_LOG)]
SavedCheckpoint: TypeAlias = Annotated[str | None, typer.Option(help=_CHECKPOINT)]
KeptFile: TypeAlias = Annotated[Path | None, typer.Option(help=_KEPT)]
Reports: TypeAlias = Annotated[list[Path] | None, typer.Option(help=_REPORT)]
Processes: TypeAlias = Annotated[int | None, typer.Option(min=1, help=_PROCESSES)]
