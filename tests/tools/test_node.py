"""Node.js for the tests and checks that run its programs."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tools import node


def test_environment_is_made_by_two_threads_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each writes files of its own before it puts them into place."""
    both = threading.Barrier(2)
    replace = Path.replace

    def together(made: Path, target: Path) -> Path:
        both.wait(PATIENCE_SECONDS)
        return replace(made, target)

    monkeypatch.setattr(node, "BUILD", tmp_path)
    monkeypatch.setattr(Path, "replace", together)
    with ThreadPoolExecutor(2) as pool:
        made = [each.result() for each in [pool.submit(node.environment) for _ in range(2)]]
    assert made[0] == made[1]
    assert sorted(path.name for path in (tmp_path / "bin").iterdir()) == ["npm", "npx"]
