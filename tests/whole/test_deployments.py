"""Whole matches of every game by `tafelrunde serve` on a cluster, and on what else a store may run."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tafelrunde.client import Client
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.deployments import ClusterOfServers, Watched
from tests.support.processes import Serve, until
from tests.support.servers import Server
from tests.support.thorough import tries

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.xdist_group("deployments")]

KINDS = ("cluster", "sentinels", "redis7", "redis8")[: tries(1, 4)]
"""`make thorough` plays on all of them; the stores themselves are tested on all of them always."""


@contextmanager
def running(kind: str, folder: Path) -> Generator[dict[str, str]]:
    """Start servers and yield the settings that lead there."""
    with Server("valkey", folder) as queues:
        if kind == "cluster":
            with ClusterOfServers("valkey", folder / "cluster") as cluster:
                yield {"redis_url": cluster.url, "rq_url": queues.url}
        elif kind == "sentinels":
            with Watched("valkey", folder / "watched") as watched:
                yield {"redis_url": watched.url}
        else:
            (folder / kind).mkdir()
            with Server(kind, folder / kind) as server:
                yield {"redis_url": server.url}


@pytest.mark.parametrize("kind", KINDS)
def test_every_game_is_played_to_its_end(kind: str) -> None:
    """A match among bots ends, is listed and is verified; `make thorough` plays one of each game."""
    with tempfile.TemporaryDirectory(prefix="tr-") as name:
        folder = Path(name)
        with running(kind, folder) as settings:
            serve = Serve(folder, bot_pause_ms=0, rate_limits="false", **settings)
            with serve, Client(serve.url) as host:
                host.sign_up("Host")
                matches = [_begun(host, game) for game in list(GAMES)[: tries(2, len(GAMES))]]
                until("all matches are over", lambda: all(host.view(match).status == "over" for match in matches))
                assert all(host.verification(match).right for match in matches)
                until("all are listed", lambda: {each.match for each in host.matches().items} == set(matches))


def _begun(host: Client, game: GameId) -> str:
    """Open a match of bots alone and start it."""
    seats = max(GAMES[game].min_seats, 2)
    match = host.open_match(game, seats, seat=None, spectators="public", bots=dict.fromkeys(range(seats), "random")).match
    host.start(match)
    return match
