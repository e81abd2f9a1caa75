"""The way over HTTP: the one place where requests are sent, and feeds are followed as server-sent events."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator

import httpx
from httpx_sse import EventSource

from ..calls import Call, Shape, authorities
from ..sse import NO_CONTENT, OK, Entry, Place, Reset

SECONDS = 35.0
"""Timeout in seconds, longer than any answer takes: a long poll answers after 30 seconds."""


class AsyncConnection:
    """A way to a service. Raises ApiError with the service's problem, or Unreachable."""

    def __init__(self, url: str, transport: httpx.AsyncBaseTransport | None) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=SECONDS, transport=transport, verify=authorities())

    async def close(self) -> None:
        """Close what is open."""
        await self._http.aclose()

    async def ask(self, call: Call[Shape], token: str | None) -> Shape:
        """Send a call, again if it may be, and return what its answer has."""
        tries = call.tries()
        answer = await self._answer(call, token)
        while (seconds := tries.again(answer)) is not None:
            await sleep(seconds)
            answer = await self._answer(call, token)
        return call.read(answer)

    async def _answer(self, call: Call[Shape], token: str | None) -> httpx.Response | None:
        """Send a call once, and return the answer, or None if there was none."""
        return await self._send(call.request(self._http, token))

    async def follow(self, place: Place[Entry], token: str | None) -> AsyncGenerator[Entry | Reset]:
        """Yield what a stream carries from a place on, over any number of connections."""
        while not place.over:
            answer = await self._send(place.request(self._http, token), stream=True)
            try:
                async for entry in self._listen(answer, place):
                    yield entry
            except httpx.TransportError:
                pass
            finally:
                if answer is not None:
                    await answer.aclose()
            if not place.over:
                await sleep(place.rest(answer))

    async def _listen(self, answer: httpx.Response | None, place: Place[Entry]) -> AsyncIterator[Entry | Reset]:
        if answer is None:
            return
        if answer.status_code != OK:
            await answer.aread()
            place.over = answer.status_code == NO_CONTENT
            return
        async for event in EventSource(answer).aiter_sse():
            for entry in place.take(event):
                yield entry

    async def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response | None:
        """Return the answer, or None if there was none."""
        try:
            return await self._http.send(request, stream=stream)
        except httpx.TransportError:
            return None
