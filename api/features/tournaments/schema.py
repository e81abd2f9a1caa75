"""The shapes of tournaments: what is asked for, the tournament itself, its rounds and its standings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ....domain.match import Clock, Spectators, Visibility
from ....domain.match.terms import OptionValue
from ....service.features.tournaments.events import CancelReason, TournamentKind
from ....service.features.tournaments.pairing import MOST_ROUNDS
from ....service.features.tournaments.rules import FEWEST, MOST, TournamentStage
from ....service.features.tournaments.service import MOST_BOTS
from ....service.ports.players import Avatar
from ...schema.common import Request, union
from ...schema.fields import END, BotRef, Digest, GameName, MatchRef, Moment, Nonce, PageCursor, PlayerRef, SeatCount, ShortText
from ...schema.matches import OptionInput

TOURNAMENT_ID = r"^c[a-z2-7]{24}" + END
TournamentRef: TypeAlias = Annotated[str, Meta(pattern=TOURNAMENT_ID)]
EntrantNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST)]
RoundNumber: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
Rank: TypeAlias = Annotated[int, Meta(ge=1)]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
Points: TypeAlias = Annotated[float, Meta(ge=0, description="Rounded to three digits.")]


class TournamentRequest(Request, frozen=True):
    """A tournament to open: what its matches are played with, and who may come.

    `kind`: in a `round-robin` everyone meets everyone, in `swiss` rounds those meet who stand alike. `rounds`: how many; null: as
    many as it takes, which a round robin never exceeds; Swiss ends after 15. `places`: how many can take part, with bots. `bots`
    take part from the beginning; at the start `fill` evens the tables out (null: who is left over rests). `starts_ms`: when it
    starts by itself (null: you start it). `joins`: you play, too. Only those who have its link find an `unlisted` one.
    """

    name: Annotated[str, Meta(max_length=80)]
    game: GameName
    seats: SeatCount
    kind: TournamentKind
    options: Annotated[dict[ShortText, OptionInput], Meta(max_length=64), union("GameOptions")] = {}  # noqa: RUF012 - copied for each
    clock: Clock = Clock()
    spectators: Spectators = Spectators.OFF
    visibility: Visibility = Visibility.UNLISTED
    rated: bool = True
    rounds: RoundNumber | None = None
    places: Annotated[int, Meta(ge=FEWEST, le=MOST)] = MOST
    bots: Annotated[list[BotRef], Meta(max_length=MOST_BOTS)] = []  # noqa: RUF012 - a struct copies it for each instance
    fill: BotRef | None = None
    starts_ms: Moment | None = None
    joins: bool = True


class EntryRequest(Request, frozen=True):
    """Your nonce for the deals of all your matches: it protects them if you draw it once you have the commitment."""

    nonce: Nonce = ""


class TournamentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament. `rounds`: how many there are, null before the start if no number was wished; `round`: the newest one, or 0.

    `draw_commitment` binds `draw_secret`, which decides who meets whom and is shown from the start on; `deal_commitment` binds
    `deal_secret`, from which the secrets of all matches come, and which is shown once all rounds are over (null until then). If
    it was called off, the first is shown at once, and the other one when no match of it runs any more. `public_ids`: the ids of
    its matches, which go into their deals, follow from tournament, round and table alone; only old tournaments have false.
    `entrants`: how many take part. `organises`: you have opened it; `entry`: your number in it, null if you do not take part;
    `withdrawn`: you play no further rounds; `your_match`: your match of the newest round, null while there is none.
    """

    tournament: TournamentRef
    name: str
    game: GameName
    seats: SeatCount
    kind: TournamentKind
    options: Annotated[Mapping[str, OptionValue], union("GameOptions")]
    clock: Clock
    spectators: Spectators
    visibility: Visibility
    rated: bool
    stage: TournamentStage
    cancelled: CancelReason | None
    organiser: PlayerRef
    organiser_name: str | None
    organises: bool
    opened_ms: Moment
    starts_ms: Moment | None
    started_ms: Moment | None
    ended_ms: Moment | None
    places: Annotated[int, Meta(ge=FEWEST, le=MOST)]
    entrants: Count
    fill: BotRef | None
    rounds: RoundNumber | None
    round: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)]
    public_ids: bool
    draw_commitment: Digest
    draw_secret: Digest | None
    deal_commitment: Digest
    deal_secret: Digest | None
    entry: EntrantNumber | None
    withdrawn: bool
    your_match: MatchRef | None


class TournamentStanding(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings: who it is, and how it stands. Who is equal in all that counts shares a `place`.

    Before the start all share the first place, in the order in which they came. `points`: what was won, one point for each table;
    `buchholz`: the points of all rivals met; `direct`: in how many encounters with those who are equal until here it was ahead;
    `wins`: tables won alone. A `guest` has no name of its own; `program`: the player is declared to be a program. `avatar` is
    missing for bots, and where the service has no profiles.
    """

    place: Rank
    entrant: EntrantNumber
    player: PlayerRef | None
    name: str | None
    guest: bool
    program: bool
    bot: BotRef | None
    withdrawn: bool
    points: Points
    buchholz: Points
    direct: Points
    wins: Count
    played: Count
    byes: Count
    avatar: Avatar | UnsetType = UNSET


class TableChair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of a table: its entrant, and once the table is over its rank and what it has won."""

    entrant: EntrantNumber
    rank: Rank | None
    points: Points | None


class TournamentTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round, by seat. `over`: its result counts; without ranks it was ended without one.

    `match`: null until it is opened, seconds after the draw; a few tables of bots play at a time.
    """

    match: MatchRef | None
    over: bool
    chairs: tuple[TableChair, ...]


class TournamentRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round: its tables, and the entrants who rest in it."""

    tournament: TournamentRef
    round: RoundNumber
    over: bool
    tables: tuple[TournamentTable, ...]
    byes: tuple[EntrantNumber, ...]


class TournamentSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with its standings and its newest round (null before the first)."""

    facts: TournamentFacts
    standings: tuple[TournamentStanding, ...]
    newest: TournamentRound | None


class TournamentPage(msgspec.Struct, frozen=True, kw_only=True):
    """Tournaments, newest first. `cursor`: the `after` of the next page, null at the end."""

    items: tuple[TournamentFacts, ...]
    cursor: PageCursor | None


class TournamentList(msgspec.Struct, frozen=True, kw_only=True):
    """The tournaments that you have opened or take part in, newest first."""

    items: tuple[TournamentFacts, ...]
