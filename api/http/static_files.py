"""The files of the web client: read once, packed once, and kept by browsers only as long as they are the same."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from .response import Header, Reply, tag_of, tagged

FOLDER = Path(__file__).parents[1] / "web"
INDEX = "index.html"
FRAME = "embed.html"
ICON = "icon.svg"
DRAWING, PLAIN = re.compile(r"draw-[a-z0-9-]+\.js"), "draw-plain.js"
"""Drawings of games, and the one for games that have none of their own."""
MEDIA_TYPES: Mapping[str, bytes] = {
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
    ".svg": b"image/svg+xml",
}
LOADED = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def headers(ancestors: str = "'none'") -> tuple[Header, ...]:
    """Return the headers of a page or of what it loads. *ancestors*: whose pages may show it, in the words of the policy."""
    return (
        (b"content-security-policy", f"{LOADED}; frame-ancestors {ancestors}".encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cache-control", b"no-cache"),
        (b"vary", b"Accept-Encoding"),
    )


HEADERS = headers()


class File(NamedTuple):
    """One file: as it is and packed, with its type and entity tag."""

    plain: bytes
    packed: bytes
    media_type: bytes
    tag: str

    def reply(self, accepted: str, asked: str) -> Reply:
        """Return it, packed if the client accepts that; 304 if it has just this."""
        if "gzip" in accepted:
            return tagged(
                self.packed, f"{self.tag}-gz", asked, *HEADERS, (b"content-encoding", b"gzip"), media_type=self.media_type
            )
        return tagged(self.plain, self.tag, asked, *HEADERS, media_type=self.media_type)


@lru_cache(1)
def files() -> Mapping[str, File]:
    """Return all files by name."""
    return {path.name: _read(path) for path in FOLDER.iterdir() if path.suffix in MEDIA_TYPES}


def found(name: str) -> File | None:
    """Return the file of that name; for a game without a drawing the plain one."""
    return files().get(PLAIN if name not in files() and DRAWING.fullmatch(name) else name)


def text(name: str) -> str:
    """Return a file as text."""
    return files()[name].plain.decode()


def _read(path: Path) -> File:
    plain = path.read_bytes()
    return File(plain, gzip.compress(plain, 9, mtime=0), MEDIA_TYPES[path.suffix], tag_of(plain))
