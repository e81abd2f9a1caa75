"""Tokens for one seat, and seats for the users of other applications."""

from __future__ import annotations

from ...domain.game import Seat
from ...service.ports.players import TokenRecord
from ..http import response
from ..http.operation import Answer, Call, Key, operation
from ..http.response import SECRET, Reply
from ..schema import fields
from ..schema.common import Nothing, Scope
from ..schema.players import SeatToken, UserRequest
from .players import checked_name, token_facts

TAG = "matches"


def _reply_issued(token: TokenRecord, text: str) -> Reply:
    assert token.match is not None
    assert token.seat is not None
    facts = token_facts(token)
    body = SeatToken(player=token.player, match=token.match, seat=token.seat, token=facts, text=text)
    return response.json(body, *SECRET, status=201)


@operation(
    "POST",
    "/matches/{match}/seats/{seat}/tokens",
    "createSeatToken",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.PLAY,
    lent=False,
    problems=("seat-left", "too-many-tokens"),
    answers=(Answer(201, SeatToken, "The token. Its text is shown only once."),),
)
async def create_seat_token(call: Call[Nothing, Nothing]) -> Reply:
    """Create a short-lived token for your seat that can read and play this match and nothing else.

    Called with such a token, it is exchanged: the response has a fresh one, and the old one is revoked. All of them end with the
    token that made the first: when it expires, or is revoked.
    """
    assert call.principal is not None
    seat = Seat(int(call.path("seat", fields.SEAT)))
    await call.application.queries.load_visible(call.player, call.match_id)
    return _reply_issued(*await call.application.seat_tokens.issue(call.principal, call.match_id, seat))


@operation(
    "POST",
    "/matches/{match}/users",
    "seatUser",
    tag=TAG,
    scope=Scope.EMBED,
    key=Key.OPTIONAL,
    body=UserRequest,
    problems=("refused", "key-reused", "suspended", "invalid-name", "too-many-tokens", "too-many-seats"),
    answers=(Answer(201, SeatToken, "A token for the user's seat. Its text is shown only once."),),
)
async def seat_user(call: Call[UserRequest, Nothing]) -> Reply:
    """Seat a user of your application and create a token for the seat. The same user is always the same player.

    A user who is already seated gets another token, so a page that lost its token can simply ask its application again.
    """
    wish = call.body
    name = checked_name(wish.name) if wish.name is not None else None
    seat = Seat(wish.seat) if wish.seat is not None else None
    _, token, text = await call.application.matches.seat_user(
        call.player, wish.user, name, call.match_id, seat, wish.nonce, call.key
    )
    return _reply_issued(token, text)


OPERATIONS = (create_seat_token, seat_user)
