"""Followers: they hear what an inbox of the same player would get, and nothing of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.followers import Followers
from tafelrunde.service.features.inbox.port import Notice
from tafelrunde.service.features.inbox.service import Inboxes
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings
from tests.support.table import NOW_MS

pytestmark = pytest.mark.anyio

ANNA, BERT = PlayerId("anna"), PlayerId("bert")


class Ears:
    """Follows for one player."""

    def __init__(self) -> None:
        self.heard: list[Notice] = []

    async def wanted(self) -> bool:
        return True

    async def since(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, int]:
        return {player: NOW_MS for player in players if player == ANNA}

    async def hear(self, notices: Sequence[Notice]) -> None:
        self.heard += notices


async def test_follower_hears_what_an_inbox_gets(stores: Stores) -> None:
    """The same bodies in the same order, for its player alone; also of what only one player gets."""
    application = Application(stores, Settings(bot_pause_ms=0), now_ms=lambda: NOW_MS)
    ears = Ears()
    application.get(Followers).all.append(ears)
    inboxes = application.get(Inboxes)
    start = (await inboxes.page(ANNA, None, 1)).cursor
    match = (await application.matches.open(ANNA, NewMatch(game=GameId("coup"), seats=2), "a")).match
    await application.matches.take_seat(BERT, match, None, "", "b")
    await application.matches.start(ANNA, MatchId(match), "c")
    await application.get(Outbox).catch_up()
    kept = [msgspec.json.decode(item) for _, item in (await inboxes.page(ANNA, start, 100)).items]
    heard = [msgspec.json.decode(body) for notice in ears.heard for body in notice.bodies]
    assert {notice.player for notice in ears.heard} == {ANNA}
    assert heard == [{name: each[name] for name in ("at_ms", "your_seats", "message")} for each in kept]
    assert "match.started" in {each["message"]["type"] for each in heard}
    before = len(ears.heard)
    told = Notice(player=BERT, line=ears.heard[0].line, bodies=(b"{}",), due_ms=NOW_MS)
    await application.get(Followers).tell([told, msgspec.structs.replace(told, player=ANNA)])
    assert [each.player for each in ears.heard[before:]] == [ANNA]
