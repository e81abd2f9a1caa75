"""The Lua scripts of this package."""

from __future__ import annotations

import hashlib
from importlib.resources import files

_SCRIPTS = files(__name__.rpartition(".")[0]).joinpath("scripts")


class Script:
    """A Lua script of this package, made of one file or of several in order; the server knows it by its digest.

    Before all of them goes the guard, which lets no script work on another deployment's data.
    """

    def __init__(self, *names: str) -> None:
        guard, *parts = (_SCRIPTS.joinpath(f"{name}.lua").read_bytes() for name in ("guard", *names))
        first, _, rest = parts[0].partition(b"\n")
        opening = (first, b"\n", guard, rest) if first.startswith(b"#!") else (guard, parts[0])
        self.source = b"".join((*opening, *parts[1:]))
        self.digest = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()
        self.loading = ("SCRIPT", "LOAD", self.source)


WRITE = Script("write")
"""One command that writes one key."""
