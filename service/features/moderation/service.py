"""What operators do: each act is kept first and carried out after it, so that what is cut off can be finished."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec

from ....domain.match import PlayerId
from ...erasure import Departures
from ...errors import NotFound, ServiceError, StoreUnavailable
from ...matches.own_keys import key_of_a_request
from ...players.accounts import Accounts, opaque
from ..talk.moderation import Reports, Tombstones
from ..talk.port import MatchRoom
from ..talk.texts import fit_text
from .port import KEPT_MS, LONGEST_MS, Act, ActKind, ActStore
from .sanctions import Sanctions

SETTLING_MS = 60_000
"""For how long after a suspension its player is taken out of matches: a request that was under way may seat it as late."""
LOOK_SECONDS = 15.0
"""How often a suspension is looked at until it is settled."""
REST_SECONDS = 60.0
"""How often new ones are looked for while there is none."""
CLEAN_MS = 3_600_000
ID_DIGITS = 26
TRIES = 20


class ActRefused(ServiceError):
    """An act cannot be done like this; `field` is the wrong part of the wish, and `reason` says why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


class SanctionWish(NamedTuple):
    """Whom to silence or suspend until when, and whether new players from its address are concerned, too."""

    player: PlayerId
    until_ms: int
    address: bool


class Acts:
    """The acts of operators. *by* is the operator, None at the command line. All raise NotFound, ActRefused."""

    def __init__(  # noqa: PLR0913 - its collaborators, each said by name
        self,
        *,
        store: ActStore,
        sanctions: Sanctions,
        tombstones: Tombstones,
        reports: Reports,
        departures: Departures,
        accounts: Accounts,
        withdraw: Sequence[Callable[[PlayerId], Awaitable[None]]],
        now_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._sanctions = sanctions
        self._tombstones = tombstones
        self._reports = reports
        self._departures = departures
        self._accounts = accounts
        self._withdraw = withdraw
        self._now_ms = now_ms
        self._cleaned_ms = 0

    async def hide_line(self, by: PlayerId | None, place: MatchRoom, n: int, reason: str) -> Act:
        """Hide a line of talk. Done again, it is the same act."""
        line = await self._tombstones.find(place, n)
        act = await self._store.add(
            Act(
                id=_id_of(ActKind.HIDE_LINE, line.id),
                kind=ActKind.HIDE_LINE,
                at_ms=self._now_ms(),
                by=by,
                reason=_read(reason),
                player=line.player,
                match=place.match,
                room=place.room,
                n=n,
            )
        )
        await self._tombstones.hide(place, n)
        return await self._require(act)

    async def silence(self, by: PlayerId | None, wish: SanctionWish, reason: str) -> Act:
        """Keep a player from talking."""
        return await self._sanction(by, ActKind.SILENCE, wish, reason)

    async def suspend(self, by: PlayerId | None, wish: SanctionWish, reason: str) -> Act:
        """Keep a player from playing and talking, and let a bot play on in its running matches."""
        act = await self._sanction(by, ActKind.SUSPEND, wish, reason)
        await self._take_out(wish.player)
        return act

    async def _sanction(self, by: PlayerId | None, kind: ActKind, wish: SanctionWish, reason: str) -> Act:
        now_ms = self._now_ms()
        if not now_ms < wish.until_ms <= now_ms + LONGEST_MS:
            raise ActRefused("until_ms", "a sanction ends in the future, within 365 days")
        said = _read(reason)
        await self._accounts.player(wish.player)
        address = await self._store.address_of(wish.player) if wish.address else ""
        act = await self._store.add(
            Act(
                id=opaque("d"),
                kind=kind,
                at_ms=now_ms,
                by=by,
                reason=said,
                player=wish.player,
                until_ms=wish.until_ms,
                address=address,
                settled=kind is not ActKind.SUSPEND,
            )
        )
        self._sanctions.look_again()
        return await self._require(act)

    async def close_report(self, by: PlayerId | None, report: str, reason: str) -> Act:
        """Close a report. Done again, it is the same act."""
        found = await self._reports.close(report, _read(reason))
        assert found.closed is not None, "a report that was closed says so"
        act = Act(
            id=_id_of(ActKind.CLOSE_REPORT, report),
            kind=ActKind.CLOSE_REPORT,
            at_ms=found.closed.at_ms,
            by=by,
            reason=found.closed.reason,
            player=found.reporter,
            report=report,
        )
        return await self._require(await self._store.add(act))

    async def lift(self, by: PlayerId | None, act: str) -> Act:
        """End a sanction before its time. Done again, nothing changes."""
        for _ in range(TRIES):
            if (found := await self._store.find(act)) is None:
                raise NotFound("act")
            if found.until_ms is None:
                raise ActRefused("kind", "only a sanction can be lifted")
            if found.lifted_ms is not None:
                return found
            lifted = msgspec.structs.replace(found, lifted_ms=self._now_ms(), lifted_by=by)
            if await self._store.replace(found, lifted):
                self._sanctions.look_again()
                return lifted
        raise StoreUnavailable("the act keeps being changed by others")

    async def newest(self, skip: int, limit: int) -> Sequence[Act]:
        """Return acts, newest first, after those that are to be skipped."""
        return await self._store.newest(skip, limit)

    async def concerning(self, player: PlayerId) -> Sequence[Act]:
        """Return the acts that concern a player, newest first."""
        return await self._store.concerning(player)

    async def step(self) -> float:
        """Take suspended players out of what they got into meanwhile, and delete old acts; return when to do so again."""
        now_ms = self._now_ms()
        unsettled = False
        for act in await self._store.lasting(now_ms):
            if not act.settled and act.player is not None:
                unsettled = True
                await self._take_out(act.player)
                if now_ms >= act.at_ms + SETTLING_MS:  # if another one changes the act now, the next look settles it
                    await self._store.replace(act, msgspec.structs.replace(act, settled=True))
        if now_ms >= self._cleaned_ms + CLEAN_MS:
            for act in await self._store.old(now_ms - KEPT_MS):
                await self._store.remove(act)
            self._cleaned_ms = now_ms
        return LOOK_SECONDS if unsettled else REST_SECONDS

    async def forget(self, player: PlayerId) -> None:
        """Delete the acts that concern a player. What concerns an address lasts until its end, without player and reason."""
        await self._store.forget_address(player)
        for act in await self._store.concerning(player):
            await self._forget(act)
        self._sanctions.look_again()

    async def _forget(self, act: Act) -> None:
        """Delete an act or its player and reason, also while others change it."""
        found: Act | None = act
        for _ in range(TRIES):
            if found is None:
                return
            if not (found.address and found.lasts(self._now_ms())):
                await self._store.remove(found)
                return
            if await self._store.replace(found, msgspec.structs.replace(found, player=None, reason="", settled=True)):
                return
            found = await self._store.find(act.id)
        raise StoreUnavailable("the act keeps being changed by others")

    async def export(self, player: PlayerId) -> object:
        """Return the acts that concern a player, and whether its address is known, as plain data."""
        return {
            "acts": [
                {
                    "kind": act.kind.value,
                    "at_ms": act.at_ms,
                    "reason": act.reason,
                    "until_ms": act.until_ms,
                    "lifted_ms": act.lifted_ms,
                    "match": act.match,
                    "n": act.n,
                    "report": act.report,
                }
                for act in await self._store.concerning(player)
            ],
            "address_known": await self._store.address_of(player) != "",
        }

    async def _take_out(self, player: PlayerId) -> None:
        """Take a player out of all that it plays, waits for or has entered, as if it had left; once more for what came between.

        The log has the key of an ordinary request: nothing shows that it was not the player.
        """
        await self._departures.leave_all(player, key_of_a_request)
        for withdraw in self._withdraw:
            await withdraw(player)
        await self._departures.leave_all(player, key_of_a_request)

    async def _require(self, act: Act) -> Act:
        """Return an act whose player is there; one that was deleted meanwhile has no act."""
        if act.player is not None and await self._accounts.find(act.player) is None:
            await self.forget(act.player)
            raise NotFound("player")
        return act


def _id_of(kind: ActKind, what: str) -> str:
    return "d" + hashlib.sha256(f"{kind.value} {what}".encode()).hexdigest()[:ID_DIGITS]


def _read(reason: str) -> str:
    """Return a reason in its normal form, on one line; raise ActRefused if nothing of it can be seen, or it is too long."""
    if (said := fit_text(reason)) is None:
        raise ActRefused("reason", "a reason is one line of 1 to 280 visible characters")
    return said
