"""Lets an agent that knows no game play all of them through the official MCP client of npm (`make client-mcp`)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import httpx

from tafelrunde.client import Client
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.processes import until
from tests.support.served import service
from tests.support.servers import free_port
from tools import node
from tools.commands import alone

RECIPE = ROOT / "openapi" / "clients" / "mcp"
SECONDS = 600
SECOND = "mcp==2.3.0"
CHARACTERS = 4
"""How many characters are taken for a token."""


def second() -> Path:
    """Install version 2 of the official package beside the environment; return the folder that a server of it has on its path."""
    folder = node.BUILD / "mcp" / "second"
    if not (folder / "mcp").exists():
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--target",
            str(folder),
            SECOND,
        ]
        subprocess.run(command, check=True, timeout=SECONDS)
    return folder


def server_of(url: str, before: Path | None) -> list[str]:
    """Return the command of a server; packages in the folder *before* come before those of the environment."""
    path = [] if before is None else ["env", f"PYTHONPATH={before}"]
    return [*path, sys.executable, "-P", "-m", "tafelrunde.workers", "mcp", "--url", url]


def played(*arguments: str) -> list[str]:
    """Return the lines that the agent prints."""
    folder = node.BUILD / "mcp"
    node.installed(RECIPE, folder)
    shutil.copy(RECIPE / "play.mjs", folder)
    command = ["node", "play.mjs", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=node.environment(), stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=True
    )
    return done.stdout.splitlines()


def played_over_http(url: str, before: Path | None) -> list[str]:
    """Return the lines that the agent prints against a server that it asks over HTTP, with the token of a new player."""
    at = f"127.0.0.1:{free_port()}"
    with Client(url) as client, subprocess.Popen([*server_of(url, before), "--http", at], stdout=subprocess.DEVNULL) as server:
        client.sign_up(bot=True)
        until("the tools are served", lambda: _serves(f"http://{at}/mcp"))
        try:
            return played(f"http://{at}/mcp", str(client.token))
        finally:
            server.terminate()


def _serves(address: str) -> bool:
    try:
        return httpx.get(address).status_code == 401
    except httpx.TransportError:
        return False


def main() -> None:
    """Play, and print the rows of the table in docs/mcp.md; exit with an error if a game was not played."""
    node.require_registry("the agent")
    with service() as served:
        head, *games = played(*server_of(served.url, None))
        others = [played(*server_of(served.url, second())), *(played_over_http(served.url, each) for each in (None, second()))]
    counted = {line.partition(":")[0]: list(map(int, line.partition(":")[2].split())) for line in games}
    for lines in (games, *(again for _, *again in others)):
        if (found := [line.partition(":")[0] for line in lines]) != list(GAMES):
            sys.exit(f"the agent played {found} of {list(GAMES)}")
    sys.stdout.write(f"list of tools: {int(head.split()[1]) // CHARACTERS:,} tokens\n")
    for game, (sheets, match, decisions) in counted.items():
        sheet, whole = round(sheets / CHARACTERS), round(match / CHARACTERS)
        sys.stdout.write(f"| {GAMES[GameId(game)].messages[game].en} | {sheet:,} | {whole:,} | {round(whole / decisions):,} |\n")


if __name__ == "__main__":
    alone(__doc__)
    main()
