"""Which process listens on a unix socket: to end a server that does not answer, and that this process has not started."""

from __future__ import annotations

import os
import socket
import struct
from contextlib import suppress
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")
"""The kernel's `struct ucred`: process, user, group."""


def listener_of(path: Path) -> int | None:
    """Return the process of the same user that listens on a socket; None if there is none, or it cannot be known. Never waits."""
    if not hasattr(socket, "SO_PEERCRED"):  # only Linux has it
        return None
    with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.setblocking(False)
        connection.connect(str(path))
        found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        pid, user, _ = _CREDENTIALS.unpack(found)
        return pid if pid and user == os.getuid() else None  # 0: a process of another container
    return None
