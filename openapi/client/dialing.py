"""How each client opens a socket and waits its turn, under names that differ by one word."""

from __future__ import annotations

from asyncio import Lock as AsyncLock
from threading import Lock

import httpx
from websockets.asyncio.client import ClientConnection as AsyncWebSocket
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection as WebSocket
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from .frames import PROTOCOL, address

__all__ = ["LOST", "AsyncLock", "AsyncWebSocket", "Lock", "WebSocket", "async_dial", "dial", "refusal"]

SECONDS = 35.0
"""How long a handshake may take: a process that is started again answers it when it is ready."""
LOST = (OSError, TimeoutError, WebSocketException)
"""What ends a connection, or lets none come about."""


async def async_dial(url: str, token: str | None) -> AsyncWebSocket:
    """Open a socket; raise one of `LOST`."""
    protocols = [Subprotocol(PROTOCOL)]
    return await connect_async(
        address(url),
        subprotocols=protocols,
        additional_headers=_headers(token),
        open_timeout=SECONDS,
        compression=None,
        max_size=None,
    )


def dial(url: str, token: str | None) -> WebSocket:
    """Open a socket; raise one of `LOST`."""
    protocols = [Subprotocol(PROTOCOL)]
    opening = connect(
        address(url),
        subprotocols=protocols,
        additional_headers=_headers(token),
        open_timeout=SECONDS,
        compression=None,
        max_size=None,
    )
    return opening.__enter__()  # newer versions have no other way in, for who does not know where the block ends


def _headers(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def refusal(error: Exception) -> httpx.Response | None:
    """Return the answer that refused a handshake; None if there was none."""
    if not isinstance(error, InvalidStatus):
        return None
    answer = error.response
    headers = {"Retry-After": found} if (found := answer.headers.get("Retry-After")) else {}
    return httpx.Response(answer.status_code, content=bytes(answer.body or b""), headers=headers)
