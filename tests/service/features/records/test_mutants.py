"""An edited record is never accepted: every byte of one, and many edits that keep it well-formed.

Sums are recomputed after each edit, and chains where they alone would find it, so that the checks behind them are tested.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.service.features.records.mismatch import Mismatch
from tafelrunde.service.features.records.record import RecordLine, RecordSum
from tafelrunde.service.features.records.verdict import Finding
from tafelrunde.service.features.records.verify import Check, read, verify
from tafelrunde.service.ports.events import GENESIS
from tests.service.features.records.test_record import CODEC, REAL, story
from tests.support.cases import GAMES, Case
from tests.support.duel.messages import DuelOptions
from tests.support.own import DUEL
from tests.support.thorough import tries

PARTS = 4
EDITS = tries(4_000, 20_000)
CHAINED = tries(1_200, 4_000)
OF_EACH_GAME = tries(100, 200)
FREE = {"rules", "software", "schemas"}
"""The field about the writing software."""
UNBOUND = {"actor", "command_id", "correlation_id"}
"""Nothing in a record follows from these; only the transparency log binds them."""


@functools.cache
def record() -> tuple[bytes, ...]:
    """Return a short record: of the tests' own game, with one card for each of two seats."""
    case = Case(GAMES[DUEL.id], 2, DuelOptions(cards=1), "duel")
    return tuple(story(case).lines())


class Halted:
    """A record that was checked once, halted before each of its lines: an edited line costs no more than itself.

    What is handed to the check has no sum, as a forger would have put that right: only what lies behind it can find the edit.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines[:-1]
        check = Check(GAMES, CODEC)
        check.begin(read(lines[:1]))
        self.checks = [check]
        for line in self.entries():
            check = check.copy()
            with suppress(Mismatch):  # every entry is followed; then it is said that there must be more
                check.follow(read([line]))
            self.checks.append(check)

    def entries(self) -> list[bytes]:
        """Return the lines of the entries."""
        return [line for line in self.lines if line.startswith(b'{"line":"entry"')]

    def finding(self, number: int, following: Iterable[bytes]) -> Finding | None:
        """Return what is found when these lines come instead of line *number* (the head is 0) and all behind it."""
        try:
            check = Check(GAMES, CODEC) if number == 0 else self.checks[min(number, len(self.checks)) - 1].copy()
            ahead = self.lines[len(self.checks) : number]
            lines = read(chain(ahead, following))
            check.follow(summed_up(check.begin(lines) if number == 0 else lines))
        except Mismatch as mismatch:
            return mismatch.finding
        return None

    def with_line(self, number: int, line: bytes) -> Finding | None:
        """Return what is found when one line is another."""
        return self.finding(number, chain([line], self.lines[number + 1 :]))


def summed_up(lines: Iterable[RecordLine]) -> Iterator[RecordLine]:
    """Yield lines and a sum, which is never compared."""
    yield from lines
    yield RecordSum(sum="")


@functools.cache
def halted() -> Halted:
    """Return the short record, halted."""
    return Halted(record())


def flipped(line: bytes, place: int, rng: random.Random) -> bytes:
    """Return a line with another byte at a place."""
    return line[:place] + bytes([line[place] ^ rng.randrange(1, 256)]) + line[place + 1 :]


def free(before: Any, after: Any) -> bool:
    """Return whether two lines differ in nothing but what the writing software says of itself."""
    return before["line"] == "head" and isinstance(after, dict) and not differs(*map(bound, (before, after)))


def bound(head: Any) -> Any:
    """Return a head without what the writing software says of itself; of the schemas the kinds of events are left."""
    kept = {name: value for name, value in head.items() if name not in FREE}
    kinds = sorted(head["schemas"]) if isinstance(head.get("schemas"), dict) else None
    return {
        **kept,
        "names": list(head),
        "kinds": kinds,
        "texts": [type(head.get(name)).__name__ for name in ("rules", "software")],
    }


def decoded(line: bytes) -> Any:
    """Return a line as JSON, None if it is none."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def edits(value: Any, rng: random.Random) -> Iterator[Any]:
    """Yield changed copies of a JSON value, each with one edit at random somewhere in it."""
    match value:
        case dict() if value:
            key = rng.choice(list(value))
            for changed in edits(value[key], rng):
                yield {**value, key: changed}
        case list() if value:
            place = rng.randrange(len(value))
            for changed in edits(value[place], rng):
                yield [*value[:place], changed, *value[place + 1 :]]
        case bool():
            yield not value
        case int():
            yield value + rng.choice((-1, 1))
        case str() if value:
            place = rng.randrange(len(value))
            yield value[:place] + rng.choice("0123456789abcdefXYZ") + value[place + 1 :]
        case _:
            yield "something"


def differs(one: Any, other: Any) -> bool:
    """Return whether two values are written in different ways."""
    return msgspec.json.encode(one) != msgspec.json.encode(other)


def test_record_that_was_halted_is_right() -> None:
    """From wherever it goes on: what follows is found because of the change."""
    for number, line in enumerate(halted().lines):
        assert halted().with_line(number, line) is None


