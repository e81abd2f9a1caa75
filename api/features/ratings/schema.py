"""Shapes of leaderboards."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping

import msgspec

from ....domain.match import PlayerId
from ....service.players.accounts import shown_name
from ....service.ports.players import PlayerRecord
from ....service.strength.scores import Entrant, LeaderboardEntry, bot_of
from ...problems import Refused
from ...schema.fields import BotRef, GameName, Moment, PageCursor, PlayerRef
from ...schema.ratings import Count, Points, Provisional, Rank

_POSITION = re.compile(r"^(0|[1-9][0-9]{0,5})\.([a-z0-9:-]{1,64})$")


class BoardRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a leaderboard: a player or a bot. `name` is null for bots and for deleted players.

    `program`: the player is declared to be a program.
    """

    place: Rank
    player: PlayerRef | None
    bot: BotRef | None
    name: str | None
    guest: bool
    program: bool
    rating: Points
    provisional: Provisional
    mu: float
    sigma: float
    matches: Count
    wins: Count


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a leaderboard, best first."""

    game: GameName
    items: tuple[BoardRow, ...]
    cursor: PageCursor | None


def board_row(standing: LeaderboardEntry, people: Mapping[PlayerId, PlayerRecord]) -> BoardRow:
    """Return a line of a leaderboard."""
    bot = bot_of(standing.entrant)
    score = standing.score
    player = PlayerId(standing.entrant) if bot is None else None
    record = people.get(player) if player is not None else None
    return BoardRow(
        place=standing.place,
        player=player,
        bot=bot,
        name=shown_name(record) if record is not None else None,
        guest=record is not None and record.guest,
        program=record is not None and record.bot,
        rating=score.points,
        provisional=score.provisional,
        mu=score.mu,
        sigma=score.sigma,
        matches=score.matches,
        wins=score.wins,
    )


def board_cursor(last: LeaderboardEntry) -> str:
    """Return the cursor behind a line."""
    return base64.urlsafe_b64encode(f"{last.score.points}.{last.entrant}".encode()).decode().rstrip("=")


def read_board_cursor(cursor: str) -> tuple[int, Entrant]:
    """Return the position that a cursor stands for; raise Refused."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        text = ""
    found = _POSITION.fullmatch(text)
    if found is None:
        raise Refused("cursor-unknown", field="after")
    return int(found[1]), Entrant(found[2])


class RatingPoint(msgspec.Struct, frozen=True, kw_only=True):
    """What a rating was after a match, and when that was."""

    at_ms: Moment
    rating: Points


class RatingHistory(msgspec.Struct, frozen=True, kw_only=True):
    """What a player's rating in a game was after each of its newest 200 rated matches, oldest first."""

    game: GameName
    points: tuple[RatingPoint, ...]


class RatingHistories(msgspec.Struct, frozen=True, kw_only=True):
    """A player's ratings over time, by game."""

    player: PlayerRef
    items: tuple[RatingHistory, ...]
