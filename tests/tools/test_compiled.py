"""The compiled form of the rules: what is compiled, when it is used, and what it must not change."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tools import compiled, compiled_finder
from tools.compiled_digests import named
from tools.compiled_finder import STAMP

WHERE = """
from tools import compiled_finder
compiled_finder.install()
from tafelrunde.domain.coup import rules
print(rules.__file__)
"""


def where(built: Path | str) -> Path:
    """Return the file from which a new process has the rules of Coup, given a build."""
    env = {**os.environ, compiled_finder.CHOICE: str(built)}
    found = subprocess.run([sys.executable, "-c", WHERE], env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    return Path(found.stdout.strip())


def test_staged_copy_has_every_table_with_its_methods_written_out(tmp_path: Path) -> None:
    """Mypyc keeps no annotations of fields, from which the plain form makes `copy` and `digest_form`."""
    paths = compiled.stage(tmp_path, compiled.games())
    tables = [tmp_path / path for path in paths if path.count("/") == 3 and path.endswith("/table.py")]
    assert len(tables) == len(compiled.games()) >= 5
    for table in tables:
        text = table.read_text("utf-8")
        assert text.count("    def copy(self) -> Self:") == text.count("    def digest_form(self)") == 1
        assert "twin.emit = None\n" in text
        assert text.count("@final\n@mypyc_attr") == 1, "its methods are called directly"
        compile(text, str(table), "exec")


def test_staged_copy_is_that_of_the_sources_except_for_tables_and_what_enumerations_say(tmp_path: Path) -> None:
    """There is one source: all that is compiled beside the tables is what the plain form runs.

    Mypyc puts a filler in the place of an enumeration's docstring, which the contract shows, so it is set again.
    """
    paths = compiled.stage(tmp_path, compiled.games())
    texts = {path: (tmp_path / path).read_text("utf-8") for path in paths}
    assert """setattr(Suit, "__doc__", 'The printed suits, in""" in texts["tafelrunde/domain/stich_meister/cards.py"]
    plain = {path: re.sub(r'\n\n\nsetattr\(\w+, "__doc__", .*(?=\n)', "", text) for path, text in texts.items()}
    changed = {path for path, text in plain.items() if text != (ROOT / path.partition("/")[2]).read_text("utf-8")}
    tables = {f"tafelrunde/domain/{game}/table.py" for game in compiled.games()}
    assert changed == tables | {"tafelrunde/domain/state.py", "tafelrunde/domain/table.py"}


@pytest.mark.parametrize(
    "source",
    ["class Odd(Struct, frozen=True): ...", "class Odd(View, tag='x'): ...", "used = (_use(role, rng) for role in roles)"],
)
def test_source_that_would_mean_something_else_is_refused(source: str) -> None:
    """Mypyc drops the keywords of a class, and makes lists of generators: what draws would draw too much."""
    with pytest.raises(TypeError, match=r"domain\.coup\.odd"):
        compiled.check_source("coup.odd", source)
    compiled.check_source("coup.odd", "class Odd(Struct): ...\nused = [_use(role, rng) for role in roles]")


def test_build_is_used_until_a_source_is_edited(tmp_path: Path) -> None:
    """The code of yesterday never runs: a build of other sources, or of another Python, is left alone."""
    shutil.copytree(ROOT / "domain", tmp_path / "tafelrunde" / "domain")
    assert where(tmp_path) == ROOT / "domain" / "coup" / "rules.py", "a build that is not whole has no stamp"
    (tmp_path / STAMP).write_text(compiled_finder.digest(), "utf-8")
    assert where(tmp_path) == tmp_path / "tafelrunde" / "domain" / "coup" / "rules.py"
    assert where("") == ROOT / "domain" / "coup" / "rules.py"
    (tmp_path / STAMP).write_text(compiled_finder.digest()[::-1], "utf-8")
    assert where(tmp_path) == ROOT / "domain" / "coup" / "rules.py"


NAMED = """
from tools import compiled_finder
compiled_finder.install()
from tafelrunde.domain.registry import GAMES
from tools.compiled_digests import named
print(*(each for game in GAMES.values() for each in named(game)), sep="\\n")
"""


def test_compiled_form_names_the_same_code_as_the_plain_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records name digests of rules and bots, and who has the release in either form can compute its bots' answers again."""
    monkeypatch.setattr("mypyc.build.mypycify", lambda *_, **__: [])
    compiled.translated(tmp_path, compiled.games(), "0")
    (tmp_path / STAMP).write_text(compiled_finder.digest(), "utf-8")
    assert where(tmp_path) == tmp_path / "tafelrunde" / "domain" / "coup" / "rules.py"
    env = {**os.environ, compiled_finder.CHOICE: str(tmp_path)}
    found = subprocess.run([sys.executable, "-c", NAMED], env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    assert found.stdout.split() == [each for game in GAMES.values() for each in named(game)]


def test_digest_is_another_one_after_any_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Content counts, not times: a checkout of the same sources keeps its build."""
    monkeypatch.setattr(compiled_finder, "DOMAIN", tmp_path)
    one = tmp_path / "coup" / "rules.py"
    one.parent.mkdir()
    one.write_text("GAIN = 1\n")
    before = compiled_finder.digest()
    one.write_text("GAIN = 2\n")
    assert compiled_finder.digest() != before
    one.write_text("GAIN = 1\n")
    os.utime(one, (0, 0))
    assert compiled_finder.digest() == before
    one.with_name("more.py").touch()
    assert compiled_finder.digest() != before


def test_hint_is_for_those_who_can_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make serve` says that `make fast` exists where there is a compiler and no build, and nothing otherwise."""
    monkeypatch.setattr(compiled, "BUILT", tmp_path)
    monkeypatch.setattr(compiled.shutil, "which", lambda _: "/usr/bin/cc")
    assert "make fast" in (compiled.hint() or "")
    (tmp_path / STAMP).write_text("another", "utf-8")
    assert "again" in (compiled.hint() or "")
    (tmp_path / STAMP).write_text(compiled_finder.digest(), "utf-8")
    assert compiled.hint() is None
    monkeypatch.setattr(compiled.shutil, "which", lambda _: None)
    (tmp_path / STAMP).unlink()
    assert compiled.hint() is None


@pytest.mark.parametrize("arguments", [["check", "2", "meister-coup"], ["try", "1", "coup", "whist"]])
def test_name_that_is_no_folder_of_a_game_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Otherwise nothing but what all games share would be compiled, and nothing compared."""
    with pytest.raises(SystemExit):
        compiled.main(arguments)
    assert f"no folder of a game: {arguments[-1]}" in capsys.readouterr().err


def test_comparison_of_no_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """It would find that both forms agree."""
    with pytest.raises(SystemExit):
        compiled.main(["try", "1"])
    assert "try MATCHES GAME..." in capsys.readouterr().err
