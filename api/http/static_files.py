"""The files of the web client: read once, packed once, and under addresses that change with them, so browsers may keep them."""

from __future__ import annotations

import gzip
import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .response import Header, Reply, tag_of, tag_reply

FOLDER = Path(__file__).parents[1] / "web"
INDEX = "index.html"
FRAME = "embed.html"
ICON = "icon.svg"
WORKER = "worker.js"
TABLE = "game-table.js"
"""The module of a table: not every page of the client shows one."""
DRAWING = re.compile(r"games/[a-z0-9-]+\.js")
PLAIN = "games/plain.js"
"""Drawings of games, and the one for games that have none of their own."""
STYLE_SHEETS: Mapping[str, tuple[str, ...]] = {
    "style.css": (
        "base", "frame", "felt", "trick", "cards", "hand", "side", "coach", "ending", "learning", "menu", "text-mode", "stage",
        "window", "talk",
        "games/coup", "games/matchmaster", "games/meister-coup", "games/mondkrone", "games/stich-meister", "art", "motion",
        "people",
    ),
    "page.css": ("page", "tournaments"),
}  # fmt: skip
"""Style sheets as they are served: each is one request, made of these files of the folder `styles`, in this order."""
VENDORED = frozenset({"vendor/lit.js", "swagger-ui.js"})
"""Third-party scripts, served unchanged, with the notices that their licenses require."""
SCRIPTS = frozenset({"swagger-ui.js", "worker.js"})
"""Files that are not modules: they export nothing."""
MEDIA_TYPES: Mapping[str, bytes] = {
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
    ".svg": b"image/svg+xml",
    ".png": b"image/png",
    ".webmanifest": b"application/manifest+json",
}
LOADED = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
REVALIDATED = b"no-cache"
LASTING = b"public, max-age=31536000, immutable"
_NEEDED = re.compile(r'(?:^import [^"(]*|^export [^"\n]* from |= import\()"(\.\.?/[a-z/-]+\.js)"', re.MULTILINE)
_COMMENT = re.compile(rb"^[ ]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
_TYPE = re.compile(rb"/\*\* @type \{[^\n]*?\} \*/ ?")
_STYLE_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_LOBBY = ("pages/lobby.js", "pages/quick.js", "pages/tournaments-listed.js")
"""The modules of the lobby, and of its parts that belong to features."""
_ENTRY = re.compile(r'^<script type="module" src="web/([a-z-]+\.js)"></script>$', re.MULTILINE)


def headers(ancestors: str = "'none'", kept: bytes = REVALIDATED, vary: bytes = b"Accept-Encoding") -> tuple[Header, ...]:
    """Return the headers of a page or of what it loads.

    *ancestors*: whose pages may show it, in the words of the policy; *kept*: how browsers may keep it; *vary*: what of a request
    it depends on.
    """
    return (
        (b"content-security-policy", f"{LOADED}; frame-ancestors {ancestors}".encode()),
        (b"referrer-policy", b"no-referrer"),
        (b"cache-control", kept),
        (b"vary", vary),
    )


HEADERS = headers()
LASTING_HEADERS = headers(kept=LASTING)


class File(NamedTuple):
    """One file: plain and compressed, with its type and entity tag."""

    plain: bytes
    packed: bytes
    media_type: bytes
    tag: str

    def reply(self, accepted: str, asked: str, sent: tuple[Header, ...] = HEADERS) -> Reply:
        """Return it with the headers *sent*, compressed if the client accepts that; 304 if it has this version."""
        if "gzip" in accepted:
            packed = (b"content-encoding", b"gzip")
            return tag_reply(self.packed, f"{self.tag}-gz", asked, *sent, packed, media_type=self.media_type)
        return tag_reply(self.plain, self.tag, asked, *sent, media_type=self.media_type)


@cache
def version() -> str:
    """Return the version of all files as they are served now."""
    return version_of({name: _read(name) for name in _contents()})


def version_of(contents: Mapping[str, bytes]) -> str:
    """Return 12 hex digits: different for any other name or content."""
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(b"%s %d\n%s" % (name.encode(), len(content), content))
    return digest.hexdigest()[:12]


@cache
def file(name: str) -> File:
    """Return a file; a page names what it loads by its version, and a module says nothing to its readers.

    Raises KeyError if there is none of that name.
    """
    content = _read(name)
    return _file(name, _page(content) if name.endswith(".html") else content)


@cache
def leading(name: str) -> File:
    """Return what stands at the address of a module without a version, and leads to it. Raises KeyError as above.

    Whichever address a page elsewhere names, it gets one and the same module, and asks at once for all that this needs.
    """
    return _file(name, _leading(name))


def without_comments(code: bytes) -> bytes:
    """Return a module without its comment lines and the types in its code; all other lines keep their numbers.

    Compressed, these are a fifth of it.
    """
    return _TYPE.sub(b"", _COMMENT.sub(_lines, code))


def find(name: str) -> File | None:
    """Return the response at the address without a version, None if there is none."""
    name = _drawing(name)
    if name not in _contents():
        return None
    return leading(name) if name.endswith(".js") and name not in SCRIPTS else file(name)


def found_in(asked: str, name: str) -> tuple[File, tuple[Header, ...]] | None:
    """Return what stands at the address with the version *asked*, with its headers, None if nothing does.

    A version that is not this one, as an older or newer server of the same service has it, gives what is here, and is not kept.
    """
    name = _drawing(name)
    if name not in _contents() or name.endswith(".html"):
        return None
    return file(name), LASTING_HEADERS if asked == version() else HEADERS


@cache
def worker() -> File:
    """Return the worker of the client's pages: it knows the version of the files, and which of them the pages need.

    Its address has no version, and leads nowhere else: a browser asks for it again and again, and compares the bytes.
    """
    script = _read(WORKER).decode().replace("{version}", version())
    return _file(WORKER, script.replace('["{files}"]', json.dumps(_files_of_pages())).encode())


def _files_of_pages() -> list[str]:
    """Return all files that the client's own pages can ask for."""
    apart = ("swagger", "embed", "previews/", "index.html", WORKER)
    return sorted(name for name in _contents() if not name.startswith(apart))


def is_there(name: str) -> bool:
    """Return whether there is a file of that name."""
    return name in _contents()


def text(name: str) -> str:
    """Return a file as text."""
    return file(name).plain.decode()


def page(content: bytes) -> File:
    """Return a page that was made for one request, like a file."""
    return _file(INDEX, content)


@cache
def _contents() -> Mapping[str, bytes]:
    found = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.*") if path.suffix in MEDIA_TYPES}
    return found | {sheet: b"".join(found.pop(f"styles/{name}.css") for name in names) for sheet, names in STYLE_SHEETS.items()}


def _read(name: str) -> bytes:
    """Return the content of a file as served at its address; of a page without the version."""
    content = _contents()[name]
    if name in STYLE_SHEETS:
        return _STYLE_COMMENT.sub(_lines, content)
    return without_comments(content) if name.endswith(".js") and name not in VENDORED else content


def _lines(comment: re.Match[bytes]) -> bytes:
    return b"\n" * comment[0].count(b"\n")


def _file(name: str, plain: bytes) -> File:
    return File(plain, gzip.compress(plain, 9, mtime=0), MEDIA_TYPES[Path(name).suffix], tag_of(plain))


def _drawing(name: str) -> str:
    """Return the name of a file; for a game without a drawing that of the plain one."""
    return PLAIN if name not in _contents() and DRAWING.fullmatch(name) else name


def _page(content: bytes) -> bytes:
    """Return a page that names its files by version, and all its modules: otherwise a browser finds them level by level.

    Those of a table, and of the lobby, wait in the page's templates of these names until one is opened.
    """
    page = content.decode().replace("web/", f"web/{version()}/")
    if entry := _ENTRY.search(content.decode()):
        needed = _needed_by(entry[1])
        script = '<script type="module" src='
        page = page.replace(script, _asked_early(needed) + script, 1)
        for part, names in _parts().items():
            template = f'<template id="{part}">'
            page = page.replace(template, template + _asked_early(each for each in names if each not in needed))
    return page.encode()


def _asked_early(names: Iterable[str]) -> str:
    return "".join(f'<link rel="modulepreload" href="web/{version()}/{each}">\n' for each in names)


def _leading(name: str) -> bytes:
    needed = "".join(f'import "./{version()}/{each}";\n' for each in _needed_by(name))
    return f'{needed}export * from "./{version()}/{name}";\n'.encode()


def _parts() -> Mapping[str, Iterable[str]]:
    """Return what a part of the client needs, by the id of its template.

    A table needs what the drawings of all games import, whichever is played (the plain one draws no cards), the lobby their
    pictures.
    """
    drawings = [name for name in sorted(_contents()) if DRAWING.fullmatch(name) and name != PLAIN]
    first, *others = [_needed_by(name) for name in drawings]
    table = [TABLE, *_needed_by(TABLE), *(each for each in first if all(each in needed for needed in others))]
    pictures = [name.replace("games/", "art/") for name in drawings]
    lobby = [
        *_LOBBY,
        *(each for part in _LOBBY for each in _needed_by(part)),
        *(each for each in pictures if each in _contents()),
    ]
    return {"of-table": dict.fromkeys(table), "of-lobby": dict.fromkeys(lobby)}


def _needed_by(name: str) -> list[str]:
    """Return all modules that a module imports, directly or not, the nearest first; not those with computed names."""
    reached = [name]
    for each in reached:
        named = (
            posixpath.normpath(f"{posixpath.dirname(each)}/{name}").lstrip("/")
            for name in _NEEDED.findall(_contents()[each].decode())
        )
        reached += dict.fromkeys(found for found in named if found not in reached)
    return reached[1:]
