"""What `tafelrunde verify` and `replay` are given: files, addresses and ids, and what is none of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tafelrunde.audit.check_record import Evidence, check_record
from tafelrunde.audit.record_sources import fetch_record
from tafelrunde.audit.verdict_text import as_text
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.features.records.verdict import Verdict
from tafelrunde.service.settings import Settings
from tafelrunde.workers.cli import main
from tafelrunde.workers.cli.features.records.replay import Audience, read_story
from tests.support.processes import run
from tests.workers.cli.features.records.test_replay import COUP, record, written

Command = Callable[..., tuple[object, str, str]]


def no_settings() -> Settings:
    """Nothing is started."""
    raise AssertionError("settings were asked for")


def verdict_of(source: str, evidence: Evidence | None = None) -> Verdict:
    """Check a record, without a store to ask."""
    verdict = check_record(source, no_store, None, evidence or Evidence()).verdict
    assert verdict is not None
    return verdict


def no_store(_: str) -> list[bytes]:
    """Nothing is looked for."""
    raise AssertionError("a store was asked for")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process: return its exit code, and what it printed to both outputs."""

    def called(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr("sys.argv", ["tafelrunde", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return called


@pytest.mark.parametrize("name", ["nope", "record.ndjson", "m123", "M" + "a" * 24, "ftp://a.example/match"])
def test_name_that_is_neither_file_nor_address_nor_id_starts_nothing(name: str, tmp_path: Path) -> None:
    """A mistyped name is reported as such, by each command that takes one."""
    source = str(tmp_path / name) if "/" not in name else name
    for ask in (
        lambda: verdict_of(source),
        lambda: read_story(source, Audience.PUBLIC, no_settings),
        lambda: fetch_record(source, no_store, None),
    ):
        with pytest.raises(StartupRefused, match="no such file, and not the id of a match"):
            ask()


def test_mistyped_name_makes_no_data_folder(tmp_path: Path) -> None:
    """One line and exit code 2."""
    data = tmp_path / "data"
    done = run("verify", str(tmp_path / "nope"), data_dir=str(data))
    assert (done.returncode, done.stdout, data.exists()) == (2, "", False)
    assert done.stderr == f"{tmp_path / 'nope'}: no such file, and not the id of a match.\n"


def test_tools_for_a_model_are_refused_what_is_no_address(command: Command) -> None:
    """At once, not at the first question of the model."""
    said = "localhost:8000 is not the address of a service, like http://127.0.0.1:8000.\n"
    assert command("mcp", "--url", "localhost:8000") == (2, "", said)


def test_file_with_proofs_that_is_missing_is_reported(tmp_path: Path) -> None:
    """In one sentence, as every file that cannot be read."""
    evidence = Evidence(tmp_path / "missing")
    with pytest.raises(StartupRefused, match=r"missing cannot be read: No such file or directory\."):
        verdict_of(written(tmp_path, record(COUP)), evidence)


def test_verdict_tells_what_to_compare(tmp_path: Path, command: Command) -> None:
    """A record alone does not show which match it is: the commitment and the last chain do."""
    lines = record(COUP)
    end, head = json.loads(lines[-2]), json.loads(lines[0])
    code, printed, said = command("verify", written(tmp_path, lines), "--bots", "0")
    assert (code, said) == (0, "")
    assert printed.splitlines()[-1] == (
        f"Compare with what you were told: commitment {head['commitment']}, last chain {end['chain']}."
    )


def test_match_of_other_rules_is_undecided(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither right nor wrong: words and an exit code of its own, and a replay says so beside its output."""
    source = written(tmp_path, record(GameId("mondkrone")))
    monkeypatch.setattr(type(GAMES[GameId("mondkrone")]), "rules_version", 99)
    code, printed, _ = command("verify", source)
    assert code == 3
    assert "it says that it was played by a version of the rules which is not here." in printed
    code, printed, _ = command("verify", source, "--json")
    verdict = json.loads(printed)
    assert (code, verdict["conclusion"], verdict["right"], verdict["finding"]) == (3, "undecided", False, None)
    code, printed, said = command("replay", source)
    assert (code, said.splitlines()) == (
        0,
        ["This match was played under a rules version that is not installed here: its decisions were not checked."],
    )
    assert printed


def test_match_of_todays_rules_is_replayed_without_a_word_beside(tmp_path: Path, command: Command) -> None:
    """All of it was decided again."""
    assert command("replay", written(tmp_path, record(COUP)))[2] == ""


def test_document_that_is_nested_without_end_is_reported(tmp_path: Path) -> None:
    """As everything that is no record, in one line."""
    source = tmp_path / "deep.json"
    source.write_bytes(b'{"lines":' + b"[" * 200_000)
    assert as_text(verdict_of(str(source))).startswith("Wrong at line 1: a line of a record.")


def test_nothing_that_a_forger_wrote_moves_the_cursor(tmp_path: Path) -> None:
    """What was found is printed with its control characters spelled out."""
    lines = record(COUP)
    lines[0] = lines[0].replace(b'"game":"coup"', b'"game":"\\u001b[2Jcoup"')
    text = as_text(verdict_of(written(tmp_path, lines)))
    assert "\\x1b[2Jcoup" in text
    assert text.isprintable()
