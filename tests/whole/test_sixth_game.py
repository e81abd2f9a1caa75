"""A sixth game is found, not listed: the files of docs/tutorial-a-game.md and one line make it one of the games everywhere.

The page's blocks are written into a copy of the repository. There the suites over all games run on the new one, a benchmark
measures it, and people play it by the Python client and in the browser.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tafelrunde.domain.game import GameId
from tests.support.blocks import blocks
from tests.support.copies import copied, passed, run, write
from tests.support.facts import facts_of
from tests.support.paths import ROOT
from tests.support.programs import required
from tests.web.conftest import HOW_TO_GET, chromium
from tools import tutorial

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sixth")]

SHIM = "from {0} import *  # noqa: F403\n"
SUITES = (
    "tests/api/contract/test_compatible.py",
    "tests/api/contract/test_openapi.py",
    "tests/api/features/bots/test_hints.py",
    "tests/api/routes/test_games.py",
    "tests/api/routes/test_options.py",
    "tests/docs/test_rules_coverage.py",
    "tests/domain/registry/test_floor_plan.py",
    "tests/domain/registry/test_rule_sources.py",
    "tests/domain/registry/test_texts.py",
    "tests/domain/test_archive.py",
    "tests/games/duel/test_rules.py",
    "tests/research/test_environment.py",
    "tests/service/features/bots/test_ladder.py",
    "tests/workers/cli/features/records/test_replay.py",
)
WHOLE = (
    "contract_breaks_no_client",
    "contract_is_the_committed_one",
    "unions_have_a_name",
    "lists_have_items_of_one_type",
    "registry_finds_every_folder",
    "every_registered_game",
    "events_speak_to_the_seats",
    "texts_that_count",
    "special_texts_belong",
    "named_in_the_map_exists",
)
"""Tests that go over all games in one."""
PLAY = """
import sys

from tests.support.served import service

with service() as served:
    sys.argv = ["client", served.url]
    exec({program!r})
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the game, and with what a maintainer makes for it."""
    root = copied(tmp_path_factory.mktemp("sixth"))
    shutil.rmtree(root / "tests" / "games" / "duel")
    write(root, tutorial.files())
    for name, after in (("domain/registry.py", "FOLDERS = (\n"), ("docs/rules-coverage.md", "")):
        text = (root / name).read_text(encoding="utf-8")
        head = text.index(after) + len(after) if after else len(text)
        (root / name).write_text(text[:head] + tutorial.added(name) + text[head:], encoding="utf-8")
    here = root / "tests" / "support"
    for path in (here / "duel").rglob("*.py"):  # the suites take it for the tests' own game, too
        module = ".".join(path.relative_to(here).with_suffix("").parts).removesuffix(".__init__")
        path.write_text(SHIM.format(f"tafelrunde.domain.{module}"), encoding="utf-8")
    run(root, "tools.archive_matches")
    (root / "openapi" / "openapi.json").write_text(run(root, "tafelrunde.workers", "openapi"), encoding="utf-8")
    return root


def test_sixth_game_passes_the_suites_over_all_games(tree: Path) -> None:
    """Floor plan, secrecy, texts, archive, contract, API, bots, replays, environments: each has it, and finds nothing wrong."""
    names = passed(tree, *SUITES, "-k", " or ".join(("duel", *WHOLE)))
    assert {name.partition("::")[0] for name in names} == {*SUITES}
    assert [each for each in WHOLE if not any(each in name for name in names)] == []


def test_sixth_game_is_measured_with_the_others(tree: Path) -> None:
    """The benchmark of how long bots think has a line for each of its bots."""
    assert re.search(r"^\| duel \| [a-z-]+ \| \d+ \|", run(tree, "bench.thinking", "--small"), re.MULTILINE)


def test_sixth_game_is_played_by_the_python_client(tree: Path) -> None:
    """Over HTTP, as docs/python-client.md says, against a bot, to the end."""
    [program] = blocks(ROOT / "docs" / "python-client.md", "python")
    (tree / "play_duel.py").write_text(PLAY.format(program=program.replace('"coup"', '"duel"')), encoding="utf-8")
    assert run(tree, "play_duel").count("rank=") == 2


def test_sixth_game_is_played_at_the_plain_table(tree: Path) -> None:
    """Three people in three browsers, by mouse, by keyboard alone and by finger, to the result."""
    required(chromium(), HOW_TO_GET)
    [name] = passed(tree, "tests/web/test_keyboard.py", "-k", "match_is_played_to_its_end and duel")
    assert name.endswith("[duel]")


def test_game_without_facts_fails_and_says_what_is_missing() -> None:
    """The suites ask for the facts of every game when they are collected, so no game is left out."""
    with pytest.raises(LookupError, match=r"^tests/games/old_maid/facts\.py is missing"):
        facts_of(GameId("old-maid"))
