"""The commands with which operators moderate: `moderation hide-line`, `silence`, `suspend`, `close-report`, `lift`, `acts`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from .....domain.game import InvalidOptions
from .....domain.match import MatchId, PlayerId
from ...environment import settings_of
from ...stored import ask_store
from .. import Commands, Section

if TYPE_CHECKING:
    from .....service.features.moderation.port import Act
    from .....service.features.moderation.service import Acts, SanctionWish

DAY_MS = 86_400_000

app = typer.Typer()
moderation = typer.Typer(help="Hidden lines of talk, silenced and suspended players, closed reports.", no_args_is_help=True)
app.add_typer(moderation, name="moderation")
COMMANDS: Commands = {Section.OPERATING: app}


class RoomName(Enum):
    """A room of a match."""

    TABLE = "table"
    STANDS = "stands"


Player = Annotated[str, typer.Argument(help="The id of the player.")]
Reason = Annotated[str, typer.Option(help="The reason, on one line. The player whom it concerns can read it.")]
Days = Annotated[int, typer.Option(min=1, max=365, help="For how many days.")]
Address = Annotated[
    bool, typer.Option("--address", help="Also for players who are new from now on and come from the player's last address.")
]


@moderation.command("hide-line")
def hide_line(
    match: str,
    room: Annotated[RoomName, typer.Argument(help="The room of the match.")],
    number: Annotated[int, typer.Argument(help="The number of the line in its room.")],
    reason: Reason,
) -> None:
    """Hide a line of talk: a tombstone stays, also for those who have read it."""
    from .....service.features.talk.port import MatchRoom, Room

    place = MatchRoom(MatchId(match), Room(room.value))
    _do(lambda acts, _: acts.hide_line(None, place, number, reason))


@moderation.command()
def silence(player: Player, reason: Reason, days: Days, address: Address = False) -> None:
    """Keep a player from talking for some days."""
    _do(lambda acts, now_ms: acts.silence(None, _wish(player, days, now_ms, address), reason))


@moderation.command()
def suspend(player: Player, reason: Reason, days: Days, address: Address = False) -> None:
    """Keep a player from playing and talking for some days; in its running matches a bot plays on."""
    _do(lambda acts, now_ms: acts.suspend(None, _wish(player, days, now_ms, address), reason))


@moderation.command("close-report")
def close_report(report: Annotated[str, typer.Argument(help="The id of the report.")], reason: Reason) -> None:
    """Close a report of a line of talk."""
    _do(lambda acts, _: acts.close_report(None, report, reason))


@moderation.command()
def lift(act: Annotated[str, typer.Argument(help="The id of the act.")]) -> None:
    """End a sanction before its time."""
    _do(lambda acts, _: acts.lift(None, act))


@moderation.command("acts")
def list_acts(limit: Annotated[int, typer.Option(min=1, max=1_000, help="How many acts to list.")] = 100) -> None:
    """List what operators have done, newest first, one act a line, as JSON."""
    from .....service.features.moderation.service import Acts

    found = ask_store(lambda: settings_of("moderation"), lambda application: application.get(Acts).newest(0, limit))
    typer.echo("".join(map(_line, found)), nl=False)


def _wish(player: str, days: int, now_ms: int, address: bool) -> SanctionWish:
    from .....service.features.moderation.service import SanctionWish

    return SanctionWish(PlayerId(player), now_ms + DAY_MS * days, address)


def _do(act: Callable[[Acts, int], Awaitable[Act]]) -> None:
    """Carry out an act over the store, and print it as it is kept."""
    from .....service.application import Application
    from .....service.features.moderation.service import ActRefused, Acts

    async def carry_out(application: Application) -> Act:
        return await act(application.get(Acts), application.now_ms())

    try:
        done = ask_store(lambda: settings_of("moderation"), carry_out)
    except ActRefused as error:
        raise InvalidOptions(error.field, error.reason) from None
    typer.echo(_line(done), nl=False)


def _line(act: Act) -> str:
    return f"{msgspec.json.encode(act).decode()}\n"
