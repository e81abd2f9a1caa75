"""Where records come from: a file, a service, a store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import msgspec

from ..service.errors import StartupRefused
from ..service.features.records.bulk import HEAD
from ..service.features.records.verify import MATCH_ID
from .remote import download_record, is_address


class Document(msgspec.Struct):
    """A record as one JSON document."""

    lines: list[msgspec.Raw]


Stored: TypeAlias = Callable[[str], list[bytes]]
"""What gives the lines of a stored match, by its id; raises NotFound."""


def fetch_record(source: str, stored: Stored, token: str | None) -> list[bytes]:
    """Return the lines of the match at an address, or of a stored one. Raises as `load_record` does."""
    if is_address(source):
        return split_record(download_record(source, token))
    return stored(require_match_id(source))


def load_record(source: str, stored: Stored, token: str | None) -> list[bytes]:
    """Return the lines of a record: of a file, of an address (as the holder of a token), or of a stored match.

    Raises NotFound, and StartupRefused for an address without an answer, and for what is no file, address or id.
    """
    content = load_content(source, token)
    return split_record(content) if content is not None else stored(source)


def load_content(source: str, token: str | None) -> bytes | None:
    """Return the record that a file or an address has, None for the id of a stored match.

    Raises NotFound and StartupRefused as `download_record` does, and StartupRefused for what is none of the three: nothing is
    started for a name that was mistyped.
    """
    if is_address(source):
        return download_record(source, token)
    if Path(source).is_file():
        return read_file(Path(source))
    require_match_id(source)
    return None


def require_match_id(source: str) -> str:
    """Return a match's id; raise StartupRefused for anything of another shape."""
    if MATCH_ID.fullmatch(source) is None:
        raise StartupRefused(f"{source}: no such file, and not the id of a match.")
    return source


def read_file(path: Path) -> bytes:
    """Return the content of a file; raise StartupRefused."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartupRefused(f"{path} cannot be read: {error.strerror}.") from error


def has_many_records(source: str) -> bool:
    """Return whether this is a folder, or a file with more than one record, or a packed one."""
    path = Path(source)
    if is_address(source) or not path.exists():
        return False
    if path.is_dir() or path.suffix in {".zst", ".gz"}:
        return True
    with path.open("rb") as lines:
        return sum(line.startswith(HEAD) for line in lines) > 1


def split_record(content: bytes) -> list[bytes]:
    """Return the lines of a record, as lines or as one document."""
    if not content.startswith(b'{"lines":['):
        return content.splitlines(keepends=True)
    try:
        return [bytes(line) + b"\n" for line in msgspec.json.decode(content, type=Document).lines]
    except (msgspec.DecodeError, RecursionError):
        return [content]
