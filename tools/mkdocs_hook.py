"""A hook of mkdocs, so that docs/ reads the same as Markdown in the repository and as a site.

Files of the source tree that a page links to become pages of the site, so no link leads out of it. Folders in the nav stand for
their pages, and pages that the nav does not name come at its end, so no one has to remember to enter one.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parents[1]))  # mkdocs loads this file by its path

from tools.reference import PAGES_OF_SITE

LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
DOCS = "docs/"
SOURCE = "source/"
"""The site's folder for files that are not in docs/."""
MORE = "More"
PROGRAM = ".py"
SHOWN = f"{PROGRAM}.md"
"""File name endings of pages that show a program; what looks like a link there is none."""

Nav = list[Any]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Complete the nav."""
    docs = Path(config.docs_dir)
    given = cast("Nav", config.nav)  # mkdocs does not say what is in a nav
    nav = [_expanded(entry, docs) for entry in given]
    named = set(_named(nav))
    pages = sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))
    rest = [page for page in pages if page not in named]
    config["nav"] = [*nav, {MORE: rest}] if rest else nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every file outside of docs/ that the nav names or a page links to, and what those link to in turn."""
    root = Path(config.docs_dir).parent
    named = set(_named(cast("Nav", config.nav)))
    for page, make in PAGES_OF_SITE.items():
        if page in named:
            files.append(File.generated(config, page, content=make()))
    for page in sorted(each for each in named if each.startswith(SOURCE)):
        _add(files, config, root, page.removeprefix(SOURCE))
    pages = list(files.documentation_pages())
    while pages:
        page = pages.pop()
        for link in LINK.finditer(page.content_string):
            path = _target(page.src_uri, link[1])
            if path is None or not (root / path).is_file() or files.get_file_from_path(_place(path)) is not None:
                continue
            added = _add(files, config, root, path)
            pages += [added] if path.endswith(".md") else []
    return files


def _add(files: Files, config: MkDocsConfig, root: Path, path: str) -> File:
    """Add a file of the source tree."""
    added = File.generated(config, _place(path), content=_told(root / path, path))
    added.inclusion = InclusionLevel.NOT_IN_NAV
    files.append(added)
    return added


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - mkdocs gives all of them by name
    """Point links to files of the source tree at where `on_files` has put them; all others stay, to be checked."""
    here = page.file.src_uri

    def pointed(link: re.Match[str]) -> str:
        path = _target(here, link[1])
        if path is None or files.get_file_from_path(_place(path)) is None:
            return link[0]
        return f"]({posixpath.relpath(_place(path), posixpath.dirname(here) or '.')}{link[2] or ''})"

    return markdown if here.endswith(SHOWN) else LINK.sub(pointed, markdown)


def _expanded(entry: Any, docs: Path) -> Any:
    """Return an entry of the nav in which a folder (`decisions/`) has become the list of its pages, the index first."""
    if isinstance(entry, str):
        return entry
    ((title, inside),) = entry.items()
    if isinstance(inside, str) and inside.endswith("/"):
        pages = sorted((docs / inside).glob("*.md"), key=lambda path: (path.name != "index.md", path.name))
        return {title: [f"{inside}{path.name}" for path in pages]}
    return {title: inside if isinstance(inside, str) else [_expanded(each, docs) for each in inside]}


def _named(nav: Nav) -> Iterator[str]:
    for entry in nav:
        for inside in [entry] if isinstance(entry, str) else entry.values():
            if isinstance(inside, str):
                yield inside
            else:
                yield from _named(inside)


def _target(page: str, link: str) -> str | None:
    """Return where a link of a page of the site leads, from the top of the repository; None if it leads elsewhere."""
    if ":" in link or link.startswith("/"):
        return None
    here = page.removeprefix(SOURCE) if page.startswith(SOURCE) else f"{DOCS}{page}"
    path = posixpath.normpath(posixpath.join(posixpath.dirname(here), link))
    return None if path.startswith("../") else path


def _place(path: str) -> str:
    """Return the place of a file in the site: pages of docs/ as they are, programs as pages, all else as files."""
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    return f"{SOURCE}{path}.md" if path.endswith(PROGRAM) else f"{SOURCE}{path}"


def _told(file: Path, path: str) -> str:
    """Return a file of the source tree as the site has it."""
    text = file.read_text(encoding="utf-8")
    return f"# {path}\n\n````python\n{text}\n````\n" if path.endswith(PROGRAM) else text
