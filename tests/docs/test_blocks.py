"""What the pages for writers of clients print is run as it stands, against a service that was just started."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tafelrunde.client import ApiError, Client
from tafelrunde.domain.registry import GAMES
from tests.support.blocks import blocks, run_shell
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve, run
from tools.generate_docs import DOCS

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("docs")]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service as `make serve` starts it, with bots that do not pretend to think."""
    with Serve(tmp_path_factory.mktemp("docs"), bot_pause_ms=0) as running:
        yield running


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder with the environment that `make serve` makes, which is not on the path."""
    (tmp_path / ".venv").symlink_to(Path(sys.prefix))
    path = [each for each in os.environ["PATH"].split(os.pathsep) if not (Path(each) / "tafelrunde").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(path))


@pytest.mark.usefixtures("checkout")
def test_first_match_ends_as_printed(serve: Serve, tmp_path: Path) -> None:
    """The blocks open a match and play it to its end, and each prints what the page says; what was kept is compared."""
    done = run_shell(DOCS / "first-match.md", serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert '"type": "coup.take-income"' in done.stdout
    assert "urn:tafelrunde:problem:decision-closed" in lines
    assert any("'rank': 1" in line for line in lines)
    assert "Compared with what was kept: match, commitment, nonce, feed, signature, log" in done.stdout
    assert lines[-1] == "True"


def test_steps_of_a_client_work_as_printed(serve: Serve, tmp_path: Path) -> None:
    """The blocks seat two players, and meet the problems that the page names."""
    done = run_shell(DOCS / "clients.md", serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Ada"
    assert "mondkrone 2 4" in lines
    told = [
        "urn:tafelrunde:problem:decision-closed",
        "urn:tafelrunde:problem:cursor-unknown",
        "match.not-open",
        "urn:tafelrunde:problem:unauthenticated",
    ]
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


@pytest.mark.usefixtures("checkout")
def test_audit_works_as_printed(serve: Serve, tmp_path: Path) -> None:
    """From outside and from inside: what is exported is found right, and the log is the same at both visits."""
    with Client(serve.url) as host:
        host.sign_up("Ada")
        matches = [host.open_match("coup", 2, visibility=each).match for each in ("listed", "unlisted")]
        for match in matches:
            host.abort(match)
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not _logged(host, match):
                assert time.monotonic() < deadline, "the match never came into the log and the lists"
                time.sleep(0.1)
    done = run_shell(DOCS / "auditing.md", serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    # Other pages leave matches that no one may watch: an auditor from outside gets their ids and no records.
    assert done.stdout.count(" 0 wrong, 0 undecided, 0 files unreadable, ") == 2
    outside = json.loads((tmp_path / "audit" / "export.json").read_bytes())
    assert set(outside["absent"].values()) <= {"spectators-off"}
    assert re.search(r"The transparency log of \d+ leaves leads to all [12] checkpoints seen", done.stdout)
    public = {path.name.partition(".")[0] for path in (tmp_path / "audit").glob("m*")}
    assert matches[0] in public
    assert matches[1] not in public
    inside = [run("export-all", str(tmp_path / "inside"), data_dir=str(serve.data_dir)).stdout.split() for _ in range(2)]
    assert [int(inside[0][0]) >= 2, inside[1][0]] == [True, "0"]
    assert set(matches) <= {path.name.partition(".")[0] for path in (tmp_path / "inside").iterdir()}


def _logged(client: Client, match: str) -> bool:
    """Return whether a match is in the transparency log and in the lists."""
    try:
        return client.log_proofs(match).match == match and match in client.records(own=True).decode()
    except ApiError:
        return False


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
