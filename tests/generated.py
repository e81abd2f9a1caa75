"""Generates the clients from the contract and lets each play a match of every game (`make clients`).

Everything is made in build/clients, by openapi/clients/generate. Node.js comes from the environment's own packages.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tafelrunde.domain.registry import GAMES
from tests import node
from tests.node import environment, require_registry
from tests.served import service

ROOT = Path(__file__).parents[1]
BUILD = node.BUILD / "clients"
SECONDS = 120


def tools() -> dict[str, str]:
    """Return the environment of the recipe: which tools it uses."""
    return {**environment(), "PYTHON": sys.executable, "PYRIGHT": str(Path(sys.executable).parent / "pyright")}


def play(url: str, commands: Mapping[str, list[str]]) -> dict[str, str]:
    """Let all clients play at the same time; return what each has printed."""
    running = {
        name: subprocess.Popen([*command, url], cwd=BUILD, env=tools(), stdout=subprocess.PIPE, text=True)
        for name, command in commands.items()
    }
    told = {name: client.communicate(timeout=SECONDS)[0] for name, client in running.items()}
    for name, client in running.items():
        if client.returncode != 0:
            sys.exit(f"the {name} client failed:\n{told[name]}")
    return told


def main() -> None:
    """Generate, check and play; end with an error if a game was not played by both."""
    require_registry("the generated clients")
    subprocess.run([ROOT / "openapi" / "clients" / "generate", BUILD], env=tools(), check=True, timeout=10 * SECONDS)
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
