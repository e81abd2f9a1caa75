"""Lessons: a game's guided first match, opened for one player against bots.

It is practice: unlisted, not rated, with hints. Its chance comes from a secret that all lessons of the game share, as those of a
deal of the day do: who decides alike meets the same cards and the same bots, to the end.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from ....domain.game import AnyGame, GameId, Seat
from ....domain.lessons import LEARNER
from ....domain.match import BotName, Clock, MatchId, MatchSettings, PlayerId, Spectators, Visibility
from ....domain.match.commands import OpenMatch, Seating
from ....domain.match.terms import DRAWS, EDITION, WEEK_SECONDS, Dealing
from ...commands import MatchCommands, Receipt
from ...dealing.dealer import commitment_to
from ...dealing.lesson_deals import secret_of_lesson
from ...errors import NotFound
from ...matches.bot_answers import BOT_CHANCE, bot_code
from ...matches.command_handler import IssuedCommand, fingerprint_of
from ...matches.ids import DerivedIds
from ...matches.own_keys import players_key

UNHURRIED = Clock(turn_seconds=86_400, reaction_seconds=86_400, stand_in_after=0, away_seconds=WEEK_SECONDS)
"""The clock of a lesson: who reads is not to be hurried, and who leaves finds it again."""


def beginning(match_id: MatchId, player: PlayerId, game: AnyGame | None, *, guest: bool) -> OpenMatch:
    """Return the opening of *match_id* as the lesson of a game for *player*; raise NotFound if there is none."""
    if game is None or (lesson := game.lesson) is None:
        raise NotFound("lesson")
    secret = secret_of_lesson(game.id, lesson.chance)
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
        commitment=commitment_to(match_id, secret),
        seating=(
            Seating(seat=LEARNER, player=player, guest=guest or UNSET),
            *(Seating(seat=seat, bot=BotName(lesson.bot)) for seat in seats),
        ),
        start=True,
        dealing=Dealing.CARDS,
        edition=EDITION,
        lesson=lesson.edition,
        draws=DRAWS,
        bot_chance=BOT_CHANCE,
        bot_code=bot_code(game),
    )


class Lessons:
    """Opens lessons for players."""

    def __init__(self, commands: MatchCommands, games: Mapping[GameId, AnyGame], ids: DerivedIds) -> None:
        self._commands = commands
        self._games = games
        self._ids = ids

    async def open(self, player: PlayerId, game: GameId, key: str, address: str = "") -> Receipt:
        """Open the lesson of a game, as a practice match of the player's own that runs at once; raise NotFound if it has none.

        *key* and *address*, and what else it raises, are as for `MatchCommands.open_made`.
        """
        match_id = self._ids.match("lesson", player, key)
        order = IssuedCommand(
            match=match_id,
            actor=f"player:{player}",
            key=players_key(player, key),
            fingerprint=fingerprint_of("lesson", game),
            command=beginning(match_id, player, self._games.get(game), guest=await self._commands.is_guest(player)),
        )
        return await self._commands.open_made(player, order, address)
