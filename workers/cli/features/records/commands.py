"""Commands that read matches: `replay` shows one, `export` writes its record."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from .....domain.game import Seat
from .....domain.wording import Language
from ...environment import settings_of, token_of_environment
from .. import Commands, Section

app = typer.Typer()
COMMANDS: Commands = {Section.MATCHES: app}


class Form(Enum):
    """Output format: text for people, or a JSON object per line."""

    TEXT = "text"
    JSON = "json"


@app.command("replay")
def replay(
    source: Annotated[str, typer.Argument(help="A record file, the URL of a match, or the id of a stored match.")],
    seat: Annotated[int | None, typer.Option(min=0, help="Show what this seat could see. Default: what was public.")] = None,
    all_open: Annotated[bool, typer.Option("--open", help="Show all cards. The match must be over.")] = False,
    form: Annotated[Form, typer.Option("--format", help="One line per step, as text or as JSON.")] = Form.TEXT,
    language: Annotated[Language, typer.Option(help="Language of the text.")] = Language.EN,
) -> None:
    """Show a match step by step, as one viewer sees it. Files need no service.

    Requests to a service use the token in TAFELRUNDE_TOKEN, if it is set.
    """
    from .replay import Audience, as_json, read_story
    from .replay_text import as_text

    if all_open and seat is not None:
        raise typer.BadParameter("Say either --seat or --open.")
    everyone = Audience.OPEN if all_open else Audience.PUBLIC
    viewer = everyone if seat is None else Seat(seat)
    story = read_story(source, viewer, lambda: settings_of("replay"), token_of_environment())
    if story.undecided:
        typer.echo(
            "This match was played under a rules version that is not installed here: its decisions were not checked.", err=True
        )
    for line in as_json(story) if form is Form.JSON else as_text(story, language):
        typer.echo(line)


@app.command("export")
def export(
    match: Annotated[str, typer.Argument(help="The id of a stored match, or the URL of one.")],
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of standard output.")] = None,
) -> None:
    """Write the record of a finished match, with everything needed to verify it, as JSON lines.

    Requests to a service use the token in TAFELRUNDE_TOKEN, if it is set.
    """
    from .....audit.record_sources import fetch_record
    from .stored import read_stored

    lines = fetch_record(match, lambda found: read_stored(found, lambda: settings_of("export")), token_of_environment())
    if out is None:
        sys.stdout.buffer.writelines(lines)
    else:
        out.write_bytes(b"".join(lines))
