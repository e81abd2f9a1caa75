"""What is taken out of a record, of what was kept or of the answer about a day never makes a verdict better, or less said."""

from __future__ import annotations

import base64
import copy
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from tafelrunde.audit.check_record import settle_by_log
from tafelrunde.audit.kept_evidence import apply_comparison, compare
from tafelrunde.client import shapes
from tafelrunde.client.keeping import read_kept
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.verify import verify
from tests.service.features.records.test_mutants import rechained, with_sum
from tests.service.features.records.test_record import CODEC, rewritten
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.verdict_cases import make_kept, make_proofs, record
from tests.support.verifying import verdicts_beside
from tools.node import environment

pytestmark = pytest.mark.xdist_group("records")  # they are made once for all of these

ALONE = ROOT / "docs" / "verifier" / "alone.mjs"
OLD = ROOT / "service" / "features" / "records" / "old_records.txt"
BASES = {"plain": "whole", "lesson": "whole", "day": "whole", "old": "whole_of_spectator"}
"""Records that are right, each with what was kept of it; the deal of a day with its leaf."""
STATED = {
    "kept.deals": "the feed that was kept has the same commitments",
    "kept.feed": "the newest mark is that of the whole feed",
    "kept.seat": "of one who only watched",
}
"""Removals by which less is compared and nothing is lost, and why."""
EVENT_OF = {"lesson": "match.lesson-begun.1", "daily": "match.deal-of-day.1", "draws": "match.draws-keyed.1"}
"""The events that say what the first command says in a field."""
RANKS = ("wrong", "undecided", "right")


class Seen(NamedTuple):
    """What a checker says: the conclusion, what was checked (with how often, where it counts), and what it says was not."""

    conclusion: str
    checked: Mapping[str, int]
    left: frozenset[str] = frozenset()


class Removal(NamedTuple):
    """What is left after something was taken out, by its name: the lines of a record, what was kept, the answer about a day."""

    name: str
    lines: Sequence[bytes]
    kept: Any
    day: Any


def is_worse_or_said(name: str, before: Seen, after: Seen) -> bool:
    """Return whether a verdict after a removal is no better, and says what is not checked any more."""
    if RANKS.index(after.conclusion) > RANKS.index(before.conclusion):
        return False
    if after.conclusion != "right":
        return True
    lost = [what for what, count in before.checked.items() if after.checked.get(what, 0) < count]
    return not lost or bool(after.left - before.left) or any(name.startswith(stated) for stated in STATED)


# What can be taken out


def prune(value: Any, path: str = "", depth: int = 2) -> Iterator[tuple[str, Any]]:
    """Yield a value without each of its fields and the last of its elements, to a depth."""
    if isinstance(value, dict):
        for name in value:
            yield f"{path}.{name}", {key: each for key, each in value.items() if key != name}
            if depth:
                yield from ((at, {**value, name: each}) for at, each in prune(value[name], f"{path}.{name}", depth - 1))
    elif isinstance(value, list) and value:
        yield f"{path}[-1]", value[:-1]
        if len(value) > 1:
            yield f"{path}[0]", value[1:]


def unpack_entry(lines: Sequence[bytes], number: int) -> Any:
    """Return an entry."""
    return msgspec.msgpack.decode(base64.b64decode(json.loads(lines[number])["bytes"]))


def find_firsts(lines: Sequence[bytes]) -> Iterator[int]:
    """Yield the first entry of each kind of events."""
    seen = set[str]()
    for number, line in enumerate(lines):
        row = json.loads(line)
        if row["line"] == "entry" and row["event"]["type"] not in seen:
            seen.add(row["event"]["type"])
            yield number


def without_parts_of_entries(lines: Sequence[bytes]) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Yield the record without parts of events and commands, hashed again."""
    for number in find_firsts(lines):
        whole = unpack_entry(lines, number)
        kind = whole[4]["type"]
        for name, event in prune(whole[4], f"event {kind}", 0):
            yield name, rehashed(lines, number, [*whole[:4], event, *whole[5:]])
        command = msgspec.msgpack.decode(whole[5]) if whole[5] else {}
        for name, less in prune(command, f"command of {kind}", 0):
            yield name, rehashed(lines, number, [*whole[:5], msgspec.msgpack.encode(less), whole[6]])


def rehashed(lines: Sequence[bytes], number: int, envelope: Any) -> Sequence[bytes]:
    """Return a record with another entry, its chain and its sum."""
    return with_sum([*lines[:number], *rechained(lines[:-1], number, envelope)])


def without_parts_of_opening(lines: Sequence[bytes]) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Yield the record without what its first command says, in command and events, with states and commitments made again."""
    command = CODEC.command_of(unpack_entry(lines, 1)[5])
    for name in command.__struct_fields__:

        def change(envelopes: list[Any], name: str = name) -> None:
            plain = {key: each for key, each in msgspec.msgpack.decode(envelopes[0][5]).items() if key != name}
            envelopes[0][5] = CODEC.command(msgspec.convert(plain, type(command)))
            envelopes[0][4].pop(name, None)
            if name in EVENT_OF:
                envelopes[:] = [each for each in envelopes if each[4]["type"] != EVENT_OF[name]]

        with suppress(Exception):  # it cannot be without that, or what it deals does not fit any more
            yield f"opening.{name}", rewritten(list(lines), change)


