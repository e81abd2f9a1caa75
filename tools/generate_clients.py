"""Generates the clients from the contract and lets each play a match of every game (`make clients`, `make client-go`).

Everything is made in build/clients, by openapi/clients/generate. Node.js and Java come as packages; Go must be there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.served import service
from tools import node
from tools.node import environment, require_registry

BUILD = node.BUILD / "clients"
SECONDS = 600


def tools() -> dict[str, str]:
    """Return the environment of the recipe: the tools it uses."""
    return {**environment(), "PYTHON": sys.executable, "PYRIGHT": str(Path(sys.executable).parent / "pyright")}


def play(url: str, commands: Mapping[str, list[str]]) -> dict[str, str]:
    """Let all clients play at the same time; return their output."""
    running = {
        name: subprocess.Popen([*command, url], cwd=BUILD, env=tools(), stdout=subprocess.PIPE, text=True)
        for name, command in commands.items()
    }
    told = {name: client.communicate(timeout=SECONDS)[0] for name, client in running.items()}
    for name, client in running.items():
        if client.returncode != 0:
            sys.exit(f"the {name} client failed:\n{told[name]}")
    return told


def generate(recipe: str, folder: Path) -> None:
    """Run a recipe."""
    subprocess.run([ROOT / "openapi" / "clients" / recipe, folder], env=tools(), check=True, timeout=2 * SECONDS)


def scripted() -> dict[str, list[str]]:
    """Build the clients in Python and TypeScript; return the commands that start them."""
    require_registry("the generated clients")
    generate("generate", BUILD)
    return {"Python": ["python/bin/python", "play.py"], "TypeScript": ["node", "typescript/out/play.js"]}


def compiled() -> dict[str, list[str]]:
    """Build the client in Go; return the command that starts it."""
    if shutil.which("go") is None:
        sys.exit("the Go client needs Go: on Debian, apt-get install golang-go golang-gopkg-validator.v2-dev")
    generate("go/generate", BUILD / "go")
    return {"Go": ["go/play"]}


def main(languages: Sequence[str]) -> None:
    """Generate, check and play; exit with an error if a client has not played every game."""
    commands = compiled() if "go" in languages else scripted()
    with service() as served:
        told = play(served.url, commands)
    for name, text in told.items():
        played = [line.partition(":")[0] for line in text.splitlines()]
        if played != list(GAMES):
            sys.exit(f"the {name} client played {played} of {list(GAMES)}")
        sys.stdout.write("".join(f"{name}: {line}\n" for line in text.splitlines()))


if __name__ == "__main__":
    main(sys.argv[1:])
