"""Records: everything about a finished match, for anyone to verify, and this service's own verdict."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta

from ....service.features.records.export import MatchRecords
from ....service.features.records.record import rules_digest, software
from ....service.features.records.verdict import Verdict
from ....service.matches.repository import Loaded
from ....service.runtime.threads import patiently
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, operation
from ...http.response import PRIVATE, Reply
from ...problems import Refused
from ...schema.common import Nothing, Request
from .caches import Records, Turns, Verdicts
from .schema import BotAnswersBody, FindingBody, RecordDocument, TakenUpBody, VerdictBody

TAG = "play"
BOTS = (
    "Of this number of answers of bots, compute one again: 1 for all, 0 for none. At most 20 answers of a match are computed, "
    "evenly spread over it."
)
BLIND = ("spectators-off", "seat-left", "not-over")
LINES = "application/x-ndjson"
GZIP = (b"content-encoding", b"gzip")
VARY = (b"vary", b"Accept, Accept-Encoding")
EVENTS_WRITTEN, EVENTS_CHECKED = 25, 12
"""Writing or checking this many events costs about as much as another read."""
READS_PER_ANSWER = 40
"""What computing an answer of a slow bot again costs, in reads."""
MOST_ANSWERS = 20
"""How many of them one verification computes."""


class VerificationQuery(Request, frozen=True):
    """How much is checked."""

    bots: Annotated[int, Meta(ge=0, le=1_000, description=BOTS)] = 0


async def _load_finished(call: AnyCall) -> Loaded:
    """Return the match, once all of it may be known."""
    loaded = await call.application.queries.load_finished(
        await call.application.queries.viewer(call.asker, call.match_id), call.match_id
    )
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
    loaded = await _load_finished(call)
    as_lines = LINES in call.header(b"accept")
    packed = "gzip" in call.header(b"accept-encoding")
    media = LINES if as_lines else "application/json"
    tag = f"{_version(loaded, media)}{'-gz' if packed else ''}"
    headers = (*PRIVATE, VARY, *([GZIP] if packed else ()))
    if response.has(call.header(b"if-none-match"), tag):
        return response.tag_reply(b"", tag, f'"{tag}"', *headers)
    key = (call.match_id, loaded.chain, media)
    if key not in call.running.part(Records):
        await call.charge(loaded.version // EVENTS_WRITTEN)
    async with call.running.part(Turns).of(call.payer):
        lines = call.application.get(MatchRecords).lines(call.match_id, loaded)
        body = await call.running.part(Records).get(key, partial(patiently, partial(_pack, lines, as_lines=as_lines)))
    plain = body if packed else await asyncio.to_thread(gzip.decompress, body)
    return response.tag_reply(plain, tag, "", *headers, media_type=media.encode())


def _version(loaded: Loaded, media: str) -> str:
    """Return what a record's bytes depend on, as a text: the match, this software, and the form."""
    parts = (loaded.chain.hex(), software(), rules_digest(loaded.match.game), media)
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:32]


def _pack(lines: Iterator[bytes], *, as_lines: bool) -> bytes:
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
    query=VerificationQuery,
    answers=(Answer(200, VerdictBody, "The result of the verification."),),
)
async def get_verification(call: Call[Nothing, VerificationQuery]) -> Reply:
    """Verify a finished match: run it again and compare the result with the stored one. Anyone can do so with the record."""
    loaded = await _load_finished(call)
    given = call.application.get(MatchRecords).answers_of_bots(loaded) if call.query.bots else 0
    step = max(call.query.bots, -(-given // MOST_ANSWERS))
    key = call.match_id, loaded.chain, step
    body = call.running.part(Verdicts).get(key)
    if body is None:
        answers = given // step if step else 0
        await call.charge(loaded.version // EVENTS_CHECKED + READS_PER_ANSWER * answers)
        async with call.running.part(Turns).of(call.payer):
            body = call.running.part(Verdicts).get(key) or await _verify(call, loaded, step)
    return response.content(body, response.JSON, *PRIVATE)


async def _verify(call: Call[Nothing, VerificationQuery], loaded: Loaded, step: int) -> bytes:
    """Return the verdict on a match, which is kept."""
    verdict = await call.application.get(MatchRecords).verify(call.match_id, loaded, step)
    body = response.encode(_body(verdict))
    call.running.part(Verdicts).put((call.match_id, loaded.chain, step), body)
    return body


def _body(verdict: Verdict) -> VerdictBody:
    finding, bots = verdict.finding, verdict.bots
    shown = FindingBody(**msgspec.structs.asdict(finding)) if finding is not None else None
    origin = TakenUpBody(**msgspec.structs.asdict(verdict.taken_up)) if verdict.taken_up is not None else None
    return VerdictBody(
        match=verdict.match,
        right=verdict.right,
        conclusion=verdict.conclusion,
        undecided=verdict.undecided,
        taken_up=origin,
        entries=verdict.entries,
        commands=verdict.commands,
        deals=verdict.deals,
        finding=shown,
        bots=BotAnswersBody(given=bots.given, computed=bots.computed, unable=bots.unable),
    )


OPERATIONS = (get_record, get_verification)
