"""Players and the hashes of their tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

import msgspec

from ...domain.game import Seat
from ...domain.match import MatchId, PlayerId


class Figure(Enum):
    """The animal of an avatar."""

    FOX = "fox"
    OWL = "owl"
    BEAR = "bear"
    CAT = "cat"
    HARE = "hare"
    RAVEN = "raven"
    BADGER = "badger"
    OTTER = "otter"
    HEDGEHOG = "hedgehog"
    STAG = "stag"
    WOLF = "wolf"
    GOOSE = "goose"
    FROG = "frog"
    MOUSE = "mouse"
    SQUIRREL = "squirrel"
    LYNX = "lynx"


class Colour(Enum):
    """The colour behind it."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    TEAL = "teal"
    BLUE = "blue"
    VIOLET = "violet"
    GREY = "grey"


class Avatar(msgspec.Struct, frozen=True, kw_only=True):
    """The drawn face of a player: a figure on a colour."""

    figure: Figure
    colour: Colour


class PlayerRecord(msgspec.Struct, frozen=True):
    """A player: opaque id, display name (personal data, kept outside every log), guest or named.

    `application` is the player whose user this one is, if it came from another application. `bot`: it says that a program plays.
    `avatar` is None until one is chosen; `languages` are those that it has named.
    """

    id: PlayerId
    name: str
    guest: bool
    created_ms: int
    application: PlayerId | None = None
    bot: bool = False
    avatar: Avatar | None = None
    languages: tuple[str, ...] = ()


class Origin(msgspec.Struct, frozen=True):
    """The token that a seat token was first made with: its id, and its end."""

    token: str
    expires_ms: int | None


class TokenRecord(msgspec.Struct, frozen=True):
    """A token without its secret: id, player, label, scopes, times, and for a seat token its one seat of one match.

    `origin`: the token with which this one ends. Seat tokens that an application made for its users have none.
    `grant`: what the player has allowed another application, by which it got this token.
    """

    id: str
    player: PlayerId
    label: str
    scopes: tuple[str, ...]
    created_ms: int
    expires_ms: int | None
    match: MatchId | None = None
    seat: Seat | None = None
    origin: Origin | None = None
    grant: str | None = None


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator says of a program: its public key, version and source, signed by the key.

    A new key is signed for by the `previous` one too (`endorsement`). Keys and signatures are hexadecimal.
    """

    key: str
    previous: str | None
    version: str
    source: str | None
    signed_ms: int
    signature: str
    endorsement: str | None


class ProgramRecord(msgspec.Struct, frozen=True):
    """The first statement of each key of a program, in order, and behind them the newest of all; since when it is revoked."""

    statements: tuple[Statement, ...]
    revoked_ms: int | None = None


class PlayerStore(Protocol):
    """Players and the hashes of their tokens."""

    async def put_player(self, player: PlayerRecord) -> None:
        """Create or replace a player."""
        ...

    async def replace_player(self, before: PlayerRecord, after: PlayerRecord) -> bool:
        """Replace a player; False, and nothing written, if it is not (any more) as it was before."""
        ...

    async def player(self, player: PlayerId) -> PlayerRecord | None:
        """Return a player; None if unknown."""
        ...

    async def remove_player(self, player: PlayerId) -> None:
        """Remove a player and all its tokens; nothing happens if there is none."""
        ...

    async def begin_deletion(self, player: PlayerId, now_ms: int) -> None:
        """Note since when a player is being deleted, unless that is noted already."""
        ...

    async def deletions(self, until_ms: int) -> Sequence[PlayerId]:
        """Return the players whose deletion began at that time at the latest and has not ended."""
        ...

    async def end_deletion(self, player: PlayerId) -> None:
        """Note that a player is deleted; nothing happens if that is known."""
        ...

    async def people(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, PlayerRecord]:
        """Return those players that exist."""
        ...

    async def program(self, player: PlayerId) -> ProgramRecord | None:
        """Return what a player's operator has stated; None if nothing."""
        ...

    async def put_program(self, player: PlayerId, before: ProgramRecord | None, after: ProgramRecord) -> bool:
        """Replace it; False, and nothing written, if it is not *before* any more, or if the player is gone."""
        ...

    async def put_token(self, digest: bytes, token: TokenRecord, most: int | None = None) -> bool:
        """Store a token under the sha256 of its secret; False, and nothing stored, if its player is gone or has *most* already.

        A store may forget it when it has expired.
        """
        ...

    async def token(self, digest: bytes) -> TokenRecord | None:
        """Return the token of a secret's sha256; None if unknown or revoked."""
        ...

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return the tokens of a player, oldest first."""
        ...

    async def revoke(self, player: PlayerId, token: str) -> bool:
        """Remove a token of a player; False if there is none of that id, or another writer was first."""
        ...
