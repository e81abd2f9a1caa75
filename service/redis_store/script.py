"""The Lua scripts of the stores."""

from __future__ import annotations

import hashlib
from importlib.resources import files

_GUARD = "guard"


class Script:
    """A Lua script, made of one file or of several in order; the server knows it by its digest.

    The files are in the folder `scripts` that is *beside* a module. Before all of them goes the guard, which lets no script work
    on another deployment's data.
    """

    def __init__(self, *names: str, beside: str = __name__) -> None:
        guard = _read(__name__, _GUARD)
        parts = [_read(beside, name) for name in names]
        first, _, rest = parts[0].partition(b"\n")
        opening = (first, b"\n", guard, rest) if first.startswith(b"#!") else (guard, parts[0])
        self.source = b"".join((*opening, *parts[1:]))
        self.digest = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()
        self.loading = ("SCRIPT", "LOAD", self.source)


def _read(module: str, name: str) -> bytes:
    return files(module.rpartition(".")[0]).joinpath("scripts", f"{name}.lua").read_bytes()


WRITE = Script("write")
"""One command that writes one key."""
