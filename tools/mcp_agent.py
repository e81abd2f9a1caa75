"""Lets an agent that knows no game play all of them through the official MCP client of npm (`make client-mcp`)."""

from __future__ import annotations

import shutil
import subprocess
import sys

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.served import service
from tools import node

RECIPE = ROOT / "openapi" / "clients" / "mcp"
SECONDS = 600
CHARACTERS = 4
"""How many characters are taken for a token."""


def played(url: str) -> str:
    """Return what the agent prints."""
    folder = node.BUILD / "mcp"
    node.installed(RECIPE, folder)
    shutil.copy(RECIPE / "play.mjs", folder)
    server = [sys.executable, "-P", "-m", "tafelrunde.workers", "mcp", "--url", url]
    command = ["node", "play.mjs", *server]
    done = subprocess.run(
        command, cwd=folder, env=node.environment(), stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=True
    )
    return done.stdout


def main() -> None:
    """Play, and print the rows of the table in docs/mcp.md; exit with an error if a game was not played."""
    node.require_registry("the agent")
    with service() as served:
        head, *games = played(served.url).splitlines()
    counted = {line.partition(":")[0]: list(map(int, line.partition(":")[2].split())) for line in games}
    if list(counted) != list(GAMES):
        sys.exit(f"the agent played {list(counted)} of {list(GAMES)}")
    sys.stdout.write(f"list of tools: {int(head.split()[1]) // CHARACTERS:,} tokens\n")
    for game, (sheets, match, decisions) in counted.items():
        sheet, whole = round(sheets / CHARACTERS), round(match / CHARACTERS)
        sys.stdout.write(f"| {GAMES[GameId(game)].messages[game].en} | {sheet:,} | {whole:,} | {round(whole / decisions):,} |\n")


if __name__ == "__main__":
    main()