@pytest.mark.parametrize("part", range(PARTS))
def test_no_byte_of_a_record_can_be_changed(part: int) -> None:
    """Each byte position of each line, flipped at random, with the sum recomputed: except in what the writer says of itself."""
    rng = random.Random(part)
    lines = halted().lines
    passed = 0
    places = [(number, place) for number, line in enumerate(lines) for place in range(len(line))][part::PARTS]
    for number, place in places:
        changed = flipped(lines[number], place, rng)
        if halted().with_line(number, changed) is None:
            assert free(json.loads(lines[number]), decoded(changed)), (number, place)
            passed += 1
    assert passed < len(lines[0]) / PARTS


@pytest.mark.parametrize("part", range(PARTS))
def test_no_edit_that_keeps_a_record_well_formed_goes_unseen(part: int) -> None:
    """20,000 edits: a number, a letter, a boolean, anywhere in any line, with the sum recomputed."""
    rng = random.Random(100 + part)
    lines = halted().lines
    counted = 0
    while counted < EDITS // PARTS:
        number = rng.randrange(len(lines))
        before = json.loads(lines[number])
        after = next(edits(before, rng))
        if differs(before, after) and not free(before, after):
            counted += 1
            finding = halted().with_line(number, msgspec.json.encode(after) + b"\n")
            assert finding is not None, (number, after)
            assert finding.line != "sum"


def test_no_line_can_be_left_out_doubled_or_exchanged() -> None:
    """Each of them, with the sum recomputed."""
    lines = list(halted().lines)
    for one, line in enumerate(lines):
        assert found([*lines[:one], *lines[one + 1 :]]) is not None
        assert found([*lines[:one], line, *lines[one:]]) is not None
        for other in range(one):
            swapped = list(lines)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            assert found(swapped) is not None


def found(lines: Sequence[bytes]) -> Finding | None:
    """Return the finding in a record whose sum is recomputed."""
    return verify(with_sum(lines), GAMES, CODEC).finding


def with_sum(lines: Iterable[bytes]) -> list[bytes]:
    """Return lines with their sum behind them."""
    kept = list(lines)
    return [*kept, b'{"line":"sum","sum":"%s"}\n' % hashlib.sha256(b"".join(kept)).hexdigest().encode()]


def rechained(lines: Sequence[bytes], number: int, envelope: Any) -> Iterator[bytes]:
    """Yield line *number* and all behind it, with another envelope in that entry: readable, and chained to the end."""
    last = bytes.fromhex(json.loads(lines[number - 1])["chain"]) if number > 1 else GENESIS
    for line in lines[number:]:
        row = json.loads(line)
        if row["line"] == "entry":
            content = base64.b64decode(row["bytes"]) if row["version"] != number else msgspec.msgpack.encode(envelope)
            last = hashlib.sha256(last + content).digest()
            row.update(zip(TOLD, said(content), strict=True), bytes=base64.b64encode(content).decode())
        if "chain" in row:
            row["chain"] = last.hex()
        yield msgspec.json.encode(row) + b"\n"


TOLD = ("time_ms", "actor", "command_id", "correlation_id", "event", "command", "digest")


def said(content: bytes) -> tuple[Any, ...]:
    """Return what an entry's line says about its bytes."""
    *plain, command, digest = msgspec.msgpack.decode(content)
    return (*plain, msgspec.msgpack.decode(command) if command else None, digest.hex() if digest else None)


def edited(envelope: Any, rng: random.Random) -> Any:
    """Return an envelope with one edit: in its time, its event, its command or its digest."""
    changed = list(envelope)
    match rng.choice([0, 4, 4, 5, 5, 6]):
        case 0:
            changed[0] += rng.choice((-1, 1))
        case 4:
            changed[4] = next(edits(envelope[4], rng))
        case 5 if envelope[5]:
            changed[5] = msgspec.msgpack.encode(next(edits(msgspec.msgpack.decode(envelope[5]), rng)))
        case _:
            changed[6] = bytes([rng.randrange(256), *envelope[6][1:]])
    return changed


def test_no_edit_of_an_entry_goes_unseen_when_all_is_chained_again() -> None:
    """Event, command, state digest, and the time where something follows from it: deciding again gives something else."""
    rng = random.Random(7)
    lines = halted().lines
    counted = 0
    while counted < CHAINED:
        number = rng.randrange(1, len(halted().checks))
        before = msgspec.msgpack.decode(base64.b64decode(json.loads(lines[number])["bytes"]))
        after = edited(before, rng)
        if before == after or (before[1:] == after[1:] and not derived(before)):
            continue
        counted += 1
        finding = halted().finding(number, rechained(lines, number, after))
        assert finding is not None, (number, after)
        assert not finding.what.startswith(("chain", "sum over all lines", "what the bytes say")), (number, after)


def derived(envelope: Any) -> bool:
    """Return whether something depends on the time of an entry: the opening says so."""
    return bool(envelope[5]) and envelope[4]["type"] == "match.opened.1"


@pytest.mark.parametrize("game", REGISTERED)
def test_edits_of_records_of_any_game_are_found(game: str) -> None:
    """Some edits in a record of each game, with the sum recomputed."""
    case = next(case for case in REAL if case.game.id == game)
    rng = random.Random(game)
    whole = Halted(story(case).lines())
    counted = 0
    while counted < OF_EACH_GAME:
        number = rng.randrange(len(whole.lines))
        before = json.loads(whole.lines[number])
        after = next(edits(before, rng))
        if differs(before, after) and not free(before, after):
            counted += 1
            assert whole.with_line(number, msgspec.json.encode(after) + b"\n") is not None, (number, after)
