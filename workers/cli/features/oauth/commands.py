"""The command that ends an application of others: `end-application`."""

from __future__ import annotations

from typing import Annotated

import typer

from ...environment import settings_of
from ...stored import ask_store
from .. import Commands, Section

app = typer.Typer()
COMMANDS: Commands = {Section.OPERATING: app}


@app.command("end-application")
def end_application(client_id: Annotated[str, typer.Argument(help="The id of the application, as it registered.")]) -> None:
    """End an application of others, with all that players have allowed it; its tokens end at once."""
    from .....service.errors import NotFound
    from .....service.features.oauth.service import Grants

    ended = ask_store(lambda: settings_of("end-application"), lambda application: application.get(Grants).end_client(client_id))
    if not ended:
        raise NotFound("application")
    typer.echo(f"{client_id} has ended.")
