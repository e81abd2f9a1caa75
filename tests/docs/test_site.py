"""The documentation as a site: it builds without a warning, loads nothing from other hosts, and agrees with the code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tafelrunde.api.features import operations, problem_kinds
from tafelrunde.api.features.bots.routes import HINT
from tafelrunde.api.features.records.routes import EVENTS_CHECKED, EVENTS_WRITTEN
from tafelrunde.api.http.rate_limits import READS_PER_LOAD, Cost
from tafelrunde.api.routes.play import ITEMS_FOLDED
from tafelrunde.domain.match.refusals import MatchRefusal
from tafelrunde.domain.registry import GAMES
from tafelrunde.service import environment
from tafelrunde.service.matches.caps import ADDRESS_START_FACTOR, HOST_START_FACTOR
from tafelrunde.service.players.quota_table import CHALLENGES, SIGN_UPS
from tafelrunde.service.settings import Settings, variables
from tests.support.patience import PATIENCE_SECONDS
from tools.generate_docs import DOCS, filled, pages

pytestmark = pytest.mark.xdist_group("docs")

LOADED = re.compile(r"""<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)=["']?([^"'\s>]+)""")
PROMISED = re.compile(r"(?:pip3?|uv pip|uv|pipx|poetry) (?:install|add) [^\n`]*?(?<![\w./@-])['\"]?tafelrunde\b(?! @)")
"""A command that takes the distribution by its bare name from a registry, where it is not."""
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
BARE = re.compile(r"(?:[A-Z_]+=\S+ )*(?:tafelrunde|pip|python) ")
"""A command of the environment without its path, behind settings of its own."""
QUIET = {"NO_MKDOCS_2_WARNING": "1"}
"""The theme warns of the next major version of mkdocs, below which `pyproject.toml` stays."""
PROBLEM = re.compile(r"\b([45]\d\d) `([a-z-]+)`")


def build(folder: Path, config: Path = DOCS / "site" / "mkdocs.yml") -> subprocess.CompletedProcess[str]:
    """Build a site; its configuration says that a warning fails, as `mike` has no option for that."""
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(config), "--site-dir", str(folder)]
    return subprocess.run(
        command, env={**os.environ, **QUIET}, capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS, check=False
    )


VERSION = "9.9"
AUTHOR = {f"GIT_{role}_{what}": "docs@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make docs-version` puts on its branch, in a repository of its own."""
    folder, made = tmp_path_factory.mktemp("repository"), tmp_path_factory.mktemp("published")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **AUTHOR, **QUIET, "PATH": path, "SITE_DIR": str(tmp_path_factory.mktemp("built"))}
    config = ("--config-file", str(DOCS / "site" / "mkdocs.yml"))
    for command in (
        ["git", "init", "--quiet"],
        ["git", "commit", "--quiet", "--allow-empty", "--message=begin"],
        ["mike", "deploy", *config, VERSION, "latest"],
        ["mike", "set-default", *config, "latest"],
        ["git", f"--work-tree={made}", "checkout", "--quiet", "gh-pages", "--", "."],
    ):
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS, check=False
        )
        assert done.returncode == 0, done.stderr
    return made


@pytest.fixture(scope="module")
def site(published: Path) -> Path:
    """The site of one version."""
    return published / VERSION


def test_site_of_a_version_stands_beside_the_others(published: Path) -> None:
    """The top leads to the latest version, and the list of versions is where the theme looks for it."""
    versions = json.loads((published / "versions.json").read_text(encoding="utf-8"))
    assert versions == [{"version": VERSION, "title": VERSION, "aliases": ["latest"]}]
    assert "latest/" in (published / "index.html").read_text(encoding="utf-8")
    assert '"provider": "mike"' in (published / VERSION / "index.html").read_text(encoding="utf-8")


def test_site_has_every_page(site: Path) -> None:
    """Every page of docs/ is there, and is reached from the first one."""
    index = (site / "index.html").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).with_suffix(".html").as_posix()
        assert (site / name).is_file()
        assert f'href="{name}"' in index


def test_site_loads_nothing_from_elsewhere(site: Path) -> None:
    """Scripts, pictures, styles and fonts are all its own, so it can be read offline."""
    styles = [found for path in site.rglob("*.css") for found in re.findall(r"url\(([^)]+)\)", path.read_text(encoding="utf-8"))]
    loaded = [found for path in site.rglob("*.html") for found in LOADED.findall(path.read_text(encoding="utf-8"))]
    assert len(loaded) > 100
    assert [
        each for each in loaded + styles if "//" in each.partition("?")[0] and not each.startswith(("'data:", '"data:', "data:"))
    ] == []


