"""What `make` installs by: uv where it can, from the index that pip is set to, and pip for the rest."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PIPS = "https://index.test/simple"
PYTHON = """#!/bin/sh
case "$*" in
  "-m pip config get global.index-url") echo {index} ;;
  *) echo "pip $*" >> "$(dirname "$0")/said" ;;
esac
"""
UV = """#!/bin/sh
echo "uv $UV_DEFAULT_INDEX $UV_HTTP_RETRIES" >> "$(dirname "$0")/said"
exit {code}
"""


def installed(folder: Path, code: int, **variables: str) -> list[str]:
    """Return which programs were run to install what the service needs, if uv ends with a *code*."""
    programs = folder / "bin"
    programs.mkdir()
    (folder / "made.stamp").touch()
    for name, text in (("python", PYTHON.format(index=PIPS)), ("uv", UV.format(code=code))):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_", "MAKE"))}
    command = ["make", "--silent", f"VENV={folder}", "UV_HERE=", f"{folder}/run.stamp"]
    subprocess.run(command, cwd=ROOT, env=kept | variables, check=True, capture_output=True)
    return (programs / "said").read_text().splitlines()


@pytest.mark.parametrize(
    ("variables", "index"),
    [
        ({}, PIPS),
        ({"PIP_INDEX_URL": "https://pip.test"}, "https://pip.test"),
        ({"PIP_INDEX_URL": "https://pip.test", "UV_DEFAULT_INDEX": "https://uv.test"}, "https://uv.test"),
    ],
)
def test_uv_asks_the_index_that_pip_is_set_to(tmp_path: Path, variables: dict[str, str], index: str) -> None:
    """A private index that only pip knows is asked, and no public one; one that is named to uv itself comes first."""
    assert {line.split()[1] for line in installed(tmp_path, 0, **variables)} == {index}


def test_pip_installs_when_uv_cannot(tmp_path: Path) -> None:
    """Each step that fails is done by pip; uv tries twice, since two minutes of waiting would help no one."""
    said = installed(tmp_path, 1)
    assert [line.split()[0] for line in said] == ["uv", "pip", "uv", "pip"]
    assert said[0] == f"uv {PIPS} 1"
