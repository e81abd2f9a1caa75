"""The bot that docs/bots.md offers as a beginning."""

from __future__ import annotations

import subprocess
import sys

from tafelrunde.client import Client
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import service

EXAMPLE = ROOT / "docs" / "examples" / "bot.py"


def test_example_plays_every_game_to_its_end() -> None:
    """It has fewer than 60 lines, knows no game, and plays all of them; its player says that it is a program."""
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 60
    with service() as running:
        done = subprocess.run(
            [sys.executable, EXAMPLE, running.url], capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert [line.split(":")[0] for line in done.stdout.splitlines()] == list(GAMES)
        with Client(running.url) as guest:
            guest.sign_up()
            hosts = {match.host for match in guest.matches(status="over").items}
            assert all(guest.player(host).bot for host in hosts)
