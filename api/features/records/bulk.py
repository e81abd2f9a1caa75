"""Records of many finished matches at once, as lines: a player's own, or all that are listed."""

from __future__ import annotations

import zlib
from collections.abc import AsyncGenerator, Iterator, Sequence
from functools import partial
from typing import Annotated, NamedTuple, Protocol

import msgspec
import zstandard
from msgspec import Meta

from ....service.errors import Forbidden, NotFound
from ....service.features.records.bulk import Absent, Page
from ....service.features.records.export import MatchRecords
from ....service.matches.repository import Loaded
from ....service.ports.rows import Listing
from ....service.runtime.threads import patiently
from ....service.views.projections import Summary
from ...http.operation import Access, Answer, Call, operation
from ...http.rate_limits import READS_PER_LOAD, TooMany
from ...http.response import AS_SAID, PRIVATE, Header
from ...http.sse import EventStream
from ...routes.players import ME
from ...schema import presenters
from ...schema.common import Nothing, Request
from ...schema.fields import GameName, PageCursor
from .caches import Turns
from .routes import EVENTS_WRITTEN, LINES

ANSWERS = (Answer(200, str, "The records, each as its lines, and a line with the cursor of the next page.", (), LINES),)
HEADERS: tuple[Header, ...] = ((b"content-type", LINES.encode()), AS_SAID, (b"vary", b"Accept-Encoding"), *PRIVATE)


class RecordsQuery(Request, frozen=True):
    """Which matches."""

    game: GameName | None = None
    after: PageCursor | None = None
    limit: Annotated[int, Meta(ge=1, le=100, description="Maximum number of matches to look at.")] = 20


class Packer(Protocol):
    """Compresses what goes through it."""

    def add(self, content: bytes) -> bytes:
        """Return the bytes to send for a piece, all of them: the reader has the piece with them."""
        ...

    def end(self) -> bytes:
        """Return the last bytes."""
        ...


class _Plain:
    def add(self, content: bytes) -> bytes:
        return content

    def end(self) -> bytes:
        return b""


class _Gzip:
    def __init__(self) -> None:
        self._packer = zlib.compressobj(level=6, wbits=31)

    def add(self, content: bytes) -> bytes:
        return self._packer.compress(content) + self._packer.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        return self._packer.flush()


class _Zstd:
    def __init__(self) -> None:
        self._packer = zstandard.ZstdCompressor(level=3).compressobj()

    def add(self, content: bytes) -> bytes:
        return self._packer.compress(content) + self._packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)

    def end(self) -> bytes:
        return self._packer.flush()


def _packer(accepted: str) -> tuple[Packer, tuple[Header, ...]]:
    """Return the best packing that a client takes, and the header that says so."""
    if "zstd" in accepted:
        return _Zstd(), ((b"content-encoding", b"zstd"),)
    if "gzip" in accepted:
        return _Gzip(), ((b"content-encoding", b"gzip"),)
    return _Plain(), ()


class _Found(NamedTuple):
    """A finished match as the caller may see it, or why it may not."""

    summary: Summary
    loaded: Loaded | None
    reason: str = ""


@operation(
    "GET",
    "/me/records",
    "listMyRecords",
    tag=ME,
    query=RecordsQuery,
    problems=("cursor-unknown",),
    answers=ANSWERS,
)
async def list_my_records(call: Call[Nothing, RecordsQuery]) -> EventStream:
    """Get the records of all finished matches that you host or played in, page by page, newest first.

    The last line has the cursor of the next page (`{"line":"page","cursor":...}`); without that line the response was cut off.
    A page ends early if your budget of reads does. A match whose record you may not have is a line `{"line":"absent",...}`.
    """
    return await _reply(call, await call.application.queries.matches_of(call.player, _listing(call.query)))


@operation(
    "GET",
    "/records",
    "listRecords",
    tag="log",
    access=Access.ANYBODY,
    query=RecordsQuery,
    problems=("cursor-unknown",),
    answers=ANSWERS,
)
async def list_records(call: Call[Nothing, RecordsQuery]) -> EventStream:
    """Get the records of all finished matches with visibility `listed`, page by page, newest first. See `listMyRecords`."""
    return await _reply(call, await call.application.queries.lobby(_listing(call.query)))


def _listing(query: RecordsQuery) -> Listing:
    after = presenters.read_page_cursor(query.after) if query.after is not None else None
    return Listing(game=query.game, after=after, limit=query.limit)


async def _reply(call: Call[Nothing, RecordsQuery], rows: Sequence[Summary]) -> EventStream:
    """Return the records of a page. The first is paid for before the response begins, so that it can be refused."""
    packer, packing = _packer(call.header(b"accept-encoding"))
    finished = [row for row in rows if row.status.finished]
    first = await _find(call, finished[0]) if finished else None
    if first is not None and first.loaded is not None:
        await call.charge(_price(first.loaded))
    end = presenters.page_cursor(rows[-1]) if len(rows) == call.query.limit else None
    return EventStream(_chunks(call, first, finished[1:], end, packer), headers=(*HEADERS, *packing))


async def _find(call: Call[Nothing, RecordsQuery], row: Summary) -> _Found:
    queries = call.application.queries
    try:
        loaded = await queries.load_finished(await queries.viewer(call.asker, row.match), row.match)
    except (Forbidden, NotFound) as refusal:
        return _Found(row, None, refusal.reason if isinstance(refusal, Forbidden) else "not-found")
    return _Found(row, loaded, "" if loaded is not None else "not-over")


def _price(loaded: Loaded) -> int:
    return READS_PER_LOAD + loaded.version // EVENTS_WRITTEN


async def _chunks(
    call: Call[Nothing, RecordsQuery], found: _Found | None, rest: Sequence[Summary], end: str | None, packer: Packer
) -> AsyncGenerator[bytes]:
    """Yield records as they are written, one at a time, so that a page of long matches takes no more memory than one of them."""
    waiting = iter(rest)
    while found is not None:
        if found.loaded is None:
            yield packer.add(_line(Absent(match=found.summary.match, reason=found.reason)))
        else:
            async with call.running.part(Turns).of(call.payer):
                lines = call.application.get(MatchRecords).lines(found.summary.match, found.loaded)
                yield await patiently(partial(_pack, lines, packer))
        last = found.summary
        row = next(waiting, None)
        found = await _find(call, row) if row is not None else None
        if found is not None and found.loaded is not None:
            try:
                await call.charge(_price(found.loaded))
            except TooMany:
                found = None
                end = presenters.page_cursor(last)
    yield packer.add(_line(Page(cursor=end))) + packer.end()


def _pack(lines: Iterator[bytes], packer: Packer) -> bytes:
    return packer.add(b"".join(lines))


def _line(between: Absent | Page) -> bytes:
    return msgspec.json.encode(between) + b"\n"


OPERATIONS = (list_my_records, list_records)
