"""The page on architecture names every package, and no path that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`\n]+)`")


def section(title: str, level: int = 2) -> str:
    """Return what stands under a heading, up to the next one of its level or above."""
    found = re.search(rf"^{'#' * level} {re.escape(title)}\n(.*?)(?=^#{{1,{level}}} |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"the page has no section {title}"
    return found[1]


def cells(text: str, column: int = 0) -> Iterator[str]:
    """Yield the code in one column of all tables of a text."""
    for row in re.findall(r"^\| (.+) \|$", text, re.MULTILINE):
        yield from CODE.findall(row.split(" | ")[column])


def modules(folder: str) -> set[str]:
    """Return the modules of a folder."""
    return {path.stem for path in (ROOT / folder).glob("*.py") if not path.stem.startswith("__")}


def packages(layer: str) -> set[str]:
    """Return the packages of a layer."""
    return {path.parent.name for path in (ROOT / layer).glob("*/__init__.py")}


def test_floors_of_the_service_have_all_packages() -> None:
    """The table of floors has every package, and every module beside them."""
    beside = {f"{module}.py" for module in modules("service")}
    assert set(cells(section("The floors of service").partition("###")[0], 1)) == {
        *(f"{package}/" for package in packages("service")),
        *beside,
    }


def test_floors_of_the_api_have_all_packages() -> None:
    """The table of floors has every package, and every module beside them."""
    beside = {f"{module}.py" for module in modules("api")}
    assert set(cells(section("The floors of api"), 1)) == {*(f"{package}/" for package in packages("api")), *beside}


def test_paths_exist() -> None:
    """Whatever looks like a path from the top of the repository is one."""
    tops = {each.name for each in ROOT.iterdir()}
    paths = [name for name in CODE.findall(PAGE) if name.split("/")[0] in tops and "/" in name and "<" not in name]
    assert len(paths) > 30
    assert [path for path in paths if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()] == []
