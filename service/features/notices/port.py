"""The store of notices: what players have chosen, which notices are planned, and when a player was last there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NewType, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from ....domain.match import PlayerId
from ....domain.wording import Language

NoticeId = NewType("NoticeId", str)
PushId = NewType("PushId", str)

MOST_PUSHES = 10
"""How many browsers of a player get notices."""
MOST_PLANNED = 100_000
"""How many notices wait, of all players together."""


class Occasion(Enum):
    """What a notice can be about."""

    TURN = "turn"
    INVITATION = "invitation"
    ROUND = "round"
    END = "end"


CONFIRMATION = "confirmation"
"""What a notice is about that asks whether an address is the player's."""
MAIL = "mail"
"""The way by mail; that of a browser is its id."""


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player gets mail, and whether it has confirmed that; `salt` is fresh for each address that is given.

    Until `until_ms` a code confirms it, if no more than a few wrong ones came before.
    """

    address: str
    language: Language
    salt: bytes
    until_ms: int
    wrong: int = 0
    confirmed: bool = False


class Push(msgspec.Struct, frozen=True, kw_only=True):
    """A browser that takes push messages: where they are sent, its public key (P-256, uncompressed) and its secret.

    It takes them for as long as the `token` lasts by which it was added; one that was added before that was kept lasts.
    """

    id: PushId
    endpoint: str
    key: bytes
    secret: bytes
    language: Language
    created_ms: int
    token: str | UnsetType = UNSET


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has chosen: what it is notified about, and where. `revision` counts the changes."""

    player: PlayerId
    revision: int = 0
    since_ms: int = 0
    occasions: tuple[Occasion, ...] = tuple(Occasion)
    mail: Mail | None = None
    pushes: tuple[Push, ...] = ()

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways by which the player can be notified now."""
        mail = (MAIL,) if self.mail is not None and self.mail.confirmed else ()
        return (*mail, *(each.id for each in self.pushes))


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to one player by one way. `at_ms`: when it happened; `due_ms`: when it is sent; `tries`: how often it was claimed.

    `about` is an occasion, or `CONFIRMATION`; then `salt` is that of the address which the code is for. Nothing here is a secret
    of a match.
    """

    id: NoticeId
    player: PlayerId
    way: str
    about: str
    at_ms: int
    due_ms: int
    match: str | None = None
    game: str | None = None
    decision: int | None = None
    tries: int = 0
    salt: bytes | UnsetType = UNSET


class NoticeStore(Protocol):
    """What notices are made of. Every method may raise StoreUnavailable."""

    async def wanted(self) -> bool:
        """Return whether any player has chosen anything."""
        ...

    async def of(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, Chosen]:
        """Return what those of some players have chosen who have chosen something."""
        ...

    async def put(self, chosen: Chosen) -> bool:
        """Write a choice if the stored one has the revision before; return whether it stands there."""
        ...

    async def hold(self, endpoint: str, player: PlayerId) -> PlayerId | None:
        """Note that a browser's messages are for a player from now on; return for whom they were before, if for anyone."""
        ...

    async def holder(self, endpoint: str) -> PlayerId | None:
        """Return for whom a browser's messages are; None if that is not known."""
        ...

    async def let_go(self, endpoint: str, player: PlayerId) -> None:
        """Forget that a browser's messages are for a player, if they still are."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete what a player has chosen, and when it was there. What is planned for it is dropped when it is due."""
        ...

    async def plan(self, planned: Sequence[Planned], now_ms: int, most: int = MOST_PLANNED) -> int:
        """Add notices that are neither waiting nor done; return for how many there was no room."""
        ...

    async def claim(self, now_ms: int, until_ms: int, count: int, *, mail: bool) -> Sequence[Planned]:
        """Return notices by mail, or by push, that are due, oldest first.

        Others get them from *until_ms* on, unless they are finished.
        """
        ...

    async def finish(self, notice: NoticeId, now_ms: int) -> None:
        """Note that nothing more is to be done; the same notice is not planned again for a day."""
        ...

    async def postpone(self, notice: NoticeId, due_ms: int) -> None:
        """Let a notice be due at another time, unless it is done."""
        ...

    async def touch(self, players: Sequence[PlayerId], now_ms: int) -> None:
        """Note that players are there now."""
        ...

    async def seen_ms(self, player: PlayerId) -> int | None:
        """Return when a player was last there (Unix milliseconds); None if that was not within the last day."""
        ...


DONE_MS = 25 * 3_600_000
"""How long a notice that is done is remembered, and how long a player that was there."""
