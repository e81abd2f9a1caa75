"""Two api processes of one `serve` on one port: to clients they are one service, whichever of them answers."""

from __future__ import annotations

import json
import os
import signal
import socket
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.support.full_disk import needs_linux
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve, until

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.xdist_group("serve"), needs_linux]

APIS = ("api-1", "api-2")
COMMANDS_PER_MINUTE = 40
KEPT_ALIVE = 64
MOST_WIRES = 500


@pytest.fixture(scope="module")
def serve() -> Iterator[Serve]:
    """A running service with two api processes."""
    limits: dict[str, str | int] = {"commands_per_minute": COMMANDS_PER_MINUTE, "max_streams": 2}
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, Serve(Path(folder), apis=2, bot_pause_ms=0, **limits) as serve:
        until("both are ready", lambda: sum(line["event"] == "api is ready" for line in serve.lines()) == 2)
        yield serve


class Line(httpx.Client):
    """A client with one connection, to the process with the name `api`."""

    def __init__(self, serve: Serve) -> None:
        limits = httpx.Limits(max_connections=1, keepalive_expiry=PATIENCE_SECONDS)
        super().__init__(base_url=f"{serve.url}/api/v1", limits=limits, timeout=PATIENCE_SECONDS, verify=False, trust_env=False)
        port = self.get("/health/live").extensions["network_stream"].get_extra_info("client_addr")[1]
        self.api = next(name for name in APIS if port in _ports(serve.pid(name)))

    def made(self, path: str, content: object, **headers: str) -> Any:
        """Return what a request makes."""
        answer = self.post(path, json=content, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()


def _ports(pid: int) -> set[int]:
    """Return the ports of the clients that a process has a connection to."""
    links: list[Path] = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it may be closed meanwhile
            links.append(link.readlink())
    lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return {int(fields[2].partition(":")[2], 16) for fields in lines if Path(f"socket:[{fields[9]}]") in links}


@pytest.fixture
def lines(serve: Serve) -> Iterator[tuple[Line, Line]]:
    """A connection to each of them."""
    found: dict[str, Line] = {}
    spare: list[Line] = []
    while len(found) < len(APIS):
        spare.append(line := Line(serve))
        found.setdefault(line.api, line)
    yield found["api-1"], found["api-2"]
    for line in spare:
        line.close()


def _guest(line: Line) -> dict[str, str]:
    """Return the header with the token of a new guest."""
    return {"Authorization": f"Bearer {line.made('/players', {})['text']}"}


def test_connections_are_shared_out(serve: Serve) -> None:
    """Connections that are kept alive, opened one after the other: both processes have some of them."""
    with ExitStack() as opened:
        ports: list[int] = []
        for _ in range(KEPT_ALIVE):
            line = opened.enter_context(socket.create_connection(("127.0.0.1", httpx.URL(serve.url).port or 0), PATIENCE_SECONDS))
            line.sendall(b"GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\n\r\n")
            assert line.recv(4_096).startswith(b"HTTP/1.1 200")
            ports.append(line.getsockname()[1])
        counts = [len(_ports(serve.pid(name)).intersection(ports)) for name in APIS]
    assert sum(counts) == KEPT_ALIVE
    assert min(counts) > 0, counts


def test_key_counts_once_when_both_are_asked_at_the_same_time(lines: tuple[Line, Line]) -> None:
    """A match is opened, and a decision answered, once; the other process gives the same answer again."""
    token = _guest(lines[0])
    wish = {"game": "coup", "seats": 2, "bots": [{"seat": 1, "bot": "random"}], "start": True}
    with ThreadPoolExecutor(2) as both:
        for number in range(3):
            key = {**token, "Idempotency-Key": f"key-{number}"}
            opened = list(both.map(lambda line, key=key: line.post("/matches", json=wish, headers=key), lines))
            matches = {answer.json()["match"] for answer in opened}
            assert ([answer.status_code for answer in opened], len(matches)) == ([201, 201], 1)
            match = matches.pop()
            until("the guest is asked", lambda match=match: _question(lines[0], match, token) is not None)
            question = _question(lines[1], match, token)
            command = {"decision": question["decision"], "command": question["legal"][0]}
            path = f"/matches/{match}/commands"
            key = {**token, "Idempotency-Key": f"answer-{number}"}
            given = list(both.map(lambda line, p=path, c=command, k=key: line.post(p, json=c, headers=k), lines))
            assert [each.status_code for each in given] == [200, 200], [each.text for each in given]
            assert sorted(each.headers.get("idempotency-replayed", "") for each in given) == ["", "true"]
            assert len({each.json()["cursor"] for each in given}) == 1


def _question(line: Line, match: str, token: dict[str, str]) -> Any:
    return line.get(f"/matches/{match}/view", headers=token).json()["question"]


def test_budget_is_one_budget_when_both_are_asked_in_turn(lines: tuple[Line, Line]) -> None:
    """What one gives out the other has no more: a token gets its budget, and what comes in meanwhile, and not twice that."""
    token = _guest(lines[0])
    asked = [
        lines[number % 2].post("/matches", json={"game": "coup", "seats": 0}, headers={**token, "Idempotency-Key": str(number)})
        for number in range(3 * COMMANDS_PER_MINUTE)
    ]
    given = sum(answer.status_code != 429 for answer in asked)
    seconds = sum(answer.elapsed.total_seconds() for answer in asked)
    assert COMMANDS_PER_MINUTE - 2 <= given <= COMMANDS_PER_MINUTE * (1 + (seconds + 2) / 60) + 2
    assert [line.get("/me", headers=token).status_code for line in lines] == [200, 200]


def test_token_is_refused_everywhere_when_it_was_revoked_at_one(lines: tuple[Line, Line]) -> None:
    """At once where it was revoked, and in the other process within two seconds, for which it remembers a token."""
    token = _guest(lines[0])
    mine = lines[0].get("/me/tokens", headers=token).json()["items"][0]["id"]
    assert [line.get("/me", headers=token).status_code for line in lines] == [200, 200]
    assert lines[0].delete(f"/me/tokens/{mine}", headers=token).status_code == 204
    assert lines[0].get("/me", headers=token).status_code == 401
    until("the other one forgets it", lambda: lines[1].get("/me", headers=token).status_code == 401)


def test_stream_at_one_has_what_was_done_at_the_other(lines: tuple[Line, Line]) -> None:
    """A command of one process comes to who listens at the other; the streams of a player count in both."""
    token = _guest(lines[0])
    match = lines[0].made("/matches", {"game": "coup", "seats": 2}, **token, **{"Idempotency-Key": "open"})["match"]
    path = f"/matches/{match}/stream"
    with ExitStack() as streams:
        first = streams.enter_context(lines[1].stream("GET", path, headers=token))
        texts = first.iter_text()
        assert any("match.opened" in text for text in texts)
        lines[0].made(f"/matches/{match}/seats", {}, **_guest(lines[0]))
        assert any("match.seat-taken" in text and '"seat":1' in text for text in texts)
        second = streams.enter_context(lines[0].stream("GET", path, headers=token))
        third = streams.enter_context(
            httpx.stream("GET", f"{lines[0].base_url}{path[1:]}", headers=token, timeout=PATIENCE_SECONDS)
        )
        assert [each.status_code for each in (first, second, third)] == [200, 200, 429]


class Seated:
    """A guest on a socket of the process with the name `api`, with all items of its match that it was sent."""

    def __init__(self, serve: Serve, line: Line, api: str) -> None:
        self.token = _guest(line)
        url = f"{serve.url.replace('http', 'ws', 1)}/api/v1/socket"
        wire = _wire(serve, api)
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(
            connect(url, sock=wire, subprotocols=[Subprotocol("tafelrunde.v1")], additional_headers=self.token, proxy=None)
        )
        self.close = self._stack.close
        self.items: list[Any] = []
        self.hear("welcome")

    def say(self, **frame: Any) -> None:
        """Send a frame."""
        self.socket.send(json.dumps({"id": "1", **frame}))

    def hear(self, wanted: str) -> Any:
        """Return the next frame of a type."""
        while True:
            frame = json.loads(self.socket.recv(PATIENCE_SECONDS))
            self.items += frame.get("items", frame.get("receipt", {}).get("items", []))
            if frame["type"] == wanted:
                return frame


def _wire(serve: Serve, api: str) -> socket.socket:
    """Return a connection that was accepted by a process: no one can choose which, so as many are opened as it takes."""
    with ExitStack() as others:
        for _ in range(MOST_WIRES):
            wire = socket.create_connection(("127.0.0.1", httpx.URL(serve.url).port or 0), PATIENCE_SECONDS)
            port = wire.getsockname()[1]
            until("it is accepted", lambda port=port: any(port in _ports(serve.pid(name)) for name in APIS))
            if port in _ports(serve.pid(api)):
                return wire
            others.enter_context(wire)
    raise AssertionError(f"{api} accepts nothing")


def test_players_on_sockets_of_both_see_one_match(serve: Serve, lines: tuple[Line, Line]) -> None:
    """Each move comes to the other process; what each was sent is its feed, each item once and in order."""
    players = [Seated(serve, lines[0], api) for api in APIS]
    match = lines[0].made("/matches", {"game": "coup", "seats": 2}, **players[0].token, **{"Idempotency-Key": "o"})["match"]
    lines[1].made(f"/matches/{match}/seats", {}, **players[1].token)
    lines[1].made(f"/matches/{match}/start", {}, **players[0].token, **{"Idempotency-Key": "s"})
    for each in players:
        each.say(type="subscribe", match=match)
    for turn in range(12):
        for each in players:
            each.say(type="view", match=match)
            question = each.hear("view")["view"]["question"]
            if question is not None and question["answered"] is None:
                given = {"decision": question["decision"], "command": question["legal"][0]}
                each.say(type="command", match=match, key=f"turn-{turn}", **given)
                assert each.hear("receipt")["replayed"] is False
    for line, each in zip(lines, players, strict=True):
        feed = line.get(f"/matches/{match}/feed?limit=500", headers=each.token).json()["items"]
        while len(each.items) < len(feed):
            each.hear("items")
        assert each.items == feed
        each.close()


def test_clients_find_the_other_one_when_one_hangs_or_is_killed(serve: Serve) -> None:
    """New connections wait for neither; who was connected to it is answered by the one that takes its place."""
    victim = serve.pid("api-1")
    os.kill(victim, signal.SIGSTOP)
    try:
        lines = [Line(serve) for _ in range(4)]
    finally:
        os.kill(victim, signal.SIGKILL)
    assert [line.api for line in lines] == ["api-2"] * 4
    assert [line.get("/health/live").status_code for line in lines] == [200] * 4
    until("it is started again", lambda: serve.pid("api-1") != victim)
    for line in lines:
        line.close()
