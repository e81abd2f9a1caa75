"""CONTRIBUTING.md names files, targets and modules that exist."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import ROOT

PAGE = ROOT / "CONTRIBUTING.md"
CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"```\n(.*?)```", re.DOTALL)
MADE = re.compile(r"\bmake ([a-z-]+)")
RUN = re.compile(r"\bpython -m (tools\.\w+)")
ALLOWED_MISSING = {".venv"}
FOLDERS = {each.name for each in ROOT.iterdir()}


def codes(text: str) -> list[str]:
    """Return what stands as code in a text."""
    return [*CODE.findall(BLOCK.sub("", text)), *BLOCK.findall(text)]


def spoken(text: str) -> list[str]:
    """Return the words of all code in a text."""
    return [word for code in codes(text) for word in code.split()]


def missing(text: str) -> list[str]:
    """Return the paths, make targets and programs in a text that do not exist."""
    paths = [word for word in spoken(text) if word.split("/")[0] in FOLDERS and word.split("/")[0] not in ALLOWED_MISSING]
    lost = [path for path in paths if not (ROOT / path).exists()]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    lost += [f"make {target}" for target in MADE.findall("\n".join(codes(text))) if target not in targets]
    return lost + [name for name in RUN.findall(text) if not (ROOT / name.replace(".", "/")).with_suffix(".py").exists()]


def test_paths_and_targets_exist() -> None:
    """Every file, target and program that the page names is there."""
    text = PAGE.read_text(encoding="utf-8")
    assert len([word for word in spoken(text) if "/" in word]) > 40
    assert missing(text) == []


@pytest.mark.parametrize(
    "line",
    [
        "`service/no_such.py`",
        "Run `make nothing`.",
        "`.venv/bin/python -m tools.nothing`",
        "```\nmake nothing\n```",
    ],
)
def test_wrong_name_is_found(line: str) -> None:
    """The check sees a file, a target and a program that are not there."""
    assert len(missing(line)) == 1


def test_checks_are_those_of_make_test() -> None:
    """The table of what CI checks has every check of `make test`, and no other."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [beside] = re.findall(r"^BESIDE := (.+)$", makefile, re.MULTILINE)
    table = PAGE.read_text(encoding="utf-8").partition("## What CI checks")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `make ([a-z-]+)`", table, re.MULTILINE)) == {*beside.split(), "lint", "unit"}
