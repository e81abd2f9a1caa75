"""Followers: other features that get what inboxes get, for the players who want it from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ....domain.match import PlayerId
from .port import Notice


class Follower(Protocol):
    """A feature that follows what happens in the matches of some players. Every method may raise StoreUnavailable."""

    async def wanted(self) -> bool:
        """Return whether anyone wants anything: otherwise no match is read for it."""
        ...

    async def since(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, int]:
        """Return who of some players wants to hear, and since when (Unix milliseconds)."""
        ...

    async def hear(self, notices: Sequence[Notice]) -> None:
        """Take notices of such players; each may come again, with the same bodies."""
        ...


class Followers:
    """All followers of a deployment. They add themselves while they attach."""

    def __init__(self) -> None:
        self.all: list[Follower] = []

    async def wanted(self) -> bool:
        """Return whether anyone wants anything of any of them."""
        for each in self.all:
            if await each.wanted():
                return True
        return False

    async def tell(self, notices: Sequence[Notice]) -> None:
        """Hand notices to the followers whose players they are for."""
        players = list(dict.fromkeys(notice.player for notice in notices))
        for each in self.all if players else ():
            since = await each.since(players)
            if wanted := [notice for notice in notices if notice.player in since]:
                await each.hear(wanted)
