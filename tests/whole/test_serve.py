"""`tafelrunde serve` as real processes: start, refusals, restart of what crashes, end, start again."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import tempfile
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import msgspec
import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime.data_folder import socket_url
from tafelrunde.service.runtime.signing_file import SIGNING_KEY, put_new_key
from tafelrunde.service.settings import Settings
from tafelrunde.service.signing.notes import PrivateKey
from tafelrunde.workers import supervisor
from tafelrunde.workers.supervisor import GRACE_SECONDS, Supervisor
from tafelrunde.workers.watchdog import HUNG_SECONDS, LONGEST_LOOK_SECONDS
from tafelrunde.workers.worker import THINKERS_NICENESS
from tests.support.full_disk import fill, make_room, needs_linux
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import COMMAND, Serve, alive, environment, run, run_apart, until
from tests.support.servers import Server

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.xdist_group("serve")]

GAME = GameId("coup")
HOST = PlayerId("host")


@pytest.fixture
def serve(short_path: Path) -> Iterator[Serve]:
    """A running service that gives its processes much time to end."""
    with Serve(short_path, bot_pause_ms=0, drain_seconds=60) as serve:
        yield serve


@pytest.fixture(scope="module")
def lasting() -> Iterator[Serve]:
    """A running service that is not stopped."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, Serve(Path(folder), bot_pause_ms=0) as serve:
        yield serve


