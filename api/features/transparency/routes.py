"""The transparency log: its checkpoints, and proofs against them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ....service.days import Day, day_in, number_of
from ....service.errors import NotFound
from ....service.features.transparency.log import LOG_SECONDS, TransparencyLog
from ....service.features.transparency.witnesses import NotCosigned, Witnesses, WitnessesFull
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, operation
from ...http.response import PRIVATE, SECRET, Reply
from ...http.sse import EventStream
from ...problems import Refused
from ...routes import pages
from ...schema import fields
from ...schema.common import Nothing, Request
from .schema import (
    CheckpointBody,
    ConsistencyBody,
    CosignatureRequest,
    Cosignatures,
    CosignedCheckpoint,
    DayProof,
    LeafHashes,
    LeafPlace,
    LeafProofs,
    LogEntries,
    OpeningProof,
    SigningKeys,
    checkpoint_body,
    consistency_body,
    day_body,
    entry_body,
    opening_body,
    proofs_body,
)

TAG = "log"
TEXT = b"text/plain; charset=utf-8"
Size = Annotated[int, Meta(ge=1, le=1_000_000_000)]
KnownSize = Annotated[Size, Meta(description="Size of the log at a checkpoint the client has. Default: the latest.")]


class LogProofsQuery(Request, frozen=True):
    """In which log."""

    size: KnownSize | None = None


class LogConsistencyQuery(Request, frozen=True):
    """Between which checkpoints."""

    from_: Annotated[Size, Meta(description="Size at the earlier checkpoint.")] = msgspec.field(name="from", default=1)
    to: Annotated[Size, Meta(description="Size at the later checkpoint. Default: the latest.")] | None = None


class LogLeavesQuery(Request, frozen=True):
    """Which leaves."""

    from_: LeafPlace = msgspec.field(name="from", default=0)
    limit: Annotated[int, Meta(ge=1, le=1_000, description="Maximum number of hashes to return.")] = 1_000


@operation(
    "GET",
    "/log/checkpoint",
    "getCheckpoint",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, CheckpointBody, "The latest checkpoint."),),
)
async def get_checkpoint(call: Call[Nothing, Nothing]) -> Reply:
    """Get the latest checkpoint of the transparency log: its size and root. Keep it to prove later that nothing was changed."""
    return response.json(checkpoint_body(*await call.application.get(TransparencyLog).sign_checkpoint()), *SECRET)


@operation(
    "GET",
    "/log/signed-checkpoint",
    "getSignedCheckpoint",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, str, "The note.", (), "text/plain"),),
)
async def get_signed_checkpoint(call: Call[Nothing, Nothing]) -> Reply:
    """Get the latest checkpoint as a signed note in the form of C2SP's tlog-checkpoint, for witnesses and tools that read it."""
    _, note = await call.application.get(TransparencyLog).sign_checkpoint()
    return response.content(str(note).encode(), TEXT, *SECRET)


@operation(
    "GET",
    "/log/keys",
    "getSigningKeys",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, SigningKeys, "The keys."),),
)
async def get_signing_keys(call: Call[Nothing, Nothing]) -> Reply:
    """Get the public keys that sign checkpoints, receipts and feeds; also at `/.well-known/tafelrunde-keys` of the host."""
    log = call.application.get(TransparencyLog)
    noted = [leaf.lines[0] for _, leaf in reversed(await log.keys())]
    keys = tuple(dict.fromkeys((log.signer.public.text, *noted)))
    return response.json(SigningKeys(origin=log.signer.origin, keys=keys, log_seconds=LOG_SECONDS), *SECRET)


@operation(
    "GET",
    "/log/openings/{match}",
    "getOpeningProof",
    tag=TAG,
    access=Access.ANYBODY,
    query=LogProofsQuery,
    problems=("not-in-log",),
    answers=(Answer(200, OpeningProof, "The proof."),),
)
async def get_opening_proof(call: Call[Nothing, LogProofsQuery]) -> Reply:
    """Get proof that the opening of a match is in the log, with its commitments: soon after it, also while the match runs."""
    await call.application.queries.summary(call.asker, call.match_id)
    try:
        found = await call.application.get(TransparencyLog).prove_opening(call.match_id, call.query.size)
    except (NotFound, IndexError):
        raise Refused("not-in-log") from None
    return response.json(opening_body(call.match_id, found), *PRIVATE)


@operation(
    "GET",
    "/log/entries",
    "listLogEntries",
    tag=TAG,
    access=Access.PUBLIC,
    query=LogLeavesQuery,
    answers=(Answer(200, LogEntries, "A page of leaves."),),
)
async def list_log_entries(call: Call[Nothing, LogLeavesQuery]) -> Reply:
    """List what everyone may know of the leaves, in order: openings and days with their commitments, ends, and signing keys."""
    start = call.query.from_
    found = await call.application.get(TransparencyLog).entries(start, call.query.limit)
    return response.json(LogEntries(from_=start, entries=tuple(entry_body(*each) for each in found)), *SECRET)


