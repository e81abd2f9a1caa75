"""Saying something in a room: what may be said here, how often, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable

from ....domain.match import MatchId, PlayerId
from ...errors import NotFound, ServiceError
from ...players.accounts import Accounts
from ...players.bars import Bars, Deed
from ...players.budgets import Budget
from ...players.draws import fresh_bytes
from ...players.quotas import QuotaState
from ...runtime.end_watch import EndWatch
from .phrases import PHRASES, REACTIONS
from .port import Kind, Line, LineStore, MatchRoom, Numbered, Room
from .rooms import Rooms
from .texts import fit_text


class TalkRefused(ServiceError):
    """What was to be said cannot be; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SaidTooMuch(ServiceError):
    """A player, or its address, has used up a budget; `state` says which, and for how long."""

    def __init__(self, state: QuotaState) -> None:
        super().__init__(state.budget.name)
        self.state = state


class Speakers:
    """Lets players say something, each in its own room."""

    def __init__(
        self,
        store: LineStore,
        rooms: Rooms,
        watch: EndWatch[MatchRoom],
        accounts: Accounts,
        budget: Budget,
        bars: Bars,
        now_ms: Callable[[], int],
    ) -> None:
        self._bars = bars
        self._store = store
        self._rooms = rooms
        self._watch = watch
        self._accounts = accounts
        self._budget = budget
        self._now_ms = now_ms

    async def say(self, player: PlayerId, match_id: MatchId, kind: Kind, said: str, address: str = "") -> tuple[Room, Numbered]:
        """Say something in the player's own room; raise TalkRefused, SaidTooMuch, Forbidden, Barred.

        *address* is where the player asks from, if that counts.
        The same request, repeated because its answer was lost, says it once: the line's id is drawn as other ids are.
        """
        self._rooms.require(kind)
        access = await self._rooms.access(player, match_id)
        if (await self._accounts.player(player)).bot:
            raise TalkRefused("programs do not talk")
        text = _fit(kind, said)
        await self._bars.require(player, Deed.TALK, address)
        if (refused := await self._budget.spend(player, address)) is not None:
            raise SaidTooMuch(refused)
        line = Line(id="l" + fresh_bytes(13).hex(), at_ms=self._now_ms(), player=player, seat=access.seat, kind=kind, said=text)
        place = MatchRoom(match_id, access.own)
        n = await self._store.add(place, line)
        if await self._accounts.find(player) is None:  # deleted meanwhile
            await self._store.forget(player)
            raise NotFound("player")
        self._watch.wake([place])
        return place.room, Numbered(n, line)


def _fit(kind: Kind, said: str) -> str:
    """Return what is stored of what a player says."""
    if kind is Kind.TEXT:
        if (text := fit_text(said)) is None:
            raise TalkRefused("nothing of the text can be seen, or it is too long")
        return text
    if said not in (PHRASES if kind is Kind.PHRASE else REACTIONS):
        raise TalkRefused(f"there is no such {kind.value}")
    return said