def without_lines(lines: Sequence[bytes]) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Yield the record without whole lines, or parts of the others than entries."""
    for number in (0, *find_firsts(lines), *range(len(lines) - 3, len(lines))):
        row = json.loads(lines[number])
        name = row["line"] if row["line"] != "entry" else f"entry {row['event']['type']}"
        yield name, with_sum([*lines[:number], *lines[number + 1 : -1]]) if number < len(lines) - 1 else lines[:-1]
        if row["line"] in {"head", "deal", "end"}:
            for at, less in prune(row, row["line"]):
                yield at, with_sum([*lines[:number], msgspec.json.encode(less) + b"\n", *lines[number + 1 : -1]])


def removals(base: str) -> Iterator[Removal]:
    """Yield all that can be taken out of a right record, of what was kept of it, and of what is known of its day."""
    lines = record(base)
    own = msgspec.to_builtins(make_kept(BASES[base], base))
    day = msgspec.to_builtins(make_proofs("right", base)) if base == "day" else None
    for make in (without_lines, without_parts_of_entries, without_parts_of_opening):
        yield from (Removal(name, changed, own, day) for name, changed in make(lines))
    yield from (Removal(name, lines, less, day) for name, less in prune(own, "kept"))
    if day is not None:
        yield Removal("day", lines, own, None)
        yield from (Removal(name, lines, own, {**day, "day": less}) for name, less in prune(day["day"], "day"))


# Who looks at it


def by_service(case: Removal) -> Seen:
    """Ask `tafelrunde verify`, which refuses what it cannot read."""
    verdict = verify(case.lines, GAMES, CODEC)
    counts = {"entries": verdict.entries, "commands": verdict.commands, "deals": verdict.deals, "bots": verdict.bots.given}
    left = frozenset[str]()
    try:
        if verdict.finding is None and case.day is not None:
            verdict = settle_by_log(verdict, case.lines, msgspec.convert(case.day, shapes.LeafProofs), None)
        if verdict.finding is None:
            comparison = compare(read_kept(msgspec.json.encode(case.kept)), case.lines, None)
            verdict = apply_comparison(verdict, comparison)
            left = frozenset(comparison.open)
            counts |= dict.fromkeys(comparison.compared, 1)
    except (msgspec.MsgspecError, ValueError):
        return Seen("wrong", {})
    return Seen(verdict.conclusion.value, counts, left | {each.value for each in verdict.undecided})


def by_browser(cases: Sequence[Removal]) -> Iterator[Seen]:
    """Ask the browser's module, which does not know the day."""
    for found in verdicts_beside((b"".join(each.lines), each.kept) for each in cases):
        counts = {name: found.get(name, 0) for name in ("entries", "deals", "draws", "answers")}
        counts |= dict.fromkeys(found.get("compared", ()), 1)
        yield Seen(found["conclusion"], counts, frozenset(found.get("open", ())))


def by_alone(cases: Sequence[Removal], folder: Path, day: Any) -> Iterator[Seen]:
    """Ask alone.mjs, beside one answer about the day."""
    paths = [folder / f"{number}.ndjson" for number in range(len(cases))]
    for path, case in zip(paths, cases, strict=True):
        path.write_bytes(b"".join(case.lines))
    (answer := folder / "day.json").write_bytes(msgspec.json.encode(day))
    more = [OLD, *([answer] if day is not None else [])]
    command = ["node", str(ALONE), *map(str, [*paths, *more])]
    limit = 4 * PATIENCE_SECONDS
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=limit, check=False)
    for line in done.stdout.splitlines()[: len(cases)]:
        conclusion, _, rest = line.partition(": ")
        counts = re.search(r"(\d+) entries chained, secret as committed to, (\d+) draws made again, (\d+) roots", rest)
        numbers = map(int, counts.groups()) if counts else (0, 0, 0)
        checked: dict[str, int] = dict(zip(("entries", "draws", "roots"), numbers, strict=True))
        left = frozenset(rest.partition("; not checked: ")[2].split(", "))
        yield Seen(conclusion.replace("unreadable", "wrong"), checked, left)


@pytest.mark.parametrize("base", BASES)
def test_nothing_that_is_taken_out_makes_a_verdict_better_or_less_said(base: str, tmp_path: Path) -> None:
    """What is missing is wrong, undecided, or named as not checked; by the service, the browser and the verifier of its own."""
    own = msgspec.to_builtins(make_kept(BASES[base], base))
    day = msgspec.to_builtins(make_proofs("right", base)) if base == "day" else None
    before = Removal("nothing", record(base), own, day)
    cases = [before, *removals(base)]
    assert len(cases) > 150
    answers = {str(each.day): each.day for each in cases}
    seen = {"service": [*map(by_service, cases)], "browser": [*by_browser(cases)]}
    assert seen["service"][0].conclusion == "right"
    worse = [
        (who, case.name, found[0], each)
        for who, found in seen.items()
        for case, each in zip(cases, found, strict=True)
        if not is_worse_or_said(case.name, found[0], each)
    ]
    assert worse == []
    for answer in answers.values():
        mine = [before, *(each for each in cases if each.day == answer)]
        asked = copy.deepcopy(answer["day"]) if answer else None
        found = [*by_alone(mine, tmp_path, asked)]
        first = next(iter(by_alone([before], tmp_path, day["day"] if day else None)))
        assert first.conclusion == "right"
        pairs = zip(mine, found, strict=True)
        assert [(case.name, each) for case, each in pairs if not is_worse_or_said(case.name, first, each)] == []


def test_every_stated_removal_is_one_that_is_made() -> None:
    """So that no exception stays that nothing needs."""
    names = {each.name for base in BASES for each in removals(base)}
    assert all(any(name.startswith(stated) for name in names) for stated in STATED)
