# Made by `make client`: change what it is made from instead.
"""The way over HTTP: the one place where requests are sent, and feeds are followed as server-sent events."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from time import sleep

import httpx
from httpx_sse import EventSource

from ..calls import Call, Shape, authorities
from ..sse import NO_CONTENT, OK, Entry, Place, Reset

SECONDS = 35.0
"""Timeout in seconds, longer than any answer takes: a long poll answers after 30 seconds."""


class Connection:
    """A way to a service. Raises ApiError with the service's problem, or Unreachable."""

    def __init__(self, url: str, transport: httpx.BaseTransport | None) -> None:
        self._http = httpx.Client(base_url=url, timeout=SECONDS, transport=transport, verify=authorities())

    def close(self) -> None:
        """Close what is open."""
        self._http.close()

    def ask(self, call: Call[Shape], token: str | None) -> Shape:
        """Send a call, again if it may be, and return what its answer has."""
        tries = call.tries()
        answer = self._answer(call, token)
        while (seconds := tries.again(answer)) is not None:
            sleep(seconds)
            answer = self._answer(call, token)
        return call.read(answer)

    def _answer(self, call: Call[Shape], token: str | None) -> httpx.Response | None:
        """Send a call once, and return the answer, or None if there was none."""
        return self._send(call.request(self._http, token))

    def follow(self, place: Place[Entry], token: str | None) -> Generator[Entry | Reset]:
        """Yield what a stream carries from a place on, over any number of connections."""
        while not place.over:
            answer = self._send(place.request(self._http, token), stream=True)
            try:
                for entry in self._listen(answer, place):
                    yield entry
            except httpx.TransportError:
                pass
            finally:
                if answer is not None:
                    answer.close()
            if not place.over:
                sleep(place.rest(answer))

    def _listen(self, answer: httpx.Response | None, place: Place[Entry]) -> Iterator[Entry | Reset]:
        if answer is None:
            return
        if answer.status_code != OK:
            answer.read()
            place.over = answer.status_code == NO_CONTENT
            return
        for event in EventSource(answer).iter_sse():
            for entry in place.take(event):
                yield entry

    def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response | None:
        """Return the answer, or None if there was none."""
        try:
            return self._http.send(request, stream=stream)
        except httpx.TransportError:
            return None
