"""Practice: finished matches taken up again."""

from __future__ import annotations

from ...domain.game import DecisionId, Seat
from ...domain.match import BotName
from ...service.matches.branching import WhatIf
from ..http.operation import Call, Key, operation
from ..http.rate_limits import Cost
from ..http.response import Reply
from ..schema.common import Nothing, Request, Scope
from ..schema.fields import BotRef, DecisionNumber, Nonce, SeatNumber
from .matches import ACTED, OPENED, opened_reply

TAG = "matches"


class WhatIfRequest(Request, frozen=True):
    """The decision to start before, the seat to play, and the bot on all other seats (null: the game's first)."""

    decision: DecisionNumber
    seat: SeatNumber
    bot: BotRef | None = None
    nonce: Nonce = ""


@operation(
    "POST",
    "/matches/{match}/what-if",
    "openWhatIf",
    tag=TAG,
    scope=Scope.CREATE,
    lent=True,
    key=Key.REQUIRED,
    cost=Cost.ADVICE,
    body=WhatIfRequest,
    problems=(*ACTED, "spectators-off", "seat-left"),
    answers=OPENED,
)
async def open_what_if(call: Call[WhatIfRequest, Nothing]) -> Reply:
    """Start a practice match from a decision of a finished match: unlisted, unrated, with bots on all other seats."""
    wish = WhatIf(
        decision=DecisionId(call.body.decision),
        seat=Seat(call.body.seat),
        bot=BotName(call.body.bot) if call.body.bot is not None else None,
        nonce=call.body.nonce,
    )
    return opened_reply(call, await call.application.matches.what_if(call.player, call.match_id, wish, call.key, call.place))


OPERATIONS = (open_what_if,)
