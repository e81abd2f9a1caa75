"""The proxy of compose.yaml before three api processes: what a client meets, and what happens when one of them is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from redis import Redis
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tafelrunde.api.contract.openapi import PREFIX
from tafelrunde.api.features import operations
from tafelrunde.api.http.kept import LONG_KEY
from tafelrunde.api.http.operation import Access, Key
from tafelrunde.service.runtime.presence import NEEDED, Presence
from tests.support.fleet import apis
from tests.support.full_disk import needs_linux
from tests.support.names import Names
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import until
from tests.support.proxy import need_haproxy, proxied
from tests.support.servers import Server, free_port

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.xdist_group("proxy"), needs_linux]

HOSTS = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
OUTER = "127.0.0.9"
"""The address of a proxy in front, which speaks for clients elsewhere."""
SIGN_UPS = 5
MEGABYTES = 10
TRIES = 9
"""More than there are processes, and not more seats than a player may have."""


class Deployment:
    """Three api processes, their store, and the proxy before them."""

    def __init__(self, url: str, pids: dict[str, int], store: str, log: Path) -> None:
        self.url = url
        self.pids = pids
        self.store = store
        self.log = log

    def await_checks(self, result: str) -> None:
        """Wait until the proxy has found each process UP or DOWN; one known only by name counts as up before its check."""
        said = re.compile(rf"Server ready/(api\d+) is {result}, reason: Layer")
        until(f"all are {result}", lambda: len(set(said.findall(self.log.read_text()))) == len(self.pids))

    def client(self, source: str = "127.0.0.1") -> httpx.Client:
        """Return a client with an address of its own."""
        way = httpx.HTTPTransport(local_address=source)
        return httpx.Client(base_url=f"{self.url}/api/v1", transport=way, timeout=PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def deployment() -> Iterator[Deployment]:
    """All of it, running; no sweeper and no worker."""
    need_haproxy()
    port = free_port()
    names = Names(HOSTS)
    names.start()
    settings: dict[str, str | int] = {
        "trusted_proxies": f"127.0.0.1,{OUTER}",
        "sign_ups_per_minute": SIGN_UPS,
        "metrics_local": "true",
        "log_format": "json",
    }
    with tempfile.TemporaryDirectory(prefix="tr-") as name:
        folder = Path(name)
        with (
            Server("valkey", folder) as server,
            apis(HOSTS, port, folder / "apis", settings, server.url) as pids,
            proxied(f"api:{port}", names.url, folder / "proxy", OUTER) as url,
        ):
            found = Deployment(url, pids, server.url, folder / "proxy")
            for host in HOSTS:
                until("it has its store", lambda at=f"http://{host}:{port}": "sweeper" in _missing(at))
            with found.client() as client:
                until("the proxy has found one", lambda: client.get("/health/live").is_success)
            found.await_checks("DOWN")
            yield found
    names.stop()


def _missing(url: str) -> str:
    try:
        return httpx.get(f"{url}/api/v1/health/ready", timeout=PATIENCE_SECONDS).json()["detail"]
    except httpx.ConnectError:
        return ""


@pytest.fixture
def client(deployment: Deployment) -> Iterator[httpx.Client]:
    """A client on this machine."""
    with deployment.client() as client:
        yield client


def _guest(client: httpx.Client) -> dict[str, str]:
    answer = client.post("/players", json={})
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json()['text']}"}


def test_living_process_answers_while_none_is_ready(client: httpx.Client) -> None:
    """What is missing is said by the service, not by the proxy; reads and commands go on."""
    answer = client.get("/health/ready")
    assert (answer.status_code, "sweeper" in answer.json()["detail"]) == (503, True)
    assert client.get("/games").status_code == 200


def test_item_of_a_stream_passes_at_once(deployment: Deployment, client: httpx.Client) -> None:
    """The stream is open, and nothing else comes that would push the item through: the proxy keeps nothing back."""
    host = _guest(client)
    match = client.post("/matches", json={"game": "coup", "seats": 2}, headers={**host, "Idempotency-Key": "open"}).json()[
        "match"
    ]
    with deployment.client() as viewer, viewer.stream("GET", f"/matches/{match}/stream", headers=host) as stream:
        lines = stream.iter_lines()
        assert any(line.startswith("event: item") for line in lines)
        taken = client.post(f"/matches/{match}/seats", json={}, headers=_guest(client))
        assert taken.is_success, taken.text
        assert any("seat-taken" in line for line in lines)


def test_socket_passes(deployment: Deployment, client: httpx.Client) -> None:
    """The upgrade, frames both ways, and what is sent later without being asked for."""
    host = _guest(client)
    match = client.post("/matches", json={"game": "coup", "seats": 2}, headers={**host, "Idempotency-Key": "two"}).json()["match"]
    address = f"{deployment.url.replace('http', 'ws', 1)}/api/v1/socket"
    with connect(address, subprotocols=[Subprotocol("tafelrunde.v1")], additional_headers=host, proxy=None) as socket:

        def hear(wanted: str) -> str:
            while wanted not in (text := str(socket.recv(PATIENCE_SECONDS))):
                pass
            return text

        hear("welcome")
        socket.send(json.dumps({"type": "subscribe", "id": "1", "match": match}))
        hear("match.opened")
        assert client.post(f"/matches/{match}/seats", json={}, headers=_guest(client)).is_success
        hear("seat-taken")
        socket.send(json.dumps({"type": "view", "id": "2", "match": match}))
        assert json.loads(hear('"2"'))["view"]["match"] == match


def test_addresses_of_clients_are_distinguished(deployment: Deployment) -> None:
    """Each has a budget of its own, whatever it says about itself; so has one that a proxy in front names."""

    def signed_up(source: str, count: int, **headers: str) -> list[int]:
        with deployment.client(source) as client:
            return [client.post("/players", json={}, headers=headers).status_code for _ in range(count)]

    assert 429 in signed_up("127.0.0.20", SIGN_UPS + 2)
    assert signed_up("127.0.0.20", 1, **{"X-Forwarded-For": "203.0.113.1"}) == [429]
    assert signed_up("127.0.0.21", 1) == [201]
    assert 429 in signed_up(OUTER, SIGN_UPS + 2, **{"X-Forwarded-For": "203.0.113.2"})
    assert signed_up(OUTER, 1, **{"X-Forwarded-For": "203.0.113.3"}) == [201]


def test_metrics_do_not_look_local_through_the_proxy(deployment: Deployment, client: httpx.Client) -> None:
    """A collector beside an api needs no token here; one behind the proxy does, whatever address it has and claims."""
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404
    with deployment.client(OUTER) as outer:
        assert outer.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404


def test_headers_that_are_too_long_are_refused_by_the_api(client: httpx.Client) -> None:
    """The proxy has room for more than the api takes, so the answer is a problem as everywhere."""
    assert client.get("/games", headers={"X-Long": "x" * 12_000}).status_code == 200
    assert client.get("/games", headers={"X-Long": "x" * 20_000}).status_code == 431


def test_requests_continue_when_a_process_is_killed(deployment: Deployment, client: httpx.Client) -> None:
    """Not one is answered 5xx, although the proxy learns of the loss from the requests that meet it."""
    token = _guest(client)
    with Redis.from_url(deployment.store) as store:
        Presence(store, NEEDED).renew()
        for role in store.scan_iter("present:*"):
            store.persist(role)  # it must not lapse while the test waits
    deployment.await_checks("UP")
    os.kill(deployment.pids[HOSTS[0]], signal.SIGKILL)
    found: list[str] = []
    for number in range(TRIES):
        wish = client.build_request(
            "POST", "/matches", json={"game": "coup", "seats": 2}, headers={**token, "Idempotency-Key": f"{number}"}
        )
        answers = [_repeated(client, wish) for _ in range(2)]
        assert [each.status_code for each in answers] == [201, 201], [each.text for each in answers]
        assert answers[0].json()["match"] == answers[1].json()["match"]
        found.append(answers[0].json()["match"])
    assert len(set(found)) == TRIES
    os.kill(deployment.pids[HOSTS[1]], signal.SIGKILL)
    assert [_repeated(client, client.build_request("GET", "/games")).status_code for _ in range(TRIES)] == [200] * TRIES


def _repeated(client: httpx.Client, request: httpx.Request) -> httpx.Response:
    """Return the answer, to a second try if the connection was lost: HAProxy before 3.0 closes it when a process is reset."""
    try:
        return client.send(request)
    except httpx.RemoteProtocolError:
        return client.send(request)


class Dying(BaseHTTPRequestHandler):
    """An api that ends its connection without an answer, at the first request of each kind that is no health check."""

    protocol_version = "HTTP/1.1"
    met: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Answer with what was sent."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if "/health/" not in self.path:
            self.met.append(self.path)
            if self.met.count(self.path) == 1 and self.path != "/large":
                self.close_connection = True
                return
        body = b"x" * (MEGABYTES * 1_000_000) if self.path == "/large" else body
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - named by the class above

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - named by the class above
        """Say nothing."""


@pytest.fixture(scope="module")
def dying() -> Iterator[str]:
    """The address of the proxy before three servers that die of the first request."""
    need_haproxy()
    port = free_port()
    names = Names(HOSTS)
    names.start()
    servers = [ThreadingHTTPServer((host, port), Dying) for host in HOSTS]
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, proxied(f"api:{port}", names.url, Path(folder) / "log") as url:
        log = Path(folder) / "log"
        until("they are ready", lambda: log.read_text().count("Server ready/api") >= len(HOSTS))
        yield url
    for server in servers:
        server.shutdown()
        server.server_close()
    names.stop()


def test_request_is_repeated_where_nothing_can_be_done_twice(dying: str) -> None:
    """A read, and a command with a key, go to another process when one gives no answer."""
    with httpx.Client(base_url=dying, timeout=PATIENCE_SECONDS) as client:
        assert client.get("/read").status_code == 200
        assert client.post("/api/v1/matches/m/commands", json={}, headers={"Idempotency-Key": "1"}).status_code == 200
    assert [Dying.met.count(path) for path in ("/read", "/api/v1/matches/m/commands")] == [2, 2]


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/v1/webhooks", {"Idempotency-Key": "1", "Authorization": "Bearer t"}),
        ("/api/v1/matches/n/seats/0/tokens", {"Idempotency-Key": "1", "Authorization": "Bearer t"}),
        ("/api/v1/device-codes", {"Idempotency-Key": "x" * 22}),
    ],
)
def test_request_is_repeated_when_its_key_counts(dying: str, path: str, headers: dict[str, str]) -> None:
    """Beside a token, or without one where it is long enough: the service makes what was made by half, and nothing twice."""
    assert httpx.post(f"{dying}{path}", json={}, headers=headers, timeout=PATIENCE_SECONDS).status_code == 200
    assert Dying.met.count(path) == 2


@pytest.mark.parametrize(
    "path",
    ["/api/v1/matches", "/api/v1/players", "/api/v1/matches/m/seats/0/tokens", "/api/v1/oauth/token", "/api/v1/oauth/revocation"],
)
def test_request_is_not_repeated_where_something_could_be_done_twice(dying: str, path: str) -> None:
    """A command without a key, a key that does not count, and what has none: a code that comes twice ends what it has given."""
    headers = {} if path == "/api/v1/matches" else {"Idempotency-Key": "x" * 40 if "oauth" in path else "1"}
    lost = httpx.post(f"{dying}{path}", json={}, headers=headers, timeout=PATIENCE_SECONDS)
    assert (lost.status_code, lost.headers["Retry-After"], lost.json()["type"]) == (
        502,
        "1",
        "urn:tafelrunde:problem:unavailable",
    )
    assert Dying.met.count(path) == 1


@pytest.mark.parametrize(
    "path", [each.path for each in operations() if (each.method, each.about.access) == ("POST", Access.PUBLIC)]
)
def test_request_is_not_repeated_when_the_token_beside_its_key_is_ignored(dying: str, path: str) -> None:
    """Where anyone may ask, a short key does not count for any sender: two players would be made, for instance."""
    headers = {"Idempotency-Key": "1", "Authorization": "Bearer t"}
    sent = f"{PREFIX}{path}?signed-in"
    assert httpx.post(f"{dying}{sent}", json={}, headers=headers, timeout=PATIENCE_SECONDS).status_code == 502
    assert Dying.met.count(sent) == 1


@pytest.mark.parametrize("key", ["1", "x" * 40], ids=["short", "long"])
def test_request_is_repeated_where_its_key_counts_and_nowhere_else(dying: str, key: str) -> None:
    """Whatever it asks for: a second cosignature or confirmation is another request, for all that the service knows."""
    asked = [each for each in operations() if each.method != "GET"]
    headers = {"Idempotency-Key": key, "Authorization": "Bearer t"}
    repeated: dict[str, bool] = {}
    for each in asked:
        sent = f"{PREFIX}{re.sub('{[a-z]+}', 'x', each.path)}?{each.name}-{len(key)}"
        answer = httpx.request(each.method, f"{dying}{sent}", content=b"{}", headers=headers, timeout=PATIENCE_SECONDS)
        repeated[each.name] = answer.status_code == 200
        assert Dying.met.count(sent) == 1 + repeated[each.name]
    counts = {
        each.name
        for each in asked
        if each.about.key is not Key.NONE and (len(key) >= LONG_KEY or each.about.access is not Access.PUBLIC)
    }
    assert {name for name, again in repeated.items() if again} == counts
    assert not {"addCosignature", "confirmNoticeMail", "setNoticeMail", "deleteMe"} & counts


def test_large_answer_passes(dying: str) -> None:
    """Ten megabytes, far more than the proxy holds."""
    with httpx.Client(base_url=dying, timeout=PATIENCE_SECONDS) as client:
        assert len(client.get("/large").content) == MEGABYTES * 1_000_000
