"""What a cluster answers that does not agree with itself: it is waited for, and then said to be unavailable."""

from __future__ import annotations

from unittest.mock import AsyncMock, patch

import pytest
from redis.exceptions import AskError, MovedError, ResponseError

from tafelrunde.service.errors import StoreError, StoreUnavailable
from tafelrunde.service.redis_store import cluster
from tafelrunde.service.redis_store.address import Cluster
from tafelrunde.service.redis_store.cluster import ClusterClient
from tafelrunde.service.redis_store.refusals import translate

pytestmark = pytest.mark.anyio


async def ridden(client: ClusterClient, error: ResponseError) -> str:
    """Return what a command is answered with that meets an error again and again."""

    async def ask() -> str:
        raise translate(error) from error

    return await client._riding(ask)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> ClusterClient:
    """A client whose map of slots never changes, and which waits for nothing."""
    monkeypatch.setattr(cluster, "RIDE_SECONDS", 0.05)
    made = ClusterClient(Cluster((("127.0.0.1", 1),), None, None, tls=False))
    monkeypatch.setattr(made, "_ensure_map", AsyncMock())
    monkeypatch.setattr(made, "_map_again", AsyncMock())
    return made


@pytest.mark.parametrize("kind", [MovedError, AskError])
async def test_cluster_that_sends_back_and_forth_is_unavailable(client: ClusterClient, kind: type[AskError]) -> None:
    """It passes, so the caller is asked to try again: it is no error of the service."""
    with pytest.raises(StoreUnavailable) as caught:
        await ridden(client, kind("1 127.0.0.1:7000"))
    assert caught.value.refusal == "CLUSTERDOWN"


async def test_command_is_asked_again_when_its_slot_has_moved(client: ClusterClient) -> None:
    """With the map of slots as it is then."""
    asked: list[int] = []

    async def ask() -> str:
        asked.append(1)
        if len(asked) == 1:
            error = MovedError("1 127.0.0.1:7000")
            raise translate(error) from error
        return "done"

    assert await client._riding(ask) == "done"
    assert len(asked) == 2


async def test_error_of_a_command_is_raised_at_once(client: ClusterClient) -> None:
    """Waiting does not help."""
    with patch.object(cluster, "RIDE_SECONDS", 3_600), pytest.raises(StoreError) as caught:
        await ridden(client, ResponseError("wrong number of arguments"))
    assert not isinstance(caught.value, StoreUnavailable)
