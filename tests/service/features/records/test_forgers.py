"""Forgers who recompute whatever they can: sums, chains, readable parts. The rest gives them away."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tafelrunde.service.features.records.verdict import Finding
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches.codec import plain_of
from tafelrunde.service.ports.events import GENESIS
from tests.service.features.records.test_mutants import edits
from tests.service.features.records.test_record import CODEC, story
from tests.support.cases import GAMES, Case
from tests.support.duel.messages import DuelOptions
from tests.support.own import DUEL
from tests.support.thorough import tries

EDITS = tries(900, 3_000)
FREE = {"actor", "command_id", "correlation_id"}
"""Nothing in a record follows from these; only the transparency log binds them."""
TIME, EVENT, COMMAND = 0, 4, 5


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    """A short record."""
    return story(Case(GAMES[DUEL.id], 2, DuelOptions(cards=2), "duel")).lines()


def found(lines: list[bytes]) -> Finding | None:
    """Return the first thing that is wrong."""
    return verify(lines, GAMES, CODEC).finding


def summed(lines: list[bytes]) -> list[bytes]:
    """Return a record with the sum in its last line recomputed."""
    total = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    return [*lines[:-1], b'{"line":"sum","sum":"%s"}\n' % total.encode()]


def changed(lines: list[bytes], change: Callable[[list[Any]], bool]) -> list[bytes] | None:
    """Return a record with its entries changed, and chains, readable parts and sums recomputed; None if nothing was changed."""
    rows = [json.loads(line) for line in lines]
    entries = [row for row in rows if row["line"] == "entry"]
    envelopes = [msgspec.msgpack.decode(base64.b64decode(row["bytes"])) for row in entries]
    if not change(envelopes):
        return None
    chain = GENESIS
    for row, envelope in zip(entries, envelopes, strict=True):
        content = msgspec.msgpack.encode(envelope)
        chain = hashlib.sha256(chain + content).digest()
        time_ms, actor, command_id, correlation_id, event, command, digest = envelope
        said = plain_of(command) if command else None
        row.update(bytes=base64.b64encode(content).decode(), chain=chain.hex(), time_ms=time_ms, actor=actor)
        row.update(command_id=command_id, correlation_id=correlation_id, event=event, command=said, digest=digest.hex() or None)
    rows[-2]["chain"] = chain.hex()
    return summed([msgspec.json.encode(row) + b"\n" for row in rows])


def test_forger_of_nothing_is_right(lines: list[bytes]) -> None:
    """So that what follows is found because of the change."""
    assert summed(lines) == lines
    assert changed(lines, lambda _: True) == lines
    assert found(lines) is None


def test_edit_is_found_when_the_sum_is_put_right(lines: list[bytes]) -> None:
    """Every readable part has to agree with the rest; only the field about the writing software is free."""
    rng = random.Random(1)
    for _ in range(EDITS):
        number = rng.randrange(len(lines) - 1)
        before = json.loads(lines[number])
        for after in edits(before, rng):
            mended = summed([*lines[:number], msgspec.json.encode(after) + b"\n", *lines[number + 1 :]])
            own = {name for name in before if before[name] != after.get(name)} if isinstance(after, dict) else set[str]()
            if own and not own <= {"rules", "software", "schemas"}:
                assert found(mended) is not None, own


def test_edited_event_is_found_when_all_is_hashed_again(lines: list[bytes]) -> None:
    """Deciding the commands again gives other events."""
    rng = random.Random(2)

    def change(envelopes: list[Any]) -> bool:
        envelope = rng.choice(envelopes)
        before = envelope[EVENT]
        envelope[EVENT] = next(edits(before, rng))
        return envelope[EVENT] != before

    for _ in range(EDITS // 3):
        forged = changed(lines, change)
        assert forged is None or found(forged) is not None


def test_edited_command_is_found_when_all_is_hashed_again(lines: list[bytes]) -> None:
    """It would have caused something else, or is not the one that is written in its only way."""
    rng = random.Random(3)

    def change(envelopes: list[Any]) -> bool:
        envelope = rng.choice([each for each in envelopes if each[COMMAND]])
        before = plain_of(envelope[COMMAND])
        after = next(edits(before, rng))
        envelope[COMMAND] = msgspec.msgpack.encode(after)
        return after != before

    for _ in range(EDITS // 3):
        forged = changed(lines, change)
        assert forged is None or found(forged) is not None


def test_entry_that_is_written_another_way_is_found(lines: list[bytes]) -> None:
    """Longer forms of the same numbers, other orders of the same fields, something behind: bytes are compared, not values."""

    def other_order(envelopes: list[Any]) -> bool:
        envelopes[2][EVENT] = dict(reversed(envelopes[2][EVENT].items()))
        return True

    def something_behind(envelopes: list[Any]) -> bool:
        envelopes[2][EVENT]["more"] = 1
        return True

    for change in (other_order, something_behind):
        forged = changed(lines, change)
        assert forged is not None
        assert found(forged) is not None


def test_lists_that_are_written_another_way_are_found(lines: list[bytes]) -> None:
    """An array of 7 values in the form for up to 65,535, with everything else recomputed."""
    rows = [json.loads(line) for line in lines]
    chain = GENESIS
    for row in rows:
        if row["line"] == "entry":
            content = base64.b64decode(row["bytes"])
            content = b"\xdc\x00\x07" + content[1:] if row["version"] == 3 else content
            chain = hashlib.sha256(chain + content).digest()
            row.update(bytes=base64.b64encode(content).decode(), chain=chain.hex())
    rows[-2]["chain"] = chain.hex()
    finding = found(summed([msgspec.json.encode(row) + b"\n" for row in rows]))
    assert finding is not None
    assert (finding.line, finding.what) == ("3", "the bytes of the entry, encoded again")


@pytest.mark.parametrize("field", sorted(FREE))
def test_actors_and_ids_are_bound_by_the_log_over_all_matches_alone(lines: list[bytes], field: str) -> None:
    """Honesty about the limit: nothing in a record follows from them."""

    def change(envelopes: list[Any]) -> bool:
        envelopes[-1][1 + ("actor", "command_id", "correlation_id").index(field)] = "other"
        return True

    forged = changed(lines, change)
    assert forged is not None
    assert found(forged) is None
