"""The figures of `bench.capacity`, and their report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bench.sheet import sheet, table


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """Costs with that many running matches: memory of the server for each, and processor time, the server's included."""

    matches: int
    server_bytes: int
    command_us: int
    projecting_us: int
    claim_ms: float
    follow_ms: float
    lobby_ms: float
    waiting_ms: float
    own_ms: float


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """Costs with that many finished matches, without their archives; what the server then needs to read them."""

    matches: int
    row_bytes: int
    leaf_bytes: int
    row_us: int
    leaf_us: int
    lobby_ms: float
    deep_ms: float
    own_ms: float
    proof_ms: float
    start_seconds: float


class Capacity(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a run."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    seconds: float
    running: Sequence[Running]
    finished: Sequence[Finished]


RUNNING = {
    "server_bytes": "bytes of the server for each",
    "command_us": "µs for each command that opens, joins or starts one",
    "projecting_us": "µs to bring its row up to date, once",
    "claim_ms": "ms to ask what is due, when nothing is",
    "follow_ms": "ms of a step of the projector, when nothing has happened",
    "lobby_ms": "ms for the first page of the lobby",
    "waiting_ms": "ms for a page by game and status",
    "own_ms": "ms for a player's list",
}
FINISHED = {
    "row_bytes": "bytes of the server for its row, and its places in lists",
    "leaf_bytes": "bytes of the server for its leaf in the transparency log",
    "row_us": "µs to write a row",
    "leaf_us": "µs to enter a leaf",
    "lobby_ms": "ms for a page of finished matches",
    "deep_ms": "ms for a page in the middle of the lobby",
    "own_ms": "ms for a page of a player with a hundred or two",
    "proof_ms": "ms for an inclusion proof",
    "start_seconds": "s of the server to read them at its start",
}


def text_of(found: Capacity) -> str:
    """Return the figures for people."""
    parts = (
        ("## Running matches", "", *_rows(RUNNING, found.running)),
        ("## Finished matches, without their archives", "", *_rows(FINISHED, found.finished)),
    )
    return sheet(f"Capacity on {found.day}, commit {found.commit}", found.machine, found.seconds, parts)


def _rows(names: Mapping[str, str], found: Sequence[Running] | Sequence[Finished]) -> Iterator[str]:
    """Give a table with a column for each number of matches, and how often the first figure the last one is."""
    columns = [msgspec.structs.asdict(each) for each in found]
    heads = ("processor time and memory", *(f"{each['matches']:,} matches" for each in columns), "last by first")
    yield from table(heads, [_row(text, [each[name] for each in columns]) for name, text in names.items()])


def _row(text: str, figures: Sequence[float]) -> tuple[str, ...]:
    return (text, *(f"{each:,}" for each in figures), f"{figures[-1] / figures[0]:.2f}" if figures[0] else "")
