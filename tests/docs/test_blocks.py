"""What the pages for writers of clients print is run as it stands, against a service that was just started."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tafelrunde.domain.registry import GAMES
from tests.support.blocks import blocks, run_shell
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve
from tools.generate_docs import DOCS

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("docs")]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service as `make serve` starts it, with bots that do not pretend to think."""
    with Serve(tmp_path_factory.mktemp("docs"), bot_pause_ms=0) as running:
        yield running


def test_first_match_ends_as_printed(serve: Serve, tmp_path: Path) -> None:
    """The blocks open a match and play it to its end, and each prints what the page says."""
    done = run_shell(DOCS / "first-match.md", serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert '"type": "coup.take-income"' in done.stdout
    assert "/problems/decision-closed" in lines
    assert "'rank': 1" in lines[-2]
    assert lines[-1] == "True"


def test_steps_of_a_client_work_as_printed(serve: Serve, tmp_path: Path) -> None:
    """The blocks seat two players, and meet the problems that the page names."""
    done = run_shell(DOCS / "clients.md", serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Ada"
    assert "mondkrone 2 4" in lines
    told = ["/problems/decision-closed", "/problems/cursor-unknown", "match.not-open", "/problems/unauthenticated"]
    assert lines[-4:] == told


def test_answers_of_the_faq_work_as_printed(serve: Serve, tmp_path: Path) -> None:
    """The blocks find what may be done, and repeat a request without carrying it out twice."""
    done = run_shell(DOCS / "faq.md", serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("decision 1 with ")
    assert lines[1:] == ["carried out", "idempotency-replayed: true"]


def test_first_look_behind_the_page_works_as_printed(serve: Serve, tmp_path: Path) -> None:
    """The blocks list the games and the matches that run."""
    done = run_shell(DOCS / "start.md", serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    games, _, matches = done.stdout.partition("\n")
    assert games == str(list(GAMES))
    assert "items" in json.loads(matches)


def test_whole_client_plays_every_game(serve: Serve) -> None:
    """The program at the end of the page plays a match of each game without knowing one."""
    (code,) = blocks(DOCS / "clients.md", "python")
    done = subprocess.run(
        [sys.executable, "-c", code, serve.url], capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(GAMES)
    assert all("'rank': 1" in line for line in done.stdout.splitlines())


@pytest.mark.parametrize(("page", "last"), [("python-client", "rank=1"), ("streams", "2 matches played over one connection")])
def test_client_of_the_package_works_as_printed(serve: Serve, page: str, last: str) -> None:
    """The lines about `tafelrunde.client` play matches to their end."""
    (code,) = blocks(DOCS / f"{page}.md", "python")
    done = subprocess.run(
        [sys.executable, "-c", code, serve.url], capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    assert last in done.stdout.splitlines()[-1]
