"""Hints for the open decision."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...domain.game import Command
from ...domain.search import Weighed
from ..http import response
from ..http.operation import Answer, Call, operation
from ..http.rate_limits import Cost
from ..http.response import PRIVATE, Reply
from ..schema import presenters
from ..schema.common import Nothing, Scope
from ..schema.hints import HintBody, MoveAdvice
from .matches import ACTED

TAG = "play"


HINT = 2
"""Price of a hint: a player who takes one at each decision, as fast as one bot answers, is not refused within a match.

The longest search takes three times as long as usual."""


@operation(
    "GET",
    "/matches/{match}/hint",
    "getHint",
    tag=TAG,
    scope=Scope.PLAY,
    cost=Cost.ADVICE,
    problems=ACTED,
    answers=(Answer(200, HintBody, "The hint."),),
)
async def get_hint(call: Call[Nothing, Nothing]) -> Reply:
    """Get a hint for your open decision, if the match allows hints. The match records that you took it."""
    await call.pay(HINT - 1)
    found = await call.application.matches.hint(call.player, call.match)
    game = call.running.game_of_command(found.moves[0].command)
    why = presenters.why_body(found.why.key, found.why.arguments, game) if found.why is not None else None
    body = HintBody(match=call.match, decision=found.decision, seat=found.seat, moves=_moves(found.moves), why=why)
    return response.json(body, *PRIVATE)


def _moves(moves: Sequence[Weighed[Command]]) -> tuple[MoveAdvice, ...]:
    return tuple(MoveAdvice(command=_raw(move.command), worth=round(move.worth, 4), worlds=move.worlds) for move in moves)


def _raw(command: Command) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(command))


OPERATIONS = (get_hint,)
