"""The shapes of players and of their tokens."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from .common import Request, Scope
from .fields import END, MatchRef, Moment, Nonce, PlayerRef, SeatNumber, TokenRef
from .leaderboards import RatingFacts


class PlayerRequest(Request, frozen=True):
    """A player to create: a name, or none for a guest. `bot`: a program plays; this is public."""

    name: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    bot: bool = False


class RenameRequest(Request, frozen=True):
    """A new display name."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class TokenRequest(Request, frozen=True):
    """Another token, with scopes your token has, and optionally an expiry (no later than that of your token)."""

    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[ -~]*$(?!\n)")] = "token"
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=5)] = (Scope.READ, Scope.PLAY)
    expires_ms: Moment | None = None


class PlayerFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A player's public profile."""

    id: PlayerRef
    name: str
    guest: bool
    bot: bool
    created_ms: Moment
    ratings: tuple[RatingFacts, ...]


class TokenFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its text. `match` and `seat` are set for seat tokens."""

    id: TokenRef
    label: str
    scopes: tuple[Scope, ...]
    created_ms: Moment
    expires_ms: Moment | None
    match: MatchRef | None
    seat: SeatNumber | None


class TokenIssued(msgspec.Struct, frozen=True, kw_only=True):
    """A new token. Send `text` after `Bearer`; it is shown only once."""

    token: TokenFacts
    text: str


class PlayerIssued(msgspec.Struct, frozen=True, kw_only=True):
    """A new player and its first token. Send `text` after `Bearer`; it is shown only once."""

    player: PlayerFacts
    token: TokenFacts
    text: str


class TokenList(msgspec.Struct, frozen=True, kw_only=True):
    """All tokens of a player, oldest first."""

    items: tuple[TokenFacts, ...]


class UserRequest(Request, frozen=True):
    """A user of your application: an opaque, stable id, and optionally a display name.

    `seat`: the seat to take (null: the first empty one), with a nonce for the deal.
    """

    user: Annotated[str, Meta(min_length=1, max_length=128, pattern=r"^[ -~]*" + END)]
    name: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    seat: SeatNumber | None = None
    nonce: Nonce = ""


class SeatToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token for one seat of one match. Send `text` after `Bearer`; it is shown only once."""

    player: PlayerRef
    match: MatchRef
    seat: SeatNumber
    token: TokenFacts
    text: str
