"""Taking players out of matches, and deleting them: out of all matches, then the record and its tokens, and out of rankings.

What features know of it, such as its webhooks, is deleted, too.

Logs and their chains stay as they are: they know an opaque id only. A duty finishes what a process that died has begun.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import structlog

from ..domain.game import RuleViolation
from ..domain.match import MatchId, PlayerId, Status
from ..domain.match.commands import Abort, LeaveSeat
from .errors import StoreUnavailable
from .failures import Failures
from .matches.command_handler import CommandHandler, correlation, issued_by
from .matches.own_keys import PlayersAct
from .matches.repository import MatchRepository
from .players.accounts import Accounts
from .views.unfinished import UnfinishedMatches

LATE_MS = 60_000
"""A deletion that has not ended after this time is finished by `step`: its process died, or lost the store."""
LOOK_SECONDS = 30.0
DELETION, LEAVING = "deletion of a player", "leaving a match"

log = structlog.get_logger(__name__)


class Departures:
    """Takes players out of all matches that are not over, as if they had left."""

    def __init__(
        self, matches: MatchRepository, handler: CommandHandler, unfinished: UnfinishedMatches, failures: Failures
    ) -> None:
        self._matches = matches
        self._handler = handler
        self._unfinished = unfinished
        self._failures = failures

    async def leave_all(self, player: PlayerId, key: Callable[[], str]) -> None:
        """Leave all matches, each by a command with a fresh *key*: one that cannot be left is noted and passed over.

        Nothing in the logs ties these commands together: they could be the player's own requests.
        An open match that the player hosts continues with the next player as host, or ends; in a running one a bot plays on.
        """
        for match_id in await self._unfinished.find(player):
            before = correlation.set(secrets.token_hex(8))
            try:
                await self._leave(player, match_id, key())
            except StoreUnavailable:
                raise
            except Exception as error:
                await self._failures.note(LEAVING, match_id, error, round(1000 * LOOK_SECONDS))
            else:
                await self._failures.clear(LEAVING, match_id)
            finally:
                correlation.reset(before)

    async def _leave(self, player: PlayerId, match_id: MatchId, key: str) -> None:
        loaded = (await self._matches.load_latest(match_id)).match
        hosts = loaded.status is Status.OPEN and loaded.host == player
        if loaded.status.finished or not (hosts or loaded.expects(player)):
            return
        command = Abort(player) if hosts and loaded.edition == 1 else LeaveSeat(player)
        with suppress(RuleViolation):  # it ended meanwhile, or the player was removed
            await self._handler.carry_out(issued_by(player, match_id, command, key))


class Erasure:
    """Deletes players. A retry, or `step`, completes an interrupted deletion."""

    def __init__(
        self,
        players: Accounts,
        departures: Departures,
        failures: Failures,
        *,
        also: Sequence[Callable[[PlayerId], Awaitable[None]]],
    ) -> None:
        self._players = players
        self._departures = departures
        self._failures = failures
        self._also = also

    async def forget(self, player: PlayerId) -> None:
        """Delete a player; raise NotFound if there is none, and no interrupted deletion of it.

        An open match that it hosts goes on with the next player as host, or ends; in a running one a bot plays on. A match that
        cannot be left is logged and passed over.
        """
        if player not in await self._players.deletions():
            await self._players.player(player)
            await self._players.begin_deletion(player)
        await self._delete(player)

    async def step(self) -> float:
        """Finish interrupted deletions; return after how many seconds to look again. Raises StoreUnavailable."""
        for player in await self._players.deletions(LATE_MS):
            if await self._failures.rests(DELETION, player):
                continue
            try:
                await self._delete(player)
            except StoreUnavailable:
                raise
            except Exception as error:
                await self._failures.note(DELETION, player, error, round(1000 * LOOK_SECONDS))
            else:
                await self._failures.clear(DELETION, player)
                log.info("interrupted deletion finished")
        return LOOK_SECONDS

    async def _delete(self, player: PlayerId) -> None:
        await self._leave_all(player)
        await self._players.remove(player)
        await self._leave_all(player)  # seats taken meanwhile
        for forget in self._also:
            await forget(player)
        await self._players.end_deletion(player)

    async def _leave_all(self, player: PlayerId) -> None:
        await self._departures.leave_all(player, lambda: PlayersAct.FORGET.key(secrets.token_hex(8)))
