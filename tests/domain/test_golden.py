"""Stored matches: they can always be folded, and today's rules still play the transcripts. `make golden` rewrites them.

`<seats>-<options>.json` are transcripts to read and to compare; they change when the rules or the random choices do.
`log-<n>.json` are logs as a store keeps them; existing ones never change, and new event tags only add to them.
`seeds.json` has the seeds of the transcripts. `counts.json` has the numbers of positions that can be reached from one deal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from tafelrunde.domain.game import AnyGame, Event
from tafelrunde.domain.match import Status
from tafelrunde.domain.match.events import MATCH_EVENTS
from tests.support.cases import CASES, GAMES, PLAIN, Case, cases
from tests.support.own import DUEL
from tests.support.paths import ROOT
from tests.support.transcripts import Recording, counts, log, read, record, record_all_that_a_match_knows, transcript

FOLDER = ROOT / "tests" / "golden"
ROUND = "match"
SEEDS = 200
SEEDS_KEPT = FOLDER / "seeds.json"


def told(case: Case) -> bool:
    """Return whether a case has a transcript: all variants with the fewest seats they are offered for, and all seats."""
    fewest = min(each.seats for each in CASES if each.game is case.game and variant(each) == variant(case))
    return variant(case) == "default" or case.seats == fewest


def variant(case: Case) -> str:
    """Return the name of a case's options."""
    return case.name.removeprefix(f"{case.game.id}-{case.seats}-")


def shortest(case: Case) -> int:
    """Return which of a few random matches of a case is the shortest."""
    return min(range(5), key=lambda seed: len(record(case, seed).entries))


def seed_of(case: Case, golden: bool) -> int:
    """Return the seed of a case's transcript, as it is kept."""
    seeds = msgspec.json.decode(SEEDS_KEPT.read_bytes(), type=dict[str, int])
    if golden:
        seeds[case.name] = shortest(case)
        SEEDS_KEPT.write_text(_pretty(dict(sorted(seeds.items()))), encoding="utf-8")
    assert case.name in seeds, "missing: run `make golden` and read what it wrote"
    return seeds[case.name]


def path_of(case: Case) -> Path:
    """Return where the transcript of a case is."""
    return FOLDER / case.game.id / f"{case.seats}-{variant(case)}.json"


def agree(path: Path, text: str, golden: bool) -> None:
    """Compare a file with what it should be, or write it."""
    if golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), "missing: run `make golden` and read what it wrote"
    assert path.read_text(encoding="utf-8") == text, "changed: run `make golden` and read the difference"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> bool:
    """Whether to rewrite the files."""
    return bool(request.config.getoption("--golden"))


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES if told(case)])
def test_transcript_is_what_is_played_today(case: Case, golden: bool) -> None:
    """The same chance and the same choices give the same match, event for event."""
    agree(path_of(case), transcript(record(case, seed_of(case, golden))), golden)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
def test_as_many_positions_are_reached_as_before(game: AnyGame, golden: bool) -> None:
    """The number of positions, and of commands to them, reachable from one deal."""
    found = {case.name: counts(case) for case in PLAIN if case.game is game}
    agree(FOLDER / game.id / "counts.json", _pretty(found), golden)


def _pretty(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def tags(kinds: Iterable[type[Event]]) -> set[str]:
    """Return the tags of events."""
    return {str(kind.__struct_config__.tag) for kind in kinds}


def candidates(folder: str) -> Iterator[Recording]:
    """Yield matches that may have events whose tags are new."""
    if folder == ROUND:
        yield from record_all_that_a_match_knows(next(cases(GAMES[DUEL.id])))
        return
    for seed, case in itertools.product(range(SEEDS), [case for case in CASES if case.game.id == folder]):
        yield record(case, seed)


def add_logs(folder: str, missing: set[str]) -> None:
    """Write logs until every tag is in one."""
    numbers = itertools.count(1 + len(list((FOLDER / folder).glob("log-*.json"))))
    for recording in candidates(folder):
        if missing & recording.tags():
            missing -= recording.tags()
            path = FOLDER / folder / f"log-{next(numbers)}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(_pretty(log(recording)), encoding="utf-8")
        if not missing:
            return


def logs(folder: str) -> list[list[str]]:
    """Return all logs of a folder."""
    return [msgspec.json.decode(path.read_bytes(), type=list[str]) for path in sorted((FOLDER / folder).glob("log-*.json"))]


def stored_tags(folder: str) -> set[str]:
    """Return the tags in all logs of a folder."""
    return {tag for entries in logs(folder) for tag in read(entries)[1]}


ALL_TAGS: Sequence[tuple[str, set[str]]] = [
    (ROUND, tags(MATCH_EVENTS)),
    *((game.id, tags(game.event_types)) for game in GAMES.values()),
]


@pytest.mark.parametrize(("folder", "expected"), [pytest.param(folder, expected, id=folder) for folder, expected in ALL_TAGS])
def test_every_tag_is_in_a_stored_log(folder: str, expected: set[str], golden: bool) -> None:
    """Every event that is ever written has its bytes kept."""
    if golden:
        add_logs(folder, expected - stored_tags(folder))
    assert expected - stored_tags(folder) == set(), "no log has these: run `make golden`"


@pytest.mark.parametrize("folder", [pytest.param(folder, id=folder) for folder, _ in ALL_TAGS])
def test_stored_logs_fold_to_the_states_they_were_written_with(folder: str) -> None:
    """What was ever written can be read, to the same end."""
    assert {read(entries)[0].status for entries in logs(folder)} <= {Status.OVER, Status.ABORTED}


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
def test_game_has_transcripts(game: AnyGame) -> None:
    """No game is without its transcripts, and none is left over."""
    expected = {path_of(case) for case in CASES if case.game is game and told(case)}
    found = {path for path in (FOLDER / game.id).glob("*.json") if path.stem != "counts" and not path.stem.startswith("log-")}
    assert found == expected
