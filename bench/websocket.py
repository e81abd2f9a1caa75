"""A lean client of the socket for load: whole frames of text, bytes in and bytes out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from bench.wire import HEAD_END

PATH = "/api/v1/socket"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
UNMASKED = bytes(4)
"""A mask that changes nothing: this client spends nothing on what a real one has to do."""


def handshake(host: str, authorization: bytes = b"") -> bytes:
    """Return the bytes of a handshake, with the header that says who it is."""
    lines = [f"GET {PATH} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: tafelrunde.v1"]
    return b"\r\n".join([*(line.encode() for line in lines), *filter(None, [authorization])]) + HEAD_END


def framed(payload: bytes, kind: int = TEXT) -> bytes:
    """Return one frame of a client."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([0x80 | kind]) + length + UNMASKED + payload


class WebSocket(asyncio.Protocol):
    """One connection: calls *heard* with the text of every frame."""

    def __init__(self, host: str, authorization: bytes, heard: Callable[[bytes], None]) -> None:
        self._hello = handshake(host, authorization)
        self._heard = heard
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self._opened = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, host: str, port: int, authorization: bytes, heard: Callable[[bytes], None]) -> WebSocket:
        """Connect; raise RuntimeError if the handshake is refused."""
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(lambda: cls(f"{host}:{port}", authorization, heard), host, port)
        await made._opened
        return made

    def say(self, text: bytes) -> None:
        """Send a frame."""
        assert self._transport is not None
        self._transport.write(framed(text))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own does not say that it is one
        self._transport.write(self._hello)

    def data_received(self, data: bytes) -> None:
        """Pass on every frame that is complete."""
        buffer = self._buffer + data
        if not self._opened.done():
            head, end, buffer = buffer.partition(HEAD_END)
            if not end:
                self._buffer = head
                return
            if b" 101 " in head[:16]:
                self._opened.set_result(None)
            else:
                self._opened.set_exception(RuntimeError(head.decode()))
        at = 0
        while (end := _end(buffer, at)) is not None:
            start, stop = end
            if buffer[at] & 15 == TEXT:
                self._heard(buffer[start:stop])
            elif buffer[at] & 15 == PING and self._transport is not None:
                self._transport.write(framed(buffer[start:stop], PONG))
            at = stop
        self._buffer = buffer[at:]

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


def _end(buffer: bytes, at: int) -> tuple[int, int] | None:
    """Return where the payload of the frame at a place begins and ends, if all of it is there."""
    if len(buffer) < at + 2:
        return None
    size, start = buffer[at + 1], at + 2
    if size >= 126:
        start += 2 if size == 126 else 8
        size = int.from_bytes(buffer[at + 2 : start], "big")
    return (start, start + size) if len(buffer) >= start + size else None
