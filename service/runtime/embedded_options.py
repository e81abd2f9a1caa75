"""The options of the embedded server: what a level of durability requires, its memory limit, and what it must not log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..settings import Durability
from .capacity import usable_bytes

MIB = 1024 * 1024
SILENT = {
    "slowlog-log-slower-than": "-1",
    "commandlog-request-larger-than": "-1",
    "commandlog-reply-larger-than": "-1",
    "hide-user-data-from-log": "yes",
}
"""Keeps the arguments of commands out of the slow log and, on a crash, out of the server's log."""
ALLOCATION = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=200"}
"""What the server finds in its environment: more small blocks are kept for it, which saves a twelfth of an append's time."""
ADJUSTABLE = {"appendfsync", "maxmemory", *SILENT}
"""Options that are set again on an adopted server."""


def options_of(folder: Path, socket: Path, durability: Durability, memory_mb: int | None) -> Mapping[str, str]:
    """Return the options of the server of a data folder that listens on a socket."""
    return {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "daemonize": "no",
        "logfile": "",
        "save": "",
        "hz": "2",  # looks at its timers twice a second while idle; with more clients it looks more often by itself
        "appendonly": "yes",
        "appendfsync": "always" if durability is Durability.DURABLE else "everysec",
        "aof-use-rdb-preamble": "yes",
        "aof-load-truncated": "yes",
        "maxmemory": str(_most_bytes(memory_mb)),
        "maxmemory-policy": "noeviction",
        **SILENT,
    }


def _most_bytes(memory_mb: int | None) -> int:
    """Return how much memory the server may use, 0 for no limit. Half is left for other processes, and a rewrite of its file."""
    return memory_mb * MIB if memory_mb is not None else (usable_bytes() or 0) // 2


def as_arguments(options: Mapping[str, str]) -> list[str]:
    """Return options as the server takes them on its command line."""
    return [part for name, value in options.items() for part in (f"--{name}", value)]
