"""Many records one after the other, as lines: where each begins, and what may stand between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ....domain.match import MatchId

HEAD = b'{"line":"head"'
ABSENT = b'{"line":"absent"'
PAGE = b'{"line":"page"'


class Absent(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="absent"):
    """A match whose record is not there, and why."""

    match: MatchId
    reason: str


class Page(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="page"):
    """The last line of a page of records: the cursor of the next page; None after the last one."""

    cursor: str | None


def split_records(lines: Iterable[bytes]) -> Iterator[list[bytes] | Absent | Page]:
    """Yield records, each as its lines, and what stands between them; a line that belongs to nothing begins a record.

    So nothing is passed over: what is no record is found to be none when it is verified.
    """
    record: list[bytes] = []
    for line in lines:
        between = _between(line) if line.startswith((ABSENT, PAGE)) else None
        if record and (between is not None or line.startswith(HEAD)):
            yield record
            record = []
        if between is not None:
            yield between
        else:
            record.append(line)
    if record:
        yield record


def _between(line: bytes) -> Absent | Page | None:
    try:
        return msgspec.json.decode(line, type=Absent | Page)
    except msgspec.DecodeError:
        return None
