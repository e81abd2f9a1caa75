from __future__ import annotations

import pytest

from tafelrunde.api.server import websocket
from tests.support import sockets


@pytest.fixture(autouse=True, params=sockets.WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to a socket, one after the other: any ASGI server, and our own."""
    monkeypatch.setattr(sockets, "way", request.param)
    monkeypatch.setattr(websocket, "SEND_BUFFER_BYTES", sockets.LITTLE)
    return request.param
