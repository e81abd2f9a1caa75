"""docs/deploy/managed-redis.md: the rights that it names are enough, and allow nothing that destroys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import SHARDS, Shard
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings
from tests.support.blocks import blocks
from tests.support.paths import ROOT
from tests.support.servers import Server

pytestmark = pytest.mark.anyio

PAGE = ROOT / "docs" / "deploy" / "managed-redis.md"
USED = re.compile(r"redis\.call\('([A-Z]+)")
DESTRUCTIVE = ("FLUSHALL", "FLUSHDB", "KEYS *", "CONFIG SET maxmemory 1", "SHUTDOWN", "ACL LIST")


@pytest.fixture
def restricted(valkey: Server, valkey_url: str) -> Iterator[tuple[Redis, str]]:
    """The server's operator, and the address at which a user has the rights of the page."""
    (rights,) = blocks(PAGE, "acl")
    with Redis.from_url(valkey_url) as operator:
        operator.execute_command("ACL", "SETUSER", "narrow", "reset", "on", ">password", "~*", "&*", "-@all", *rights.split())
        operator.execute_command("ACL", "LOG", "RESET")
        yield operator, valkey_url.replace("unix://", "unix://narrow:password@")
        operator.execute_command("ACL", "DELUSER", "narrow")


async def test_rights_are_enough_for_a_match(restricted: tuple[Redis, str]) -> None:
    """It is opened, started and ended, listed and entered into the log; the server has refused nothing meanwhile."""
    operator, url = restricted
    host = PlayerId("host")
    async with await RedisStores.connect(url) as stores:
        application = Application(stores, Settings())
        match = (await application.matches.open(host, NewMatch(game=GameId("coup"), seats=2), "open")).match
        await application.matches.take_seat(PlayerId("guest"), match, None, "", "sit")
        await application.matches.start(host, match, "start")
        await application.matches.abort(host, match, "abort")
        for shard in range(SHARDS):
            await application.projector.catch_up(Shard(shard))
        for kind in AgendaKind:
            await stores.agenda.claim(kind, None, 1_000, 10)
        await application.finalizer.step()
        await application.expiry.step()
        assert await stores.server_time.follow(None) == 0
    assert operator.execute_command("ACL", "LOG") == []


def test_rights_are_enough_for_every_script(restricted: tuple[Redis, str]) -> None:
    """Each command of each script is one that the user may give."""
    operator, _ = restricted
    used = {name for path in (ROOT / "service").rglob("*.lua") for name in USED.findall(path.read_text(encoding="utf-8"))}
    assert len(used) > 20
    said = {name: _tried(operator, name) for name in used}
    assert [name for name, answer in said.items() if answer != "OK"] == []
    assert "permission" in _tried(operator, "FLUSHALL")


def _tried(operator: Redis, name: str) -> str:
    """Return what the server says of a command, with as many arguments as it needs at least."""
    for count in range(6):
        try:
            said = str(operator.execute_command("ACL", "DRYRUN", "narrow", name, *["1"] * count))
        except ResponseError as error:
            said = str(error)
        if "number of arg" not in said:
            return said.removeprefix("b'").removesuffix("'")
    raise AssertionError(name)


@pytest.mark.parametrize("command", DESTRUCTIVE)
def test_rights_do_not_reach_what_destroys(restricted: tuple[Redis, str], command: str) -> None:
    """A process that was taken over cannot empty the server, list its keys, or change how it is set."""
    _, url = restricted
    with Redis.from_url(url) as user, pytest.raises(NoPermissionError):
        user.execute_command(*command.split())
