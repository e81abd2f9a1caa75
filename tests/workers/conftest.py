from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.runtime.job_queue import Jobs, connect
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.own import DUEL, GAMES

HOST = PlayerId("host")
BOT = BotName("random")


@pytest.fixture
def settings(valkey_url: str) -> Settings:
    """Settings with an empty server, and no pauses."""
    return Settings(
        redis_url=valkey_url, bot_pause_ms=0, sweep_ms=20, lease_ms=200, limits=LimitSettings(bot_matches_per_host=100)
    )


@pytest.fixture
def client(valkey_url: str) -> Iterator[Redis]:
    """A client of the server of the queues."""
    client = connect(valkey_url)
    yield client
    client.close()


@pytest.fixture
def jobs(client: Redis) -> Jobs:
    """The queues, empty."""
    return Jobs(client)


@pytest.fixture
def application(settings: Settings, redis_stores: Stores) -> Application:
    """A house that knows Duel, as the api has one."""
    return Application(redis_stores, settings, games=GAMES)


class Tables:
    """Opens matches in a house."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self._count = 0

    async def open(self, *, bots: int, seats: int = 2, seconds: int = 600) -> MatchId:
        """Start a match with bots on the last seats, a guest on each of the others, and that many seconds for an answer."""
        self._count += 1
        places = {Seat(seat): BOT for seat in range(seats - bots, seats)}
        new = NewMatch(
            game=DUEL.id,
            seats=seats,
            clock=Clock(turn_seconds=seconds, reaction_seconds=seconds),
            seat=None,
            bots=places,
        )
        match = (await self.application.matches.open(HOST, new, f"open-{self._count}")).match
        for number in range(seats - bots):
            await self.application.matches.take_seat(PlayerId(f"guest-{number}"), match, None, "", f"sit-{number}")
        await self.application.matches.start(HOST, match, "start")
        return match

    async def status(self, match: MatchId) -> Status:
        """Return where a match is in its life."""
        return (await self.application.repository.load_latest(match)).match.status


@pytest.fixture
def tables(application: Application) -> Tables:
    """Matches of Duel."""
    return Tables(application)
