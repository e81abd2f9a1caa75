"""Hints for the open decision."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....domain.game import Command
from ....domain.search import Weighed
from ....service.features.bots.hints import Hints
from ...http import response
from ...http.operation import Answer, Call, operation
from ...http.rate_limits import Cost
from ...http.response import PRIVATE, Reply
from ...routes.matches import ACTED
from ...schema.common import Nothing, Scope
from .presenters import why_body
from .schema import HintBody, MoveAdvice

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
    await call.charge(HINT - 1)
    found = await call.application.get(Hints).take(call.player, call.match_id)
    game = call.running.game_of_command(found.moves[0].command)
    why = why_body(found.why.key, found.why.arguments, game) if found.why is not None else None
    body = HintBody(match=call.match_id, decision=found.decision, seat=found.seat, moves=_moves(found.moves), why=why)
    return response.json(body, *PRIVATE)


def _moves(moves: Sequence[Weighed[Command]]) -> tuple[MoveAdvice, ...]:
    return tuple(MoveAdvice(command=_raw(move.command), worth=round(move.worth, 4), worlds=move.worlds) for move in moves)


def _raw(command: Command) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(command))


OPERATIONS = (get_hint,)
