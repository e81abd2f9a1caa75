"""What happened to a tournament. Facts are stored for as long as it is kept, so their tags carry a version."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

import msgspec

from ....domain.match import BotName, MatchSettings, PlayerId


class TournamentKind(Enum):
    """Who meets whom: everyone everyone, or in each round those who stand alike."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"


class CancelReason(Enum):
    """Why a tournament was called off: by its organiser, for want of players, as it was never started, or as its game is gone."""

    ORGANISER = "organiser"
    TOO_FEW = "too-few"
    UNUSED = "unused"
    GAME_GONE = "game-gone"


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that happened, and when (Unix milliseconds)."""

    at_ms: int


class Opened(Fact, frozen=True, kw_only=True, tag="tournament.opened.1"):
    """A tournament was opened for at most `places` entrants.

    Each round's matches have the `settings`. `rounds` is how many the organiser wants (None: as many as it takes), `fill` the bot
    that evens the tables out at the start, `starts_ms` when it starts by itself. The two secrets are drawn before anyone joins:
    one decides who meets whom, out of the other come the secrets of all matches. `public_ids`: the ids of its matches follow from
    tournament, round and table alone; in tournaments opened before this field existed they take the deployment's key.
    """

    organiser: PlayerId
    name: str
    settings: MatchSettings
    kind: TournamentKind
    rounds: int | None
    places: int
    fill: BotName | None
    starts_ms: int | None
    draw_secret: str
    deal_secret: str
    public_ids: bool = False


class Joined(Fact, frozen=True, kw_only=True, tag="tournament.joined.1"):
    """A player joined, with an optional nonce of its own for the dealing in all of its matches."""

    player: PlayerId
    nonce: str


class Left(Fact, frozen=True, kw_only=True, tag="tournament.left.1"):
    """A player left before the start."""

    player: PlayerId


class BotAdded(Fact, frozen=True, kw_only=True, tag="tournament.bot-added.1"):
    """A bot plays, too."""

    bot: BotName


class Started(Fact, frozen=True, kw_only=True, tag="tournament.started.1"):
    """The tournament began with those who had joined, who are numbered from 0 in that order. `rounds` is how many it has."""

    rounds: int


class RoundDrawn(Fact, frozen=True, kw_only=True, tag="tournament.round-drawn.1"):
    """Who meets whom in the next round: the entrants of each table by seat, and those who rest."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


class TablesOpened(Fact, frozen=True, kw_only=True, tag="tournament.tables-opened.1"):
    """The matches of these tables of the newest round are there."""

    tables: tuple[int, ...]


class ResultTaken(Fact, frozen=True, kw_only=True, tag="tournament.result-taken.1"):
    """A table of the newest round is over: the ranks by seat; none if the match was ended without a result."""

    table: int
    ranks: tuple[int, ...]


class Withdrawn(Fact, frozen=True, kw_only=True, tag="tournament.withdrawn.1"):
    """A player plays no further rounds."""

    player: PlayerId


class Ended(Fact, frozen=True, kw_only=True, tag="tournament.ended.1"):
    """All rounds are over, or too few are left to play another one."""


class Cancelled(Fact, frozen=True, kw_only=True, tag="tournament.cancelled.1"):
    """The tournament was called off. Matches that are running go on, and count for nothing."""

    reason: CancelReason


class Settled(Fact, frozen=True, kw_only=True, tag="tournament.settled.1"):
    """The last match that was running when the tournament was called off is over: its secrets give nothing away any more."""


AnyFact: TypeAlias = (
    Opened
    | Joined
    | Left
    | BotAdded
    | Started
    | RoundDrawn
    | TablesOpened
    | ResultTaken
    | Withdrawn
    | Ended
    | Cancelled
    | Settled
)
_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyFact] = msgspec.json.Decoder(AnyFact)


def encode(fact: AnyFact) -> bytes:
    """Return a fact as it is stored."""
    return _ENCODER.encode(fact)


def decode(stored: bytes) -> AnyFact:
    """Return a stored fact."""
    return _DECODER.decode(stored)
