"""Planted leaks in feeds, receipts, streams, sockets and polls: which items, in which order, with which numbers, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any
from zlib import crc32

import msgspec

from tafelrunde.api.http import sse
from tafelrunde.api.http.broadcasts import chunk_of
from tafelrunde.api.routes import feed as live
from tafelrunde.api.socket.frames import EndFrame
from tafelrunde.api.socket.subscription import Subscription
from tafelrunde.domain.match.events import MatchStarted
from tafelrunde.service.commands import MatchCommands
from tafelrunde.service.views import feeds
from tafelrunde.service.views.feeds import Cursor, Feed
from tafelrunde.service.views.queries import MatchQueries
from tests.support.stored import stored
from tests.whole.hidden.leaks import Patch, answers, secrets


def numbers(patch: Patch) -> None:
    """Number the items by the log."""
    honest = Feed._add

    def leaking(feed: Any, version: int, at_ms: int, event: Any) -> None:
        honest(feed, version, at_ms, event)
        feed.items[-1] = msgspec.structs.replace(feed.items[-1], n=version)

    patch.setattr(Feed, "_add", leaking)


def cursors(patch: Patch) -> None:
    """Make the cursors from the chain of the log."""
    honest, honest_cursor = Feed.extend, Feed.cursor

    def leaking(feed: Any, loaded: Any, codec: Any) -> None:
        fresh = loaded.version > feed.version
        honest(feed, loaded, codec)
        if fresh and feed.items:
            last = feed.items[-1]
            feed.items[-1] = msgspec.structs.replace(last, cursor=Cursor(f"{last.n}-{loaded.chain[:4].hex()}"))

    def leaking_cursor(feed: Any, count: int) -> Cursor:
        last = feed.items[-1] if feed.items else None
        return last.cursor if last is not None and count == last.n else honest_cursor(feed, count)

    patch.setattr(Feed, "extend", leaking)
    patch.setattr(Feed, "cursor", leaking_cursor)


def moved(patch: Patch) -> None:
    """Send a frame over sockets whenever something happens, also in secret."""
    honest = Subscription.__init__

    def leaking(subscription: Any, flow: Any, broadcasts: Any, application: Any, viewer: Any, match: Any, *more: Any) -> None:
        honest(subscription, flow, broadcasts, application, viewer, match, *more)
        application.queries.on_move(match, lambda: flow.send(EndFrame(match=match)))

    patch.setattr(Subscription, "__init__", leaking)


def count(patch: Patch) -> None:
    """Show that something hidden happened, without saying what."""
    honest = feeds.redact
    patch.setattr(feeds, "redact", lambda *arguments: honest(*arguments) or MatchStarted())


def _read(patch: Patch, leaking: Any) -> None:
    """Have all pages of feeds read in a leaking way, those that no store has to be asked for, too."""
    patch.setattr(MatchQueries, "feed", leaking)
    patch.setattr(MatchQueries, "at_once", lambda *_: None)


def order(patch: Patch) -> None:
    """Tell the items of one command in an order that depends on the table."""
    honest = MatchQueries.feed

    async def leaking(service: Any, *arguments: Any) -> Any:
        page = await honest(service, *arguments)
        secret = await secrets(service)
        return msgspec.structs.replace(
            page, items=tuple(sorted(page.items, key=lambda item: (item.at_ms, crc32(stored(item.event), secret))))
        )

    _read(patch, leaking)


def dates(patch: Patch) -> None:
    """Date an item by the newest event of the log."""
    honest = MatchQueries.feed

    async def leaking(service: Any, *arguments: Any) -> Any:
        page = await honest(service, *arguments)
        number = await answers(service)
        return msgspec.structs.replace(
            page, items=tuple(msgspec.structs.replace(item, at_ms=item.at_ms + number) for item in page.items)
        )

    _read(patch, leaking)


def receipt(patch: Patch) -> None:
    """Tell with a receipt how far the log is."""
    honest = MatchCommands.play

    async def leaking(service: Any, *arguments: Any, signed: bool) -> Any:
        told = await honest(service, *arguments, signed=signed)
        return msgspec.structs.replace(told, cursor=Cursor(f"{await secrets(service)}-00000000"))

    patch.setattr(MatchCommands, "play", leaking)


def _waking(honest: Any) -> Any:
    """Return a way to wait that ends with every command, heard or not."""

    async def waiting(queries: Any, viewer: Any, match: Any, after: Any, timeout_ms: int, is_other: Any = None) -> Any:
        page = await queries.feed(viewer, match, after, 500)
        if page.items or page.ended or not timeout_ms:
            return await honest(queries, viewer, match, after, 0, is_other)
        with queries._notifier.move_event(match) as moved, suppress(TimeoutError):
            async with asyncio.timeout(timeout_ms / 1000):
                await moved.wait()
        return await queries.feed(viewer, match, after, 500)

    return waiting


def wake(patch: Patch) -> None:
    """End a poll when something happens, although there is nothing to report."""
    patch.setattr(MatchQueries, "wait", _waking(MatchQueries.wait))


def ping(patch: Patch) -> None:
    """Say on a stream that one is still there whenever something happens."""
    wake(patch)

    async def leaking(follower: Any, after: Any) -> AsyncGenerator[bytes]:
        while True:
            page = await follower._application.queries.wait(follower._viewer, follower._match, after, 15_000)
            after = page.cursor
            yield chunk_of(page.items) if page.items else sse.PING
            if page.ended or follower._application.notifier.draining:
                return

    patch.setattr(sse.Follower, "_events", leaking)


def chunks(patch: Patch) -> None:
    """Cut the bytes of a stream at a place that depends on the table."""
    honest = sse.Follower.chunks

    async def leaking(follower: Any, after: Any) -> AsyncGenerator[bytes]:
        async for chunk in honest(follower, after):
            place = await secrets(follower._application) % len(chunk)
            yield chunk[:place]
            yield chunk[place:]

    patch.setattr(sse.Follower, "chunks", leaking)


def gone(patch: Patch) -> None:
    """Tell a client that resumes a stream that there is nothing, depending on a secret."""
    honest = live._has_all

    async def leaking(call: Any, viewer: Any, after: Any) -> bool:
        return await honest(call, viewer, after) or await secrets(call.application) % 2 == 0

    patch.setattr(live, "_has_all", leaking)
