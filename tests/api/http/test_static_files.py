"""The files of the web client: their addresses, how browsers cache them, and what links to them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tafelrunde.api.http.static_files import (
    FOLDER,
    MEDIA_TYPES,
    STYLE_SHEETS,
    VENDORED,
    file,
    version,
    version_of,
    without_comments,
)
from tests.support.table import Table

pytestmark = pytest.mark.anyio

DRAWN = ("coup", "matchmaster", "meister-coup", "mondkrone", "stich-meister")
"""The games with a drawing of their own."""


async def test_files_of_the_web_client_are_packed_when_that_is_accepted(table: Table) -> None:
    """The same content, with a tag of its own; so is a page that is made for one match."""
    for path in (f"/web/{version()}/app.js", "/web/app.js", f"/match/m{'a' * 24}"):
        plain = await table.ask("GET", path)
        packed = await table.ask("GET", path, headers=[("Accept-Encoding", "br, gzip")])
        assert packed.header("content-encoding") == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        assert packed.header("etag") != plain.header("etag")


async def test_files_of_the_web_client_are_kept_where_their_address_changes_with_them(table: Table) -> None:
    """Files of a page are cached permanently; the page itself is always revalidated, and names the current files."""
    page = await table.ask("GET", "/")
    assert page.header("cache-control") == "no-cache"
    for path in re.findall(r'(?:href|src)="([^"]+)"', page.body.decode()):
        assert path.startswith(f"web/{version()}/")
        assert (await table.ask("GET", f"/{path}")).header("cache-control") == "public, max-age=31536000, immutable"


def test_version_of_files_is_another_for_any_other_content() -> None:
    """Otherwise a browser would keep using its cached copy."""
    known = {"a.js": b"1", "b.js": b"2"}
    others: list[dict[str, bytes]] = [{"a.js": b"1"}, known | {"b.js": b"3"}, known | {"c.js": b""}, {"a.js": b"2", "b.js": b"1"}]
    assert len({version_of(each) for each in (known, *others)}) == 1 + len(others)


async def test_version_of_files_follows_from_what_is_given(table: Table) -> None:
    """Not from the sources: a release that strips them differently must not serve other content at the same address."""
    given = {
        name: (await table.ask("GET", f"/web/{version()}/{name}")).body
        for name in (*STYLE_SHEETS, *(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.*")))
        if not name.startswith("styles/")
    }
    pages = {path.name: path.read_bytes() for path in FOLDER.glob("*.html")}
    known = {name: body for name, body in given.items() if Path(name).suffix in MEDIA_TYPES}
    assert version() == version_of(known | pages)


async def test_version_of_another_release_gives_what_there_is_and_is_not_kept(table: Table) -> None:
    """During a rolling upgrade, and in a page that stays open over an upgrade."""
    here, elsewhere = [await table.ask("GET", f"/web/{each}/pages/lobby.js") for each in (version(), "0" * 12)]
    assert elsewhere.body == here.body
    assert elsewhere.header("cache-control") == "no-cache"


async def test_module_without_a_version_leads_to_the_one_with_it(table: Table) -> None:
    """The embed address stays valid. It loads everything the module needs at once, and each module exists once."""
    answer = await table.ask("GET", "/web/game-table.js")
    assert answer.header("cache-control") == "no-cache"
    *needed, last = answer.body.decode().splitlines()
    assert last == f'export * from "./{version()}/game-table.js";'
    names = [each.removeprefix(f'import "./{version()}/').removesuffix('";') for each in needed]
    assert {"table/table.js", "core/store.js", "vendor/lit.js"} <= set(names) == await reached(table, "game-table.js")
    assert len(names) == len(set(names))


async def reached(table: Table, *names: str) -> set[str]:
    """Return the modules that these import, and the ones those import in turn."""
    found: set[str] = set()
    for name in names:
        code = (await table.ask("GET", f"/web/{version()}/{name}")).body.decode()
        imported = re.findall(r'^(?:import|export) (?:[^"(]*from )?"(\.\.?/[^"]+)";$', code, re.MULTILINE)
        found |= {urljoin(f"/{name}", each).removeprefix("/") for each in imported}
    return found if found <= set(names) else found | await reached(table, *found, *names)


async def test_page_asks_for_all_its_modules_at_once(table: Table) -> None:
    """Otherwise a browser discovers each module only from the one that imports it. Pages and tables come when they are opened.

    A table comes with what the drawings of all games need, the lobby with its usual parts and a picture of each game.
    """
    page = (await table.ask("GET", "/")).body.decode()
    named = re.compile(rf'rel="modulepreload" href="web/{version()}/([^"]+)"')
    early, *late = map(named.findall, page.split("<template"))
    assert {"core/client.js", "core/words.js"} <= set(early) == await reached(table, "app.js")
    drawings = [await reached(table, f"games/{game}.js") for game in DRAWN]
    every = {"table/cards.js", "table/plate.js"}
    assert every <= set.intersection(*drawings)
    asked = {
        ("game-table.js",): set.intersection(*drawings),
        ("pages/lobby.js", "pages/quick.js", "pages/tournaments-listed.js"): {f"art/{game}.js" for game in DRAWN},
    }
    for (parts, more), found in zip(asked.items(), late, strict=True):
        assert {*parts, "core/store.js"} <= set(found)
        assert {*early, *found} == {*parts, *more, *await reached(table, "app.js", *parts)}
        assert len([*early, *found]) == len({*early, *found})


async def test_game_without_a_drawing_gets_the_plain_one(table: Table) -> None:
    """Any game can be played in the web client."""
    plain, coup, duel = [(await table.ask("GET", f"/web/{version()}/games/{name}.js")).body for name in ("plain", "coup", "duel")]
    assert duel == plain != coup


@pytest.mark.parametrize(
    "path",
    [
        *("/web/none.js", "/web/..%2fapp.py", "/web/", "/web/core/words.js"),
        *(
            f"/web/{each}"
            for each in (
                "0/app.js",
                f"{version()}/none.js",
                f"{version()}/..%2fapp.py",
                f"{version()}/vendor/lit.LICENSE.txt",
                f"{version()}/core/app.js",
                f"{version()}/index.html",
            )
        ),
    ],
)
async def test_no_other_files_are_given(path: str, table: Table) -> None:
    """Nothing but the files of the client is there."""
    assert (await table.ask("GET", path)).status == 404


TYPES = re.compile(rb"/\*\* @type \{.*?\} \*/ ?")


def modules() -> dict[str, bytes]:
    """Return all scripts as they are written, by their names."""
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.js")}


def test_modules_are_given_without_comments_and_otherwise_as_they_are() -> None:
    """Each line of code keeps its number, so that error reports name the line of the source; third-party files are untouched.

    Of a line with types in it the rest is there.
    """
    sizes = [0, 0]
    for name, source in modules().items():
        given = file(name).plain
        if name in VENDORED:
            assert given == source
            continue
        pairs = list(zip(source.splitlines(), given.splitlines(), strict=True))
        left_out = [line.strip() for line, there in pairs if line and not there]
        assert all(there in {TYPES.sub(b"", line), b""} for line, there in pairs)
        assert left_out, name
        assert all(line.startswith((b"//", b"/**", b"*")) for line in left_out if line), name
        sizes = [size + len(gzip.compress(code, 9)) for size, code in zip(sizes, (source, given), strict=True)]
    assert sizes[1] < 0.85 * sizes[0]


def test_style_sheets_are_given_without_comments_and_with_all_rules() -> None:
    """The first view of a table carries all of them. Every brace of a rule is still there."""
    for name, parts in STYLE_SHEETS.items():
        source = b"".join((FOLDER / "styles" / f"{part}.css").read_bytes() for part in parts)
        given = file(name).plain
        assert b"/*" in source
        assert b"/*" not in given
        assert given.count(b"\n") == source.count(b"\n")
        left_out = [line for line, there in zip(source.splitlines(), given.splitlines(), strict=True) if line != there]
        assert not any(
            line.rstrip().endswith((b"{", b";", b"}")) and b"*/" not in line and b"/*" not in line for line in left_out
        )


def test_no_text_of_a_page_looks_like_a_comment() -> None:
    """Text in a template literal is unchanged, because none of its lines begins like a comment."""
    planted = b"const page = `\n  // no comment\n`;\n"
    assert torn(planted)
    assert [name for name, source in modules().items() if name not in VENDORED and torn(source)] == []


def torn(code: bytes) -> bool:
    """Return whether a comment that is stripped lies in a template literal: after an odd number of backticks."""
    before = 0
    for line, there in zip(code.splitlines(), without_comments(code).splitlines(), strict=True):
        if line and not there and before % 2:
            return True
        before += there.count(b"`")
    return False
