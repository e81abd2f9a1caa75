"""The wheel, installed beside a host that has its own `domain/` and `api/`: neither disturbs the other."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.xdist_group("wheel")  # it is built once

PLAY = """
import asyncio, sys
sys.path[:0] = {paths!r}
import api, domain
from tafelrunde.api.app import create_app, running
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, PlayerId, Spectators, Status
from tafelrunde.service import application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.settings import Settings

async def main():
    table = application.Application(memory_stores(), Settings())
    bots = {{Seat(seat): BotName("random") for seat in range(3)}}
    new = NewMatch(game=GameId("coup"), seats=3, seat=None, bots=bots, start=True, spectators=Spectators.PUBLIC)
    match = (await table.matches.open(PlayerId("host"), new, "key")).match
    async with running(create_app(application=table)):
        await table.process_manager.play_bots(match)
    assert (await table.queries.summary(None, match)).status is Status.OVER

asyncio.run(main())
print(api.OWNER, domain.OWNER, application.__file__)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources, where no other build writes, and unpack it as an installer does."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "tests", "docs", "node_modules", "*.egg-info")
    )
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / "dist"), str(source)]
    built = subprocess.run(build, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert built.returncode == 0, built.stdout
    (wheel,) = (folder / "dist").glob("*.whl")
    target = ["--no-deps", "--no-index", "--target", str(folder / "site"), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *target], check=True)
    return folder / "site"


def test_match_played_from_the_wheel_in_a_host_with_the_same_folder_names(installed: Path, tmp_path: Path) -> None:
    """A host's `domain` and `api` stay the host's, and the service plays a match to its end."""
    for name in ("domain", "api"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("OWNER = 'host'\n")
    paths = [str(tmp_path), str(installed), sysconfig.get_path("purelib")]
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", PLAY.format(paths=paths)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:2] == ["host", "host"]
    assert str(installed) in done.stdout


def test_wheel_has_the_scripts_of_the_store_and_its_types(installed: Path) -> None:
    """What is not Python goes along: Lua scripts and the markers of typed packages."""
    assert list(installed.glob("tafelrunde/service/redis_store/scripts/*.lua"))
    assert (installed / "tafelrunde" / "domain" / "py.typed").exists()
