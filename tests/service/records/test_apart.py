"""Wheels of rules: what was played by rules that are not here any more is decided by the verifier of their release."""

from __future__ import annotations

import asyncio
import functools
import itertools
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tafelrunde.domain.game import Command, GameId
from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.service.application import Application
from tafelrunde.service.deployment import open_application
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.matches.bot_answers import bot_code
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.records import wheels
from tafelrunde.service.records.apart import Opinion
from tafelrunde.service.records.record import Recorder, encoded
from tafelrunde.service.records.verdict import Conclusion, Verdict
from tafelrunde.service.records.verifier import Verifier
from tafelrunde.service.records.verify import verify
from tafelrunde.service.records.wheels import Wheel, wheels_in
from tafelrunde.service.runtime.threads import beside
from tafelrunde.service.settings import Settings
from tafelrunde.workers.cli.audit import audit
from tafelrunde.workers.cli.records import as_text
from tafelrunde.workers.cli.single import Evidence, verdict_of
from tests.service.records.test_bots import record_of, told
from tests.service.records.test_record import REAL, Story, forgeries, rewritten, story
from tests.support.cases import GAMES
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tools.archive_matches import CODEC, Kept, kept, loaded_of, path_of
from tools.rules_wheel import build

COUP = GAMES[GameId("coup")]
ARCHIVED = ROOT / "tests" / "archive" / "rules"
CASE = next(case for case in REAL if case.name == "coup-2-default")


@functools.cache
def wheel() -> Path:
    """Return the wheel of today's rules, in a folder of its own."""
    return build(Path(tempfile.mkdtemp(prefix="tr-rules-")))


@pytest.fixture
def lines() -> list[bytes]:
    """A record that was played by today's rules."""
    return story(CASE).lines()


