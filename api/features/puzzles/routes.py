"""The puzzle of the day: looking at it, and answering it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ....domain.game import AnyGame, GameId
from ....domain.wording import wording
from ....service.days import Day, ends_ms
from ....service.features.puzzles.port import Tally
from ....service.features.puzzles.service import NoPuzzle, Puzzles, PuzzleStanding, Shown
from ...http import response
from ...http.operation import Access, Answer, Call, Key, operation
from ...http.request import read_body
from ...http.response import PRIVATE, Reply
from ...problems import Refused
from ...schema.common import Nothing, Request, Scope
from ...schema.fields import GameName
from ...schema.play import Prompt
from ...texts import render
from ..bots.presenters import why_body
from ..bots.schema import MoveAdvice
from .schema import PuzzleAnswer, PuzzleSheet, PuzzleSolution, PuzzleTally

TAG = "daily"


class PuzzleQuery(Request, frozen=True):
    """Which game."""

    game: Annotated[GameName, Meta(description="The game. Default: another one each day.")] | None = None


@operation(
    "GET",
    "/puzzles/today",
    "getPuzzle",
    tag=TAG,
    access=Access.ANYBODY,
    query=PuzzleQuery,
    problems=("not-found", "no-puzzle"),
    answers=(Answer(200, PuzzleSheet, "The puzzle."),),
)
async def get_puzzle(call: Call[Nothing, PuzzleQuery]) -> Reply:
    """Get the puzzle of today: find the best answer to a decision of a finished match, from what its seat could know."""
    game = GameId(call.query.game) if call.query.game is not None else None
    return await _reply(call, await _puzzle(call, game, call.application.get(Puzzles).today()))


@operation(
    "POST",
    "/puzzles/today",
    "answerPuzzle",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.PLAY,
    body=PuzzleAnswer,
    problems=("not-found", "no-puzzle", "puzzle-over", "not-a-choice"),
    answers=(Answer(200, PuzzleSheet, "The puzzle with its solution."),),
)
async def answer_puzzle(call: Call[PuzzleAnswer, Nothing]) -> Reply:
    """Answer a puzzle of today. Your first answer counts: asked again, it is the same solution with that answer."""
    day = call.application.get(Puzzles).today()
    if call.body.day != day:
        raise Refused("puzzle-over")
    shown = await _puzzle(call, GameId(call.body.game), day)
    command = read_body(call.body.command, call.running.commands, "/command")
    try:
        await call.application.get(Puzzles).answer(shown, call.player, command)
    except ValueError:
        raise Refused("not-a-choice", field="/command") from None
    return await _reply(call, shown)


async def _puzzle(call: Call[Nothing, PuzzleQuery] | Call[PuzzleAnswer, Nothing], game: GameId | None, day: Day) -> Shown:
    try:
        return await call.application.get(Puzzles).of(game, day)
    except NoPuzzle:
        raise Refused("no-puzzle") from None


async def _reply(call: Call[Nothing, PuzzleQuery] | Call[PuzzleAnswer, Nothing], shown: Shown) -> Reply:
    standing = await call.application.get(Puzzles).standing(shown, call.asker)
    game = call.running.games[shown.game]
    asked = shown.puzzle.asked
    view = shown.puzzle.view
    key = wording(game.messages, asked.prompt, {**asked.arguments, **game.prompt_arguments(view)}, shown.seat, asked=True)
    body = PuzzleSheet(
        game=shown.game,
        day=shown.day,
        ends_ms=ends_ms(shown.day),
        seats=shown.seats,
        seat=shown.seat,
        bots=shown.own,
        prompt=Prompt(key=key, arguments=asked.arguments, text=render(game.messages[key], asked.arguments, game)),
        view=view,
        legal=shown.puzzle.legal,
        all=_tally(standing.all),
        own=_tally(standing.own),
        yours=_solution(shown, standing, game),
    )
    return response.json(body, *PRIVATE)


def _solution(shown: Shown, standing: PuzzleStanding, game: AnyGame) -> PuzzleSolution | None:
    """Return what only those see who have answered."""
    costly = shown.puzzle.costly
    if standing.solution is None:
        return None
    moves = (MoveAdvice(command=msgspec.Raw(each.command), worth=each.worth, worlds=each.worlds) for each in costly.moves)
    return PuzzleSolution(
        command=msgspec.Raw(standing.solution.command),
        right=standing.solution.right,
        moves=tuple(moves),
        played=msgspec.Raw(costly.played),
        loss=costly.loss,
        why=why_body(*costly.why, game) if costly.why is not None else None,
        match=shown.match,
        decision=costly.decision,
    )


def _tally(tally: Tally) -> PuzzleTally:
    return PuzzleTally(answered=tally.answered, right=tally.right)


OPERATIONS = (get_puzzle, answer_puzzle)
