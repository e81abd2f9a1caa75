"""What the api processes of one `serve` let each other know: open connections, streams of each player, and metrics.

It is memory that they share, made by the one that starts them. Each process writes to its own part and reads the others', so
there is no lock, and one that is killed leaves nothing half done: who takes its place begins with an empty part.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import secrets
import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

SIBLINGS = "TAFELRUNDE_SIBLINGS"
"""The variable that leads an api process to its part: descriptor, its own number, and how many there are."""

_KEY_BYTES = 16
_CELLS = 1 << 16
_CELL = struct.Struct("<H")
_CONNECTIONS = struct.Struct("<I")
_HEAD = struct.Struct("<II")
_FIGURES_BYTES = 256 * 1024
_CONNECTIONS_AT = _CELL.size * _CELLS
_HEAD_AT = _CONNECTIONS_AT + _CONNECTIONS.size
_FIGURES_AT = _HEAD_AT + _HEAD.size
_PART_BYTES = -(-(_FIGURES_AT + _FIGURES_BYTES) // mmap.PAGESIZE) * mmap.PAGESIZE


def shared_file(count: int) -> IO[bytes]:
    """Return a file without a name that *count* processes inherit and share. On Linux it is memory alone, and on no disk."""
    if hasattr(os, "memfd_create"):
        file: IO[bytes] = os.fdopen(os.memfd_create("siblings"), "w+b")
    else:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the one that starts the processes
    file.truncate(mmap.PAGESIZE + count * _PART_BYTES)
    os.pwrite(file.fileno(), secrets.token_bytes(_KEY_BYTES), 0)
    return file


def environment(descriptor: int, own: int, count: int) -> Mapping[str, str]:
    """Return the variable for process number *own* (from 0) of *count*."""
    return {SIBLINGS: f"{descriptor} {own} {count}"}


class Siblings:
    """The view that one api process has of the others."""

    def __init__(self, descriptor: int, own: int, count: int) -> None:
        self.own = own
        self.count = count
        self._memory = mmap.mmap(descriptor, mmap.PAGESIZE + count * _PART_BYTES)
        self._key = self._memory[:_KEY_BYTES]
        self._at = self._part(own)
        self._others = [self._part(number) for number in range(count) if number != own]
        self._memory[self._at : self._at + _PART_BYTES] = bytes(_PART_BYTES)

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Siblings | None:
        """Return what a process that `serve` has started shares with others; None if it is the only one."""
        if SIBLINGS not in variables:
            return None
        descriptor, own, count = map(int, variables[SIBLINGS].split())
        return cls(descriptor, own, count)

    @property
    def name(self) -> str:
        """The name of this process."""
        return self._name(self.own)

    @staticmethod
    def _name(number: int) -> str:
        return f"api-{number + 1}"

    @staticmethod
    def _part(number: int) -> int:
        return mmap.PAGESIZE + number * _PART_BYTES

    def note_connections(self, connections: int) -> None:
        """Say how many connections this process has."""
        _CONNECTIONS.pack_into(self._memory, self._at + _CONNECTIONS_AT, connections)

    def fewest_connections(self) -> int:
        """Return how many connections the sibling has that has the fewest."""
        return min(int(_CONNECTIONS.unpack_from(self._memory, at + _CONNECTIONS_AT)[0]) for at in self._others)

    def add(self, holder: str, change: int) -> None:
        """Count something of a holder in this process: one more (1) or one less (-1)."""
        for cell in self._cells(holder):
            at = self._at + cell
            (now,) = _CELL.unpack_from(self._memory, at)
            _CELL.pack_into(self._memory, at, max(0, min(now + change, 0xFFFF)))

    def elsewhere(self, holder: str) -> int:
        """Return how many a holder has in the other processes.

        Holders share cells, so it may be too many, never too few; two cells and a secret key make that very rare.
        """
        cells = self._cells(holder)
        return min(sum(int(_CELL.unpack_from(self._memory, at + cell)[0]) for at in self._others) for cell in cells)

    def _cells(self, holder: str) -> Sequence[int]:
        """Return the two cells of a holder. They differ: else one thing would count twice."""
        digest = hashlib.blake2b(holder.encode(), key=self._key, digest_size=4).digest()
        first, second = (int.from_bytes(digest[:2]), int.from_bytes(digest[2:]))
        return _CELL.size * first, _CELL.size * (second if second != first else (first + 1) % _CELLS)

    def publish(self, figures: bytes) -> None:
        """Show the others the metrics of this process. What does not fit is not shown."""
        packed = zlib.compress(figures, 1)
        if len(packed) <= _FIGURES_BYTES:
            part = _HEAD.pack(len(packed), zlib.crc32(packed)) + packed
            self._memory[self._at + _HEAD_AT : self._at + _HEAD_AT + len(part)] = part

    def read_published(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and metrics of each sibling that has shown some. What is being written just now is left out."""
        for number in range(self.count):
            at = self._part(number)
            length, check = _HEAD.unpack_from(self._memory, at + _HEAD_AT)
            packed = self._memory[at + _FIGURES_AT : at + _FIGURES_AT + min(length, _FIGURES_BYTES)]
            if number != self.own and length and zlib.crc32(packed) == check:
                yield self._name(number), zlib.decompress(packed)
