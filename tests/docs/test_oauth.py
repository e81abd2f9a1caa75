"""The way of an application that docs/auth.md prints is run as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.blocks import run_shell
from tests.support.served import service
from tools.generate_docs import DOCS

pytestmark = [pytest.mark.xdist_group("docs")]


def test_application_acts_for_a_player_as_printed(tmp_path: Path) -> None:
    """It registers, is allowed, gets tokens, renews them and ends it."""
    with service() as running:
        done = run_shell(DOCS / "auth.md", running.url, tmp_path)
    assert done.returncode == 0, done.stderr
    opened, *lines = done.stdout.splitlines()
    assert opened.startswith(f"Open {running.url}/oauth/authorize?response_type=code&client_id=a")
    assert lines == ["Ada", "read play", '{"active":false}']
