"""Lessons: a game's guided first match, opened for one player against bots.

It is practice: unlisted, not rated, with hints. Its first cards come from the lesson and its bots draw from a chance that is
always the same, so all learners meet the same; what is dealt later is drawn from the match's own secret, as in every match.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from ...domain.game import AnyGame, Seat
from ...domain.lessons import LEARNER, first_deal
from ...domain.match import BotName, Clock, MatchId, MatchSettings, PlayerId, Spectators, Visibility
from ...domain.match.commands import FirstDeal, OpenMatch, Seating
from ...domain.match.terms import EDITION, Dealing
from ..dealing.dealer import commitment_to, new_secret
from ..errors import NotFound

UNHURRIED = Clock(turn_seconds=86_400, reaction_seconds=86_400, stand_in_after=0)
"""The clock of a lesson: who reads is not to be hurried."""


def beginning(match: MatchId, player: PlayerId, game: AnyGame | None, *, guest: bool) -> OpenMatch:
    """Return the opening of *match* as the lesson of a game for *player*; raise NotFound if there is none."""
    if game is None or (lesson := game.lesson) is None:
        raise NotFound("lesson")
    secret = new_secret()
    seats = [seat for seat in map(Seat, range(lesson.seats)) if seat != LEARNER]
    return OpenMatch(
        settings=MatchSettings(
            game=game.id,
            seats=lesson.seats,
            options=msgspec.to_builtins(lesson.options),
            clock=UNHURRIED,
            spectators=Spectators.OFF,
            visibility=Visibility.UNLISTED,
            rated=False,
            hints=True,
        ),
        host=player,
        secret=secret,
        commitment=commitment_to(match, secret),
        seating=(
            Seating(seat=LEARNER, player=player, guest=guest or UNSET),
            *(Seating(seat=seat, bot=BotName(lesson.bot)) for seat in seats),
        ),
        start=True,
        dealing=Dealing.CARDS,
        edition=EDITION,
        lesson=FirstDeal(edition=lesson.edition, history=tuple(msgspec.to_builtins(event) for event in first_deal(game, lesson))),
    )
