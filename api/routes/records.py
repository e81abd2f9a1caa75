"""Records: a finished match whole, to be checked by anybody, and what this service finds when it checks it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from functools import partial

import msgspec

from ...service.matches import Loaded
from ...service.record import Recorder, encoded
from ...service.verdict import Verdict
from ...service.verify import verify
from .. import replies
from ..evidence import FindingBody, RecordDocument, TakenUpBody, VerdictBody
from ..operation import Access, Answer, AnyCall, Call, operation
from ..problems import Refused
from ..replies import PRIVATE, Reply
from ..schema.bodies import Nothing
from ..streams import EventStream

TAG = "play"
BLIND = ("spectators-off", "seat-left", "not-over")
LINES = "application/x-ndjson"
PORTION = 50
"""After so many lines others get their turn."""


async def _finished(call: AnyCall) -> Loaded:
    """Return the match, once all of it may be known."""
    loaded = await call.house.finished(await call.house.viewer(call.asker, call.match), call.match)
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
        Answer(200, str, "The record: a line for each of its parts.", (), LINES),
        Answer(200, RecordDocument, "The record: a line for each of its parts."),
    ),
)
async def get_record(call: Call[Nothing, Nothing]) -> EventStream:
    """Read the whole record of a finished match, to check it yourself: JSON, or lines with `Accept: application/x-ndjson`."""
    loaded = await _finished(call)
    lines = encoded(Recorder(call.house.matches.codec).lines(call.match, loaded))
    as_lines = LINES in call.header(b"accept")
    media = LINES if as_lines else "application/json"
    return EventStream(_flow(lines if as_lines else _document(lines)), headers=((b"content-type", media.encode()), *PRIVATE))


def _document(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines as one JSON document."""
    between = b'{"lines":['
    for line in lines:
        yield between + line.rstrip()
        between = b","
    yield b"]}"


async def _flow(chunks: Iterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield chunks in portions, and let others work in between."""
    portion: list[bytes] = []
    for chunk in chunks:
        portion.append(chunk)
        if len(portion) == PORTION:
            yield b"".join(portion)
            portion.clear()
            await asyncio.sleep(0)
    yield b"".join(portion)


@operation(
    "GET",
    "/matches/{match}/verification",
    "getVerification",
    tag=TAG,
    access=Access.ANYBODY,
    problems=BLIND,
    answers=(Answer(200, VerdictBody, "What was found."),),
)
async def get_verification(call: Call[Nothing, Nothing]) -> Reply:
    """Run a finished match again, and say whether everything comes out as stored. Anybody can check that with the record."""
    loaded = await _finished(call)
    body = call.running.verdicts.get((call.match, loaded.chain))
    if body is None:
        codec = call.house.matches.codec
        lines = encoded(Recorder(codec).lines(call.match, loaded))
        verdict = await asyncio.to_thread(partial(verify, lines, call.house.games, codec))
        body = call.running.verdicts.put((call.match, loaded.chain), replies.encode(_body(verdict)))
    return replies.content(body, replies.JSON, *PRIVATE)


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
