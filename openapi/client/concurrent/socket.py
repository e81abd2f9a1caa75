"""The way over a socket: commands, views, talk, feeds and the inbox go over one connection, and all else over HTTP."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress

import httpx
import msgspec

from ..calls import Call, Shape, fresh_key
from ..dialing import LOST, AsyncLock, AsyncWebSocket, async_dial, refusal
from ..frames import INBOX, KINDS, STREAM, Feeds, FollowedFeed, Frame, answer_of, asked, subscription, unsubscription
from ..sse import OK, Entry, Place, Reset
from .connection import AsyncConnection

NOTHING: Mapping[str, int] = {}


class _Talk:
    """One open socket. Each caller that waits reads what comes, for all others too."""

    def __init__(self, web: AsyncWebSocket, token: str | None) -> None:
        self.web = web
        self.token = token
        self.lost = False
        self.feeds = Feeds()
        self.problem: Frame | None = None
        self._answers: dict[str, Frame | None] = {}  # of those who wait, by the ids of their frames
        self._reading = AsyncLock()

    async def ask(self, frame: bytes, name: str) -> Frame:
        """Send a frame, and return its answer; raise one of `LOST`."""
        self._answers[name] = None
        try:
            with suppress(*LOST):  # why it has ended is still to be read
                await self.web.send(frame, text=True)
            await self.until(lambda: self._answers[name] is not None)
        finally:
            answer = self._answers.pop(name)
        assert answer is not None
        return answer

    async def until(self, ready: Callable[[], bool]) -> None:
        """Read until something is there; raise one of `LOST` if it does not come."""
        while not ready():
            async with self._reading:
                if not ready():
                    self._take(msgspec.json.decode(await self.web.recv(), type=Frame))

    def _take(self, frame: Frame) -> None:
        self.feeds.hear(frame)
        if isinstance(frame.id, str):
            if frame.id in self._answers:
                self._answers[frame.id] = frame
        elif frame.type == "problem":
            self.problem = frame

    async def close(self) -> None:
        """Hang up."""
        self.lost = True
        with suppress(*LOST):
            await self.web.close()


class AsyncSocketConnection(AsyncConnection):
    """A way to a service that has one socket open. Raises ApiError with the service's problem, or Unreachable."""

    def __init__(self, url: str) -> None:
        super().__init__(url, None)
        self._url = url
        self._talk: _Talk | None = None
        self._opening = AsyncLock()
        self._followed: dict[str, object] = {}

    async def close(self) -> None:
        """Close what is open."""
        if self._talk is not None:
            await self._talk.close()
        await super().close()

    async def _answer(self, call: Call[Shape], token: str | None) -> httpx.Response | None:
        if call.operation not in KINDS:
            return await super()._answer(call, token)
        name = fresh_key()
        return (await self._asked(asked(call, name), name, token))[0]

    async def follow(self, place: Place[Entry], token: str | None) -> AsyncGenerator[Entry | Reset]:
        """Yield what a feed carries from a place on, over any number of connections."""
        match = str(place.call.parts.get("match", ""))
        if place.call.operation not in {STREAM, INBOX} or self._is_followed(match, place):
            async with aclosing(super().follow(place, token)) as entries:  # a socket follows a match once, and one inbox
                async for entry in entries:
                    yield entry
            return
        last = 0
        try:
            while not place.over:
                answer, talk = await self._subscribed(place, match, token, last)
                if talk is not None and match in talk.feeds.by_match:
                    async with aclosing(self._heard(talk, match, place)) as entries:
                        async for entry in entries:
                            last = 0 if isinstance(entry, Reset) else getattr(entry, "n", 0)
                            yield entry
                if not place.over:
                    await sleep(place.rest(answer))
        finally:
            del self._followed[match]

    async def _subscribed(
        self, place: Place[Entry], match: str, token: str | None, last: int
    ) -> tuple[httpx.Response | None, _Talk | None]:
        """Ask for what follows, as `_asked`. Who is interrupted in this leaves nothing behind that still follows."""
        name = fresh_key()
        try:
            return await self._asked(subscription(place, name), name, token, {match: last})
        except BaseException:
            if (talk := self._talk) is not None and not talk.lost:
                talk.feeds.give_up(match, name)
                with suppress(*LOST):
                    await talk.web.send(unsubscription(match, fresh_key()), text=True)
            raise

    def _is_followed(self, match: str, place: object) -> bool:
        """Return whether a match is followed already, for another place; if not, it is for this one from now on."""
        heard = self._talk is not None and match in self._talk.feeds.by_match  # one that stops may not have left yet
        return heard or self._followed.setdefault(match, place) is not place

    async def _heard(self, talk: _Talk, match: str, place: Place[Entry]) -> AsyncGenerator[Entry | Reset]:
        """Yield what comes of a match on one connection."""
        feed = talk.feeds.by_match[match]
        try:
            while feed.events or not feed.over:
                await talk.until(lambda: bool(feed.events))
                for entry in place.take(feed.events.popleft()):
                    yield entry
        except LOST:
            await talk.close()
        finally:
            await self._leave(talk, match, feed)

    async def _leave(self, talk: _Talk, match: str, feed: FollowedFeed) -> None:
        if talk.feeds.by_match.get(match) is feed:
            del talk.feeds.by_match[match]
            if not feed.over and not talk.lost:
                with suppress(*LOST):
                    await talk.web.send(unsubscription(match, fresh_key()), text=True)

    async def _asked(
        self, frame: bytes, name: str, token: str | None, known: Mapping[str, int] = NOTHING
    ) -> tuple[httpx.Response | None, _Talk | None]:
        """Return the answer to a frame, or None if there was none, and the connection that it came over."""
        talk = None
        try:
            talk = await self._opened(token)
            talk.feeds.known.update(known)
            answer = answer_of(await talk.ask(frame, name))
        except LOST as error:
            if talk is None:
                return refusal(error), None
            await talk.close()
            return (answer_of(talk.problem) if talk.problem is not None else None), None
        return answer, talk if answer.status_code < 2 * OK else None

    async def _opened(self, token: str | None) -> _Talk:
        """Return the connection of this caller; raise one of `LOST` if there is none."""
        async with self._opening:
            if self._talk is None or self._talk.lost or self._talk.token != token:
                if self._talk is not None:
                    await self._talk.close()
                self._talk = _Talk(await async_dial(self._url, token), token)
            return self._talk
