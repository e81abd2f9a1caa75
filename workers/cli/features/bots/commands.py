"""The command that measures bots: `arena`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from .....domain.game import AnyGame, InvalidOptions
from ...simulating import game_of, option_of
from .. import Commands, Section
from .opponents import Against, rivals_of

if TYPE_CHECKING:
    from .....domain.match.terms import OptionValue

app = typer.Typer()
COMMANDS: Commands = {Section.BOTS: app}


@app.command("arena")
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
    against: Annotated[
        Against,
        typer.Option(
            help="Whom the program plays if no bots are named: those that answer quickly, all and the exploiters, or these alone."
        ),
    ] = Against.QUICK,
) -> None:
    """Compare the strength of bots on the same deals, in every seat, using all cores, or of your own program with theirs."""
    import rich

    from .....service.features.bots.arena import duels, rate, tasks
    from .arena_runner import contest, grid_of, pairs_of, rungs_of

    played = game_of(game)
    names = [name.strip() for name in bots.split(",") if name.strip()]
    if program is not None:
        if ladder or out is not None:
            raise InvalidOptions("program", "takes neither --ladder nor --out")
        rivals = names or rivals_of(played, against)
        _measure_program(program, played, seats, dict(map(option_of, option or ())), rivals, deals, as_json=as_json)
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

    from .....service.features.bots.arena import duels
    from .....service.features.bots.placing import standing_among
    from .....service.features.bots.shipped_ratings import RATINGS
    from .arena_runner import counting, grid_of
    from .program_arena import contest

    if not rivals:
        raise InvalidOptions("against", f"{game.id} has no exploiters")
    with counting(game.id, deals * len(rivals), 0, quiet=as_json) as tick:
        outcomes = contest(program, game, seats, options, rivals, deals, tick)
    shares = {rival: [each.share for each in outcomes if each.task.other == rival] for rival in rivals}
    ratings = RATINGS.get(game.id, {})
    standing = standing_among(shares, ratings, seats)
    results = duels(outcomes)
    if as_json:
        typer.echo(msgspec.json.encode({"game": game.id, "seats": seats, "duels": results, "standing": standing}))
        return
    rich.print(grid_of(results, ())[0])
    if standing is not None:
        typer.echo(f"Rating: {standing.points}, with 95 % between {standing.low} and {standing.high}.")
        rated = sorted((rival for rival in rivals if rival in ratings), key=lambda rival: ratings[rival])
        typer.echo(f"On the same scale: {', '.join(f'{rival} {ratings[rival]}' for rival in rated)}.")
