"""What features add to the command line: a folder here of the same name, whose `commands.py` offers it as `COMMANDS`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import TypeAlias, cast

import typer

from ....service.features import FOLDERS


class Section(Enum):
    """Beside which commands of the core those of a feature stand in the list of all commands."""

    MATCHES = "matches"
    """Reading matches that were played: after the processes."""
    BOTS = "bots"
    """Letting bots play: after `simulate`."""
    OPERATING = "operating"
    """Operating a deployment: after `backup`."""
    AUDITING = "auditing"
    """Checking a service, also from outside: at the end."""


Commands: TypeAlias = Mapping[Section, typer.Typer]
"""The commands of a feature, by section."""


def section(wanted: Section) -> typer.Typer:
    """Return the commands of a section, in the order of features; their modules import what they need only when they run."""
    app = typer.Typer()
    for name in FOLDERS:
        found = commands_of(name).get(wanted)
        if found is not None:
            app.add_typer(found)
    return app


def commands_of(feature: str) -> Commands:
    """Return what a feature adds; nothing if it has no folder here."""
    name = f"{__name__}.{feature}"
    return cast("Commands", import_module(f"{name}.commands").COMMANDS) if find_spec(name) is not None else {}


def beside(*others: str) -> bool:
    """Return whether other features, of which a command is made, too, are here as well."""
    return {*others} <= {*FOLDERS}
