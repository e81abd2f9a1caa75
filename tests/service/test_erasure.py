"""A deletion whose process is killed, at whatever step, is finished: by the next try, or by the duty."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, NamedTuple

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.erasure import LATE_MS
from tafelrunde.service.errors import NotFound, StoreUnavailable, Unauthenticated
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.stores import Stores
from tests.support.table import GAMES, NOW_MS, PLAIN
from tests.support.wrapped import wrapped


class Killed(BaseException):
    """The process ends here: no handler runs."""


WRITES = {
    "append",
    "begin_deletion",
    "drop_absence",
    "end_deletion",
    "forget",
    "forget_address",
    "remove",
    "remove_player",
    "strike_tokens",
}
READS = {
    "all",
    "answers",
    "checkpoint",
    "choices",
    "concerning",
    "current",
    "deletions",
    "find_written",
    "follow",
    "load",
    "matches",
    "noted",
    "of",
    "player",
    "rows",
    "of_player",
    "tournament_of",
    "wishes",
}
"""What a deletion asks of stores. To be killed before a read is to be killed after the write before it."""


class Counter:
    """How many writes stores still do before *error* strikes; it strikes once."""

    def __init__(self, left: int, error: type[BaseException]) -> None:
        self.left = left
        self.error = error
        self.struck = False
        self.names: set[str] = set()

    def strike(self, name: str) -> None:
        """Count a call if it writes."""
        self.names.add(name)
        if name in READS:
            return
        if self.left == 0:
            self.struck = True
            raise self.error
        self.left -= 1


class Mortal:
    """A store that is called by a process that will be killed."""

    def __init__(self, store: object, counter: Counter) -> None:
        self._store = store
        self._counter = counter

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **named: Any) -> object:
            self._counter.strike(name)
            return await found(*args, **named)

        return call


class Scene(NamedTuple):
    """A player with a match of each kind, two tokens and a webhook."""

    stores: Stores
    player: PlayerId
    tokens: tuple[str, str]
    running: MatchId
    own: MatchId
    foreign: MatchId


def application(stores: Stores, later_ms: int = 0) -> Application:
    """Return a process over stores."""
    return Application(stores, PLAIN, games=GAMES, now_ms=lambda: NOW_MS + later_ms)


async def played() -> Scene:
    """Return a scene."""
    stores = memory_stores()
    service = application(stores)
    new = NewMatch(game=GameId("duel"), seats=2)
    (player, _, first), (other, _, _) = [await service.accounts.register(name) for name in ("Anna", "Ben")]
    second = (await service.accounts.issue(player.id, "phone", ("read",), None))[1]
    await service.get(PlayerWebhooks).make(player.id, "https://example.com/hook", TYPES, None, None)
    matches = [(await service.matches.open(host, new, key)).match for host, key in ((player.id, "r"), (player.id, "o"))]
    foreign = (await service.matches.open(other.id, new, "f")).match
    await service.matches.take_seat(other.id, matches[0], None, "", "t")
    await service.matches.start(player.id, matches[0], "s")
    await service.matches.take_seat(player.id, foreign, None, "", "u")
    return Scene(stores, player.id, (first, second), matches[0], matches[1], foreign)


async def interrupted(scene: Scene, counter: Counter) -> None:
    """Delete the player in a process that meets an error after a number of writes."""
    mortal = wrapped(scene.stores, lambda _, store: Mortal(store, counter))
    try:
        await application(mortal).erasure.forget(scene.player)
    except counter.error:
        assert counter.struck


async def require_nothing_left(scene: Scene) -> None:
    """Require that nothing is left of the player, but its opaque id."""
    service = application(scene.stores, 2 * LATE_MS)
    assert await service.accounts.find(scene.player) is None
    for token in scene.tokens:
        with pytest.raises(Unauthenticated):
            await service.accounts.authenticate(token)
    assert not await service.accounts.tokens(scene.player)
    assert not await WEBHOOKS.of(scene.stores).of([scene.player])
    running, own, foreign = [
        (await service.repository.load_latest(match)).match for match in (scene.running, scene.own, scene.foreign)
    ]
    assert (running.status, running.chairs[0].present) == (Status.RUNNING, False)
    assert own.status is Status.ABORTED
    assert (foreign.status, foreign.seat_of(scene.player)) == (Status.OPEN, None)
    assert not await service.accounts.deletions()
    with pytest.raises(NotFound):
        await service.erasure.forget(scene.player)


@pytest.mark.parametrize("error", [Killed, StoreUnavailable])
def test_deletion_is_finished_when_it_was_interrupted_at_any_step(error: type[BaseException]) -> None:
    """By the duty a minute later; before it has begun, the player is whole, with its tokens, and can ask again."""

    async def story() -> None:
        steps = finished_by_the_duty = 0
        names = set[str]()
        while True:
            scene = await played()
            counter = Counter(steps, error)
            await interrupted(scene, counter)
            later = application(scene.stores, LATE_MS)
            await later.erasure.step()
            if await later.accounts.find(scene.player) is not None:
                assert steps == 0
                assert [(await later.accounts.authenticate(each)).player for each in scene.tokens] == [scene.player] * 2
                await later.erasure.forget(scene.player)
            elif counter.struck:
                finished_by_the_duty += 1
            await require_nothing_left(scene)
            names |= counter.names
            if not counter.struck:
                break
            steps += 1
        assert names <= READS | WRITES
        assert finished_by_the_duty == steps - 1 > 4

    asyncio.run(story())


def test_deletion_is_finished_by_the_next_try_when_it_was_interrupted() -> None:
    """Also when the player's record is gone already."""

    async def story() -> None:
        scene = await played()
        service = application(scene.stores)
        await service.accounts.begin_deletion(scene.player)
        await service.accounts.remove(scene.player)
        await service.erasure.forget(scene.player)
        await require_nothing_left(scene)

    asyncio.run(story())


def test_deletion_that_goes_on_is_left_alone_for_a_minute() -> None:
    """The duty does not race with the process that deletes."""

    async def story() -> None:
        scene = await played()
        await application(scene.stores).accounts.begin_deletion(scene.player)
        await application(scene.stores, LATE_MS - 1).erasure.step()
        assert await application(scene.stores).accounts.find(scene.player) is not None

    asyncio.run(story())
