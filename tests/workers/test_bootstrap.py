"""What a process needs before it starts: a server that may not be there yet."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import httpx
import msgspec
import pytest
from structlog.testing import capture_logs

from tafelrunde.service.errors import StartupRefused, StoreAway
from tafelrunde.service.features.notices.settings import NoticeSettings
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.port import Leaf
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings
from tafelrunde.service.signing.signer import signer_of
from tafelrunde.workers import bootstrap
from tafelrunde.workers.bootstrap import check, with_embedded
from tafelrunde.workers.supervisor import _orders
from tafelrunde.workers.unavailable_responder import unavailable_responder
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import run
from tests.support.servers import Server, need

pytestmark = [pytest.mark.anyio, pytest.mark.real]
BODY = b"no server yet"


async def test_serve_waits_for_its_server_when_that_is_started_later(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a reboot of the machine: it says so once, and goes on. A wrong setting is refused at once all the same.

    Who asks meanwhile gets 503, also one who sends slowly or has gone; nothing waits until the server is there.
    """
    need("valkey")
    monkeypatch.setattr(bootstrap, "LOOK_SECONDS", 0.01)
    server = Server("valkey", short_path)
    settings = Settings(redis_url=server.url)
    with pytest.raises(StoreAway):
        await check(settings)
    with pytest.raises(StartupRefused, match="REDIS_URL"):
        await check(Settings(redis_url="nonsense://x"), patient=True)
    with capture_logs() as lines, socket.create_server(("127.0.0.1", 0)) as listener, httpx.Client(trust_env=False) as client:
        checking = asyncio.create_task(check(settings, patient=True, while_waiting=unavailable_responder(listener, (), BODY)))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not lines:  # noqa: ASYNC110 - the log sets no event
                await asyncio.sleep(0.01)
            url = f"http://127.0.0.1:{listener.getsockname()[1]}/api/v1/matches"
            with socket.create_connection(listener.getsockname()) as slow:
                socket.create_connection(listener.getsockname()).close()
                answer = await asyncio.to_thread(client.post, url, content=b"{" * 100_000, timeout=PATIENCE_SECONDS)
                slow.settimeout(PATIENCE_SECONDS)
                assert (await asyncio.to_thread(slow.recv, 1 << 16)).startswith(b"HTTP/1.1 503 ")
            assert (answer.status_code, answer.content) == (503, BODY)
            assert not checking.done()
            with server:
                assert (await checking).store_id
    assert [(line["event"], line.get("reason")) for line in lines] == [
        ("store unavailable", "no answer"),
        ("store available again", None),
    ]


ONE, OTHER = "ab" * 32, "cd" * 32


def refusal(*command: str, url: str, signing_key: str) -> str:
    """Return the sentence with which a process is refused."""
    found = run(*command, port=0, redis_url=url, signing_key=signing_key)
    said = [line for line in found.stderr.splitlines() if "level" not in line]
    assert (found.returncode, found.stdout, len(said)) == (2, "", 1), found.stderr
    return said[0]


def test_process_is_refused_when_another_key_signs_the_log(valkey_url: str) -> None:
    """Two keys never sign one log: the first has it, in whichever process, and others say what to do about it.

    One that has the first key among its former ones takes over, by a leaf that the first one has signed; then that is refused.
    """
    asyncio.run(check(Settings(redis_url=valkey_url, signing_key=ONE)))
    for command in ("serve", "api", "sweeper"):
        said = refusal(command, url=valkey_url, signing_key=OTHER)
        assert "TAFELRUNDE_SIGNING_KEY" in said
        assert OTHER not in said
    asyncio.run(check(Settings(redis_url=valkey_url, signing_key=f"{OTHER} {ONE}")))
    assert [bool(leaf.lines[1]) for leaf in asyncio.run(leaves(valkey_url))] == [False, True]
    refusal("api", url=valkey_url, signing_key=ONE)
    asyncio.run(check(Settings(redis_url=valkey_url, signing_key=OTHER)))


def test_key_signs_when_it_is_accepted_though_the_former_is_lost(valkey_url: str) -> None:
    """Only by a command: the log shows that no key handed over."""
    asyncio.run(check(Settings(redis_url=valkey_url, signing_key=ONE)))
    assert run("accept-signing-key", redis_url=valkey_url, signing_key=OTHER).returncode == 0
    asyncio.run(check(Settings(redis_url=valkey_url, signing_key=OTHER)))
    assert [leaf.lines[1] for leaf in asyncio.run(leaves(valkey_url))] == ["", ""]
    refusal("api", url=valkey_url, signing_key=ONE)


async def leaves(url: str) -> list[Leaf]:
    """Return the leaves of keys in the log of a store."""
    async with await RedisStores.connect(url) as stores:
        log = TransparencyLog(TREE.of(stores), stores.server_time.now_ms, signer_of(ONE, stores.id_key))
        return [leaf for _, leaf in await log.keys()]


async def test_one_key_gets_the_log_when_two_claim_it_at_once(redis_stores: Stores) -> None:
    """However their steps interleave: one of them signs, the other one is refused."""
    logs = [TransparencyLog(TREE.of(redis_stores), lambda: 0, signer_of(key, redis_stores.id_key)) for key in (ONE, OTHER)]
    found = await asyncio.gather(*(log.claim_key() for log in logs), return_exceptions=True)
    assert [type(each) for each in found if each is not None] == [StartupRefused]
    (_, leaf), *more = await logs[0].keys()
    assert (logs[found.index(None)].signer.has(leaf.lines[0]), more) == (True, [])


def test_keys_of_features_are_made_in_the_data_folder(short_path: Path) -> None:
    """Once, readable by their user alone, and named to all processes; a key that is set is left as it is."""
    settings = Settings(data_dir=str(short_path))
    made = [with_embedded(settings, "unix:///nowhere").of(NoticeSettings).push_key for _ in range(2)]
    kept = short_path.resolve() / "push.key"
    assert made == [str(kept), str(kept)]
    assert kept.stat().st_mode & 0o077 == 0
    own = msgspec.structs.replace(settings, features=(NoticeSettings(push_key=ONE),))
    assert with_embedded(own, "unix:///nowhere").of(NoticeSettings).push_key == ONE
    with socket.socket() as listener:
        for order in _orders(with_embedded(settings, "unix:///nowhere"), listener, 1, None):
            assert order.environment["TAFELRUNDE_PUSH_KEY"] == str(kept)