@operation(
    "GET",
    "/log/proofs/{match}",
    "getLogProofs",
    tag=TAG,
    access=Access.ANYBODY,
    query=LogProofsQuery,
    problems=("not-in-log",),
    answers=(Answer(200, LeafProofs, "The proofs."),),
)
async def get_log_proofs(call: Call[Nothing, LogProofsQuery]) -> Reply:
    """Get proof that a match is in the log. A match is entered right after it ends, and again with each correction."""
    summary = await call.application.queries.summary(call.asker, call.match_id)
    try:
        found = await call.application.get(TransparencyLog).prove(call.match_id, call.query.size)
    except (NotFound, IndexError):
        raise Refused("not-in-log") from None
    day = await _proof_of_day(call, Day(summary.daily), found.size) if summary.daily is not None else None
    return response.json(proofs_body(call.match_id, found, day), *PRIVATE)


@operation(
    "GET",
    "/log/days/{day}",
    "getDayProof",
    tag=TAG,
    access=Access.PUBLIC,
    query=LogProofsQuery,
    problems=("not-in-log",),
    answers=(Answer(200, DayProof, "The proof."),),
)
async def get_day_proof(call: Call[Nothing, LogProofsQuery]) -> Reply:
    """Get proof that the commitment to a day's deals is in the log, which has one for each day, from the day before on."""
    day = day_in(call.path("day", fields.DAY))
    found = await _proof_of_day(call, day, call.query.size)
    if found is None:
        raise Refused("not-in-log")
    return response.json(found, *SECRET)


async def _proof_of_day(call: AnyCall, day: Day, size: int | None) -> DayProof | None:
    """Return the proof of a day's commitment in the log of that size, None if that has none."""
    try:
        found = await call.application.get(TransparencyLog).prove_day(number_of(day), size)
    except (NotFound, IndexError):
        return None
    return day_body(day, await call.application.get(TransparencyLog).day_secret(day), found)


@operation(
    "GET",
    "/log/consistency",
    "getLogConsistency",
    tag=TAG,
    access=Access.PUBLIC,
    query=LogConsistencyQuery,
    problems=("not-in-log",),
    answers=(Answer(200, ConsistencyBody, "The proof."),),
)
async def get_log_consistency(call: Call[Nothing, LogConsistencyQuery]) -> Reply:
    """Get proof that the log at a later checkpoint begins with the log at an earlier one."""
    try:
        found = await call.application.get(TransparencyLog).consistency(call.query.from_, call.query.to)
    except IndexError:
        raise Refused("not-in-log") from None
    return response.json(consistency_body(found), *SECRET)


@operation(
    "GET",
    "/log/leaves",
    "listLogLeaves",
    tag=TAG,
    access=Access.PUBLIC,
    query=LogLeavesQuery,
    answers=(Answer(200, LeafHashes, "A page of hashes."),),
)
async def list_log_leaves(call: Call[Nothing, LogLeavesQuery]) -> Reply:
    """List the hashes of all leaves in order, to monitor the log. The content of a leaf is available only from its match."""
    hashes = await call.application.get(TransparencyLog).hashes(call.query.from_, call.query.limit)
    return response.json(LeafHashes(from_=call.query.from_, hashes=tuple(each.hex() for each in hashes)), *SECRET)


@operation(
    "GET",
    "/log/cosignatures",
    "listCosignatures",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, Cosignatures, "The checkpoints."),),
)
async def list_cosignatures(call: Call[Nothing, Nothing]) -> Reply:
    """List the latest checkpoint that each witness has signed. Decide for yourself which witnesses you trust."""
    found = await call.application.get(Witnesses).cosigned_checkpoints()
    items = tuple(CosignedCheckpoint(witness=witness, note=str(note)) for witness, note in found)
    return response.json(Cosignatures(items=items), *SECRET)


@operation(
    "POST",
    "/log/cosignatures",
    "addCosignature",
    tag=TAG,
    access=Access.PUBLIC,
    body=CosignatureRequest,
    problems=("cosignature-refused", "too-many-witnesses"),
    answers=(Answer(204, None, "It is kept, in place of an earlier one of that witness."),),
)
async def add_cosignature(call: Call[CosignatureRequest, Nothing]) -> Reply:
    """Hand in a checkpoint that you have signed as a witness, as `tafelrunde witness` does."""
    try:
        await call.application.get(Witnesses).accept(call.body.witness, call.body.note)
    except NotCosigned as error:
        raise Refused("cosignature-refused", detail=str(error)) from None
    except WitnessesFull:
        raise Refused("too-many-witnesses") from None
    return response.nothing(204)


@operation("GET", pages.KEYS, "getKeys", tag=pages.TAG, access=Access.PUBLIC, answers=(Answer(200, SigningKeys, "The keys."),))
async def get_keys(call: Call[Nothing, Nothing]) -> Reply | EventStream:
    """Return the public keys of the deployment, where others look for them first."""
    return await get_signing_keys.run(call)


OPERATIONS = (
    get_checkpoint,
    get_signed_checkpoint,
    get_signing_keys,
    get_log_proofs,
    get_opening_proof,
    get_day_proof,
    get_log_consistency,
    list_log_leaves,
    list_log_entries,
    list_cosignatures,
    add_cosignature,
)
PAGES = (get_keys,)
