"""Which decisions make a puzzle, and the matches of bots that are played where no match of people has one."""

from __future__ import annotations

from ....domain.game import AnyGame, Seat
from ....domain.match import BotName, Clock, MatchId, MatchSettings, Spectators, Visibility
from ....domain.match.commands import OpenMatch, Seating
from ....domain.match.state import Match
from ....domain.match.terms import EDITION, Dealing
from ...dealing.dealer import commitment_to, new_secret
from ...matches.ids import NO_PLAYER
from ..coaching.findings import Costly
from ..daily.days import FEWEST

CLEAR = 0.1
"""By how much the best answer has to be better than each other one that was tried: smaller gaps say little (decision 17)."""
WORLDS = 8
"""In how many worlds the best answer has to be tried at least: fewer cannot give up the others."""
EASY = BotName("honest")
"""The bot of those matches: it does not search, so a search finds what it overlooks."""


def margin(costly: Costly) -> float | None:
    """Return by how much the best answer is better than the next one; None if that is no puzzle."""
    best, *others = costly.moves
    found = best.worth - max((move.worth for move in others), default=best.worth)
    return found if found >= CLEAR and best.worlds >= WORLDS and best.command != costly.played else None


def is_own(match: Match) -> bool:
    """Return whether the service has played a match by itself."""
    return match.host == NO_PLAYER


def fits(match: Match) -> bool:
    """Return whether a match may become a puzzle, as far as its settings say: anyone may find it and watch it.

    Practice and lessons do not, as they are made from other matches; a deal of the day is played by others again.
    """
    settings = match.settings
    watched = settings.spectators is not Spectators.OFF
    return watched and not match.passes and (is_own(match) or settings.visibility is Visibility.LISTED)


def opening(match_id: MatchId, game: AnyGame) -> OpenMatch:
    """Return the opening of a match of bots alone. It is unlisted and unrated, and anyone who has its link may watch it."""
    offered = game.bots()
    secret = new_secret()
    seats = min(max(game.min_seats, FEWEST), game.max_seats)
    bot = EASY if EASY in offered else BotName(next(iter(offered)))
    return OpenMatch(
        settings=MatchSettings(
            game=game.id,
            seats=seats,
            clock=Clock(),
            spectators=Spectators.PUBLIC,
            visibility=Visibility.UNLISTED,
            rated=False,
        ),
        host=NO_PLAYER,
        secret=secret,
        commitment=commitment_to(match_id, secret),
        seating=tuple(Seating(seat=Seat(seat), bot=bot) for seat in range(seats)),
        start=True,
        dealing=Dealing.CARDS,
        edition=EDITION,
    )
