"""What a stranger has: docs/fair-dealing.md, with its code and its test vectors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "fair-dealing.md").read_text(encoding="utf-8")
VECTORS: Any = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))


def block(language: str) -> str:
    """Return the one block of the page that is written in a language."""
    [found] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found


def code() -> dict[str, Callable[..., Any]]:
    """Return the functions of the page."""
    names: dict[str, Any] = {}
    exec(block("python"), names)  # noqa: S102 - the page promises that its code runs
    return names


THEIRS = code()