@pytest.fixture(scope="module")
def battered() -> Iterator[Serve]:
    """A running service of which everything is killed but `serve` itself."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, Serve(Path(folder), bot_pause_ms=0, sweepers=2) as serve:
        yield serve


BATTERED = ("api", "sweeper-1", "sweeper-2", "worker", "thinker")


async def opened(serve: Serve, *, seconds: int = 600) -> MatchId:
    """Start a match of a guest against a bot."""
    async with await RedisStores.connect(socket_url(serve.data_dir)) as stores:
        application = Application(stores, Settings(bot_pause_ms=0))
        clock = Clock(turn_seconds=seconds, reaction_seconds=seconds, away_seconds=0)
        new = NewMatch(game=GAME, seats=2, clock=clock, bots={Seat(1): BotName("random")}, start=True)
        return (await application.matches.open(HOST, new, uuid.uuid4().hex)).match


async def state(serve: Serve, match: MatchId) -> tuple[int, Status]:
    """Return where a match stands."""
    async with await RedisStores.connect(socket_url(serve.data_dir)) as stores:
        head = await stores.events.head(match)
        assert head is not None
        return head.version, head.status


def killed_at_the_end(serve: Serve) -> list[str]:
    """Return the processes that did not end by themselves."""
    return [line["child"] for line in serve.lines() if line["event"].startswith("did not stop in time")]


def test_serve_ends_and_all_its_processes_with_it(serve: Serve) -> None:
    """Ctrl-C ends api, sweeper, workers and the embedded server, with exit code 0; none of them has to be killed.

    An open stream is said good-bye to, and closes; it is not cut off when requests have had their time.
    """
    pids = [serve.pid(child) for child in ("api", "sweeper", "worker", "thinker")]
    assert all(map(alive, pids))
    heard = threading.Event()
    parts = list[bytes]()
    following = threading.Thread(target=_follow, args=(serve, heard, parts), daemon=True)
    following.start()
    assert heard.wait(PATIENCE_SECONDS)
    assert serve.stop() == 0
    assert killed_at_the_end(serve) == []
    assert not any(map(alive, pids))
    with socket.socket(socket.AF_UNIX) as connection, pytest.raises(OSError, match=r"refused|No such file"):
        connection.connect(str(serve.data_dir / "valkey.sock"))
    assert [line for line in serve.lines() if line["level"] in {"error", "critical"}] == []
    following.join(PATIENCE_SECONDS)
    assert b"".join(parts).endswith(b"event: bye\ndata: {}\n\n")


def test_no_clock_waits_for_bots_that_think_for_long(lasting: Serve) -> None:
    """A job that runs is not interrupted, so the process that lets time run out fetches nothing that takes long.

    Where there are more processes than cores, those that think are the ones that wait.
    """

    def told() -> list[str]:
        return [line["queue"] for line in lasting.lines() if line["event"] == "worker is ready"]

    until("both are ready", lambda: len(told()) > 1)
    assert sorted(told()) == ["bots-deep,bots-alone,coaching", "timeouts,bots-fast"]
    own = os.getpriority(os.PRIO_PROCESS, 0)
    priorities = {child: os.getpriority(os.PRIO_PROCESS, lasting.pid(child)) for child in ("api", "worker", "sweeper", "thinker")}
    assert priorities == {"api": own, "worker": own, "sweeper": own, "thinker": min(own + THINKERS_NICENESS, 19)}


@pytest.mark.parametrize(
    ("cores", "given", "wanted"),
    [
        (1, {}, (1, 1, 1, 1)),
        (2, {}, (2, 1, 1, 2)),
        (4, {}, (4, 2, 1, 4)),
        (6, {}, (4, 2, 1, 4)),
        (64, {}, (4, 2, 4, 4)),
        (64, {"apis": 8, "thinkers": 2, "sweepers": 1, "workers": 7}, (8, 1, 7, 2)),
        (1, {"sweepers": 3}, (1, 3, 1, 1)),
        (4, {"apis": 1}, (1, 2, 1, 4)),
    ],
)
def test_processes_follow_the_cores_unless_set(
    monkeypatch: pytest.MonkeyPatch, cores: int, given: dict[str, int], wanted: tuple[int, int, int, int]
) -> None:
    """A search uses one core, so there is a thinker for each; four of a kind at most, as each takes memory even at rest."""
    monkeypatch.setattr(supervisor, "usable_cores", lambda: cores)
    settings = msgspec.structs.replace(Settings(), **given)
    with socket.socket() as listener:
        running = Supervisor(settings, listener, None, print, lambda: None)
        running._end()
    names = [child.name for child in running._children]
    counts = Counter(name.partition("-")[0] for name in names)
    assert counts == dict(zip(("api", "sweeper", "worker", "thinker"), wanted, strict=True))
    assert ("api" in names) == (wanted[0] == 1)
    assert len(set(names)) == len(names)


def test_process_is_killed_when_it_does_not_end(short_path: Path) -> None:
    """Shutdown waits no longer than requests may take and a little more: less than five seconds, as configured."""
    assert Settings().drain_seconds + GRACE_SECONDS < 5
    with Serve(short_path, drain_seconds=1) as serve:
        worker = serve.pid("worker")
        os.kill(worker, signal.SIGSTOP)
        assert serve.stop() == 0
        assert "worker" in killed_at_the_end(serve)
        assert not alive(worker)


def test_serve_goes_on_where_it_stopped(serve: Serve) -> None:
    """A running match is there again after a restart, and its bots and clocks go on.

    Even kill -9 of the supervisor ends its processes, where the system is Linux, and the next start works.
    """
    match = asyncio.run(opened(serve, seconds=1))
    serve.stop(signal.SIGTERM)
    serve.start()
    until("the match ends by its clock and its bots", lambda: asyncio.run(state(serve, match))[1] is Status.OVER)
    pids = [serve.pid(child) for child in ("api", "sweeper", "worker", "thinker")]
    serve.stop(signal.SIGKILL)
    until("all have ended", lambda: not any(map(alive, pids)) or not Path("/proc").exists())
    serve.start()


def _keys(serve: Serve) -> list[str]:
    """Return the public keys that a service shows, newest first."""
    keys: list[str] = httpx.get(f"{serve.url}/.well-known/tafelrunde-keys", timeout=PATIENCE_SECONDS).json()["keys"]
    return keys


def _kept_keys(serve: Serve, origin: str) -> list[str]:
    """Return the public keys of those in the data folder, newest first."""
    lines = (serve.data_dir / SIGNING_KEY).read_text().split()
    return [PrivateKey(origin, bytes.fromhex(line)).public.text for line in lines]


def test_serve_signs_by_the_key_of_its_folder_and_hands_over(serve: Serve) -> None:
    """Its processes have the key that backups keep; after `new-signing-key` and a restart the log has both."""
    origin = httpx.get(f"{serve.url}/.well-known/tafelrunde-keys", timeout=PATIENCE_SECONDS).json()["origin"]
    first = _keys(serve)
    assert first == _kept_keys(serve, origin)
    until("the log has the key", lambda: len(_key_leaves(serve)) == 1)
    assert serve.stop() == 0
    put_new_key(serve.data_dir)
    serve.start()
    fresh, former = _kept_keys(serve, origin)
    assert [former] == first
    until("the log has both keys", lambda: len(_key_leaves(serve)) == 2)
    assert _keys(serve) == [fresh, former]
    _, name, _, signature = _key_leaves(serve)[1].split("\n")[:4]
    assert name == fresh
    assert signature != ""  # the old key's


def _key_leaves(serve: Serve) -> list[str]:
    """Return the leaves of keys that the log has."""
    answer = httpx.get(f"{serve.url}/api/v1/log/entries", timeout=PATIENCE_SECONDS)
    leaves = [entry["text"] for entry in answer.json()["entries"]] if answer.status_code == 200 else []
    return [text for text in leaves if text is not None and text.startswith("tafelrunde.key.1\n")]


def test_serve_restarts_a_child_that_was_killed(battered: Serve) -> None:
    """Each process is restarted, and the log shows it."""
    serve = battered
    before = len(battered.lines())
    for child in BATTERED:
        victim = serve.kill(child)
        until(f"{child} is started again", lambda child=child, victim=victim: serve.pid(child) != victim)
    until("the api answers", lambda: _answers(serve))
    told = [line["child"] for line in serve.lines()[before:] if line["event"].startswith("ended unexpectedly")]
    assert told == list(BATTERED)


@needs_linux
def test_serve_ends_and_restarts_a_child_that_hangs(battered: Serve) -> None:
    """All but one sweeper are stopped: the watchdog ends them after a long silence, and all recovers.

    Meanwhile the other sweeper does what the first one did: it queues the jobs of a match that no worker can play yet.
    """
    serve = battered
    before = len(battered.lines())
    match = asyncio.run(opened(serve, seconds=1))
    hung = ("api", "sweeper-1", "worker", "thinker")
    for child in hung:
        os.kill(serve.pid(child), signal.SIGSTOP)

    def killed() -> set[str]:
        return {line["child"] for line in serve.lines()[before:] if line["event"] == "not responding, killing it"}

    until("they are killed", lambda: killed() == set(hung))
    until("the match ends by its clock and its bots", lambda: asyncio.run(state(serve, match))[1] is Status.OVER)
    until("it is ready", lambda: _missing(serve) == "")
    silent = [line["seconds"] for line in serve.lines()[before:] if line["event"] == "not responding, killing it"]
    assert [HUNG_SECONDS <= seconds <= HUNG_SECONDS + LONGEST_LOOK_SECONDS for seconds in silent] == [True] * 4
    assert not [line for line in serve.lines()[before:] if line.get("child") == "sweeper-2"]


def _answers(serve: Serve) -> bool:
    try:
        return httpx.get(f"{serve.url}/api/v1/health/ready", timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def _pid_of_server(serve: Serve) -> int:
    until("the server answers", lambda: _asked(serve, "INFO server").startswith("$"))
    return int(_asked(serve, "INFO server").partition("process_id:")[2].split()[0])


def _asked(serve: Serve, command: str) -> str:
    try:
        return _ask(serve, command)
    except OSError:
        return ""


def test_serve_restarts_the_embedded_server_when_it_was_killed(battered: Serve) -> None:
    """However often, and while it starts: `serve` goes on, and what it had written out is there again."""
    serve = battered
    begun = len(battered.lines())
    match = asyncio.run(opened(serve))
    before = asyncio.run(state(serve, match))
    until("all is written out", lambda: "aof_buffer_length:0\r" in _asked(serve, "INFO persistence"))
    for _ in range(3):
        os.kill(_pid_of_server(serve), signal.SIGKILL)
    until("the log shows it", lambda: sum("embedded server died" in line["event"] for line in serve.lines()[begun:]) == 3)
    _pid_of_server(serve)
    until("the api answers", lambda: _answers(serve))
    assert serve.process.poll() is None
    assert asyncio.run(state(serve, match))[0] >= before[0]


def _missing(serve: Serve) -> str:
    """Return what the api says is missing; empty if nothing is."""
    try:
        answer = httpx.get(f"{serve.url}/api/v1/health/ready", timeout=PATIENCE_SECONDS)
    except httpx.TransportError:
        return "no api"
    return "" if answer.status_code == 200 else str(answer.json()["detail"])


@needs_linux
def test_serve_lives_through_a_full_disk(battered: Serve) -> None:
    """Reads go on, also of an api that starts meanwhile; writes and `ready` are 503 and say why; with room again all is well."""
    serve = battered
    match = asyncio.run(opened(serve, seconds=1))
    pid = _pid_of_server(serve)
    fill(pid, serve.data_dir)
    until("it says why it is not ready", lambda: _missing(serve) == "The store refuses writes: MISCONF.")
    for child in ("api", "sweeper-1", "worker"):
        victim = serve.kill(child)
        until(f"{child} is started again", lambda child=child, victim=victim: serve.pid(child) != victim)
    api = f"{serve.url}/api/v1"
    until("the api reads", lambda: _status(f"{api}/matches/{match}") == 200)
    assert httpx.post(f"{api}/players", json={}, timeout=PATIENCE_SECONDS).status_code == 503
    make_room(pid)
    until("it is ready", lambda: _missing(serve) == "")
    assert (serve.process.poll(), _pid_of_server(serve)) == (None, pid)
    assert httpx.post(f"{api}/players", json={}, timeout=PATIENCE_SECONDS).status_code == 201
    until("the match ends by its clock and its bots", lambda: asyncio.run(state(serve, match))[1] is Status.OVER)


@needs_linux
def test_request_that_outlasts_its_api_is_answered_as_unavailable(short_path: Path) -> None:
    """An api that is asked to end while the server hangs breaks off what waits: with a problem and 503, not 500 in plain text."""
    with Serve(short_path, drain_seconds=1) as serve:
        server = _pid_of_server(serve)
        address = httpx.URL(serve.url)
        os.kill(server, signal.SIGSTOP)
        try:
            with socket.create_connection((address.host, address.port or 80)) as connection:
                connection.settimeout(PATIENCE_SECONDS)
                lines = ["POST /api/v1/players HTTP/1.1", "Host: here", "Content-Type: application/json", "Content-Length: 2"]
                connection.sendall("\r\n".join([*lines, "Connection: close", "", "{}"]).encode())
                client = connection.getsockname()[1]
                until("the api has read it", lambda: _unread(client) == 0)
                os.kill(serve.pid("api"), signal.SIGTERM)
                with connection.makefile("rb") as answer:
                    told = answer.read()
        finally:
            with suppress(ProcessLookupError):  # on a busy machine it may have been replaced, as it hung
                os.kill(server, signal.SIGCONT)
    assert told.startswith(b"HTTP/1.1 503 ")
    assert b"\r\ncontent-type: application/problem+json\r\n" in told


def _unread(client: int) -> int:
    """Return how many bytes wait to be read at the other end of a connection from that port of this machine."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return next((int(line[4].partition(":")[2], 16) for line in lines if int(line[2].partition(":")[2], 16) == client), -1)


