"""The app inside real hosts, as docs/embedding.md shows them: each is served, and a match is played in it."""

from __future__ import annotations

import importlib
import json
import logging
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tafelrunde.client import ApiError, Client
from tafelrunde.service.settings import Settings
from tafelrunde.workers.listener import listen
from tests.support.paths import ROOT as REPOSITORY
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.xdist_group("hosts")

PAGE = REPOSITORY / "docs" / "embedding.md"
HOSTS = ("Starlette", "FastAPI", "Litestar", "Django")
ROOT = "/tafel"
SITE = """
SECRET_KEY = "of a test"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "site_urls"
"""
URLS = """
from django.http import HttpResponse
from django.urls import path
urlpatterns = [path("", lambda request: HttpResponse("the host's own"))]
"""


def blocks() -> dict[str, str]:
    """Return the Python code below each heading of the page."""
    text = PAGE.read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    bodies = zip(parts[::2], parts[1::2], strict=True)
    return {name: code[1] for name, body in bodies if (code := re.search(r"```python\n(.*?)```", body, re.DOTALL))}


@pytest.fixture(autouse=True)
def same_logging() -> Iterator[None]:
    """A host may set up logging for its whole process; here that ends with the test."""
    handlers = logging.root.handlers[:]
    level = logging.root.level
    yield
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], ModuleType]]:
    """Write and import a module of a host; all are gone after the test."""
    monkeypatch.syspath_prepend(tmp_path)
    names: list[str] = []

    def write(name: str, source: str) -> ModuleType:
        names.append(name)
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        return importlib.import_module(name)

    yield write
    for name in names:
        del sys.modules[name]


@contextmanager
def serving(host: Any) -> Generator[str]:
    """Serve a host, lifespan and all, for the duration of the block; give its address."""
    with listen(Settings(port=0)) as listener:
        config = uvicorn.Config(host, ws="websockets-sansio", log_config=None, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


@pytest.fixture(params=HOSTS)
def url(request: pytest.FixtureRequest, written: Callable[[str, str], ModuleType]) -> Iterator[str]:
    """The address of a host as the page shows it."""
    code = blocks()
    written("cards", code["What is mounted"])
    if request.param == "Django":
        written("site_settings", SITE)
        written("site_urls", URLS)
    with serving(written("host", code[request.param]).host) as address:
        yield address


def test_page_has_every_host() -> None:
    """What is promised is shown."""
    assert {*HOSTS, "What is mounted"} <= blocks().keys()


def listed(client: Client, match: str) -> bool:
    """Return whether a match gets into its player's list, which follows the log after a moment."""
    for _ in range(20 * int(PATIENCE_SECONDS)):
        if match in {each.match for each in client.matches(own=True).items}:
            return True
        time.sleep(0.05)
    return False


def test_match_is_played_in_a_host(url: str) -> None:
    """Web client, description, stream and commands work under the path of the mount, and bots answer."""
    with httpx.Client(base_url=url, timeout=PATIENCE_SECONDS) as web:
        page = web.get(f"{ROOT}/")
        assert page.status_code == 200
        script = re.search(r'src="(web/[^"]+)"', page.text)
        assert script is not None
        assert web.get(f"{ROOT}/{script[1]}").status_code == 200
        assert web.get(ROOT, follow_redirects=True).text == page.text
        assert web.get(f"{ROOT}/api/v1/docs").status_code == 200
        assert web.get(f"{ROOT}/api/v1/openapi.json").json()["servers"] == [{"url": f"{ROOT}/api/v1"}]
    with Client(url + ROOT) as client:
        client.sign_up("Ada")
        match = client.open_match("coup", 2, bots={1: "random"}, options={"first_seat": 0}, start=True).match
        view = client.view(match)
        assert view.question is not None
        client.play(match, view.question.decision, {"type": "coup.take-income"})
        heard = client.follow(match)
        first = next(heard)
        assert first == client.feed(match).items[0]
        while client.view(match).waiting is not None and client.view(match).question is None:
            next(heard)
        heard.close()  # type: ignore[attr-defined]  # an iterator that is a generator
        assert listed(client, match)
        address = f"{url.replace('http', 'ws', 1)}{ROOT}/api/v1/socket"
        token = {"Authorization": f"Bearer {client.token}"}
        with connect(address, subprotocols=[Subprotocol("tafelrunde.v1")], additional_headers=token, proxy=None) as socket:
            socket.send(f'{{"type":"view","id":"1","match":"{match}"}}')
            assert [json.loads(socket.recv(PATIENCE_SECONDS))["type"] for _ in range(2)] == ["welcome", "view"]


def test_host_that_forgot_the_lifespan_is_reported(written: Callable[[str, str], ModuleType]) -> None:
    """Every answer names what is missing."""
    host = FastAPI()
    host.mount(ROOT, written("cards", blocks()["What is mounted"]).cards)
    with serving(host) as address, Client(address + ROOT) as client, pytest.raises(ApiError) as refusal:
        client.sign_up()
    assert (refusal.value.problem.status, refusal.value.problem.type) == (503, "urn:tafelrunde:problem:lifespan-not-run")


def test_library_is_used_without_http() -> None:
    """The page's last block opens a match in a process of its own, without any server."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", blocks()["Without HTTP"]], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "open\n"), ran.stderr
