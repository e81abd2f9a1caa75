"""One table of cases, and what every verifier says of each: the service's, the kept check, the browser's, and both programs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from tafelrunde.audit.check_record import settle_by_log
from tafelrunde.audit.kept_evidence import apply_comparison, compare
from tafelrunde.audit.unproved import DOUBTS
from tafelrunde.audit.verdict_text import as_text
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.verdict import Conclusion, Verdict
from tafelrunde.service.features.records.verify import verify
from tests.service.features.records.test_record import CODEC
from tests.support.forging import Forgery, judged
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.verdict_cases import COUP, make_kept, make_proofs, record, whole_file
from tests.support.verifying import verdicts_beside
from tools.node import environment

pytestmark = pytest.mark.xdist_group("records")  # they are made once for all of these

FILE = whole_file()
REASONS: Mapping[str, Mapping[str, str]] = FILE["reasons"]
VERIFIER = ROOT / "docs" / "verifier"
OLD = ROOT / "service" / "features" / "records" / "old_records.txt"


DOUBTFUL = ("rules", "draws", "old_draws", "uncommitted", "lesson", "day_commitment", "day_leaf", "taken_up")
"""What leaves a record by itself undecided."""


class Asked(NamedTuple):
    """What a verifier is asked: a case, its record, what was kept of it and what is known of its day, if that is given to it."""

    case: str
    record: str
    kept: str | None
    day: str | None
    expected: Sequence[str]


class Said(NamedTuple):
    """What a verifier says: a conclusion, what is wrong, and the codes of what is left open."""

    conclusion: str
    wrong: str = ""
    open: frozenset[str] = frozenset()


def list_cases(*, beside: bool) -> list[Asked]:
    """Return all cases, with or without what was kept."""
    name = "beside" if beside else "alone"
    cases = [each for each in FILE["cases"] if name in each]
    return [Asked(each["case"], each["record"], each["kept"] if beside else None, each.get("day"), each[name]) for each in cases]


ALONE, BESIDE = list_cases(beside=False), list_cases(beside=True)


def find_differing(verifier: str, cases: Sequence[Asked], said: Sequence[Said]) -> Iterator[tuple[str, str, Said]]:
    """Yield each case of which a verifier says something else than the table."""
    for case, found in zip(cases, said, strict=True):
        conclusion, *reasons = case.expected
        words = [REASONS.get(each, {}).get("all", REASONS.get(each, {}).get(verifier, "")) for each in reasons]
        is_said = conclusion != "wrong" or all(each in found.wrong for each in words)
        is_open = conclusion != "undecided" or found.open == frozenset(reasons)
        if found.conclusion != conclusion or not is_said or not is_open:
            yield case.case, " ".join(case.expected), found


def by_service(case: Asked) -> Said:
    """Ask `tafelrunde verify`."""
    lines = record(case.record)
    verdict: Verdict = verify(lines, GAMES, CODEC)
    if verdict.finding is None and case.day is not None:
        verdict = settle_by_log(verdict, lines, make_proofs(case.day, case.record), None)
    left = frozenset[str]()
    if verdict.finding is None and case.kept is not None:
        comparison = compare(make_kept(case.kept, case.record), lines, None)
        verdict = apply_comparison(verdict, comparison)
        left = frozenset(comparison.open) & DOUBTS
    codes = left | {each.value for each in verdict.undecided}
    finding = verdict.finding
    wrong = f"{finding.what}: {finding.expected}" if finding is not None else ""
    assert codes or verdict.conclusion is not Conclusion.UNDECIDED
    return Said(verdict.conclusion.value, wrong, codes)


def test_service_says_of_every_case_what_the_table_says() -> None:
    """Of the record alone, and beside what was kept."""
    for cases in (ALONE, BESIDE):
        assert [*find_differing("service", cases, [*map(by_service, cases)])] == []


def by_browser(cases: Sequence[Asked]) -> list[Said]:
    """Ask the browser's module, which compares the leaf of a day elsewhere."""
    given = [(b"".join(record(each.record)), make_kept(each.kept, each.record) if each.kept else None) for each in cases]
    found = verdicts_beside((content, msgspec.to_builtins(own) if own else None) for content, own in given)
    codes = {*DOUBTFUL, *DOUBTS}
    return [Said(each["conclusion"], each["wrong"] or "", frozenset(each.get("open", ())) & codes) for each in found]


def test_browser_says_of_every_case_what_the_table_says() -> None:
    """Of those without the leaf of a day, which it compares with the log."""
    for cases in (ALONE, BESIDE):
        own = [each for each in cases if each.day is None]
        assert [*find_differing("browser", own, by_browser(own))] == []


