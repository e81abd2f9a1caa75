"""`serve` and the file of its archives, as real processes: gone or broken at a start or meanwhile, put back, lost for good."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import httpx
import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Spectators
from tafelrunde.service.application import Application
from tafelrunde.service.deployment import connect
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.runtime.data_folder import archive_file
from tafelrunde.service.settings import Settings
from tafelrunde.workers import supervisor
from tafelrunde.workers.bootstrap import server_of
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve, run, until

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.xdist_group("serve")]


def archived(folder: Path) -> MatchId:
    """Let bots play a match in a data folder, archive it, and return it."""

    async def work(settings: Settings) -> MatchId:
        async with await connect(settings) as stores:
            application = Application(stores, settings)
            bots = {Seat(seat): BotName("random") for seat in range(2)}
            new = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, spectators=Spectators.PUBLIC, start=True)
            match = (await application.matches.open(PlayerId("host"), new, "open")).match
            await application.process_manager.play_bots(match)
            await application.finalizer.archive(match)
            return match

    with server_of(Settings(data_dir=str(folder), bot_pause_ms=0)) as settings:
        return asyncio.run(work(settings))


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[Path, MatchId]]:
    """A data folder in which nothing runs any more, and the match that is archived in it."""
    with tempfile.TemporaryDirectory(prefix="tr-") as name:
        yield Path(name) / "data", archived(Path(name) / "data")


@pytest.fixture
def match(played: tuple[Path, MatchId], short_path: Path) -> MatchId:
    """The match that is archived in the data folder of the test, which is a copy."""
    shutil.copytree(played[0], short_path / "data", ignore=shutil.ignore_patterns("*.sock"))
    return played[1]


@pytest.fixture
def refusal(match: MatchId, short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What starts `serve` up to where it begins its processes, and returns the one sentence with which it is refused."""

    def accepted(*_: object) -> NoReturn:
        raise AssertionError(f"the place of {match} was accepted")

    def refused() -> str:
        with monkeypatch.context() as patched:
            patched.setattr(supervisor, "Supervisor", accepted)
            found = run("serve", port=0, data_dir=str(short_path / "data"), log_format="json")
        said = [line for line in found.stderr.splitlines() if not line.startswith("{")]
        assert (found.returncode, found.stdout, len(said)) == (2, "", 1), found.stderr
        return said[0]

    return refused


@pytest.mark.parametrize("instead", [None, b"", b"rubbish", b"rubbish" * 10_000], ids=["nothing", "empty", "short", "long"])
def test_serve_is_refused_when_its_archives_are_gone(short_path: Path, instead: bytes | None, refusal: Callable[[], str]) -> None:
    """It names the file, makes none, and leaves what it finds as it is."""
    file = archive_file(short_path / "data")
    file.unlink()
    if instead is not None:
        file.write_bytes(instead)
    assert str(file) in refusal()
    assert (file.read_bytes() if file.exists() else None) == instead or instead == b""


def test_serve_is_refused_when_a_folder_is_where_its_archives_were(short_path: Path, refusal: Callable[[], str]) -> None:
    """That is named, too."""
    file = archive_file(short_path / "data")
    file.unlink()
    file.mkdir()
    assert str(file) in refusal()


def test_serve_says_that_its_archives_are_gone_while_it_runs(
    short_path: Path, match: MatchId, refusal: Callable[[], str]
) -> None:
    """Reads of them are 503 with the reason, `ready` has a detail, all else goes on; when the file is back, so are they.

    So it is after a start that was refused.
    """
    file = archive_file(short_path / "data")
    kept = file.rename(file.with_name("kept"))
    refusal()
    kept.rename(file)
    with Serve(short_path, metrics_local="true") as serve:
        api = f"{serve.url}/api/v1"

        def said() -> tuple[int, bool, bool]:
            ready = httpx.get(f"{api}/health/ready", timeout=PATIENCE_SECONDS)
            figures = httpx.get(f"{api}/metrics", timeout=PATIENCE_SECONDS).text
            return ready.status_code, "detail" in ready.json(), "tafelrunde_archives_unreadable 1.0" in figures

        file.rename(kept)
        view = httpx.get(f"{api}/matches/{match}/view", timeout=PATIENCE_SECONDS)
        assert (view.status_code, view.headers["content-type"]) == (503, "application/problem+json")
        assert view.json()["type"] == "urn:tafelrunde:problem:unavailable"
        assert "archive" in view.json()["detail"]
        until("ready and the metrics say so", lambda: said() == (200, True, True))
        assert httpx.post(f"{api}/players", json={}, timeout=PATIENCE_SECONDS).status_code == 201
        assert not file.exists()
        kept.rename(file)
        until("they are readable", lambda: said() == (200, False, False))
        assert httpx.get(f"{api}/matches/{match}/view", timeout=PATIENCE_SECONDS).status_code == 200


def test_serve_goes_on_without_archives_that_are_given_up(short_path: Path, match: MatchId, refusal: Callable[[], str]) -> None:
    """Only by a command: then it starts, archives into a new file, and says of each lost match that it is not there."""
    data = short_path / "data"
    archive_file(data).unlink()
    assert "--lost" in refusal()
    assert run("archive", "--lost", data_dir=str(data)).returncode == 0
    with Serve(short_path) as serve:
        answer = httpx.get(f"{serve.url}/api/v1/matches/{match}/view", timeout=PATIENCE_SECONDS)
        assert (answer.status_code, answer.json()["type"]) == (503, "urn:tafelrunde:problem:unavailable")
        assert "missing" in answer.json()["detail"]
