"""Commands that let bots play in memory: `simulate` and `arena`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from ...domain.game import AnyGame, GameId, InvalidOptions
from .environment import command_of, games_of_environment

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


@command_of("bots", app=app, name="arena")
def measure_bots(  # noqa: PLR0913, PLR0917 - every option of a command is an argument
    game: str,
    seats: Annotated[int, typer.Option(help="Number of seats.")],
    bots: Annotated[str, typer.Option(help="Bots, comma-separated: each one challenges a table of each other one.")] = "",
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Compare each level with the one below, plus a cheating upper bound.")
    ] = False,
    deals: Annotated[int, typer.Option(min=1, help="Number of deals; each is played once per challenger seat.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 1,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as name=value.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Save results in this file; results already there are not played again.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, and no progress.")] = False,
    program: Annotated[
        str | None,
        typer.Option(
            help="A program of your own: a .py, .js or .ts file, or a command. It challenges each of the bots over HTTP."
        ),
    ] = None,
) -> None:
    """Compare the strength of bots on the same deals, in every seat, using all cores, or of your own program with theirs."""
    import rich

    from ...service.features.bots.arena import duels, rate, tasks
    from .arena_runner import contest, grid_of, pairs_of, rungs_of

    played = game_of(game)
    names = [name.strip() for name in bots.split(",") if name.strip()]
    if program is not None:
        if ladder or out is not None:
            raise InvalidOptions("program", "takes neither --ladder nor --out")
        _measure_program(program, played, seats, dict(map(option_of, option or ())), names, deals, as_json=as_json)
        return
    pairs = rungs_of(played) if ladder else pairs_of(names)
    if not pairs or (ladder and names):
        raise InvalidOptions("bots", "name two or more, or take --ladder instead")
    outcomes = contest(tasks(played, dict(map(option_of, option or ())), seats, pairs, deals, seed), out, quiet=as_json)
    results = duels(outcomes)
    ratings = rate(outcomes)
    if as_json:
        typer.echo(msgspec.json.encode({"game": played.id, "seats": seats, "seed": seed, "duels": results, "ratings": ratings}))
    else:
        for grid in grid_of(results, ratings):
            rich.print(grid)


def _measure_program(
    program: str,
    game: AnyGame,
    seats: int,
    options: dict[str, OptionValue],
    rivals: list[str],
    deals: int,
    *,
    as_json: bool,
) -> None:
    import rich

    from ...service.features.bots.arena import duels
    from ...service.features.bots.placing import standing_among
    from ...service.features.bots.shipped_ratings import RATINGS
    from .arena_runner import grid_of, progress_of
    from .program_arena import contest, rivals_of

    chosen = rivals or rivals_of(game)
    with progress_of(quiet=as_json) as progress:
        bar = progress.add_task(game.id, total=deals * len(chosen))
        outcomes = contest(program, game, seats, options, chosen, deals, lambda: progress.advance(bar))
    shares = {rival: [each.share for each in outcomes if each.task.other == rival] for rival in chosen}
    standing = standing_among(shares, RATINGS.get(game.id, {}), seats)
    results = duels(outcomes)
    if as_json:
        typer.echo(msgspec.json.encode({"game": game.id, "seats": seats, "duels": results, "standing": standing}))
        return
    rich.print(grid_of(results, ())[0])
    if standing is not None:
        typer.echo(f"Rating: {standing.points}, with 95 % between {standing.low} and {standing.high} (a beginner has 1000).")