def _status(url: str) -> int:
    try:
        return httpx.get(url, timeout=PATIENCE_SECONDS).status_code
    except httpx.TransportError:
        return 0


def _ask(serve: Serve, command: str) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(serve.data_dir / "valkey.sock"))
        connection.sendall(command.encode() + b"\r\n")
        return connection.recv(65_536).decode()


@needs_linux
def test_children_have_nothing_of_the_supervisor_but_what_they_need(lasting: Serve) -> None:
    """Forks of it, from a single thread: each has its own heartbeat, only the api has the socket, and none the data folder."""
    supervisor = lasting.process.pid
    assert _threads(supervisor) == 1
    own = _open(supervisor)
    assert str(lasting.data_dir / "lock") in own
    shared = {child: own & _open(lasting.pid(child)) for child in ("api", "sweeper", "worker", "thinker")}
    beats = {child: {name for name in found if name.startswith("pipe:")} for child, found in shared.items()}
    assert [len(found) for found in beats.values()] == [1, 1, 1, 1]
    assert len(set[str]().union(*beats.values())) == 4
    others = {child: shared[child] - beats[child] for child in shared}
    assert {child: len(found) for child, found in others.items()} == {"api": 1, "sweeper": 0, "worker": 0, "thinker": 0}
    assert next(iter(others["api"])).startswith("socket:")


