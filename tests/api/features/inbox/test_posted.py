"""What is posted to one player comes into its inbox, among what happens in its matches, and nowhere else."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.messages import moment
from tafelrunde.service.features.inbox.service import Inboxes
from tafelrunde.service.features.people.messages import InvitationData, PlayerInvited
from tests.support.table import Table

pytestmark = pytest.mark.anyio


async def test_message_is_posted_to_one_inbox(table: Table) -> None:
    """Among its other items and in its order; no one else gets it, and who does not listen finds nothing later."""
    (one, mine), (_, theirs), (away, absent) = [await table.player() for _ in range(3)]
    starts = {token: (await table.get("/me/inbox", token)).json["cursor"] for token in (mine, theirs)}
    inboxes = table.application.get(Inboxes)
    data = InvitationData(match=MatchId("m" + "a" * 24), game=GameId("duel"), by=PlayerId(one))
    invited = PlayerInvited(timestamp=moment(table.now_ms), data=data)
    await inboxes.post(PlayerId(one), invited)
    await inboxes.post(PlayerId(away), invited)
    match = await table.open(mine)
    await table.application.get(Outbox).catch_up()
    found = (await table.get(f"/me/inbox?after={starts[mine]}", mine)).json
    assert [item["message"]["type"] for item in found["items"]] == ["player.invited", "match.created", "match.seat-changed"]
    assert found["items"][0]["message"]["data"] == {"match": data.match, "game": "duel", "by": one}
    assert found["items"][0]["your_seats"] == []
    assert found["items"][1]["message"]["data"]["match"] == match
    assert (await table.get(f"/me/inbox?after={starts[theirs]}", theirs)).json["items"] == []
    assert (await table.get("/me/inbox", absent)).json["items"] == []
