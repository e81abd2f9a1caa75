"""What players may not do now: those who are silenced or suspended, and new players from their addresses."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Sequence

from ....domain.match import PlayerId
from ...errors import Barred, Sanction
from ...players.accounts import Accounts
from ...players.bars import Deed
from .port import ADDRESS_MS, Act, ActKind, ActStore

KNOWN_SECONDS = 2.0
"""How old the sanctions may be that a process knows: those of another process count after this time at the latest."""
SANCTIONS = {ActKind.SILENCE: Sanction.SILENCED, ActKind.SUSPEND: Sanction.SUSPENDED}


class Sanctions:
    """Bars players from what they may not do. `id_key` hides addresses."""

    def __init__(self, store: ActStore, accounts: Accounts, now_ms: Callable[[], int], id_key: bytes) -> None:
        self._store = store
        self._accounts = accounts
        self._now_ms = now_ms
        self._id_key = id_key
        self._known: tuple[float, Sequence[Act]] | None = None

    def look_again(self) -> None:
        """Read the sanctions from the store before the next answer."""
        self._known = None

    async def bar(self, player: PlayerId, deed: Deed, address: str) -> None:
        """Raise Barred if a player may not do something now. From where it asks is noted, but not for each card."""
        hidden = self.hide(address) if address and deed is not Deed.PLAY else ""
        if hidden:
            await self._store.note_address(player, hidden)
        now_ms = self._now_ms()
        relevant = [each for each in await self._lasting() if each.lasts(now_ms) and _concerns(each, deed)]
        for act in sorted(relevant, key=lambda each: (each.kind is ActKind.SILENCE, -(each.until_ms or 0))):
            until_ms = act.until_ms or 0
            if act.player == player:
                raise Barred(SANCTIONS[act.kind], act.reason, until_ms)
            if act.address and act.address == hidden and await self._is_new(player, act, now_ms):
                raise Barred(SANCTIONS[act.kind], "", min(until_ms, act.at_ms + ADDRESS_MS))

    async def _is_new(self, player: PlayerId, act: Act, now_ms: int) -> bool:
        """True if a player came after an act that still concerns its address, and not through an application."""
        record = await self._accounts.find(player)
        came_later = record is not None and record.application is None and record.created_ms >= act.at_ms
        return came_later and now_ms < act.at_ms + ADDRESS_MS

    async def _lasting(self) -> Sequence[Act]:
        clock = asyncio.get_running_loop().time
        if self._known is None or clock() - self._known[0] > KNOWN_SECONDS:
            self._known = (clock(), await self._store.lasting(self._now_ms()))
        return self._known[1]

    def hide(self, address: str) -> str:
        """Return what an address is stored as: a keyed hash."""
        return hmac.digest(self._id_key, f"moderation|{address}".encode(), "sha256").hex()[:32]


def _concerns(act: Act, deed: Deed) -> bool:
    return act.kind is ActKind.SUSPEND or (act.kind is ActKind.SILENCE and deed is Deed.TALK)
