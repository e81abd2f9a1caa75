"""Operator commands: operators, corrections, deleted players, lists made again."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime

from ...domain.game import InvalidOptions, Placing, Seat
from ...domain.match import MatchId, PlayerId
from ...service.application import Application
from ...service.deployment import open_application
from ...service.players.look_alikes import is_reserved
from ...service.players.names import LONGEST_NAME, fit_name
from ...service.ports.events import SHARDS, Shard
from ...service.settings import Settings

CONSOLE = "console"
OPERATOR_SCOPES = ("read", "admin")
LONGEST_REASON = 500


def read_ranks(text: str) -> list[Placing]:
    """Parse placings such as `1,2,2`; raise InvalidOptions."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= 100 for part in parts):
        raise InvalidOptions("ranks", f"ranks are comma-separated numbers from 1, not {text!r}")
    return [Placing(Seat(seat), int(part)) for seat, part in enumerate(parts)]


def read_name(text: str, *, of_staff: bool = False) -> str:
    """Return a player's name; raise InvalidOptions for one that players could not choose themselves.

    An operator may have a name that shows what it is.
    """
    name = fit_name(text)
    if name is None:
        raise InvalidOptions("name", f"a name has 1 to {LONGEST_NAME} characters that can be seen, and no blanks around them")
    if not of_staff and is_reserved(name):
        raise InvalidOptions("name", "the names of the service and of its staff are reserved")
    return name


def read_reason(text: str) -> str:
    """Return the reason for a correction; raise InvalidOptions if it is empty, too long or unreadable."""
    if not text.strip() or len(text) > LONGEST_REASON or not text.isprintable():
        raise InvalidOptions("reason", f"a reason is one line of 1 to {LONGEST_REASON} characters")
    return text


async def make_operator(settings: Settings, name: str) -> str:
    """Make a player and return its token, which operates the service and does nothing else."""
    return await make_token(settings, name, OPERATOR_SCOPES, "operator")


async def make_token(settings: Settings, name: str, scopes: Sequence[str], label: str = CONSOLE) -> str:
    """Make a player and return a token with these scopes."""
    async with open_application(settings) as application:
        player, first, _ = await application.accounts.register(name)
        _, text = await application.accounts.issue(player.id, label, scopes, None)
        await application.accounts.revoke(player.id, first.id)
        return text


async def void(settings: Settings, match_id: MatchId, reason: str) -> None:
    """Take the result of a match back."""
    async with open_application(settings) as application:
        await application.corrections.void(CONSOLE, match_id, reason, secrets.token_hex(8))


async def adjudicate(settings: Settings, match_id: MatchId, placings: Sequence[Placing], reason: str) -> None:
    """Give a match another result."""
    async with open_application(settings) as application:
        await application.corrections.adjudicate(CONSOLE, match_id, placings, reason, secrets.token_hex(8))


async def forget(settings: Settings, player: PlayerId) -> None:
    """Delete a player."""
    async with open_application(settings) as application:
        await application.erasure.forget(player)


async def list_failing(settings: Settings) -> list[str]:
    """Return a line for each piece of work that keeps failing, the latest first."""
    async with open_application(settings) as application:
        return [
            f"{each.job} {each.task}: {each.errors[-1]}, {each.count} times since {_time(each.since_ms)}, "
            f"again at {_time(each.rest_until_ms)}"
            for each in await application.failures.resting()
        ]


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M:%SZ")


async def rebuild_all(settings: Settings) -> int:
    """Rebuild all rows and ratings of a deployment from its logs; return how many matches there are. Raises StartupRefused."""
    async with open_application(settings) as application:
        return await rebuild(application)


async def rebuild(application: Application) -> int:
    """Rebuild all rows and ratings from the matches' logs; return how many matches there are."""
    count = 0
    for number in range(SHARDS):
        shard = Shard(number)
        await application.projector.rebuild(shard)
        await application.projector.catch_up(shard)
        count += len(await application.stores.events.matches(shard))
    await application.rebuild()
    return count
