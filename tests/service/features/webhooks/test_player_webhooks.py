"""Webhooks that are made and changed by requests that are carried out again: after a kill, with the same ids and secrets."""

from __future__ import annotations

import pytest

from tafelrunde.service.errors import Forbidden
from tafelrunde.service.features.webhooks import player_webhooks
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.players.draws import drawn_from
from tafelrunde.service.ports.stores import Stores
from tests.support.receiver import OWNER, Office

pytestmark = pytest.mark.anyio
SEED = bytes(32)
URL = "http://127.0.0.1:1/hook"


async def test_webhook_is_made_once_when_its_request_is_carried_out_again(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later than the first time, also where there is no room for another one: the stored one is the answer."""
    monkeypatch.setattr(player_webhooks, "MOST_WEBHOOKS", 1)
    office = Office(WEBHOOKS.of(stores))
    with drawn_from(SEED):
        made = await office.webhook(URL)
    office.now_ms += 1
    with drawn_from(SEED):
        assert await office.webhook(URL) == made
    assert await office.player_webhooks.all(OWNER) == [made]
    with pytest.raises(Forbidden, match="too-many-webhooks"):
        await office.webhook(URL)
    await office.post.close()


async def test_newer_secret_stays_when_the_rotation_before_is_carried_out_again(stores: Stores) -> None:
    """A request that comes once more, after another rotation, brings no secret back that was replaced."""
    office = Office(WEBHOOKS.of(stores))
    old = await office.webhook(URL)
    with drawn_from(SEED):
        first = await office.player_webhooks.rotate(OWNER, old.id)
    second = await office.player_webhooks.rotate(OWNER, old.id)
    with drawn_from(SEED):
        assert await office.player_webhooks.rotate(OWNER, old.id) == second
    assert first.secret == second.previous
    await office.post.close()


async def test_secret_before_is_kept_when_a_rotation_is_carried_out_again(stores: Stores) -> None:
    """It signs for the day that the first time began, and the new one is not the one before itself."""
    office = Office(WEBHOOKS.of(stores))
    old = await office.webhook(URL)
    with drawn_from(SEED):
        rotated = await office.player_webhooks.rotate(OWNER, old.id)
    office.now_ms += 1
    with drawn_from(SEED):
        assert await office.player_webhooks.rotate(OWNER, old.id) == rotated
    assert (await office.player_webhooks.one(OWNER, old.id)).previous == old.secret
    await office.post.close()
