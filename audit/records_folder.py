"""Folders of records: their files, packed or not, and what else an export leaves there."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, TypeVar

import msgspec
import zstandard

from ..service.errors import StartupRefused
from ..service.features.records.bulk import Absent, Page, split_records
from .record_sources import split_record

Saved = TypeVar("Saved")

LOG = "log.json"
"""What an export has seen of the transparency log."""
STATE = "export.json"
"""Where an export that was interrupted goes on, and which matches it has no record of."""
ENDINGS = (".ndjson", ".jsonl", ".json")
PACKINGS = ("", ".zst", ".gz")
LONGEST_LINE = 1 << 26
LARGEST_RECORD = 1 << 28
"""Bytes. A match of 10,000 events has 7 MB: more is not read into memory, whatever a packed file says."""
BROKEN = (OSError, EOFError, zlib.error, zstandard.ZstdError, ValueError)
"""What reading a file can raise, however it was written."""


class SavedCheckpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The transparency log as it was when it was looked at: size, root in hex, and the service's time."""

    size: int
    root: str
    time_ms: int


class SavedLog(msgspec.Struct, frozen=True, kw_only=True):
    """All that was seen of a transparency log: every checkpoint, the oldest first, and the hashes of its leaves, in order.

    `days`: the secrets of the days whose deals are among the records.
    """

    checkpoints: tuple[SavedCheckpoint, ...] = ()
    leaves: tuple[str, ...] = ()
    days: Mapping[str, str] = {}


class ExportState(msgspec.Struct, frozen=True, kw_only=True):
    """Where an export goes on (None: it is complete), and why there is no record of some matches."""

    next: str | None = None
    absent: Mapping[str, str] = {}


def find_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may have records, in the folders below too, by name; raise StartupRefused for none."""
    endings = {ending + packing for ending in ENDINGS for packing in PACKINGS}
    found = sorted(
        path
        for path in folder.rglob("*")
        if path.name not in {LOG, STATE} and any(path.name.endswith(ending) for ending in endings) and path.is_file()
    )
    if not found:
        raise StartupRefused(f"{folder} has no records: no file whose name ends with .ndjson, .jsonl or .json, packed or not.")
    return found


def read_records(path: Path, at: Callable[[int], None] = lambda _: None) -> Iterator[list[bytes] | Absent | Page]:
    """Yield what a file has; *at* gets how many of its bytes have been read. Raises one of `BROKEN`."""
    with path.open("rb") as raw:
        yield from split_records(_limit_size(_read_lines(raw, path.name), lambda: at(raw.tell())))


def _read_lines(raw: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the lines of a file; a record that is one document has its lines in it."""
    reader = _unpack(raw, name)
    line = reader.readline(LONGEST_LINE)
    if line.startswith(b'{"lines":['):
        yield from split_record(line + reader.read(LARGEST_RECORD))
        return
    while line:
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            raise ValueError("a line is too long")
        yield line
        line = reader.readline(LONGEST_LINE)


def _unpack(raw: IO[bytes], name: str) -> IO[bytes]:
    if name.endswith(".zst"):
        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True))
    return io.BufferedReader(gzip.GzipFile(fileobj=raw)) if name.endswith(".gz") else raw


def _limit_size(lines: Iterator[bytes], note: Callable[[], None]) -> Iterator[bytes]:
    """Yield lines; raise ValueError for a record that is too large to be one."""
    size = 0
    for line in lines:
        if line.startswith(b'{"line":"head"'):
            size = 0
            note()
        size += len(line)
        if size > LARGEST_RECORD:
            raise ValueError("a record is larger than 256 MiB")
        yield line


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file in one step, so that no reader and no crash leaves half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StartupRefused(f"{path} cannot be written: {error.strerror}.") from error


def read_log(folder: Path) -> SavedLog | None:
    """Return what a folder has of the transparency log; None if it has nothing. Raises StartupRefused."""
    return _decode(folder / LOG, SavedLog)


def read_state(folder: Path) -> ExportState:
    """Return where an export into a folder goes on; raise StartupRefused."""
    return _decode(folder / STATE, ExportState) or ExportState()


def _decode(path: Path, kind: type[Saved]) -> Saved | None:
    """Return what was saved in a file, None if there is none; raise StartupRefused."""
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError) as error:
        raise StartupRefused(f"{path} cannot be read: {error}.") from error
