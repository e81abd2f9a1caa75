"""Runs the recipes of docs/recipes.md as they are printed, each in an empty folder (`make clients-all`).

Arguments choose recipes by a word of their title. A recipe whose compiler is not installed is named at the end as left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import httpx

from tafelrunde.domain.registry import GAMES
from tests.support.blocks import ADDRESS
from tests.support.paths import ROOT
from tests.support.planted import planted
from tests.support.served import service
from tools.commands import CommandLine
from tools.generate_clients import unkept, unnamed, unplayed, unprotected
from tools.node import BUILD, environment

PAGE = ROOT / "docs" / "recipes.md"
PROGRAM = re.compile(r"<!-- made: program \S*?([^/\s]+) -->\n\n```\w+\n(.*?)```\n", re.DOTALL)
COMPILERS = {"Java": "javac", "C#": "mcs", "Go": "go"}
SECONDS = 3_600
"""The longest of them takes a minute of processor time; the guard is for what hangs."""


class Recipe(NamedTuple):
    """A section of the page: the files to save, and the block to paste."""

    title: str
    files: dict[str, str]
    script: str

    @property
    def keeps(self) -> bool:
        """Whether its program writes a file of each match that `tafelrunde verify --kept` reads."""
        return any(".kept.json" in text for text in self.files.values())

    @property
    def asks_everything(self) -> bool:
        """Whether its client has all operations of HTTP."""
        return "/openapi.json" in self.script


def recipes() -> list[Recipe]:
    """Return the recipes of the page, in its order."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [_recipe(*section.split("\n", 1)) for section in sections]


def _recipe(title: str, text: str) -> Recipe:
    [script] = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return Recipe(title, dict(PROGRAM.findall(text)), script)


def folder_of(recipe: Recipe) -> Path:
    """Return where a recipe is carried out."""
    return BUILD / "recipes" / re.sub(r"\W+", "-", recipe.title.lower()).strip("-")


def run(recipe: Recipe, url: str) -> str:
    """Carry out a recipe in an empty folder; return what was printed, with errors if it failed."""
    folder = folder_of(recipe)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in recipe.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = ["bash", "-euo", "pipefail", "-c", recipe.script.replace(ADDRESS, url)]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False, timeout=SECONDS)
    return done.stdout if done.returncode == 0 else f"{done.stdout}{done.stderr[-4_000:]}"


def main(words: Sequence[str]) -> None:
    """Carry out all recipes, or those with a word in their title; exit with an error if a client has not played every game."""
    failed: list[str] = []
    left_out: list[str] = []
    with service(around=planted) as served:
        written = httpx.get(f"{served.url}/api/v1/openapi.json").content
        for recipe in recipes():
            if words and not any(word.lower() in recipe.title.lower() for word in words):
                continue
            if (compiler := COMPILERS.get(recipe.title)) is not None and shutil.which(compiler) is None:
                left_out.append(f"{recipe.title} (no {compiler})")
                continue
            text = run(recipe, served.url)
            played = "".join(line for line in text.splitlines(keepends=True) if ", places [" in line)
            sys.stdout.write(f"== {recipe.title}\n{played}")
            sys.stdout.flush()
            faults = [*unplayed(text), *unprotected(served)]
            if recipe.asks_everything and (lost := unnamed(folder_of(recipe), written)):
                faults.append(f"operations that the client lacks: {', '.join(lost)}")
            if recipe.keeps:
                faults += unkept(served, folder_of(recipe), len(GAMES))
            if faults:
                failed.append(f"{recipe.title}: {'; '.join(faults)}")
    if left_out:
        sys.stdout.write(f"Left out: {', '.join(left_out)}\n")
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("words", nargs="*", help="carry out recipes with such a word in their title (all)")
    main(command.parse_args().words)
