from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tafelrunde.service.features.webhooks.stores import WEBHOOKS
from tafelrunde.service.ports.stores import Stores
from tests.support.receiver import Office, Receiver, receiving


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A receiver that says yes to everything."""
    async with receiving() as receiver:
        yield receiver


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
