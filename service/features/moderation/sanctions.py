"""What players may not do now: those who are silenced or suspended, and new players from their addresses."""

from __future__ import annotations

import asyncio
import hmac
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ....domain.match import PlayerId
from ...errors import Barred, Sanction
from ...players.accounts import Accounts
from ...players.bars import Deed
from .port import ADDRESS_MS, Act, ActKind, ActStore

KNOWN_SECONDS = 2.0
"""How old the sanctions may be that a process knows: those of another process count after this time at the latest."""
SANCTIONS = {ActKind.SILENCE: Sanction.SILENCED, ActKind.SUSPEND: Sanction.SUSPENDED}


class _Known(NamedTuple):
    """The sanctions that a process knows, since when (seconds of its event loop), by player and by the hash of an address."""

    since: float
    players: Mapping[PlayerId, Sequence[Act]]
    addresses: Mapping[str, Sequence[Act]]


class Sanctions:
    """Bars players from what they may not do. `id_key` hides addresses."""

    def __init__(self, store: ActStore, accounts: Accounts, now_ms: Callable[[], int], id_key: bytes) -> None:
        self._store = store
        self._accounts = accounts
        self._now_ms = now_ms
        self._id_key = id_key
        self._known: _Known | None = None

    def look_again(self) -> None:
        """Read the sanctions from the store before the next answer."""
        self._known = None

    async def bar(self, player: PlayerId, deed: Deed, address: str) -> None:
        """Raise Barred if a player may not do something now. From where it asks is noted, but not for each card."""
        hidden = self.hide(address) if address and deed is not Deed.PLAY else ""
        if hidden:
            await self._store.note_address(player, hidden)
        known = await self._lasting()
        now_ms = self._now_ms()
        for act in _gravest_first(known.players.get(player, ()), deed, now_ms):
            raise Barred(SANCTIONS[act.kind], act.reason, act.ends_ms)
        for act in _gravest_first(known.addresses.get(hidden, ()), deed, now_ms):
            if await self._is_new(player, act, now_ms):
                raise Barred(SANCTIONS[act.kind], "", min(act.ends_ms, act.at_ms + ADDRESS_MS))

    async def _is_new(self, player: PlayerId, act: Act, now_ms: int) -> bool:
        """True if a player came after an act that still concerns its address, and not through an application."""
        record = await self._accounts.find(player)
        came_later = record is not None and record.application is None and record.created_ms >= act.at_ms
        return came_later and now_ms < act.at_ms + ADDRESS_MS

    async def _lasting(self) -> _Known:
        clock = asyncio.get_running_loop().time
        if self._known is None or clock() - self._known.since > KNOWN_SECONDS:
            since = clock()
            players: defaultdict[PlayerId, list[Act]] = defaultdict(list)
            addresses: defaultdict[str, list[Act]] = defaultdict(list)
            for act in await self._store.lasting(self._now_ms()):
                if act.player is not None:
                    players[act.player].append(act)
                if act.address:
                    addresses[act.address].append(act)
            self._known = _Known(since, players, addresses)
        return self._known

    def hide(self, address: str) -> str:
        """Return what an address is stored as: a keyed hash."""
        return hmac.digest(self._id_key, f"moderation|{address}".encode(), "sha256").hex()[:32]


def _gravest_first(acts: Sequence[Act], deed: Deed, now_ms: int) -> Sequence[Act]:
    """Return what of some sanctions concerns a deed now: suspensions first, then by how long they last."""
    found = [each for each in acts if each.lasts(now_ms) and (each.kind is ActKind.SUSPEND or deed is Deed.TALK)]
    return sorted(found, key=lambda each: (each.kind is ActKind.SILENCE, -each.ends_ms))
