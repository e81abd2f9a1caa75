"""What is published: it starts by itself, and beside a host that has its own `domain/` and `api/` neither disturbs the other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import sync_playwright

from tafelrunde.client import Client
from tafelrunde.domain.registry import GAMES
from tests.support import processes
from tests.support.blocks import blocks
from tests.support.game_package import write_package
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve
from tests.support.programs import required
from tests.web.conftest import HOW_TO_GET, QUIET, Visitor, chromium
from tests.web.hands import Mouse, play_alone

pytestmark = pytest.mark.xdist_group("wheel")  # it is built once

PLAY = """
import asyncio, sys
sys.path[:0] = {paths!r}
import api, domain
from tafelrunde.api.app import create_app, running
from tafelrunde.audit import check_folder, witness
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
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a source distribution from a copy of the sources, where no other build writes, and from it alone the plain wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "tests", "docs", "node_modules", "*.egg-info")
    )
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), str(source)]
    done = subprocess.run(build, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return folder / "dist"


@pytest.fixture(scope="module")
def environment(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own, which has the libraries of this one, and nothing else of it."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/*/site-packages")
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(pip, check=True)
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    return folder


@pytest.fixture(scope="module")
def installed(environment: Path) -> Path:
    """Return where the modules are."""
    (site,) = environment.glob("lib/*/site-packages")
    return site


@pytest.mark.real
def test_service_starts_from_what_is_published(environment: Path, short_path: Path) -> None:
    """The command of the wheel serves the API; the wheel is made from the source distribution, so that one is whole as well."""
    serve = Serve(short_path)
    serve.command = [str(environment / "bin" / "tafelrunde")]
    with serve:
        assert len(httpx.get(f"{serve.url}/api/v1/games").json()["items"]) == len(GAMES)


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
    for folder in ("redis_store", "features/webhooks", "features/notices"):
        assert list(installed.glob(f"tafelrunde/service/{folder}/scripts/*.lua"))
    assert (installed / "tafelrunde" / "domain" / "py.typed").exists()
    assert (installed / "tafelrunde" / "api" / "web" / "app.webmanifest").exists()


@pytest.fixture(scope="module")
def package(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a game in a package of its own beside the wheel, as docs/game-package.md says; return its sources."""
    folder = tmp_path_factory.mktemp("package")
    write_package(folder)
    pip = [sys.executable, "-m", "pip", "--python", str(environment), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--no-build-isolation", str(folder)], check=True)
    return folder


@pytest.mark.slow
def test_game_of_a_package_passes_the_suites_by_one_line_of_configuration(package: Path, environment: Path) -> None:
    """`pytest`, in the folder of the package: every suite over all games runs for this one, and for no other."""
    names = suites_passed(environment, package)
    files = {path.name for path in (ROOT / "testing" / "suites").glob("test_*.py")}
    assert {name.partition("::")[0].rpartition("/")[2] for name in names} == files
    assert all("duel" in name for name in names if "[" in name)


@pytest.mark.slow
def test_game_of_a_package_fails_a_suite_when_it_is_wrong(package: Path, environment: Path) -> None:
    """A question without its text is found by the suites that its author runs."""
    folder = next(environment.glob("lib/*/site-packages/duel_cards"))
    texts = folder / "guide" / "texts.py"
    right = texts.read_text(encoding="utf-8")
    texts.write_text(right + '\ndel MESSAGES["duel.prompt.bid"]\n', encoding="utf-8")
    try:
        done = pytest_of(environment, package, "-k", "prompts_have_texts")
    finally:
        texts.write_text(right, encoding="utf-8")
    assert done.returncode == 1, done.stdout
    assert "duel.prompt.bid has no text" in done.stdout


@pytest.mark.slow
def test_suites_are_refused_when_the_line_names_no_game(package: Path, environment: Path) -> None:
    """One sentence names the setting, the game, and the games that there are."""
    done = pytest_of(environment, package, "-o", "tafelrunde_games=whist")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "tafelrunde_games names 'whist', which is offered by no installed package; there are duel." in done.stderr


def suites_passed(environment: Path, package: Path, *arguments: str) -> list[str]:
    """Run the suites of a package, which must all pass; return the names of the tests."""
    done = pytest_of(environment, package, "-rp", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return re.findall(r"^PASSED (.+)$", done.stdout, re.MULTILINE)


def pytest_of(environment: Path, package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in the folder of a package, without the settings of this run."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TAFELRUNDE_"))}
    return subprocess.run(
        [str(environment / "bin" / "python"), "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=package,
        env=inherited,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_SECONDS,
        check=False,
    )


@pytest.fixture(scope="module")
def serving(package: Path, environment: Path) -> Iterator[Serve]:
    """The service of the wheel, with the game of the package."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder:
        serve = Serve(Path(folder), games="duel", bot_pause_ms=0)
        serve.command = [str(environment / "bin" / "tafelrunde")]
        with serve:
            yield serve


@pytest.mark.real
def test_game_of_a_package_is_played_over_http_when_the_setting_names_it(
    serving: Serve, environment: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the program of docs/python-client.md, against a bot of a worker, to its end; its record is right where it is there."""
    [program] = blocks(ROOT / "docs" / "python-client.md", "python")
    monkeypatch.setattr(sys, "argv", ["client", serving.url])
    found: dict[str, Any] = {}
    exec(compile(program.replace('"coup"', '"duel"'), "program", "exec"), found)  # noqa: S102 - the page's own
    assert capsys.readouterr().out.count("rank=") == 2
    file = tmp_path / "record.ndjson"
    with Client(serving.url, found["ada"].token) as ada:
        file.write_bytes(ada.record(found["match"]))
    assert verified(environment, file, games="duel").returncode == 0
    assert verified(environment, file).returncode != 0


@pytest.mark.real
@pytest.mark.browser
def test_game_of_a_package_is_played_at_the_plain_table(serving: Serve) -> None:
    """From the lobby to the result, by mouse, against computers."""
    found = required(chromium(), HOW_TO_GET)
    with sync_playwright() as playwright, closing(playwright.chromium.launch(executable_path=found, args=QUIET)) as browser:
        visitor = Visitor(browser, serving.url, fresh=True)
        page = visitor.begin("duel", seats=2)
        with closing(Mouse(page, 1)) as mouse:
            play_alone(mouse)
        assert mouse.answered
        assert page.locator(".result li").count() == 2
        visitor.close()


def verified(environment: Path, file: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `tafelrunde verify` of the wheel."""
    command = [str(environment / "bin" / "tafelrunde"), "verify", str(file)]
    return subprocess.run(
        command, env=processes.environment(**settings), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
