"""Files in a data folder that have the deployment's own keys: each a line of 64 hex digits, the newest first."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SIGNING_KEY = "signing.key"
KEYS = "*.key"
"""The pattern of the names of all such files."""


def key_file(folder: Path, name: str = SIGNING_KEY) -> Path:
    """Return a file of keys in a data folder, made if there is none; any number of processes may ask at once."""
    path = folder / name
    if not path.exists():
        with suppress(FileExistsError):  # another process was faster, and its key counts
            _write(path, secrets.token_hex(32), os.link)
    return path


def put_new_key(folder: Path) -> None:
    """Put a new key before those of a data folder: it signs from the next start on, and the log will note it."""
    path = key_file(folder)
    _write(path, f"{secrets.token_hex(32)}\n{path.read_text()}", os.replace)


def _write(path: Path, content: str, place: Callable[[Path, Path], None]) -> None:
    """Write a private file whole, then put it into its place."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123 - private at once
            file.write(f"{content.strip()}\n")
            file.flush()
            os.fsync(file.fileno())
        place(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
