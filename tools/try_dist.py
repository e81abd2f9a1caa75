"""Installs each file of a folder into an empty environment, as users do, and starts the service from it: `make dist-check`.

Libraries come from the package index that pip is set up for, the newest that each file allows. A wheel with a platform in its
name must have compiled rules, all else plain ones.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import httpx

from tafelrunde.domain.registry import GAMES
from tests.support.processes import Serve
from tools.commands import CommandLine

WHERE = "import tafelrunde.domain.coup.rules as rules; print(rules.__file__)"


def tried(file: Path, folder: Path) -> str:
    """Install a file, and start the service once; return what was found. Raises AssertionError and CalledProcessError."""
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / "bin"
    subprocess.run([programs / "pip", "install", "--quiet", f"{file.absolute()}[embedded]"], check=True, cwd=folder)
    found = subprocess.run([programs / "python", "-c", WHERE], check=True, cwd=folder, capture_output=True, text=True)
    rules = Path(found.stdout.strip())
    assert rules.is_relative_to(folder), f"the rules are those of {rules}"
    compiled = rules.suffix == ".so"
    assert compiled is (file.suffix == ".whl" and not file.stem.endswith("-any")), f"the rules are in {rules.name}"
    serve = Serve(folder)
    serve.command = [str(programs / "tafelrunde")]
    with serve:
        assert len(httpx.get(f"{serve.url}/api/v1/games").json()["items"]) == len(GAMES)
    return f"installs and serves, with {'compiled' if compiled else 'plain'} rules"


def main(folder: Path) -> None:
    """Try each file; exit with 1 if one fails, or if there is none."""
    wrong = not (files := sorted(folder.glob("tafelrunde-*")))
    for file in files:
        with tempfile.TemporaryDirectory(prefix="tr-") as name:
            try:
                said = tried(file, Path(name))
            except (AssertionError, subprocess.CalledProcessError) as error:
                wrong = True
                said = f"FAILED: {error}"
        sys.stdout.write(f"{file.name}: {said}\n")
    sys.exit(wrong)


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("folder", type=Path)
    main(command.parse_args().folder)
