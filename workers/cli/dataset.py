"""Data sets on the command line: decisions of finished matches, or of bots, as NDJSON or Parquet."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import msgspec
import typer

from ...domain.game import GameId
from ...service.errors import StartupRefused
from ...service.extras import missing_package
from ...service.settings import Settings
from .environment import run_to_end, settings_of
from .simulating import game_of, option_of

if TYPE_CHECKING:
    from ...service.dataset import Decision

app = typer.Typer(help="Decisions as data for research: what a seat saw, did, and how it ended.", no_args_is_help=True)

ROWS = 2_000
"""How many rows of Parquet are written at once, and kept in memory."""


class Format(Enum):
    """How rows are written."""

    NDJSON = "ndjson"
    PARQUET = "parquet"


class Writer(Protocol):
    """Takes rows."""

    def add(self, row: Decision) -> None:
        """Write a row, perhaps later."""
        ...

    def end(self) -> None:
        """Write what is left."""
        ...


class Lines:
    """A JSON object for each row."""

    def __init__(self, to: Any) -> None:
        self._to = to
        self._encoder = msgspec.json.Encoder()

    def add(self, row: Decision) -> None:
        """Write a row."""
        self._to.write(self._encoder.encode(row) + b"\n")

    def end(self) -> None:
        """Write what is left."""
        self._to.flush()


class Columns:
    """Parquet: plain fields as columns, and options, view, legal and command as JSON in columns of text."""

    def __init__(self, to: Any) -> None:
        from ...service.dataset import Decision

        try:
            pyarrow: Any = import_module("pyarrow")
            parquet: Any = import_module("pyarrow.parquet")
        except ModuleNotFoundError as missing:
            raise missing_package("Parquet", missing) from missing
        texts = ("game", "options", "bot", "view", "legal", "command")
        numbers = pyarrow.int32()
        self._schema = pyarrow.schema(
            [(name, pyarrow.string() if name in texts else numbers) for name in Decision.__struct_fields__]
        )
        self._writer = parquet.ParquetWriter(to, self._schema, compression="zstd")
        self._pyarrow = pyarrow
        self._rows: list[dict[str, object]] = []

    def add(self, row: Decision) -> None:
        """Keep a row until there are enough of them."""
        plain = msgspec.structs.asdict(row)
        for name in ("options", "view", "legal", "command"):
            plain[name] = None if plain[name] is None else msgspec.json.encode(plain[name]).decode()
        self._rows.append(plain)
        if len(self._rows) == ROWS:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(self._pyarrow.Table.from_pylist(self._rows, self._schema))
        self._rows = []

    def end(self) -> None:
        """Write what is left, and the end of the file."""
        if self._rows:
            self._flush()
        self._writer.close()


@contextmanager
def writer(out: Path | None, form: Format) -> Generator[Writer]:
    """Yield a writer to a file (None: to the standard output), which is there once all is written, or not at all.

    Raises StartupRefused.
    """
    if out is None:
        lines = (Lines if form is Format.NDJSON else Columns)(sys.stdout.buffer)
        yield lines
        lines.end()
        return
    part = out.with_name(f"{out.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            rows = (Lines if form is Format.NDJSON else Columns)(file)
            yield rows
            rows.end()
        part.replace(out)
    except OSError as error:
        raise StartupRefused(f"{out} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            part.unlink()


Out = Annotated[Path | None, typer.Option(help="The file to write. Default: the standard output.")]
Form = Annotated[Format, typer.Option("--format", help="One JSON object per line, or Parquet (extra `parquet`).")]
Legal = Annotated[bool, typer.Option("--legal", help="Also write every legal command of each decision.")]


@app.command("matches")
def of_matches(
    game: Annotated[list[str] | None, typer.Option(help="Only this game; repeat for more.")] = None,
    private: Annotated[bool, typer.Option("--private", help="Also matches that are unlisted, or closed to spectators.")] = False,
    legal: Legal = False,
    form: Form = Format.NDJSON,
    out: Out = None,
) -> None:
    """Write the decisions of all finished matches of this deployment, without the names and ids of players."""
    games = [game_of(name).id for name in game or ()]

    from ..bootstrap import server_of

    with server_of(settings_of("dataset")) as settings, writer(out, form) as rows:
        matches, decisions = run_to_end(_write(settings, rows, games, private=private, legal=legal))
    typer.echo(f"{decisions} decisions of {matches} matches.", err=True)


async def _write(settings: Settings, rows: Writer, games: Collection[GameId], *, private: bool, legal: bool) -> tuple[int, int]:
    from ...service.dataset import Source
    from ...service.deployment import open_application

    matches = decisions = 0
    async with open_application(settings) as application:
        source = Source(application.stores, application.repository, application.accounts)
        async for row in source.decisions(games, private=private, legal=legal):
            rows.add(row)
            matches = row.match
            decisions = decisions + 1
    return matches, decisions


@app.command("play")
def of_bots(  # noqa: PLR0913, PLR0917 - every option of a command is an argument
    game: str,
    seats: Annotated[int, typer.Option(help="Number of seats.")],
    matches: Annotated[int, typer.Option(min=1, help="Number of matches.")] = 100,
    bots: Annotated[str, typer.Option(help="Bots, comma-separated; they change seats with each match.")] = "",
    seed: Annotated[int, typer.Option(help="The same seed gives the same rows.")] = 1,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as name=value.")] = None,
    legal: Legal = False,
    form: Form = Format.NDJSON,
    out: Out = None,
) -> None:
    """Write the decisions of matches that bots play in memory."""
    from ...domain.match import BotName
    from ...domain.match.opening import read_options
    from ...service.dataset import self_play

    played = game_of(game)
    names: Sequence[BotName] = [BotName(name.strip()) for name in bots.split(",") if name.strip()]
    options = read_options(played, dict(map(option_of, option or ())), seats)
    found: Iterator[Decision] = self_play(played, options, seats, matches, seed, bots=names, legal=legal)
    decisions, last, ended = 0, 0, 0
    with writer(out, form) as rows:
        for row in found:
            rows.add(row)
            decisions += 1
            ended += row.match != last
            last = row.match
    typer.echo(f"{decisions} decisions of {ended} matches.", err=True)