def test_site_does_not_build_when_a_link_is_broken(tmp_path: Path) -> None:
    """Missing pages, sections and files of the source tree fail the build, each for itself: no other warning is said."""
    links = ("nowhere.md", "errors.md#no-such-section", "../no-such-file.py")
    (tmp_path / "docs" / "site").mkdir(parents=True)
    text = "".join(f"[broken]({link})\n" for link in links)
    (tmp_path / "docs" / "index.md").write_text(f"# Home\n\n{text}", encoding="utf-8")
    (tmp_path / "docs" / "errors.md").write_text("# Errors\n", encoding="utf-8")
    config = re.sub(
        r"^nav:.*",
        "nav:\n  - index.md\n",
        (DOCS / "site" / "mkdocs.yml").read_text(encoding="utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    here = tmp_path / "docs" / "site" / "mkdocs.yml"
    here.write_text(config.replace("../../tools/", f"{DOCS.parent}/tools/"), encoding="utf-8")
    done = build(tmp_path / "site", here)
    assert done.returncode != 0
    assert [link for link in links if link not in done.stderr] == []
    assert f"Aborted with {len(links)} warnings in strict mode" in done.stdout


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_made_parts_are_those_of_the_code(page: Path) -> None:
    """`python -m tools.generate_docs` has nothing to write."""
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, "run 'python -m tools.generate_docs' and read the difference"


def test_links_of_readme_lead_somewhere() -> None:
    """The first page of the repository is not part of the site; whatever it links to is there too."""
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s#]+)", text) if "://" not in link]
    assert len(links) > 20
    assert [link for link in links if not (DOCS.parent / link).exists()] == []


def test_pictures_of_the_first_pages_are_there() -> None:
    """Pictures that are written as HTML, so that readers who want no motion get another one, are not checked by the builder."""
    for page in (DOCS.parent / "README.md", DOCS / "index.md"):
        pictures = re.findall(r'(?:src|srcset)="([^"]+)"', page.read_text(encoding="utf-8"))
        assert len(pictures) == 2
        assert [name for name in pictures if not (page.parent / name).is_file()] == []


def test_errors_are_all_there() -> None:
    """Every type of problem and every refusal of the match and of each game has its place, with what to do."""
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    assert [name for name in problem_kinds() if f"\n### {name}\n" not in text] == []
    codes = [f"match.{each.value}" for each in MatchRefusal]
    codes += [f"{game.id}.{each.value}" for game in GAMES.values() for each in game.refusals]
    assert [code for code in codes if f"| `{code}` |" not in text] == []


def named() -> Iterator[tuple[str, str, int]]:
    """Yield page, problem and status wherever a page names a problem with its status."""
    for page in sorted(DOCS.rglob("*.md")):
        for status, name in PROBLEM.findall(page.read_text(encoding="utf-8")):
            yield page.name, name, int(status)


def test_problems_that_pages_name_exist() -> None:
    """A page that says "409 `refused`" names a problem of the API with its own status."""
    found = list(named())
    assert len(found) > 20
    assert [each for each in found if each[1] not in problem_kinds() or problem_kinds()[each[1]].status != each[2]] == []


def test_limits_are_those_of_the_settings() -> None:
    """The numbers beside the table of quotas, which is made from the code, are the defaults of the service as well."""
    text = (DOCS / "limits.md").read_text(encoding="utf-8")
    settings = Settings()
    assert f"over all api processes of one `serve` | {settings.limits.max_streams} |" in text

    for row, cost in ((SIGN_UPS, Cost.SIGN_UP), (CHALLENGES, Cost.CHALLENGE)):
        paying = [f"`{each.method} {each.path}`" for each in operations() if each.about.cost is cost]
        assert sorted(row.covers.split(", ")) == sorted(paying)


def test_operator_reads_why_each_limit_is_what_it_is() -> None:
    """Every setting that limits a client has a line with its default and its reason."""
    lines = [line.split("|") for line in (DOCS / "operating.md").read_text(encoding="utf-8").splitlines() if line.count("|") == 5]
    told = {
        name.lower(): number.replace(",", "")
        for _, _, names, numbers, reason, _ in lines
        if reason.strip()
        for name, number in zip(re.findall(r"`TAFELRUNDE_(\w+)`", names), numbers.strip().split(", "), strict=False)
    }
    limits = {
        field: getattr(kind(), field)
        for kind in environment.KINDS
        for field, _ in variables(kind)
        if re.search(r"_per_|^max_|_waiting|^inbox_kept|^cached_|_match_seconds$", field)
    }
    words = {"a day": "86400", "a week": "604800"}
    assert {name: words.get(number, number) for name, number in told.items()} == {name: str(it) for name, it in limits.items()}


def test_caps_are_those_of_the_settings() -> None:
    """So are the numbers of matches that one may hold, and the days after which an abandoned match ends."""
    text = (DOCS / "limits.md").read_text(encoding="utf-8")
    settings = Settings()
    caps = {
        "seats of a player in open matches": settings.limits.open_seats_per_player,
        "practice matches of a player that run": settings.limits.practice_matches_per_player,
        "practice matches of an address that run": settings.limits.practice_matches_per_address,
    }
    for what, number in caps.items():
        assert f"| {what} | {number} |" in text
    alone = {
        "a host": (settings.limits.bot_matches_per_host, HOST_START_FACTOR),
        "an address": (settings.limits.bot_matches_per_address, ADDRESS_START_FACTOR),
    }
    for whose, (number, times) in alone.items():
        assert f"left by all of them: of {whose} | {number}, for a start with a player in it {times * number} |" in text
    assert (settings.limits.open_match_seconds, settings.limits.practice_match_seconds) == (86_400, 7 * 86_400)
    assert settings.limits.idle_match_seconds == 7 * 86_400
    assert "they end after a day" in text
    assert "they end after a week" in text


def test_prices_keep_a_token_to_a_tenth_of_a_core() -> None:
    """Each line of the table has the price that the code asks for, and the share of a core that follows from it."""
    text = (DOCS / "operating.md").read_text(encoding="utf-8")
    settings = Settings()
    table = text.partition("Prices of expensive reads")[2].partition("\n\n- ")[0].partition("\n\nProcessor time")[0]
    rows = [re.findall(r"[^|]+", line) for line in table.splitlines() if "events" in line]
    assert len(rows) > 7
    for row in rows:
        read, match, cpu_ms, price, share = [cell.strip() for cell in row]
        events = int(re.findall(r"(\d+) events", match)[0])
        advice = read.startswith("hint")
        rate = (settings.limits.advice_per_minute if advice else settings.limits.reads_per_minute) / 60
        asked = {
            "record": 1 + events // EVENTS_WRITTEN,
            "verification": 1 + events // EVENTS_CHECKED,
            "view of the past": 1 + events // 2 // ITEMS_FOLDED,
            "view that has to load its match": 1 + READS_PER_LOAD,
            "hint, the longest search": HINT,
        }
        assert int(price) == asked[read]
        part = float(cpu_ms.replace(",", "")) / int(price) * rate / 10
        assert abs(part - float(share.removesuffix(" %"))) < 0.06
        assert part < (15 if read.startswith("hint") else 11)


def bare(text: str) -> list[str]:
    """Return the lines in blocks of shell commands that start a command of the environment as if it were on the path."""
    lines = (line for block in SHELL.findall(text) for line in block.splitlines())
    return [line for line in lines if BARE.match(line)]


@pytest.mark.parametrize("line", ["tafelrunde serve", "TOKEN=$TOKEN tafelrunde verify FILE", "pip install ."])
def test_command_that_is_not_on_the_path_is_found(line: str) -> None:
    """Also with settings before it."""
    assert bare(f"```sh\nAPI=here\n{line}\n```\n") == [line]
    assert bare("```sh\n.venv/bin/serve\n```\n") == []


def test_pages_start_commands_where_they_are() -> None:
    """`.venv/bin/tafelrunde` works in a checkout whatever the path is. The page of all commands says their names alone."""
    for page in (DOCS.parent / "README.md", *DOCS.rglob("*.md")):
        if page.name not in {"recipes.md", "command-line.md"}:  # recipes make environments of their own, and activate them
            assert bare(page.read_text(encoding="utf-8")) == [], page.name


def promises(text: str) -> list[str]:
    """Return the commands in a text that install the distribution by its bare name."""
    return PROMISED.findall(text)


@pytest.mark.parametrize(
    "line", ["pip install tafelrunde", "`pip install 'tafelrunde[mcp]'`", "uv add --dev tafelrunde[research]"]
)
def test_promise_of_a_release_is_found(line: str) -> None:
    """The search for commands that cannot work knows their forms."""
    assert promises(line)


@pytest.mark.parametrize("line", ["pip install .", "pip install '.[mcp]'", "pip install 'tafelrunde @ git+https://host/repo'"])
def test_install_from_a_checkout_is_no_promise(line: str) -> None:
    """A checkout or an address may be named."""
    assert promises(line) == []


def test_nothing_promises_a_release() -> None:
    """The distribution is in no registry, so no page, hint or message says to install it by its bare name."""
    files = [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    files += [
        path
        for folder in ("api", "service", "workers", "audit", "research", "openapi")
        for path in (DOCS.parent / folder).rglob("*.py")
    ]
    assert {str(path): found for path in files if (found := promises(path.read_text(encoding="utf-8")))} == {}


def test_make_clean_keeps_the_data() -> None:
    """What `make clean` runs does not name the data folder."""
    done = subprocess.run(["make", "-n", "clean"], cwd=DOCS.parent, capture_output=True, text=True, check=True)
    assert "rm -rf" in done.stdout
    assert Settings().data_dir not in done.stdout
