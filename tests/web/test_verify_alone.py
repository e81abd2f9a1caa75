"""The verifier that was written from docs/fair-dealing.md alone: what it says of real and of changed records."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.commands import DayDeal, Expire
from tafelrunde.domain.match.events import ExpiryReason
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.dealing import merkle
from tafelrunde.service.dealing.day_deals import day_commitment, secret_of_deal
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.features.transparency.checks import content, day_leaf, hash_leaf
from tests.service.features.records.test_mutants import rechained, with_sum
from tests.service.features.records.test_record import Story, opening
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.verifying import verdicts
from tests.tools.test_forgeries import corpus
from tests.web.test_verify import archived, every_game, lesson
from tools.forgeries import read
from tools.node import environment

pytestmark = pytest.mark.xdist_group("records")  # they are made once for all of these

PROGRAM = ROOT / "docs" / "verifier" / "alone.mjs"
OLD = ROOT / "service" / "features" / "records" / "old_records.txt"


def said(records: Sequence[bytes], folder: Path, *more: Path) -> tuple[int, list[str]]:
    """Return the exit code and the lines of one process that is given all the records, and answers about days."""
    files = [folder / f"{number}.ndjson" for number in range(len(records))]
    for file, record in zip(files, records, strict=True):
        file.write_bytes(record)
    command = ["node", str(PROGRAM), *map(str, [*files, *more])]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@every_game
def test_real_records_are_right(game: str, tmp_path: Path) -> None:
    """Of every game, with draws of both versions: what the page says is enough to deal every deck again.

    One that takes up another match is undecided.
    """
    records = archived(game)
    code, lines = said(records, tmp_path, OLD)
    taken_up = [b'"match.branched.1"' in record for record in records]
    assert (code, len(lines)) == (3 if any(taken_up) else 0, len(records))
    for record, line, is_taken_up in zip(records, lines, taken_up, strict=True):
        assert line.startswith("undecided: " if is_taken_up else "right: ")
        assert f"({game})" in line
        assert (" 0 draws" not in line) is (b'"match.started.1"' in record)


def test_lesson_is_right(tmp_path: Path) -> None:
    """Its draws have the name that the page says."""
    code, [line] = said([lesson()], tmp_path)
    assert (code, line.startswith("right: "), " 0 draws" in line) == (0, True, False)


def changed(lines: Sequence[bytes], kind: str, edit: Callable[[Any], None]) -> bytes:
    """Return a record with another first event of a kind, and everything else put right: bytes, chain and sum."""
    rows = [json.loads(line) for line in lines]
    number = next(row["version"] for row in rows if row["line"] == "entry" and row["event"]["type"].endswith(kind))
    envelope = msgspec.msgpack.decode(base64.b64decode(rows[number]["bytes"]))
    edit(envelope[4])
    return b"".join(with_sum([*lines[:number], *rechained(lines[:-1], number, envelope)]))


def exchanged(event: Any) -> None:
    """Exchange a card of one seat for one of another."""
    [one, other, *_] = event["hands"]
    one[0], other[-1] = other[-1], one[0]


def other_secret(event: Any) -> None:
    """Let the match have been opened with another secret."""
    event["secret"] = "5" * 64


@every_game
def test_changed_records_are_wrong(game: str, tmp_path: Path) -> None:
    """Other cards, another secret, and a log that was cut: each with a chain and a sum that fit."""
    lines = next(each for each in archived(game) if b"dealt.1" in each and b'"match.branched.1"' not in each).splitlines(
        keepends=True
    )
    secret = changed(lines, "match.opened.1", other_secret)
    old, new = (json.loads(text)["secret"].encode() for text in (lines[-2], b'{"secret":"%s"}' % (b"5" * 64)))
    everywhere = b"".join(with_sum(line.replace(old, new) for line in secret.splitlines(keepends=True)[:-1]))
    last = max(number for number, line in enumerate(lines) if line.startswith(b'{"line":"entry"'))
    cut = b"".join(with_sum([*lines[:last], *lines[last + 1 : -1]]))
    code, found = said([changed(lines, "dealt.1", exchanged), secret, everywhere, cut, b"".join(lines[:-3])], tmp_path)
    assert code == 1
    for line, why in zip(found, ("hands", "secret", "commitment to the secret", "of the log", "cut off"), strict=True):
        assert line.startswith("wrong: ")
        assert why in line


FOLLOWING = [
    ("mondkrone", "mondkrone.round-dealt.1", "hand_size", "numbers of cards"),
    ("mondkrone", "mondkrone.round-dealt.1", "deck_size", "numbers of cards"),
    ("mondkrone", "mondkrone.round-dealt.1", "round", "number of the round"),
    ("matchmaster", "matchmaster.dealt.1", "round", "number of the round"),
    ("matchmaster", "matchmaster.dealt.1", "size", "number of cards"),
    ("meister-coup", "meister-coup.dealt.1", "colours", "colours of the hands"),
    ("coup", "coup.cards-drawn.1", "count", "drawn cards"),
]
"""Events with a field that follows from the cards, and what is said if it does not."""


@pytest.mark.parametrize(("game", "kind", "name", "what"), FOLLOWING)
def test_field_that_does_not_follow_from_the_cards_is_wrong(game: str, kind: str, name: str, what: str, tmp_path: Path) -> None:
    """Everything else is right: chain, sum, cards, draws and roots."""
    record = next(each for each in archived(game) if b'"match.branched.1"' not in each and kind.encode() in each)

    def edit(event: Any) -> None:
        event[name] = [*event[name][::-1], [0]] if isinstance(event[name], list) else event[name] + 1

    code, [line] = said([changed(record.splitlines(keepends=True), kind, edit)], tmp_path)
    assert (code, line.startswith("wrong: "), what in line) == (1, True, True), line


def test_kind_of_events_that_does_not_exist_is_wrong(tmp_path: Path) -> None:
    """Without a schema, and with one: an event is of its game or of the match, and the head has just their schemas."""
    lines = max(archived("coup"), key=lambda each: each.count(b'"coup.coins-taken.1"')).splitlines(keepends=True)

    def renamed(kind: str, with_schema: bool) -> bytes:
        def edit(event: Any) -> None:
            event["type"] = kind

        made = changed(lines, "coup.coins-taken.1", edit).splitlines(keepends=True)
        head = json.loads(made[0])
        if with_schema:
            head["schemas"] = dict(sorted({**head["schemas"], kind: {}}.items()))
        return b"".join(with_sum([msgspec.json.encode(head) + b"\n", *made[1:-1]]))

    records = [renamed("coup.coins-made.1", False), renamed("Xoup.coins-taken.1", True), b"".join(lines)]
    code, found = said(records, tmp_path, OLD)
    assert (code, [line.partition(":")[0] for line in found]) == (1, ["wrong", "wrong", "right"]), found
    assert "kinds of events that have a schema" in found[0]
    assert "an event of no such game: Xoup.coins-taken.1" in found[1]


def refielded(lines: Sequence[bytes], kind: str, edit: Callable[[dict[str, Any]], dict[str, Any]]) -> bytes:
    """Return a record whose first line of a kind has other fields, with a sum that fits."""
    made = list(lines)
    place = next(number for number, line in enumerate(made) if json.loads(line)["line"] == kind)
    made[place] = msgspec.json.encode(edit(json.loads(made[place]))) + b"\n"
    return b"".join(made if kind == "sum" else with_sum(made[:-1]))


@pytest.mark.parametrize("kind", ["head", "entry", "deal", "end", "sum"])
def test_line_with_other_fields_is_wrong_for_every_verifier(kind: str, tmp_path: Path) -> None:
    """One field more, or all of them in another order: docs/records.md says which fields a line has, and in which order."""
    lines = next(each for each in archived("coup") if b'{"line":"deal"' in each).splitlines(keepends=True)
    more = refielded(lines, kind, lambda line: {**line, "unknown": "text"})
    moved = refielded(lines, kind, lambda line: dict([*[*line.items()][:2], *[*line.items()][:1:-1]]))
    records = [more] if kind == "sum" else [more, moved]  # a sum has one field
    _, found = said(records, tmp_path, OLD)
    by_service = [verify(each.splitlines(keepends=True), GAMES).conclusion.value for each in records]
    by_browser = [each["conclusion"] for each in verdicts(records)]
    wrong = ["wrong"] * len(records)
    assert ([line.partition(":")[0] for line in found], by_service, by_browser) == (wrong, wrong, wrong)


def test_forgeries_of_the_archive_that_the_record_shows_are_found(tmp_path: Path) -> None:
    """All of them, without exception; the right records among them are right."""
    lines = corpus()
    words = [line.get("wrong", "right") or "wrong" for line in lines if line.get("found_by", "record") == "record"]
    expected = ["right" if word == "right" else "undecided" if word.startswith("undecided") else "wrong" for word in words]
    code, found = said([read(line) for line in lines if line.get("found_by", "record") == "record"], tmp_path)
    assert (code, len(found)) == (2, len(expected))
    assert [line.partition(":")[0].replace("unreadable", "wrong") for line in found] == expected


def of_day(day: str, secret: str, commitment: str | UnsetType) -> bytes:
    """Return the record of a match that is the deal of a day."""
    name = MatchId("m" + "d" * 24)
    own = secret_of_deal(day, secret, GameId("coup"))
    told = Story(name)
    begun = opening(GAMES[GameId("coup")], 2, {})
    told.do(
        msgspec.structs.replace(
            begun,
            secret=own,
            commitment=commitment_to(name, own),
            start=False,
            seating=tuple(msgspec.structs.replace(each, nonce="") for each in begun.seating),
            daily=DayDeal(day=day, ends_ms=1_700_006_400_000, commitment=commitment),
        )
    )
    told.do(Expire(ExpiryReason.UNUSED))
    return b"".join(told.lines())


def answer_about(day: str, secret: str, **lies: Any) -> bytes:
    """Return what the service answers about a day, in a log with one other leaf."""
    leaf = day_leaf(day, day_commitment(day, secret))
    other = merkle.leaf_hash(b"another")
    root = merkle.root([other, hash_leaf(leaf)]).hex()
    answer = {"day": day, "size": 2, "root": root, "index": 1, "text": content(leaf).decode(), "path": [other.hex()]}
    return json.dumps({**answer, "secret": secret, **lies}, separators=(",", ":")).encode()


def test_secret_of_a_day_is_compared_with_its_commitment_and_its_deals(tmp_path: Path) -> None:
    """With the answer of the service about that day; without it, or without the text of the leaf, the record is undecided."""
    day = "2023-11-14"
    secret = "ab" * 32
    other = "cd" * 32
    commitment = day_commitment(day, secret)
    answer = tmp_path / "day.json"
    answer.write_bytes(answer_about(day, secret))
    records = [of_day(day, secret, commitment), of_day(day, secret, "0" * 64), of_day(day, other, commitment)]
    code, lines = said(records, tmp_path, answer)
    assert (code, [line.partition(":")[0] for line in lines]) == (1, ["right", "wrong", "wrong"]), lines
    assert "leaf of the day" not in lines[0]
    assert "wrong: commitment of the day" in lines[1]
    assert "wrong: secret of the match, from that of the day" in lines[2]
    code, [line] = said(records[:1], tmp_path)
    assert (code, line.startswith("undecided: "), "the leaf of the day" in line) == (3, True, True)
    for name, lie in {"root": "0" * 64, "text": f"tafelrunde.day.1\n{day}\n{'0' * 64}\n", "path": []}.items():
        answer.write_bytes(answer_about(day, secret, **{name: lie}))
        code, [line] = said(records[:1], tmp_path, answer)
        assert (code, line.startswith("wrong: ")) == (1, True), line
    answer.write_bytes(json.dumps({"day": day, "secret": secret}, separators=(",", ":")).encode())
    code, [line] = said(records[:1], tmp_path, answer)
    assert (code, line.startswith("undecided: "), "the leaf of the day" in line) == (3, True, True)
    code, [line] = said([of_day(day, secret, UNSET)], tmp_path, answer)
    assert (code, line.startswith("undecided: "), "it has no commitment" in line) == (3, True, True)


def test_file_is_short_enough_to_be_read() -> None:
    """It is meant to be read before it is believed."""
    assert len(PROGRAM.read_text().splitlines()) <= 400


def test_file_imports_nothing_but_node() -> None:
    """It shares no code with what it checks."""
    imports = [line for line in PROGRAM.read_text().splitlines() if "import" in line and " from " in line]
    assert imports
    assert all('from "node:' in line for line in imports)
