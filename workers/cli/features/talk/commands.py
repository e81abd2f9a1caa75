"""The command that lists what players have reported: `reports`."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from ...environment import settings_of
from ...stored import ask_store
from .. import Commands, Section

app = typer.Typer()
COMMANDS: Commands = {Section.OPERATING: app}


@app.command("reports")
def reports(limit: Annotated[int, typer.Option(min=1, max=1_000, help="How many reports to list.")] = 100) -> None:
    """List the lines of talk that players have reported, newest first, one report a line, as JSON."""
    from .....service.features.talk.moderation import Reports

    found = ask_store(lambda: settings_of("reports"), lambda application: application.get(Reports).newest(0, limit))
    typer.echo("".join(f"{msgspec.json.encode(each).decode()}\n" for each in found), nl=False)
