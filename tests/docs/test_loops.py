"""The loops that the pages teach answer each decision once, also where the opponent thinks and the answer may be changed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tafelrunde.client import Client
from tests.support.blocks import blocks
from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service, service
from tools.generate_docs import DOCS

pytestmark = [pytest.mark.xdist_group("docs")]

SILENT_MS = 3_600_000
LOOKS = 3
"""How often a loop that waits asks for something after its answer; one that does not wait has answered again by then."""


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A service whose bots think for an hour."""
    with service(bot_pause_ms=SILENT_MS) as running:
        yield running


@contextmanager
def running(arguments: Sequence[str], folder: Path) -> Generator[None]:
    """Run a program for the duration of the block."""
    program = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        program.kill()
        program.wait()


def answers(served: Service, arguments: Sequence[str], folder: Path) -> int:
    """Return how many answers a program gives until it has polled often enough."""
    before = len(served.asked)
    with running(arguments, folder):
        for _ in range(20 * int(PATIENCE_SECONDS)):
            asked = served.asked[before:]
            given = [place for place, line in enumerate(asked) if line.endswith("/commands")]
            looks = [line for line in asked[given[0] :] if line.startswith("GET")] if given else []
            if len(given) > 1 or len(looks) >= LOOKS:
                return len(given)
            time.sleep(0.05)
    raise AssertionError(f"the program never answered, or stopped: {served.asked[before:]}")


def python_of(page: str, told: str, instead: str) -> str:
    """Return the program of a page, which plays MatchMaster instead of what the page says."""
    (code,) = blocks(DOCS / page, "python")
    assert told in code
    return code.replace(told, instead)


def shell_of(page: Path, served: Service) -> str:
    """Return the loop of a page, at a table of MatchMaster with a bot."""
    (loop,) = [block for block in blocks(page, "sh") if "while " in block]
    with Client(served.url) as client:
        client.sign_up()
        token = client.token
        match = client.open_match("matchmaster", 2, bots={1: "random"}, start=True).match
    field = "field() { python3 -c \"import json, sys; print(json.load(sys.stdin)['$1'])\"; }"
    auth = 'auth() { curl -sS "$@" -H "Authorization: Bearer $TOKEN" -H "$JSON"; }'
    names = (f"API={served.url}/api/v1", f"TOKEN={token}", f"MATCH={match}", "JSON='Content-Type: application/json'")
    return "\n".join((*names, field, auth, loop))


def test_whole_client_answers_once(served: Service, tmp_path: Path) -> None:
    """docs/clients.md: it hears its own bid, sees that it stands, and waits."""
    told = 'ask("GET", "/games")["items"]'
    code = python_of("clients.md", told, f'[each for each in {told} if each["id"] == "matchmaster"]')
    assert answers(served, [sys.executable, "-c", code, served.url], tmp_path) == 1


def test_client_of_the_package_answers_once(served: Service, tmp_path: Path) -> None:
    """docs/python-client.md: whatever the stream brings, the bid stands."""
    code = python_of("python-client.md", 'open_match("coup"', 'open_match("matchmaster"')
    assert answers(served, [sys.executable, "-c", code, served.url], tmp_path) == 1


@pytest.mark.parametrize("page", [DOCS / "first-match.md", DOCS.parent / "README.md"], ids=["first-match", "readme"])
def test_loop_in_the_shell_answers_once(served: Service, tmp_path: Path, page: Path) -> None:
    """It waits for changes instead of polling."""
    assert answers(served, ["bash", "-c", shell_of(page, served)], tmp_path) == 1


def test_loop_that_looks_at_the_question_alone_is_found(served: Service, tmp_path: Path) -> None:
    """The check sees what the page taught before."""
    told = 'ask("GET", "/games")["items"]'
    code = python_of("clients.md", told, f'[each for each in {told} if each["id"] == "matchmaster"]')
    careless = code.replace('if question and not question["answered"]:', "if question:")
    assert careless != code
    assert answers(served, [sys.executable, "-c", careless, served.url], tmp_path) > 1