@pytest.fixture
def replaced(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The same record, in a time in which Coup has other rules and has not kept those of the record."""
    monkeypatch.setattr(type(COUP), "rules_version", 9)
    monkeypatch.setattr(type(COUP), "of_version", lambda self, _: self)
    assert verify(lines, GAMES).conclusion is Conclusion.UNDECIDED
    return lines


def judged(lines: list[bytes], folder: Path, every_bot: int = 0) -> Verdict:
    """Return the verdict with the wheels of a folder."""
    with closing(Verifier(GAMES, CODEC, every_bot=every_bot, wheels=wheels_in(folder))) as verifier:
        return verifier.verdict(lines)


def test_wheel_of_its_rules_decides_a_record(replaced: list[bytes], tmp_path: Path) -> None:
    """It is right, and the answer names the wheel; without one it stays undecided."""
    verdict = judged(replaced, wheel().parent)
    assert (verdict.conclusion, verdict.by) == (Conclusion.RIGHT, wheel().name)
    assert judged(replaced, tmp_path).conclusion is Conclusion.UNDECIDED


def test_command_line_takes_a_folder_of_wheels(replaced: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says by which rules it was decided."""
    monkeypatch.setattr("tafelrunde.workers.cli.single.GAMES", GAMES)
    record = tmp_path / "record.ndjson"
    record.write_bytes(b"".join(replaced))
    verdict = verdict_of(str(record), lambda: pytest.fail("no store"), None, Evidence(rules=wheel().parent))
    assert verdict.right
    assert f"by version 2 of the rules, from {wheel().name}" in as_text(verdict)


def test_forgery_that_only_the_rules_show_is_found_by_the_wheel(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands cut out and everything hashed again: the present release cannot see it, the wheel does."""
    left_out = next(each.values[0] for each in forgeries() if each.id == "command_left_out")
    forged = rewritten(lines, left_out)
    monkeypatch.setattr(type(COUP), "rules_version", 9)
    monkeypatch.setattr(type(COUP), "of_version", lambda self, _: self)
    assert verify(forged, GAMES).conclusion is Conclusion.UNDECIDED
    verdict = judged(forged, wheel().parent)
    assert (verdict.conclusion, verdict.by) == (Conclusion.WRONG, wheel().name)


@pytest.mark.parametrize(
    ("was", "becomes", "conclusion"),
    [
        ("Action.INCOME: Coins(gain=1)", "Action.INCOME: Coins(gain=2)", Conclusion.WRONG),
        ("rules_version = 2", "rules_version = 3", Conclusion.UNDECIDED),
    ],
)
def test_wheel_runs_its_own_rules_and_not_the_present_ones(
    was: str, becomes: str, conclusion: Conclusion, replaced: list[bytes], tmp_path: Path
) -> None:
    """Rules that were changed in the tree of the wheel decide otherwise; one of another version decides nothing."""
    tree = tmp_path / "tree"
    for layer in ("domain", "service"):
        shutil.copytree(ROOT / layer, tree / layer, ignore=shutil.ignore_patterns("__pycache__"))
    changed = [path for path in (tree / "domain" / "coup").glob("*.py") if was in path.read_text(encoding="utf-8")]
    assert changed
    for path in changed:
        path.write_text(path.read_text(encoding="utf-8").replace(was, becomes), encoding="utf-8")
    build(tmp_path / "wheels", tree)
    assert judged(replaced, tmp_path / "wheels").conclusion is conclusion


def test_wheel_computes_the_answers_of_its_bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a time in which other bots are here: they are not judged by those, and by the wheel they come out again."""
    lines, forged = record_of(COUP.id), told(other_answer).lines()
    monkeypatch.setattr("tafelrunde.service.records.bot_check.bot_code", lambda _: "f" * 32)
    assert judged(lines, tmp_path, 1).bots.computed == 0
    verdict = judged(lines, wheel().parent, 1)
    assert (verdict.conclusion, verdict.by) == (Conclusion.RIGHT, "")
    assert verdict.bots.computed == verdict.bots.given > 0
    assert (verdict.bots.by, verdict.bots.unable) == (wheel().name, "")
    assert f"were computed again by the bots from {wheel().name}." in as_text(verdict)
    assert judged(lines, wheel().parent, 0).bots.computed == 0
    assert judged(forged, tmp_path, 1).conclusion is Conclusion.UNDECIDED
    found = judged(forged, wheel().parent, 1)
    assert found.finding is not None
    assert found.finding.what.startswith("what the bot ")


def test_answers_of_bots_that_several_wheels_have_are_counted_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A release that changed nothing of a game has the bots of the one before; only one of them is asked."""
    later = tmp_path / "tree"
    for layer in ("domain", "service"):
        shutil.copytree(ROOT / layer, later / layer, ignore=shutil.ignore_patterns("__pycache__"))
    with (later / "service" / "records" / "record.py").open("a", encoding="utf-8") as module:
        module.write("\n# later")
    build(tmp_path, later)
    shutil.copy(wheel(), tmp_path)
    monkeypatch.setattr("tafelrunde.service.records.bot_check.bot_code", lambda _: "f" * 32)
    bots = judged(record_of(COUP.id), tmp_path, 1).bots
    assert len(wheels_in(tmp_path)) == 2
    assert bots.computed == bots.given > 0
    assert bots.unable == ""
    assert {each.bots["tafelrunde/domain/coup"] for each in wheels_in(tmp_path)} == {bot_code(COUP)}


def other_answer(story: Story, answer: Command, legal: list[Command]) -> Command:
    """Exchange an answer for another legal one, in the middle of the match."""
    return next((each for each in legal if each != answer and len(story.entries) > 20), answer)


def test_wheel_that_its_name_does_not_fit_is_refused(tmp_path: Path) -> None:
    """Before any of its code runs."""
    other = tmp_path / wheel().name
    shutil.copy(wheel(), other)
    assert [each.path for each in wheels_in(tmp_path)] == [other]
    with zipfile.ZipFile(other, "a") as file:
        file.writestr("tafelrunde/domain/more.py", "raise SystemExit")
    with pytest.raises(StartupRefused, match="its modules have the digest"):
        wheels_in(tmp_path)
    shutil.copy(wheel(), other)
    with zipfile.ZipFile(other, "a") as file:
        file.writestr("tafelrunde/domain/registry.pyc", "compiled: Python would take it for registry.py")
    with pytest.raises(StartupRefused, match=r"has more than modules: tafelrunde/domain/registry\.pyc"):
        wheels_in(tmp_path)
    other.write_bytes(b"no wheel")
    with pytest.raises(StartupRefused, match="cannot be read"):
        wheels_in(tmp_path)
    with pytest.raises(StartupRefused, match="no such folder"):
        wheels_in(tmp_path / "none")


def test_same_sources_give_the_same_wheel(tmp_path: Path) -> None:
    """Anyone can build it again and compare."""
    assert build(tmp_path).read_bytes() == wheel().read_bytes()


def test_what_is_no_record_gets_no_opinion() -> None:
    """A wheel that breaks, or does not know the game, says nothing."""
    with closing(Wheel(wheel())) as asked:
        assert asked.opinion([b"\xff\n"]) is None
        assert asked.opinion([b"{}\n"]) is None


@pytest.fixture(scope="module")
def archived() -> Iterator[list[Wheel]]:
    """The wheels of the archive."""
    with ExitStack() as open_ones:
        yield [open_ones.enter_context(closing(each)) for each in wheels_in(ARCHIVED)]


def one_of_each_version() -> list[tuple[str, list[bytes]]]:
    """Return a record of each game and each version of its rules that the archive has."""
    found: dict[tuple[str, int], Kept] = {}
    for game in REGISTERED.values():
        for match in kept(path_of(game)):
            found.setdefault((game.id, match.rules_version), match)
    return [
        (f"{game}-{version}", list(encoded(Recorder(CODEC).lines(match.match, loaded_of(match)))))
        for (game, version), match in found.items()
    ]


def test_archived_wheels_still_decide_the_matches_of_their_time(archived: list[Wheel]) -> None:
    """One match of each game and each version of its rules that the archive has."""
    assert archived
    for wheel, (name, record) in itertools.product(archived, one_of_each_version()):
        opinion = wheel.opinion(record)
        assert opinion is not None
        assert (opinion.decided, opinion.finding) == (True, None), name


def test_archive_can_decide_every_version_of_rules_that_it_has(archived: list[Wheel]) -> None:
    """A version is kept by its game, or by a wheel in the archive."""
    verifier = Verifier(REGISTERED, CODEC, wheels=archived)
    for name, record in one_of_each_version():
        assert verifier.verdict(record).conclusion is Conclusion.RIGHT, name


def test_folder_of_all_versions_of_rules_has_nothing_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a time in which every game has other rules and has kept none; one record that is forged is wrong, and named."""
    for name, record in one_of_each_version():
        (tmp_path / f"{name}.ndjson").write_bytes(b"".join(record))
    left_out = next(each.values[0] for each in forgeries() if each.id == "command_left_out")
    (tmp_path / "forged.ndjson").write_bytes(b"".join(rewritten(story(CASE).lines(), left_out)))
    shutil.copy(wheel(), tmp_path)
    for game in REGISTERED.values():
        monkeypatch.setattr(type(game), "rules_version", 99)
        monkeypatch.setattr(type(game), "of_version", lambda self, _: self)
    alone = audit(tmp_path, lambda _: None, 1)
    assert {each.conclusion for each in alone.records} == {Conclusion.UNDECIDED}
    found = audit(tmp_path, lambda _: None, 1, Evidence(rules=tmp_path))
    told = {each.source: each.conclusion for each in found.records}
    assert told.pop("forged.ndjson") is Conclusion.WRONG
    assert len(told) > len(REGISTERED)
    assert {*told.values()} == {Conclusion.RIGHT}
    assert {each.verdict.by for each in found.records} == {wheel().name}


def test_wheel_that_broke_off_is_started_again(lines: list[bytes]) -> None:
    """The process of a wheel is kept for many records; if it was killed meanwhile, the next record gets another one."""
    with closing(Wheel(wheel())) as asked:
        assert asked.opinion(lines) is not None
        assert asked.opinion([b"\xff\n"]) is None
        first = asked.opinion(lines)
        assert asked.process is not None
        asked.process.kill()
        asked.process.wait()
        assert asked.opinion(lines) == first is not None
    assert asked.process is None
    assert asked.opinion(lines) is None, "closed"


def test_service_goes_on_while_a_wheel_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel that does not answer holds up no other heavy work of the process, and ends with the service."""
    told = story(CASE)
    loaded = Loaded(told.match, Version(len(told.entries)), chain_over(GENESIS, told.entries), told.entries)
    monkeypatch.setattr(type(COUP), "rules_version", 9)
    monkeypatch.setattr(type(COUP), "of_version", lambda self, _: self)
    asked = threading.Event()
    monkeypatch.setattr(wheels, "RUN", "import sys; sys.stdin.buffer.read()")
    opinion = Wheel.opinion

    def noting(self: Wheel, lines: Sequence[bytes], every_bot: int = 0) -> Opinion | None:
        asked.set()
        return opinion(self, lines, every_bot)

    monkeypatch.setattr(Wheel, "opinion", noting)

    async def both() -> Verdict:
        async with open_application(Settings(rules_folder=str(wheel().parent)), stores=memory_stores()) as application:
            verifying = asyncio.ensure_future(application.records.verify(told.name, loaded))
            await asyncio.to_thread(asked.wait)
            assert await asyncio.wait_for(beside(lambda: "other work"), PATIENCE_SECONDS) == "other work"
            assert not verifying.done()
        return await verifying

    assert asyncio.run(both()).conclusion is Conclusion.UNDECIDED


def test_service_decides_older_rules_by_its_folder_of_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If its operator has named one; without one it stays undecided. One that cannot be used is refused at the start."""
    told = story(CASE)
    loaded = Loaded(told.match, Version(len(told.entries)), chain_over(GENESIS, told.entries), told.entries)
    monkeypatch.setattr(type(COUP), "rules_version", 9)
    monkeypatch.setattr(type(COUP), "of_version", lambda self, _: self)
    for folder, conclusion in ((None, Conclusion.UNDECIDED), (str(wheel().parent), Conclusion.RIGHT)):
        application = Application(memory_stores(), Settings(rules_folder=folder))
        with closing(application.records) as records:
            verdict = asyncio.run(records.verify(told.name, loaded))
        assert (verdict.finding, verdict.conclusion) == (None, conclusion)
    with pytest.raises(StartupRefused, match="no such folder"):
        Application(memory_stores(), Settings(rules_folder=str(tmp_path / "none")))