def _threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def _open(pid: int) -> set[str]:
    """Return what a process has open beside the standard streams."""
    links = Path(f"/proc/{pid}/fd").iterdir()
    return {str(link.readlink()) for link in links if int(link.name) > 2 and link.is_symlink()}


def test_projections_are_kept_up_by_the_sweeper(lasting: Serve) -> None:
    """A new match shows up in its player's list."""
    match = asyncio.run(opened(lasting))

    async def listed() -> list[MatchId]:
        async with await RedisStores.connect(socket_url(lasting.data_dir)) as stores:
            return [row.match for row in await stores.rows.rows(Listing(player=HOST))]

    until("the match is listed", lambda: asyncio.run(listed()) == [match])


# Refusals: one sentence on the standard error, exit code 2


def refusal(*arguments: str, **settings: str | int) -> str:
    """Return the sentence with which a start is refused."""
    return sentence_of(run(*arguments, **settings))


def sentence_of(found: subprocess.CompletedProcess[str]) -> str:
    """Return the one sentence of a command that was refused."""
    assert found.returncode == 2, found.stderr
    assert found.stdout == ""
    sentences = found.stderr.strip().splitlines()
    assert len(sentences) == 1, found.stderr
    return sentences[0]


def test_serve_is_refused_when_the_port_is_used(short_path: Path) -> None:
    """The port is named, and the variable that changes it."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        sentence = refusal("serve", port=port, data_dir=str(short_path / "d"))
    assert f"Port {port} of 127.0.0.1" in sentence
    assert "TAFELRUNDE_PORT" in sentence
    assert not (short_path / "d").exists()


def test_serve_is_refused_when_the_data_folder_is_locked(lasting: Serve) -> None:
    """Two services never share a folder."""
    assert "is in use by another process" in sentence_of(run_apart("serve", port=0, data_dir=str(lasting.data_dir)))


@pytest.mark.parametrize(
    ("command", "url"),
    [
        *((command, "nonsense://x") for command in ("serve", "api", "worker", "sweeper")),
        *((command, "redis://127.0.0.1:1") for command in ("api", "worker", "sweeper")),
    ],
)
def test_start_is_refused_when_redis_cannot_be_reached(command: str, url: str) -> None:
    """Every process says so at once; only `serve` waits for a server that does not answer."""
    assert refusal(command, port=0, redis_url=url)


@pytest.mark.parametrize("command", ["serve", "api", "worker", "sweeper"])
def test_start_is_refused_when_the_server_is_set_wrongly(command: str, valkey: Server) -> None:
    """The setting and the wanted value are named."""
    valkey.ask("CONFIG SET maxmemory-policy allkeys-lru")
    try:
        sentence = refusal(command, port=0, redis_url=valkey.url)
    finally:
        valkey.ask("CONFIG SET maxmemory-policy noeviction")
    assert "maxmemory-policy noeviction" in sentence


@pytest.mark.parametrize("command", ["api", "worker", "sweeper"])
def test_single_process_is_refused_when_no_server_is_named(command: str) -> None:
    """Only `serve` brings a server of its own."""
    assert "REDIS_URL" in refusal(command, port=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [("port", "http"), ("workers", "-1"), ("durability", "eternal"), ("log_level", "loud"), ("sweep_ms", "1000")],
)
def test_serve_is_refused_when_a_setting_is_wrong(name: str, value: str) -> None:
    """The variable is named."""
    assert f"TAFELRUNDE_{name.upper()}" in refusal("serve", **{name: value})


def _follow(serve: Serve, heard: threading.Event, parts: list[bytes]) -> None:
    """Watch a match of one's own until the stream ends."""
    api = f"{serve.url}/api/v1"
    token = httpx.post(f"{api}/players", json={}, timeout=PATIENCE_SECONDS).json()["text"]
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "open"}
    wish = {"game": "coup", "seats": 2, "bots": [{"seat": 1, "bot": "random"}], "clock": {"turn_seconds": 600}, "start": True}
    match = httpx.post(f"{api}/matches", headers=headers, json=wish, timeout=PATIENCE_SECONDS).json()["match"]
    with httpx.stream("GET", f"{api}/matches/{match}/stream", headers=headers, timeout=PATIENCE_SECONDS) as answer:
        for part in answer.iter_bytes():
            parts.append(part)
            heard.set()


# Health checks, for one process each


@pytest.mark.parametrize("role", ["worker", "sweeper"])
def test_health_is_good_when_the_process_runs(role: str, lasting: Serve) -> None:
    """What a container asks."""
    url = socket_url(lasting.data_dir)
    until("there is a heartbeat", lambda: run("health", role, redis_url=url).returncode == 0)


@pytest.mark.parametrize("command", ["api", "worker", "sweeper"])
def test_single_process_ends_when_asked_to(command: str, valkey_url: str, short_path: Path) -> None:
    """What a container's runtime asks of each process: SIGTERM, a good end, exit code 0."""
    log = short_path / "log"
    wanted = environment(port=0, redis_url=valkey_url)
    with log.open("wb") as lines, subprocess.Popen([*COMMAND, command], env=wanted, stderr=lines) as process:
        try:
            until(f"{command} is ready", lambda: f"{command} is ready" in log.read_text(encoding="utf-8"))
            process.terminate()
            assert process.wait(PATIENCE_SECONDS) == 0
        finally:
            process.kill()
