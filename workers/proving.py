"""Records at the command line: written from the store, and checked from a file, from a service, or from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec

from ..domain.match import MatchId
from ..domain.registry import GAMES
from ..service.errors import NotFound, StartupRefused
from ..service.house import House
from ..service.record import Recorder, encoded
from ..service.settings import Settings
from ..service.verify import Verdict, verify
from .deployment import connect, server_of

LINES = "application/x-ndjson"
SECONDS = 60.0


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


def verdict_of(source: str, settings: Callable[[], Settings]) -> Verdict:
    """Return what checking a file, an address or a stored match finds. Raises NotFound, and StartupRefused for no answer."""
    if source.startswith(("http://", "https://")):
        return verify(lines_of(_fetched(source)), GAMES)
    if Path(source).is_file():
        return verify(lines_of(Path(source).read_bytes()), GAMES)
    with server_of(settings()) as connected:
        return verify(asyncio.run(record_of(connected, MatchId(source))), GAMES)


def _fetched(url: str) -> bytes:
    """Return the record behind the address of a match, or of its record."""
    address = url if url.rstrip("/").endswith("/record") else f"{url.rstrip('/')}/record"
    try:
        answer = httpx.get(address, headers={"Accept": LINES}, timeout=SECONDS)
    except httpx.HTTPError as error:
        raise StartupRefused(f"{address} does not answer: {type(error).__name__}.") from error
    if not answer.is_success:
        raise NotFound(f"record at {address} (the answer was {answer.status_code})")
    return answer.content


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
