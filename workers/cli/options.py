"""Options of the command line that take more than a line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

SOME = 25
"""Of how many answers of bots `verify` computes one again, unless it is said otherwise."""
_BOTS = "Of this number of answers of bots, compute one again (1: all, 0: none). For single records only."
_LOG = "A file with the response of /log/proofs/{match}, to check the match against."
_REPORT = "Of many records: also write a report to this file (.html, .json or .txt)."
_RULES = "A folder with wheels of rules, for a match of rules that are not here. Their code runs."

EveryBot: TypeAlias = Annotated[int, typer.Option(min=0, help=_BOTS)]
RulesFolder: TypeAlias = Annotated[Path | None, typer.Option(help=_RULES)]
LogProofs: TypeAlias = Annotated[Path | None, typer.Option(help=_LOG)]
Reports: TypeAlias = Annotated[list[Path] | None, typer.Option(help=_REPORT)]
