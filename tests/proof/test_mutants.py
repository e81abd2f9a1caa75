"""A record that somebody has edited is never found right: every byte of one, and many edits that keep it well-formed."""

from __future__ import annotations

import functools
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.service.verify import verify
from tests.duel import DUEL
from tests.duel.messages import DuelOptions
from tests.proof.test_record import CODEC, REAL, story
from tests.registry.cases import GAMES, Case

TOOL = Path(__file__).resolve().parents[2] / "tools" / "verify.py"
PARTS = 4
EDITS = 20_000


@functools.cache
def record() -> tuple[bytes, ...]:
    """Return a short record: of the tests' own game, with one card for each of two seats."""
    case = Case(GAMES[DUEL.id], 2, DuelOptions(cards=1), "duel")
    return tuple(story(case).lines())


def wrong(lines: list[bytes]) -> bool:
    """Return whether something is found."""
    return verify(lines, GAMES, CODEC).finding is not None


def flipped(line: bytes, place: int, rng: random.Random) -> bytes:
    """Return a line with another byte at a place."""
    return line[:place] + bytes([line[place] ^ rng.randrange(1, 256)]) + line[place + 1 :]


@pytest.mark.parametrize("part", range(PARTS))
def test_no_byte_of_a_record_can_be_changed(part: int) -> None:
    """Each byte position of each line, flipped at random."""
    rng, lines = random.Random(part), list(record())
    places = [(number, place) for number, line in enumerate(lines) for place in range(len(line))][part::PARTS]
    for number, place in places:
        assert unequal(lines, number, flipped(lines[number], place, rng)), (number, place)


def unequal(lines: list[bytes], number: int, line: bytes) -> bool:
    """Return whether a changed line is found."""
    return wrong([*lines[:number], line, *lines[number + 1 :]])


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


@pytest.mark.parametrize("part", range(PARTS))
def test_no_edit_that_keeps_a_record_well_formed_goes_unseen(part: int) -> None:
    """20,000 edits: a number, a letter, a truth, anywhere in any line; also lines left out, doubled and exchanged."""
    rng, lines = random.Random(100 + part), list(record())
    for _ in range(EDITS // PARTS):
        number = rng.randrange(len(lines))
        for changed in edits(json.loads(lines[number]), rng):
            line = msgspec.json.encode(changed) + b"\n"
            assert line == lines[number] or unequal(lines, number, line), (number, line)
    for _ in range(100):
        one, other = rng.sample(range(len(lines)), 2)
        assert wrong([line for number, line in enumerate(lines) if number != one])
        assert wrong([*lines[:one], lines[one], *lines[one:]])
        swapped = list(lines)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        assert wrong(swapped)


@pytest.mark.parametrize("game", REGISTERED)
def test_edits_of_records_of_any_game_are_found(game: str) -> None:
    """Some edits in a record of each game."""
    case = next(case for case in REAL if case.game.id == game)
    rng, lines = random.Random(game), story(case).lines()
    for _ in range(40):
        number = rng.randrange(len(lines))
        for changed in edits(json.loads(lines[number]), rng):
            line = msgspec.json.encode(changed) + b"\n"
            assert line == lines[number] or unequal(lines, number, line), (number, line)


def checked(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the small verifier with nothing but the standard library."""
    command = [sys.executable, "-I", "-S", str(TOOL), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def small() -> Any:
    """Return the small verifier as a module."""
    space: dict[str, Any] = {"__name__": "small"}
    exec(compile(TOOL.read_text(encoding="utf-8"), str(TOOL), "exec"), space)  # noqa: S102 - the tool is no module of ours
    return space


@pytest.mark.parametrize("game", REGISTERED)
def test_small_verifier_finds_a_record_right(game: str, tmp_path: Path) -> None:
    """One file, no dependencies: chain, readable parts, commitment and all dealt cards."""
    case = next(case for case in REAL if case.game.id == game)
    path = tmp_path / "record.ndjson"
    path.write_bytes(b"".join(story(case).lines()))
    done = checked(path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "as they were committed to" in done.stdout


def test_small_verifier_names_what_is_wrong(tmp_path: Path) -> None:
    """One line, exit code 1."""
    path = tmp_path / "record.ndjson"
    path.write_bytes(b"".join(record()).replace(b'"actor":"test"', b'"actor":"tess"', 1))
    done = checked(path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Wrong: ")


def test_small_verifier_finds_changed_bytes() -> None:
    """Any byte of any line, a sample of them."""
    space, rng, whole = small(), random.Random(5), b"".join(record())
    assert space["check"](whole)
    for place in rng.sample(range(len(whole)), 800):
        with pytest.raises((space["Wrong"], ValueError, KeyError, TypeError, IndexError)):
            space["check"](flipped(whole, place, rng))
