"""Advice: what a search makes of a decision, for hints during a match and for coaching on one that is over.

It is made from the view of the seat that decides, so it never knows more than that seat.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

import msgspec

from ....domain.game import AnyGame, Command, DecisionId, GameView, Seat, Table
from ....domain.match import MatchId, PlayerId
from ....domain.match.commands import BotPlay, Play
from ....domain.match.refusals import MatchRefusal, MatchRefused
from ....domain.match.state import Match
from ....domain.reasons import Reason
from ....domain.search import Considered, SearchBot, Weighed
from ...commands import MatchCommands
from ...matches.codec import Codec
from ...matches.repository import Loaded
from ...runtime.threads import beside, rest, resting
from ...simulate import AnyBot
from .service import Alarm

DEPTH = 48
"""Maximum number of worlds per piece of advice."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """A search of a seat's decision: its moves, the best first; some may not have been tried. `why`: what speaks for the best."""

    decision: DecisionId
    seat: Seat
    moves: tuple[Weighed[Command], ...]
    why: Reason | None = None


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of a finished match: what was played at a version, which the search tries in any case, and what it finds."""

    version: int
    played: Command
    advice: Advice


class Bounded:
    """A budget of steps, with an alarm in case something is wrong. Rests are not counted: they end no search."""

    def __init__(self) -> None:
        self._alarm = Alarm(clock=time.thread_time)

    def allows(self, steps: int) -> bool:
        """Return whether there are steps left, and the alarm is silent."""
        rest()
        return steps < DEPTH and self._alarm.allows(steps)


def advise(match_id: MatchId, state: Match, seat: Seat, decision: DecisionId, also: Command | None = None) -> Advice:
    """Return advice to a seat that is asked; *also* names a legal move that is tried in any case.

    The same match, decision, seat and move get the same unless the alarm rings.
    """
    rng = random.Random(f"{match_id}/{decision}/{seat}")  # noqa: S311 - a hint is not drawn from the match's chance
    moves, why = weigh(state.game, state.table, seat, rng, also)
    return Advice(decision=decision, seat=seat, moves=tuple(moves), why=why)


def weigh(
    game: AnyGame, table: Table, seat: Seat, rng: random.Random, also: Command | None = None
) -> tuple[list[Weighed[Command]], Reason | None]:
    """Return the legal moves in the order of a search, and why the first is recommended.

    Without a searching bot it is the move that the game's first bot would choose, and there is no reason.
    """
    view = game.view(table, seat)
    legal = game.legal(table, seat)
    if (searcher := searcher_of(game)) is not None and len(legal) > 1:
        considered = searcher.consider(view, legal, rng, Bounded(), also)
        return considered.moves, _why(searcher, view, considered)
    first: AnyBot = next(iter(game.bots().values()))
    return [Weighed(first.choose(view, legal, rng, Bounded()), 0.0, 0)], None


def _why(searcher: SearchBot[GameView, Table, Command], view: GameView, considered: Considered[Table, Command]) -> Reason | None:
    """Return why the best move is recommended; None if nothing tells it from the next one."""
    if searcher.reason is None or len(considered.moves) < 2 or not considered.worlds:
        return None
    return searcher.reason(view, considered)


def searcher_of(game: AnyGame) -> SearchBot[GameView, Table, Command] | None:
    """Return the last, and so the strongest, searching bot that a game lists."""
    for bot in reversed(list(game.bots().values())):
        if isinstance(bot, SearchBot):
            return cast("SearchBot[GameView, Table, Command]", bot)  # a game's own types, like all of its bots
    return None


class Hints:
    """Hints for players who are asked."""

    def __init__(self, commands: MatchCommands) -> None:
        self._commands = commands

    async def take(self, player: PlayerId, match_id: MatchId) -> Advice:
        """Return a hint for the player's open decision, and note that it was taken; raise MatchRefused.

        It is computed off the event loop.
        """
        state = (await self._commands.take_hint(player, match_id)).match
        seat = state.seat_of(player)
        decision = state.open_decision()
        if seat is None or decision is None or not state.game.legal(state.table, seat):
            raise MatchRefused(MatchRefusal.NOT_ASKED)
        return await beside(partial(advise, match_id, state, seat, decision))


def review(match_id: MatchId, loaded: Loaded, codec: Codec, after: int, seat: Seat) -> Iterator[Reviewed]:
    """Yield a seat's decisions after a version, with advice: one fold, and a search for each."""
    for version, before, command in answers(loaded, codec):
        if version <= after or _seat_of(before, command) != seat:
            continue
        found = _review(match_id, before, version, command, seat)
        if found is not None:
            yield found


def answers(loaded: Loaded, codec: Codec) -> Iterator[tuple[int, Match, Play | BotPlay]]:
    """Yield each answer to a decision, with the version that it caused and the match before, which changes afterwards."""
    state = Match(loaded.match.games)
    for version, entry in enumerate(resting(loaded.entries[: loaded.version]), start=1):
        envelope, event = codec.decode(entry)
        if envelope.command and isinstance(command := codec.command_of(envelope.command), Play | BotPlay):
            yield version, state, command
        state.fold(event)


def _seat_of(before: Match, command: Play | BotPlay) -> Seat | None:
    return command.seat if isinstance(command, BotPlay) else before.seat_of(command.player)


def _review(match_id: MatchId, before: Match, version: int, command: Play | BotPlay, seat: Seat) -> Reviewed | None:
    """Return the advice about an answer; nothing if there was no choice."""
    if len(before.game.legal(before.table, seat)) < 2:
        return None
    advice = advise(match_id, before, seat, command.decision, command.command)
    return Reviewed(version=version, played=command.command, advice=advice)


def loss_of(played: Command, moves: Sequence[Weighed[Command]]) -> float | None:
    """Return how much worse a move is than the best one; None if the search has not tried it."""
    return next((max(0.0, moves[0].worth - move.worth) for move in moves if move.command == played and move.worlds), None)
