from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.ports.stores import Stores
from tests.support.receiver import Office, Receiver


@pytest.fixture(params=("memory_stores", "redis_stores"))
def stores(request: pytest.FixtureRequest) -> Stores:
    """Empty stores, in memory and on a server."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Stores)
    return found


@pytest.fixture
async def office(memory_stores: Stores, receiver: Receiver) -> AsyncIterator[Office]:
    """All that sends, over stores in memory."""
    office = Office(WEBHOOKS.of(memory_stores), url=receiver.url)
    yield office
    await office.post.close()
