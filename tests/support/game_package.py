"""A game in a package of its own, as a stranger to this repository would write it: Duel, from docs/tutorial-a-game.md."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.blocks import blocks
from tests.support.paths import ROOT
from tools import tutorial

PAGE = ROOT / "docs" / "game-package.md"
RULES = "domain/duel/"


def write_package(folder: Path) -> None:
    """Write the package into a folder: the game of the tutorial, and the configuration of docs/game-package.md."""
    for path, text in tutorial.files().items():
        if path.startswith(RULES):
            target = folder / "duel_cards" / path.removeprefix(RULES)
            target.parent.mkdir(parents=True, exist_ok=True)
            up = re.escape("." * len(Path(path).relative_to("domain").parts))
            target.write_text(re.sub(rf"^from {up}(?=\w)", "from tafelrunde.domain.", text, flags=re.MULTILINE), encoding="utf-8")
    [configuration] = blocks(PAGE, "toml")
    (folder / "pyproject.toml").write_text(configuration, encoding="utf-8")
