"""Shapes of ratings and leaderboards."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from ...domain.game import GameId
from ...domain.match import PlayerId
from ...service.players.accounts import shown_name
from ...service.ports.players import PlayerRecord
from ...service.ports.ratings import Entrant, LeaderboardEntry
from ...service.ratings.model import bot_of
from ..problems import Refused
from .fields import BotRef, GameName, PageCursor, PlayerRef

Points = Annotated[
    int, Meta(ge=0, le=999_999, description="Conservative rating: 1000 for a beginner. It also rises with certainty.")
]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Place = Annotated[int, Meta(ge=1, le=1_000_000_000, description="Rank on the leaderboard, from 1.")]
Provisional = Annotated[bool, Meta(description="Fewer than 10 matches count so far: the rating may still be far off.")]
_POSITION = re.compile(r"^(0|[1-9][0-9]{0,5})\.([a-z0-9:-]{1,64})$")


class RatingFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A rating in one game: strength `mu`, uncertainty `sigma` (Weng and Lin, Plackett-Luce), after this many `matches`."""

    game: GameName
    place: Place
    rating: Points
    provisional: Provisional
    mu: float
    sigma: float
    matches: Count
    wins: Count


class BoardRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a leaderboard: a player or a bot. `name` is null for bots and for deleted players.

    `program`: the player is declared to be a program.
    """

    place: Place
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
    next: PageCursor | None


def rating_facts(game: GameId, standing: LeaderboardEntry) -> RatingFacts:
    """Return a rating."""
    score = standing.score
    return RatingFacts(
        game=game,
        place=standing.place,
        rating=score.points,
        provisional=score.provisional,
        mu=score.mu,
        sigma=score.sigma,
        matches=score.matches,
        wins=score.wins,
    )


def board_row(standing: LeaderboardEntry, people: Mapping[PlayerId, PlayerRecord]) -> BoardRow:
    """Return a line of a leaderboard."""
    bot, score = bot_of(standing.entrant), standing.score
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
        raise Refused("cursor-unknown", field="cursor")
    return int(found[1]), Entrant(found[2])
