"""Records at the command line: written from the store, and checked from a file, from a service, or from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec

from ..domain.match import MatchId
from ..domain.registry import GAMES
from ..service.errors import NotFound, StartupRefused
from ..service.house import House
from ..service.record import Recorder, encoded
from ..service.settings import Settings
from ..service.verify import Verdict, verify
from .afar import is_address, proofs_at, record_at
from .deployment import connect, server_of
from .logged import Checkpoint, Proofs, checkpoint_of, finding_in, proofs_of


class Document(msgspec.Struct):
    """A record as one JSON document."""

    lines: list[msgspec.Raw]


async def record_of(settings: Settings, match: MatchId) -> list[bytes]:
    """Return the lines of a stored match; raise NotFound if it is not there or not over."""
    async with await connect(settings) as stores:
        house = House(stores, settings)
        loaded = await house.matches.current(match)
        if not loaded.match.status.finished:
            raise NotFound("finished match")
        return list(encoded(Recorder(house.matches.codec).lines(match, loaded)))


class Evidence(msgspec.Struct, frozen=True):
    """What a record is held against besides itself: proofs from the log over all matches (a file), and a kept checkpoint."""

    log: Path | None = None
    checkpoint: str | None = None


def verdict_of(
    source: str, settings: Callable[[], Settings], token: str | None = None, evidence: Evidence | None = None
) -> Verdict:
    """Return what checking a file, an address (as the holder of a token) or a stored match finds.

    Raises NotFound, and StartupRefused for an address without an answer.
    """
    lines = lines_of(Path(source).read_bytes()) if Path(source).is_file() else export_of(source, settings, token)
    verdict = verify(lines, GAMES)
    if not verdict.right or evidence is None or evidence == Evidence():
        return verdict
    kept = checkpoint_of(evidence.checkpoint) if evidence.checkpoint is not None else None
    return msgspec.structs.replace(verdict, finding=finding_in(lines, _proofs(source, token, evidence.log, kept), kept))


def _proofs(source: str, token: str | None, log: Path | None, kept: Checkpoint | None) -> Proofs:
    """Return the proofs of a file, or those of the service that has the match."""
    if log is not None:
        return proofs_of(log.read_bytes())
    if not is_address(source):
        raise StartupRefused("Name the file with the answer of /log/proofs/{match} (--log), or check the match at its address.")
    return proofs_of(proofs_at(source, token, kept.size if kept is not None else None))


def export_of(source: str, settings: Callable[[], Settings], token: str | None) -> list[bytes]:
    """Return the lines of the match at an address, or of a stored one. Raises as `verdict_of` does."""
    if is_address(source):
        return lines_of(record_at(source, token))
    with server_of(settings()) as connected:
        return asyncio.run(record_of(connected, MatchId(source)))


def lines_of(content: bytes) -> list[bytes]:
    """Return the lines of a record, as lines or as one document."""
    if not content.startswith(b'{"lines":['):
        return content.splitlines(keepends=True)
    try:
        return [bytes(line) + b"\n" for line in msgspec.json.decode(content, type=Document).lines]
    except msgspec.DecodeError:
        return [content]


def as_json(verdict: Verdict) -> str:
    """Return a verdict as one JSON object."""
    return msgspec.json.encode({"right": verdict.right, **msgspec.to_builtins(verdict)}).decode()


def as_text(verdict: Verdict) -> str:
    """Return a verdict in one line."""
    if (finding := verdict.finding) is None:
        checked = f"{verdict.entries} entries, {verdict.commands} commands, {verdict.deals} deals"
        return f"{verdict.match} ({verdict.game}) is right: {checked}, all done again."
    return f"Wrong at {finding.line}: {finding.what}. Expected {finding.expected}, found {finding.found}."
