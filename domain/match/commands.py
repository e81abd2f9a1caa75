"""What can be asked of a match, around the table of any game: plain values that the service makes and no store keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from ..game import Command, DecisionId, Placing, Seat
from .events import ExpiryReason
from .settings import MatchSettings
from .terms import BotName, Dealing, MatchId, PlayerId


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits on a seat from the beginning: a player (without a name: a `guest`) or a bot; or for whom it is `reserved`."""

    seat: Seat
    player: PlayerId | None = None
    bot: BotName | None = None
    nonce: str = ""
    guest: bool | UnsetType = UNSET
    reserved: bool | UnsetType = UNSET


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """Where another match is taken up: before its decision number *decision*, with *history*, its game's events up to there.

    *version* counts the events of that match up to there, *chain* is the hash over them in hex.
    """

    match: MatchId
    decision: DecisionId
    version: int
    chain: str
    history: tuple[Mapping[str, object], ...]


class DayDeal(msgspec.Struct, frozen=True, kw_only=True):
    """Which day's deal a match is: the day (`2026-11-23`, UTC), when it ends (Unix milliseconds), and the day's commitment."""

    day: str
    ends_ms: int
    commitment: str | UnsetType = UNSET


class OpenMatch(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="match.open-match"):
    """Open a match of a game, seat the players who are known, and start at once if asked to and full.

    With a `branch` it starts where another match was before one of its decisions. As a `lesson` (of that edition) or a
    `daily` deal it is dealt as all others of its game or day. It is stored flat: see the codec.
    """

    settings: MatchSettings
    host: PlayerId
    secret: str
    commitment: str
    seating: tuple[Seating, ...] = ()
    start: bool = False
    parent: MatchId | None = None
    dealing: Dealing | UnsetType = UNSET
    branch: Branch | UnsetType = UNSET
    edition: int | UnsetType = UNSET
    lesson: int | UnsetType = UNSET
    draws: int | UnsetType = UNSET
    bot_chance: int | UnsetType = UNSET
    bot_code: str | UnsetType = UNSET
    daily: DayDeal | UnsetType = UNSET


class TakeSeat(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="match.take-seat"):
    """Sit down on a seat, or on one's reserved or the first free one; in a running match only on one's own, to take it back.

    With the last reserved seat a match begins that has no empty one left.
    """

    player: PlayerId
    seat: Seat | None = None
    nonce: str = ""
    guest: bool | UnsetType = UNSET


class ReserveSeat(msgspec.Struct, frozen=True, tag_field="type", tag="match.reserve-seat"):
    """Keep the first free seat for a player, who has still to sit down (by the service only). Nothing happens if one is kept."""

    player: PlayerId


class ReleaseSeat(msgspec.Struct, frozen=True, tag_field="type", tag="match.release-seat"):
    """Give up what is kept for a player who has not come, before the start (by the service only). Who sits there stays."""

    player: PlayerId


class LeaveSeat(msgspec.Struct, frozen=True, tag_field="type", tag="match.leave-seat"):
    """Stand up, give a reserved seat up, or stop being the host; in a running match a bot plays on."""

    player: PlayerId


class SeatBot(msgspec.Struct, frozen=True, tag_field="type", tag="match.seat-bot"):
    """Give an empty seat to a bot (host only)."""

    player: PlayerId
    seat: Seat
    bot: BotName


class ClearSeat(msgspec.Struct, frozen=True, tag_field="type", tag="match.clear-seat"):
    """Empty a seat before the start, or end its reservation (host only)."""

    player: PlayerId
    seat: Seat


class PassHost(msgspec.Struct, frozen=True, tag_field="type", tag="match.pass-host"):
    """Make another player who sits at the table its host, before the start (host only). Nothing happens if it is the host."""

    player: PlayerId
    heir: PlayerId


class StartMatch(msgspec.Struct, frozen=True, tag_field="type", tag="match.start-match"):
    """Start with all seats filled (host only)."""

    player: PlayerId


class Play(msgspec.Struct, frozen=True, tag_field="type", tag="match.play"):
    """Answer a decision as the player of a seat."""

    player: PlayerId
    decision: DecisionId
    command: Command


class BotPlay(msgspec.Struct, frozen=True, tag_field="type", tag="match.bot-play"):
    """Answer a decision for a seat that a bot plays. `bot_code` is the digest of its code, if it is not that of the opening."""

    seat: Seat
    decision: DecisionId
    command: Command
    bot_code: str | UnsetType = UNSET


class TakeHint(msgspec.Struct, frozen=True, tag_field="type", tag="match.take-hint"):
    """Ask for a hint for the open decision. Nothing happens if the seat has had one for it."""

    player: PlayerId


class TimeOut(msgspec.Struct, frozen=True, tag_field="type", tag="match.time-out"):
    """The time for a decision is up: the default is played for every seat that has not answered.

    `idle`: no player has answered for a long time, and a bot stands in for each of these at once.
    """

    decision: DecisionId
    idle: bool | UnsetType = UNSET


class Abort(msgspec.Struct, frozen=True, tag_field="type", tag="match.abort"):
    """End without a result: at once by the host before the start, by agreement of all players after it.

    `away`: the seats of players on vacation, whose agreement is not waited for.
    """

    player: PlayerId
    away: tuple[Seat, ...] | UnsetType = UNSET


class Expire(msgspec.Struct, frozen=True, tag_field="type", tag="match.expire"):
    """End an open match or a practice match that is not needed any more. No other match is affected."""

    reason: ExpiryReason


class AgreeRematch(msgspec.Struct, frozen=True, tag_field="type", tag="match.agree-rematch"):
    """Agree to play again with the same seats."""

    player: PlayerId


class OpenRematch(msgspec.Struct, frozen=True, tag_field="type", tag="match.open-rematch"):
    """Note that the agreed rematch has been opened. Nothing happens if it is not agreed, or already noted."""

    match: MatchId


class VoidMatch(msgspec.Struct, frozen=True, tag_field="type", tag="match.void-match"):
    """Take the result of a finished match back, for a reason (operators only)."""

    reason: str


class AdjudicateMatch(msgspec.Struct, frozen=True, tag_field="type", tag="match.adjudicate-match"):
    """Give a finished match another result, for a reason (operators only)."""

    placings: tuple[Placing, ...]
    reason: str


PlainCommand: TypeAlias = (
    OpenMatch
    | TakeSeat
    | ReserveSeat
    | ReleaseSeat
    | LeaveSeat
    | SeatBot
    | ClearSeat
    | PassHost
    | StartMatch
    | TakeHint
    | TimeOut
    | Abort
    | Expire
    | AgreeRematch
    | OpenRematch
    | VoidMatch
    | AdjudicateMatch
)
"""A command that has no game's command in it."""
MatchCommand: TypeAlias = PlainCommand | Play | BotPlay
