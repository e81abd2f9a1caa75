"""The command that lets bots play in memory, `simulate`, and how commands read a game and its options."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from ...domain.game import AnyGame, GameId, InvalidOptions
from .environment import games_of_environment

if TYPE_CHECKING:
    from rich.table import Table

    from ...domain.match.terms import OptionValue
    from ...service.simulate import Tally

app = typer.Typer()


@app.command("simulate")
def simulate_matches(
    game: str,
    seats: Annotated[int, typer.Option(help="Number of seats.")],
    matches: Annotated[int, typer.Option(min=1, help="Number of matches.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 1,
    bots: Annotated[str, typer.Option(help="Bots of the seats, comma-separated; repeated if there are too few.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as name=value.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let bots play matches against each other, in memory."""
    import rich

    from ...domain.match import BotName
    from ...service.simulate import simulate

    names = [BotName(name.strip()) for name in bots.split(",") if name.strip()]
    began = time.perf_counter()
    tally = simulate(game_of(game), seats, matches, seed, options=dict(map(option_of, option or ())), bots=names)
    seconds = round(time.perf_counter() - began, 3)
    if as_json:
        typer.echo(msgspec.json.encode({**msgspec.structs.asdict(tally), "seed": seed, "seconds": seconds}))
    else:
        rate = f"{tally.decisions / seconds:,.0f} decisions/s" if seconds else "no time at all"
        typer.echo(f"{tally.game}: {tally.ended} of {tally.matches} matches ended, {tally.decisions} decisions, {rate}")
        rich.print(_table_of(tally))


def game_of(name: str) -> AnyGame:
    """Return a game; raise InvalidOptions if there is none of that name."""
    games = games_of_environment()
    found = games.get(GameId(name))
    if found is None:
        raise InvalidOptions("game", f"there is no game {name!r}, but {', '.join(games)}")
    return found


def option_of(text: str) -> tuple[str, OptionValue]:
    """Return name and value; a value that is not JSON is text."""
    name, _, value = text.partition("=")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _table_of(tally: Tally) -> Table:
    from rich.table import Table

    table = Table("seat", "wins", "share")
    for seat, wins in enumerate(tally.wins):
        table.add_row(str(seat), str(wins), f"{wins / tally.matches:.1%}")
    return table