def by_program(case: Asked, folder: Path) -> Said:
    """Ask verify.mjs."""
    number = f"{case.case.replace(' ', '-')}-{case.kept}"
    files = {"ndjson": b"".join(record(case.record))}
    if case.kept is not None:
        files["kept.json"] = msgspec.json.encode(make_kept(case.kept, case.record))
    if case.day is not None:
        files["day.json"] = msgspec.json.encode(make_proofs(case.day, case.record).day)
    paths = [folder / f"{number}.{ending}" for ending in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_bytes(content)
    code, text = run_node("verify.mjs", *paths, OLD)
    first = text.splitlines()[0]
    conclusion = {0: "right", 1: "wrong", 3: "undecided"}[code]
    assert first.startswith(conclusion)
    return Said(conclusion, first if code == 1 else "")


def run_node(program: str, *paths: Path) -> tuple[int, str]:
    """Run one of the verifiers for Node.js; return its exit code and what it says."""
    command = ["node", str(VERIFIER / program), *map(str, paths)]
    limit = 4 * PATIENCE_SECONDS
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=limit, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_program_with_the_modules_of_the_browser_says_what_the_table_says(tmp_path: Path) -> None:
    """With what was kept where there is something, and with the leaf of a day."""
    cases = [*BESIDE, *(each for each in ALONE if each.case not in {other.case for other in BESIDE})]
    with ThreadPoolExecutor(2) as pool:
        said = [*pool.map(lambda case: by_program(case, tmp_path), cases)]
    expected = [(each.case, each.expected[0]) for each in cases]
    assert [(case.case, each.conclusion) for case, each in zip(cases, said, strict=True)] == expected
    own = [(case, each) for case, each in zip(cases, said, strict=True) if each.conclusion == "wrong"]
    assert [*find_differing("browser", [case for case, _ in own], [each for _, each in own])] == []


def by_alone(cases: Sequence[Asked], folder: Path, day: str | None) -> list[Said]:
    """Ask alone.mjs of all cases at once, beside the answer about one day (None: none)."""
    paths = [folder / f"{number}.ndjson" for number in range(len(cases))]
    for path, case in zip(paths, cases, strict=True):
        path.write_bytes(b"".join(record(case.record)))
    more = [OLD]
    if day is not None:
        (answer := folder / "day.json").write_bytes(msgspec.json.encode(make_proofs(day, "day").day))
        more.append(answer)
    _, text = run_node("alone.mjs", *paths, *more)
    said = []
    for case, line in zip(cases, text.splitlines(), strict=True):
        conclusion, _, rest = line.partition(": ")
        unchecked = rest.partition("; not checked: ")[2]
        codes = [each for each in DOUBTFUL if REASONS[each]["alone"] in unchecked] if conclusion == "undecided" else []
        said.append(Said(conclusion, rest if conclusion == "wrong" else "", frozenset(codes)))
        assert case.case
    return said


def test_verifier_of_its_own_says_of_every_record_what_the_table_says(tmp_path: Path) -> None:
    """It knows nothing of what was kept."""
    for day in {each.day for each in ALONE}:
        cases = [each for each in ALONE if each.day == day]
        assert [*find_differing("alone", cases, by_alone(cases, tmp_path, day))] == []


def test_forgeries_are_judged_as_the_table_says() -> None:
    """What is not right is found by the record or by what was kept, and what is right by neither."""
    cases = [each for each in BESIDE if each.day is None]
    made = [
        Forgery(COUP, each.case, b"".join(record(each.record)), {"all": make_kept(str(each.kept), each.record)}) for each in cases
    ]
    for case, (_, found) in zip(cases, judged(made, (COUP,)), strict=True):
        conclusion = case.expected[0]
        assert found.conclusions["all"] == conclusion, case.case
        assert (found.by in {"record", "kept"}) is (conclusion != "right"), (case.case, found)


def test_first_line_of_every_verifier_says_what_was_not_checked(tmp_path: Path) -> None:
    """Also of a record that is right: how many answers of bots, and what was not compared."""
    lines = record("plain")
    given = sum(b'"type":"match.bot-play"' in line for line in lines)
    (file := tmp_path / "record.ndjson").write_bytes(b"".join(lines))
    own = make_kept("no_marks", "plain")
    (beside := tmp_path / "kept.json").write_bytes(msgspec.json.encode(own))
    verdict = verify(lines, GAMES, CODEC)
    comparison = compare(own, lines, None)
    first = as_text(apply_comparison(verdict, comparison), comparison).splitlines()[0]
    left = f"{given} of {given} bot answers; a signature of the server; the log"
    assert first.endswith(f" is right; not checked: {left}.")
    first = run_node("verify.mjs", file, beside)[1].splitlines()[0]
    assert first.startswith(f"right; not checked: moves and scores; {given} of {given} bot answers; a signature of the server")
    first = run_node("alone.mjs", file)[1].splitlines()[0]
    assert first.startswith("right: ")
    assert first.endswith(f"not checked: moves, scores and state digests, {given} of {given} bot answers")
    assert given > 0


def test_every_reason_of_the_table_is_used() -> None:
    """And every code that leaves a record undecided has a case."""
    used = {reason for each in FILE["cases"] for name in ("alone", "beside") for reason in each.get(name, ["right"])[1:]}
    assert REASONS.keys() <= used
    assert used >= {*DOUBTFUL, *DOUBTS} - {"bots"}
    assert json.dumps(FILE)
