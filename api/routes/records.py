"""Records: everything about a finished match, for anyone to verify, and this service's own verdict."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from functools import partial

import msgspec

from ...service.matches.repository import Loaded
from ...service.records.record import rules_digest, software
from ...service.records.verdict import Verdict
from ...service.runtime.threads import beside
from ..http import response
from ..http.operation import Access, Answer, AnyCall, Call, operation
from ..http.response import PRIVATE, Reply
from ..problems import Refused
from ..schema.common import Nothing
from ..schema.proofs import FindingBody, RecordDocument, TakenUpBody, VerdictBody

TAG = "play"
BLIND = ("spectators-off", "seat-left", "not-over")
LINES = "application/x-ndjson"
GZIP = (b"content-encoding", b"gzip")
VARY = (b"vary", b"Accept, Accept-Encoding")
EVENTS_WRITTEN, EVENTS_CHECKED = 25, 12
"""Writing or checking this many events costs about as much as another read."""


async def _finished(call: AnyCall) -> Loaded:
    """Return the match, once all of it may be known."""
    loaded = await call.application.queries.finished(await call.application.queries.viewer(call.asker, call.match), call.match)
    if loaded is None:
        raise Refused("not-over")
    return loaded


@operation(
    "GET",
    "/matches/{match}/record",
    "getRecord",
    tag=TAG,
    access=Access.ANYBODY,
    problems=BLIND,
    answers=(
        Answer(200, str, "The record, one line per part.", ("ETag",), LINES),
        Answer(200, RecordDocument, "The record, one line per part.", ("ETag",)),
        Answer(304, None, "Not modified.", ("ETag",)),
    ),
)
async def get_record(call: Call[Nothing, Nothing]) -> Reply:
    """Get the record of a finished match, to verify it yourself: JSON, or JSON lines with `Accept: application/x-ndjson`."""
    loaded = await _finished(call)
    as_lines = LINES in call.header(b"accept")
    packed = "gzip" in call.header(b"accept-encoding")
    media = LINES if as_lines else "application/json"
    tag = f"{_version(loaded, media)}{'-gz' if packed else ''}"
    headers = (*PRIVATE, VARY, *([GZIP] if packed else ()))
    if response.has(call.header(b"if-none-match"), tag):
        return response.tagged(b"", tag, f'"{tag}"', *headers)
    key = (call.match, loaded.chain, media)
    if key not in call.running.records:
        await call.pay(loaded.version // EVENTS_WRITTEN)
    async with call.running.turns.of(call.payer):
        lines = call.application.records.lines(call.match, loaded)
        body = await call.running.records.get(key, partial(beside, partial(_packed, lines, as_lines=as_lines)))
    plain = body if packed else await asyncio.to_thread(gzip.decompress, body)
    return response.tagged(plain, tag, "", *headers, media_type=media.encode())


def _version(loaded: Loaded, media: str) -> str:
    """Return what a record's bytes depend on, as a text: the match, this software, and the form."""
    parts = (loaded.chain.hex(), software(), rules_digest(loaded.match.game), media)
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:32]


def _packed(lines: Iterator[bytes], *, as_lines: bool) -> bytes:
    """Return a record, compressed while it is written."""
    packer = zlib.compressobj(level=6, wbits=31)
    parts = [packer.compress(line) for line in (lines if as_lines else _document(lines))]
    return b"".join((*parts, packer.flush()))


def _document(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines as one JSON document."""
    between = b'{"lines":['
    for line in lines:
        yield between + line.rstrip()
        between = b","
    yield b"]}"


@operation(
    "GET",
    "/matches/{match}/verification",
    "getVerification",
    tag=TAG,
    access=Access.ANYBODY,
    problems=BLIND,
    answers=(Answer(200, VerdictBody, "The result of the verification."),),
)
async def get_verification(call: Call[Nothing, Nothing]) -> Reply:
    """Verify a finished match: run it again and compare the result with the stored one. Anyone can do so with the record."""
    loaded = await _finished(call)
    body = call.running.verdicts.get((call.match, loaded.chain))
    if body is None:
        await call.pay(loaded.version // EVENTS_CHECKED)
        async with call.running.turns.of(call.payer):
            verdict = await call.application.records.verify(call.match, loaded)
        body = call.running.verdicts.put((call.match, loaded.chain), response.encode(_body(verdict)))
    return response.content(body, response.JSON, *PRIVATE)


def _body(verdict: Verdict) -> VerdictBody:
    finding = verdict.finding
    told = FindingBody(**msgspec.structs.asdict(finding)) if finding is not None else None
    origin = TakenUpBody(**msgspec.structs.asdict(verdict.taken_up)) if verdict.taken_up is not None else None
    return VerdictBody(
        match=verdict.match,
        right=verdict.right,
        conclusion=verdict.conclusion,
        taken_up=origin,
        entries=verdict.entries,
        commands=verdict.commands,
        deals=verdict.deals,
        finding=told,
    )


OPERATIONS = (get_record, get_verification)
