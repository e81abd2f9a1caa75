"""The shapes of players and of their tokens."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ...service.ports.players import Avatar
from .common import Request, Scope
from .fields import END, GrantRef, MatchRef, Moment, Nonce, PlayerRef, SeatNumber, TokenRef
from .ratings import RatingFacts


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
    """A player's public profile.

    `avatar` and `languages` are missing where the service has no profiles. An avatar that was not chosen follows from the id.
    """

    id: PlayerRef
    name: str
    guest: bool
    bot: bool
    created_ms: Moment
    ratings: tuple[RatingFacts, ...]
    avatar: Avatar | UnsetType = UNSET
    languages: tuple[str, ...] | UnsetType = UNSET


class TokenFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its text. `match` and `seat` are set for seat tokens, `grant` for those of applications of others.

    `current`: the request came with it.
    """

    id: TokenRef
    label: str
    scopes: tuple[Scope, ...]
    created_ms: Moment
    expires_ms: Moment | None
    match: MatchRef | None
    seat: SeatNumber | None
    current: bool
    grant: GrantRef | UnsetType = UNSET


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


Key = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}" + END, description="A public key of Ed25519, hexadecimal.")]
Signature = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}" + END, description="A signature by Ed25519, hexadecimal.")]
ProgramVersion = Annotated[str, Meta(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+_-]{0,31}" + END)]
SourceUrl = Annotated[str, Meta(pattern=r"^https://[!-~]{1,200}" + END, description="Where the program is described.")]


class ProgramRequest(Request, frozen=True):
    """What you, its operator, state about your program, with the signature of your key over the text of the statement.

    `previous`: the key of the statement before, if it is another one; it signs too (`endorsement`).
    """

    key: Key
    version: ProgramVersion
    signed_ms: Moment
    signature: Signature
    source: SourceUrl | None = None
    previous: Key | None = None
    endorsement: Signature | None = None


class StatementFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A statement about a program. `text` is what the keys have signed."""

    text: str
    key: Key
    previous: Key | None
    version: ProgramVersion
    source: SourceUrl | None
    signed_ms: Moment
    signature: Signature
    endorsement: Signature | None


class ProgramFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator of a program has stated: the first statement of each key in order, then the newest of all.

    The service has checked all signatures; anyone can do it again. If `revoked_ms` is set, the keys are not to be trusted since.
    """

    player: PlayerRef
    statements: tuple[StatementFacts, ...]
    revoked_ms: Moment | None


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
