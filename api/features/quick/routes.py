"""Quick matches: seeking one, and seeing what others seek."""

from __future__ import annotations

from ....domain.game import GameId
from ....domain.match import BotName
from ....service.features.quick.port import Wish
from ....service.features.quick.service import COME_MS, QuickMatches, SeatNotTaken, TooManySeek
from ....service.features.quick.service import QuickPlace as Found
from ...http import response
from ...http.operation import Access, Answer, Call, Key, operation
from ...http.response import PRIVATE, SECRET, Reply
from ...problems import Refused
from ...schema.common import Nothing, Scope
from ...texts import Text
from .schema import QuickList, QuickPlace, QuickRequest, QuickSeekers

TAG = "quick matches"


@operation(
    "POST",
    "/quick-matches",
    "seekQuickMatch",
    tag=TAG,
    scope=Scope.CREATE,
    lent=True,
    key=Key.KEPT,
    body=QuickRequest,
    problems=(
        "not-found",
        "suspended",
        "invalid-options",
        "seat-not-taken",
        "too-many-seek",
        "too-many-seats",
        "too-many-bot-matches",
    ),
    answers=(Answer(200, QuickPlace, "Your place at a table."),),
)
async def seek_quick_match(call: Call[QuickRequest, Nothing]) -> Reply:
    """Seek others who want to play the same: a seat is kept for you at a table with them, or at a new one that others will find.

    Take it within 20 seconds (`takeSeat`), with a nonce that you draw once you have the commitment. When the last one has sat
    down the match begins by itself; when the first patience at the table ends, bots take the free seats, and it begins. To stop
    waiting, leave the seat. If you do not come, no seat is kept for you for 20 seconds, and twice as long each time. After five
    seconds the seat may go to someone else while others wait at the table; the second time in a row that counts the same.

    Asked again for the same while you wait, it is the same place. One seat is kept for you at a time: if you ask for something
    else before you have taken it, it is free for others, which does not count as not coming. A seat that you have taken stays.
    """
    wish = Wish(GameId(call.body.game), call.body.seats or 0, call.body.pace)
    bot = BotName(call.body.bot) if call.body.bot is not None else None
    quick = call.application.get(QuickMatches)
    try:
        found = await quick.seek(call.player, wish, call.body.patience_seconds, bot, call.place)
    except TooManySeek:
        raise Refused("too-many-seek") from None
    except SeatNotTaken as refused:
        wait_s = refused.wait_s
        raise Refused("seat-not-taken", message=_explain_wait(wait_s), detail=f"ask again in {wait_s} s") from None
    return response.json(_place(found, wish), *SECRET)


def _explain_wait(wait_s: int) -> Text:
    """Tell a player who did not come when to look again: in seconds, from two minutes on in minutes."""
    number, de, en = (wait_s, "Sekunden", "seconds") if wait_s < 120 else (-(-wait_s // 60), "Minuten", "minutes")
    return Text(
        de=f"Ein Platz war für dich freigehalten, und du hast ihn nicht eingenommen. Suche in {number} {de} noch einmal.",
        en=f"A seat was kept for you, and you did not take it. Look again in {number} {en}.",
    )


def _place(found: Found, wish: Wish) -> QuickPlace:
    match = found.match
    player = found.seeker.player
    seat = match.seat_of(player)
    kept = match.reserved_for(player)
    mine = seat if seat is not None else kept
    assert mine is not None, "a place is a seat, or one that is kept"
    return QuickPlace(
        match=found.match_id,
        game=wish.game,
        pace=wish.pace,
        seats=len(match.chairs),
        taken=sum(not chair.empty or chair.whose is not None for chair in match.chairs),
        commitment=match.facts.commitment,
        seat=mine,
        seated=seat is not None,
        kept_until_ms=None if seat is not None else found.seeker.since_ms + COME_MS,
        fills_ms=found.table.ends_ms,
    )


@operation(
    "GET",
    "/quick-matches",
    "listQuickMatches",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, QuickList, "What players wait for."),),
)
async def list_quick_matches(call: Call[Nothing, Nothing]) -> Reply:
    """List what players wait for now, with how many of them, so that you can join them. No one is named."""
    found = await call.application.get(QuickMatches).waiting()
    items = tuple(QuickSeekers(game=wish.game, seats=wish.seats, pace=wish.pace, seekers=count) for wish, count in found)
    return response.json(QuickList(items=items), *PRIVATE)


OPERATIONS = (seek_quick_match, list_quick_matches)
