"""Exports the records of all finished matches into a folder, from the store or from a service, with the transparency log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import zstandard

from ..service.days import Day
from ..service.errors import CorruptHistory, NotFound, StartupRefused
from ..service.features.records.bulk import Absent, Page, split_records
from ..service.features.records.export import MatchRecords
from ..service.features.records.verify import MATCH_ID
from ..service.features.transparency.log import TransparencyLog
from ..service.ports.events import SHARDS, Shard
from ..service.settings import Settings
from .progress import Pace, Say
from .records_folder import (
    BROKEN,
    LOG,
    STATE,
    ExportState,
    SavedCheckpoint,
    SavedLog,
    read_log,
    read_records,
    read_state,
    replace_file,
)
from .remote import BUSY, connect, read_hashes

if TYPE_CHECKING:
    from tafelrunde.client import Client

ENDING = ".ndjson.zst"
LEAVES_AT_ONCE = 1_000
PAGE = 20
BUSY_SECONDS = 5.0
TRIES = 5
"""How often a page that was cut off is asked for again."""


class _Event(msgspec.Struct):
    """What an export needs of an event."""

    type: str
    day: str = ""


class _Entry(msgspec.Struct):
    """What an export needs of a line."""

    event: _Event | None = None


class Head(msgspec.Struct):
    """What an export needs of the first line of a record."""

    match: str
    entries: int


class Counts:
    """What an export has done so far, said now and then."""

    def __init__(self, say: Say) -> None:
        self.written = self.kept = 0
        self.absent = 0
        self.days = set[str]()
        self._pace = Pace(say)

    def note(self, *, written: bool) -> None:
        """Count a record."""
        self.written += written
        self.kept += not written
        self._pace.say(lambda: f"{self.written} records written, {self.kept} kept")


async def export_from_store(settings: Settings, folder: Path, say: Say) -> Counts:
    """Export all finished matches of a deployment. A match whose log has not grown since the last export is kept as it is."""
    from ..service.deployment import open_application

    _make_folder(folder)
    counts = Counts(say)
    absent = dict[str, str]()
    async with open_application(settings) as application:
        events = application.stores.events
        for shard in map(Shard, range(SHARDS)):
            for match_id in await events.matches(shard):
                head = await events.head(match_id)
                if head is None:
                    absent[match_id] = "its log is gone"
                elif head.status.finished and _count_entries(folder / f"{match_id}{ENDING}") == head.version:
                    counts.note(written=False)
                elif head.status.finished:
                    try:
                        lines = await application.get(MatchRecords).export(match_id)
                        _write_record(folder, match_id, lines)
                        counts.note(written=True)
                        counts.days |= find_days(lines)
                    except (CorruptHistory, NotFound) as error:
                        absent[match_id] = str(error)
        saved = read_log(folder) or SavedLog()
        checkpoint = await application.get(TransparencyLog).checkpoint()
        leaves = list(saved.leaves)
        while len(leaves) < checkpoint.size:
            fresh = await application.get(TransparencyLog).hashes(len(leaves), min(LEAVES_AT_ONCE, checkpoint.size - len(leaves)))
            leaves += [leaf.hex() for leaf in fresh]
        secrets = {day: await application.get(TransparencyLog).day_secret(Day(day)) for day in counts.days - saved.days.keys()}
        newest = SavedCheckpoint(size=checkpoint.size, root=checkpoint.root.hex(), time_ms=checkpoint.time_ms)
        _save_checkpoint(folder, saved, newest, leaves, secrets)
    counts.absent = len(absent)
    replace_file(folder / STATE, msgspec.json.encode(ExportState(absent=absent)))
    return counts


def export_from_service(url: str, token: str | None, folder: Path, say: Say) -> Counts:
    """Export the matches of the token's player, or all listed ones.

    Raises NotFound for a problem, and StartupRefused for no answer.
    """
    _make_folder(folder)
    counts = Counts(say)
    state = read_state(folder)
    with connect(url, token, f"records at {url}", " Run the same command again: it resumes.") as client:
        cursor = state.next
        tries = 0
        while True:
            page = _fetch_page(client, cursor, own=token is not None)
            if page is None:
                time.sleep(BUSY_SECONDS)
                continue
            last, state = _write_page(page.splitlines(keepends=True), folder, state, counts)
            tries = 0 if last is not None else tries + 1
            if tries >= TRIES:
                raise StartupRefused(f"{url} cuts off every page. Run the same command again: it resumes.")
            if last is not None:
                cursor = last.cursor
                state = msgspec.structs.replace(state, next=cursor)
                replace_file(folder / STATE, msgspec.json.encode(state))
                if cursor is None:
                    break
        save_log(client, folder, counts.days)
    counts.absent = len(state.absent)
    return counts


def _fetch_page(client: Client, cursor: str | None, *, own: bool) -> bytes | None:
    """Return a page of records as lines; None if the budget of requests is used up for now."""
    from tafelrunde.client import ApiError

    try:
        return client.records(cursor, own=own, limit=PAGE)
    except ApiError as error:
        if error.problem.status == BUSY:
            return None
        raise


def _write_page(lines: Iterable[bytes], folder: Path, state: ExportState, counts: Counts) -> tuple[Page | None, ExportState]:
    """Write what a page has; return its last line, None if it was cut off. A record that was cut off is not written."""
    absent = dict(state.absent)
    last = None
    for each in split_records(lines):
        match each:
            case Page():
                last = each
            case Absent(match=match, reason=reason):
                absent[match] = reason
            case _ if each[-1].startswith(b'{"line":"sum"') and each[-1].endswith(b"\n"):
                _write_record(folder, _read_match(each[0]), each)
                counts.note(written=True)
                counts.days |= find_days(each)
            case _:
                pass
    return last, msgspec.structs.replace(state, absent=absent)


def _read_match(line: bytes) -> str:
    """Return the match that a first line names, if it can be the name of a file; raise StartupRefused."""
    try:
        match = msgspec.json.decode(line, type=Head).match
    except msgspec.DecodeError as error:
        raise StartupRefused(f"What came is no record: {error}.") from error
    if MATCH_ID.fullmatch(match) is None:
        raise StartupRefused("What came is the record of something that is no match.")
    return match


def find_days(lines: Iterable[bytes]) -> set[str]:
    """Return the day whose deal a record is, if it is one."""
    found = (msgspec.json.decode(line, type=_Entry).event for line in lines if b'"match.deal-of-day.1"' in line)
    return {event.day for event in found if event is not None and event.type == "match.deal-of-day.1"}


def _fetch_secret(client: Client, day: str) -> str | None:
    """Return the secret of a day, None if the log of the service has none."""
    from tafelrunde.client import ApiError

    try:
        return client.day_proof(day).secret
    except ApiError:
        return None


def save_log(client: Client, folder: Path, days: AbstractSet[str]) -> None:
    """Save the leaves that the log has had since the last export, its checkpoint, and the secrets of days."""
    saved = read_log(folder) or SavedLog()
    newest = client.checkpoint()
    leaves = [*saved.leaves, *read_hashes(client, len(saved.leaves), newest.size)]
    secrets = {day: _fetch_secret(client, day) for day in days - saved.days.keys()}
    _save_checkpoint(folder, saved, SavedCheckpoint(size=newest.size, root=newest.root, time_ms=newest.time_ms), leaves, secrets)


def _save_checkpoint(
    folder: Path, saved: SavedLog, checkpoint: SavedCheckpoint, leaves: list[str], secrets: Mapping[str, str | None]
) -> None:
    """Save a checkpoint beside all earlier ones: the next check compares each of them with the leaves."""
    seen = (*(each for each in saved.checkpoints if each != checkpoint), checkpoint)
    days = {**saved.days, **{day: secret for day, secret in secrets.items() if secret is not None}}
    replace_file(folder / LOG, msgspec.json.encode(SavedLog(checkpoints=seen, leaves=tuple(leaves), days=days)))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartupRefused(f"{folder} cannot be written: {error.strerror}.") from error


def _write_record(folder: Path, match: str, lines: list[bytes]) -> None:
    replace_file(folder / f"{match}{ENDING}", zstandard.ZstdCompressor(level=6).compress(b"".join(lines)))


def _count_entries(path: Path) -> int | None:
    """Return how many entries the record in a file has, None if there is no such file, or no record in it."""
    if not path.is_file():
        return None
    try:
        record = next((each for each in read_records(path) if isinstance(each, list)), None)
        return msgspec.json.decode(record[0], type=Head).entries if record else None
    except (*BROKEN, msgspec.DecodeError):
        return None
