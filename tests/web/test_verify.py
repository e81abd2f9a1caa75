"""The web client's check of records, in Node.js: right for real matches, and it finds every forgery but those of rules."""

from __future__ import annotations

import asyncio
import base64
import functools
import itertools
import json
import random
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.coup import GAME as COUP
from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.domain.match.commands import Abort, Expire
from tafelrunde.domain.match.events import ExpiryReason
from tafelrunde.domain.mondkrone.cards import CARDS
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.lessons import service as lessons
from tafelrunde.service.features.records.record import Recorder, encode_lines
from tafelrunde.service.features.records.verdict import Conclusion, Finding, Verdict
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches.codec import plain_of
from tests.api.features.daily.test_daily import ENDS_MS
from tests.api.features.daily.test_daily import played as deal_played
from tests.api.features.lessons.test_lessons import played as lesson_played
from tests.service.features.records import test_forgeries
from tests.service.features.records.test_mutants import edited, edits, flipped, rechained, with_sum
from tests.service.features.records.test_record import CODEC, PLAYERS, REAL, Story, opening, rewritten, story
from tests.support.cases import Case
from tests.support.forging import evidence, kept_of, original
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.stranger import VECTORS
from tests.support.table import opened
from tests.support.thorough import tries
from tests.support.verifying import asked, verdicts
from tools.archive_matches import Kept, kept, loaded_of, path_of
from tools.node import environment

pytestmark = pytest.mark.xdist_group("records")  # they are made once for all of these

FORGERIES = tries(12, 4_000)
BATCH = 120
"""How many records one process of Node.js checks."""
SHOWING = ROOT / "tests" / "support" / "showing.mjs"
every_game = pytest.mark.parametrize("game", GAMES)


@functools.cache
def archived(game: str) -> tuple[bytes, ...]:
    """Return records of archived matches that have together all that any has, the shortest that add most."""
    left = {match: traits(match) for match in kept(path_of(GAMES[GameId(game)]))}
    missing = set[str]().union(*left.values())
    chosen = list[Kept]()
    while missing:
        chosen.append(max(left, key=lambda match: len(left[match] & missing) / len(match.entries)))
        missing -= left.pop(chosen[-1])
    return tuple(b"".join(encode_lines(Recorder(CODEC).lines(each.match, loaded_of(each)))) for each in chosen)


def traits(match: Kept) -> frozenset[str]:
    """Return what a check meets in a match: version, seats, options, fields of the opening, events, and more deals than one."""
    events = [plain_of(CODEC.decode(entry)[0].event) for entry in match.raw()]
    tags = [str(event["type"]) for event in events]
    opened = {f"{name}: {value if name in {'seats', 'rules_version'} else ''}" for name, value in events[0].items()}
    chosen = msgspec.convert(events[0]["options"], dict[str, object])
    options = {f"{name}={'some' if isinstance(value, list) else value}" for name, value in chosen.items()}
    again = {f"{tag}, again" for tag in tags if "dealt" in tag and tags.count(tag) > 1}
    return frozenset({*tags, *opened, *options, *again})


@functools.cache
def short(game: str) -> tuple[bytes, ...]:
    """Return the lines of a short record of a game."""
    case = next(case for case in REAL if case.game.id == game)
    return tuple(min((story(case, seed) for seed in range(6)), key=lambda told: len(told.entries)).lines())


@every_game
def test_real_records_are_right(game: str) -> None:
    """Of every game, with all options, numbers of seats and kinds of events, but for what takes up another match."""
    records = archived(game)
    assert len(records) > 5
    for record, verdict in zip(records, verdicts(records), strict=True):
        doubts = ["taken_up"] if b'"match.branched.1"' in record else []
        conclusion = "undecided" if doubts else "right"
        assert (verdict["conclusion"], verdict["open"], verdict["game"]) == (conclusion, doubts, game), verdict
        assert (verdict["draws"] > 0) is (b'"match.started.1"' in record)


@every_game
def test_document_of_the_service_is_right(game: str) -> None:
    """The same lines between brackets; not a reformatted document, nor one that is cut off."""
    lines = [line.rstrip() for line in short(game)]
    whole = b'{"lines":[' + b",".join(lines) + b"]}"
    found = verdicts([whole, whole + b"\n", whole[:-1], whole.replace(b":1,", b": 1,", 1), whole + b"}", b"", b"{}", b"\xff"])
    assert [each["conclusion"] for each in found] == ["right"] * 2 + ["wrong"] * 6


async def _daily() -> bytes:
    async with opened() as table:
        token = (await table.player())[1]
        match, _ = await deal_played(table, token, "coup")
        table.now_ms = ENDS_MS + 60_000
        answer = await table.get(f"/matches/{match}/record", token)
        assert answer.status == 200
        return answer.body


def test_deal_of_a_day_is_right() -> None:
    """Its draws are named by the deal, its end reveals no secret, and its bots answer out of that secret."""
    with ThreadPoolExecutor() as apart:  # the browser of other tests has a loop here
        record = apart.submit(asyncio.run, _daily()).result()
    [verdict] = verdicts([record])
    assert (verdict["conclusion"], verdict["open"], verdict["game"]) == ("undecided", ["day_leaf"], "coup"), verdict
    assert verdict["draws"] > 0
    lines = [msgspec.json.encode(line) + b"\n" for line in msgspec.json.decode(record)["lines"]]
    told = verify(lines, GAMES, every_bot=1)
    assert (told.finding, told.bots.unable) == (None, "")
    assert told.bots.computed == told.bots.given > 0


async def _lesson() -> bytes:
    async with opened() as table:
        token, match = await lesson_played(table)
        return (await table.get(f"/matches/{match}/record", token, headers=[("Accept", "application/x-ndjson")])).body


def lesson() -> bytes:
    """Return the record of a lesson."""
    with ThreadPoolExecutor() as apart:
        return apart.submit(asyncio.run, _lesson()).result()


def test_lesson_is_right() -> None:
    """All its draws are made again by the name that lessons share; its bots answer out of its secret, which is none."""
    record = lesson()
    [verdict] = verdicts([record])
    assert (verdict["conclusion"], verdict["game"]) == ("right", "coup"), verdict
    assert verdict["draws"] > 0
    told = verify(record.splitlines(keepends=True), GAMES, every_bot=1)
    assert (told.finding, told.bots.unable) == (None, "")
    assert told.bots.computed == told.bots.given > 0


def test_lesson_has_its_number_in_the_head() -> None:
    """The secret follows from it: with another number, or in another match, a record is wrong. Old ones have none."""
    record = lesson().splitlines(keepends=True)
    number = COUP.lesson.chance if COUP.lesson else None
    assert json.loads(record[0])["lesson"] == number
    other = with_head(record, lambda head: head.update(lesson=7))
    old = with_head(record, lambda head: head.pop("lesson"))
    none = with_head(short("coup"), lambda head: head.update(lesson=number))
    assert [each["conclusion"] for each in verdicts([other, old, none])] == ["wrong", "right", "wrong"]
    found = [verify(each.splitlines(keepends=True), GAMES).conclusion for each in (other, old, none)]
    assert found == [Conclusion.WRONG, Conclusion.RIGHT, Conclusion.WRONG]


@pytest.mark.parametrize("game", GAMES)
def test_lesson_with_another_secret_is_wrong(game: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Other cards than all who learn have: committed to, dealt and played as they should be, out of a secret that was chosen."""
    monkeypatch.setattr(lessons, "secret_of_lesson", lambda *_: "5" * 64)
    begun = lessons.beginning(MatchId("m" + "e" * 24), PlayerId("p0"), GAMES[GameId(game)], guest=True)
    told = Story(MatchId("m" + "e" * 24))
    told.do(begun)
    told.do(Expire(ExpiryReason.UNUSED))
    record = b"".join(told.lines())
    [verdict] = verdicts([record])
    assert verdict == {"conclusion": "wrong", "wrong": "the secret of the lesson"}
    finding = verify(record.splitlines(keepends=True), GAMES).finding
    assert finding is not None
    assert finding.what == "the secret that every lesson of this edition has"
    (path := tmp_path / "lesson.ndjson").write_bytes(record)
    alone = ROOT / "docs" / "verifier" / "alone.mjs"
    done = subprocess.run(["node", str(alone), str(path)], env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, "secret of the lesson" in done.stdout) == (1, True), done.stdout


@pytest.mark.parametrize(("start", "wrong"), [(True, "the hands dealt"), (False, "a bot with a nonce")])
def test_bot_with_a_nonce_is_wrong(start: bool, wrong: str) -> None:
    """In a free field of the opening, of which no player knows, the server could choose how it deals."""
    begun = opening(GAMES[GameId("coup")], 2, {})
    player, bot = begun.seating
    told = Story()
    told.do(msgspec.structs.replace(begun, seating=(player, msgspec.structs.replace(bot, nonce="chosen")), start=start))
    told.do(Expire(ExpiryReason.UNUSED))
    record = b"".join(told.lines())
    assert verdicts([record]) == [{"conclusion": "wrong", "wrong": wrong}]
    finding = verify(record.splitlines(keepends=True), GAMES).finding
    assert finding is not None
    assert (finding.what, finding.found) == ("no nonce of a bot", "chosen")


def vectors() -> Any:
    """Return what the modules of the client give for the page's test vectors."""
    [found] = asked(SHOWING, "vectors")
    return found


def test_vectors_of_the_page_come_out() -> None:
    """Commitment, numbers, orders and roots are those of docs/fair-dealing.md."""
    deal = VECTORS["deal"]
    assert vectors() == {
        "commitment": VECTORS["commitment"],
        "below": [str(each["result"]) for each in VECTORS["below"]],
        "shuffle": VECTORS["shuffle"]["result"],
        "order": deal["order"],
        "root": deal["root"],
    }


EDGES = [edge for power in (5, 7, 8, 15, 16, 31, 32, 53) for edge in range(2**power - 1, 2**power + 2) if edge < 2**53]
VALUES: list[Any] = [
    *(None, True, False, "", "\u00e4\U0001f0a1", {}, [], {"a": {"b": [1, None]}, "c": "d"}),
    *(sign * edge for edge in (0, *EDGES) for sign in (1, -1)),
    *("x" * size for size in (31, 32, 255, 256, 65_535, 65_536)),
    *([0] * size for size in (15, 16, 65_535, 65_536)),
    *({f"{number:x}y": number for number in range(size)} for size in (15, 16)),
]
"""Values at each edge between two forms of MessagePack."""


def test_values_are_packed_as_the_service_packs_them(tmp_path: Path) -> None:
    """Entries are written from their lines, and compared with their bytes: so each value has one form."""
    path = tmp_path / "values.json"
    path.write_text(json.dumps(VALUES))
    [found] = asked(SHOWING, "packed", str(path))
    assert found == [msgspec.msgpack.encode(value).hex() for value in VALUES]


def whole(game: str) -> tuple[tuple[bytes, ...], dict[str, Any]]:
    """Return the lines of a record, and what its player has kept: the whole feed."""
    lines = original(game)
    return lines, msgspec.to_builtins(kept_of(lines)["all"])


def with_head(lines: Sequence[bytes], change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a record whose head was changed."""
    head = json.loads(lines[0])
    change(head)
    content = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    return b"".join(with_sum([content + b"\n", *lines[1:-1]]))


def without_audiences(head: dict[str, Any]) -> None:
    """Make a head what it was before it said who may know what."""
    for schema in head["schemas"].values():
        del schema["x-known-by"]


def test_feed_is_made_out_of_a_record_as_its_head_says() -> None:
    """The client needs no list of its own: each game's declarations are in the head, and give the feed that was kept."""
    for game in GAMES:
        lines, kept = whole(game)
        [verdict] = verdicts([b"".join(lines)], kept)
        assert "feed" in verdict["compared"], game


def test_feed_of_an_old_record_is_compared_by_the_sheet_alone() -> None:
    """Its head says nothing of audiences: beside the game's sheet the feed is compared, and without it that is left open."""
    lines, kept = whole("coup")
    old = with_head(lines, without_audiences)
    [verdict] = verdicts([old], kept)
    assert (verdict["conclusion"], "feed" in verdict["compared"], "events" in verdict["open"]) == ("undecided", False, True)
    [verdict] = verdicts([old], kept, evidence("coup")["sheet"])
    assert (verdict["conclusion"], "feed" in verdict["compared"]) == ("right", True)
    assert verify(old.splitlines(keepends=True), GAMES).conclusion is Conclusion.RIGHT


def test_head_that_hides_what_was_sent_is_wrong() -> None:
    """What a head calls hidden is compared with the feed as it was sent; beside the sheet the head is not even asked."""
    lines, kept = whole("coup")
    nobody = {"only": [], "hidden": {}, "parts": []}
    told = with_head(lines, lambda head: head["schemas"]["match.ended.1"].update({"x-known-by": nobody}))
    assert verdicts([told], kept) == [{"conclusion": "wrong", "wrong": "kept: your feed"}]
    assert [each["conclusion"] for each in verdicts([told], kept, evidence("coup")["sheet"])] == ["right"]


# Forgeries

BY_RULES = {"an entry that can be read", "a command that the rules allow", "the event that the rules give", "state digest"}
"""What it takes the rules to see: a program without them believes what is written."""


def mutants(game: str) -> Iterator[bytes]:
    """Yield forged records: edits, other bytes, lines left out, doubled and exchanged, entries hashed again."""
    lines = list(short(game)[:-1])
    rng = random.Random(game)
    entries = int(json.loads(lines[0])["entries"])
    for _ in range(FORGERIES):
        number = rng.randrange(len(lines))
        changed = list(lines)
        match rng.randrange(8):
            case 0:
                changed[number] = flipped(lines[number], rng.randrange(len(lines[number])), rng)
            case 1:
                del changed[number]
            case 2:
                changed.insert(number, lines[number])
            case 3:
                other = rng.randrange(len(lines))
                changed[number], changed[other] = changed[other], changed[number]
            case 4 | 5:
                changed[number] = msgspec.json.encode(next(edits(json.loads(lines[number]), rng))) + b"\n"
            case _:
                number = rng.randrange(1, entries + 1)
                envelope = msgspec.msgpack.decode(base64.b64decode(json.loads(lines[number])["bytes"]))
                changed = [*lines[:number], *rechained(lines, number, edited(envelope, rng))]
        if changed != lines:
            yield b"".join(with_sum(changed))


@every_game
def test_no_forgery_passes_but_what_takes_the_rules_to_see(game: str) -> None:
    """Edits, bytes, lines and whole histories that were hashed again, compared with what the service's check finds."""
    refused = 0
    for forged in batched(mutants(game), BATCH):
        for record, verdict in zip(forged, verdicts(forged), strict=True):
            finding = verify(record.splitlines(keepends=True), GAMES, CODEC).finding
            passed = verdict["conclusion"] != "wrong"
            refused += not passed
            assert not passed or finding is None or finding.what in BY_RULES, (finding, record[:2_000])
    assert refused > FORGERIES // 2


def batched(records: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    """Yield records in lists of a size: thousands of them together would fill the memory."""
    rest = iter(records)
    while batch := list(itertools.islice(rest, size)):
        yield batch


# Those that the suite of the records' own checks makes

RULES_ALONE = {"test_placings_or_hands_that_the_rules_do_not_give"}
"""Placings that the play does not give: that takes the rules, as in `tafelrunde verify`."""


def named() -> Iterator[tuple[str, list[bytes], Finding | None]]:
    """Yield what the tests of forgeries check: the test, the record, and what the service's check finds in it."""
    for name, test in vars(test_forgeries).items():
        if not name.startswith("test_") or hasattr(test, "hypothesis"):
            continue
        for case in cases_of(test):
            heard = list[tuple[list[bytes], Finding | None]]()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(test_forgeries, "verify", functools.partial(heard_by, heard))
                test(**case)
            yield from ((name, record, finding) for record, finding in heard)


def heard_by(heard: list[tuple[list[bytes], Finding | None]], lines: Sequence[bytes], *how: Any) -> Verdict:
    """Note which record is checked, and what is found."""
    verdict = verify(lines, *how)
    heard.append((list(lines), verdict.finding))
    return verdict


def cases_of(test: Any) -> list[dict[str, Any]]:
    """Return the arguments of a test, once for each of its parameters."""
    made: list[dict[str, Any]] = [{}]
    for mark in getattr(test, "pytestmark", ()):
        names = mark.args[0] if isinstance(mark.args[0], tuple) else (mark.args[0],)
        given = [getattr(each, "values", None) or ((each,) if len(names) == 1 else each) for each in mark.args[1]]
        made = [{**before, **dict(zip(names, values, strict=True))} for before in made for values in given]
    return made


def test_forgeries_of_the_suite_are_refused() -> None:
    """All that the service's check refuses; what takes the rules to see is known by name."""
    found = list(named())
    assert len(found) > 40
    passed = set[str]()
    for (name, _, finding), verdict in zip(found, verdicts(b"".join(record) for _, record, _ in found), strict=True):
        assert finding is None or name in RULES_ALONE or verdict["conclusion"] == "wrong", (name, finding)
        if verdict["conclusion"] == "right" and finding is not None:
            passed.add(name)
    assert passed <= RULES_ALONE, passed


DEALS = {
    "coup": (
        *("coup.dealt.1", "coup.sets-taken.1", "coup.claim-proved.1"),
        *("coup.cards-drawn.1", "coup.cards-returned.1", "coup.card-replaced.1"),
    ),
    "matchmaster": ("matchmaster.dealt.1",),
    "meister-coup": ("meister-coup.dealt.1",),
    "mondkrone": ("mondkrone.round-dealt.1",),
    "stich-meister": ("stich-meister.dealt.1",),
}
DRAWN = {"hands", "court", "third", "drawn", "roles", "deck", "palette_cards", "cards", "new_rules", "rule_deck"}


def exchanged(event: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Return an event that deals two cards the other way round: what is in one place is in the other; None if it has no two."""
    forged = json.loads(json.dumps(event))
    places = [(part, at) for name in sorted(DRAWN & event.keys()) for part, at in slots(forged[name])]
    pairs = [(a, b) for a in places for b in places if a[0][a[1]] != b[0][b[1]] and type(a[0][a[1]]) is type(b[0][b[1]])]
    if not pairs:
        return None
    (one, at), (other, there) = rng.choice(pairs)
    one[at], other[there] = other[there], one[at]
    if "hands" in event:
        forged["hands"] = [sorted(hand, key=event_order(event)) for hand in forged["hands"]]
    return forged if forged != event else None


def event_order(event: dict[str, Any]) -> Any:
    """Return how the hands of an event are ordered, so that a forger orders them likewise."""
    names = [card.value for card in CARDS]
    return names.index if event["type"] == "mondkrone.round-dealt.1" else None


def slots(value: Any) -> Iterator[tuple[list[Any], int]]:
    """Yield every place of a card in a list, or a list of lists."""
    for at, part in enumerate(value if isinstance(value, list) else []):
        if isinstance(part, list):
            yield from slots(part)
        else:
            yield value, at


def other_cards(lines: Sequence[bytes], kind: str, rng: random.Random) -> list[bytes] | None:
    """Return a record in which one event of a kind deals other cards, and all else is recomputed: roots, states, chain, lines."""

    def change(entries: list[Any]) -> None:
        found = [each for each in entries if each[4]["type"] == kind]
        rng.shuffle(found)
        for entry in found:
            if (forged := exchanged(entry[4], rng)) is not None:
                entry[4] = forged
                return
        raise LookupError

    try:
        return rewritten(list(lines), change)
    except (LookupError, ValueError):  # nothing to exchange, or the cards do not fit what was played
        return None


def begun(case: Case) -> list[bytes]:
    """Return the record of a match that was dealt and aborted: nothing that is played later gives other cards away."""
    told = Story()
    told.do(opening(case.game, case.seats, msgspec.to_builtins(case.options)))
    told.do(Abort(PLAYERS[0]))
    return told.lines()


@functools.cache
def dealt(game: str) -> list[list[bytes]]:
    """Return records of a game in which cards are dealt: once with all options and numbers of seats, and to the end with some."""
    cases = [case for case in REAL if case.game.id == game]
    some = cases[: tries(2, 6) if len(DEALS[game]) == 1 else 6]  # what is dealt in a turn of Coup is rare
    return [*map(begun, cases), *(story(case, seed).lines() for case in some for seed in range(2))]


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game, kinds in DEALS.items() for kind in kinds])
def test_cards_that_were_not_drawn_are_found(game: str, kind: str) -> None:
    """A dealer of other cards who recomputes commitments, states and hashes is found: the draw gives another card."""
    rng = random.Random(kind)
    forged = list[bytes]()
    for lines in (each for each in dealt(game) if kind.encode() in b"".join(each)):
        made = other_cards(lines, kind, rng)
        if made is not None:
            forged.append(b"".join(made))
    assert forged
    for record, verdict in zip(forged, verdicts(forged), strict=True):
        assert verdict["conclusion"] == "wrong", kind
        assert verify(record.splitlines(keepends=True), GAMES, CODEC).finding is not None


def test_card_that_was_not_on_top_of_the_deck_is_found() -> None:
    """In Mondkrone the cards that are drawn in a turn come from the top of the deck; here the last one has its bottom card."""

    def change(entries: list[Any]) -> None:
        *_, dealt = (each[4] for each in entries if each[4]["type"] == "mondkrone.round-dealt.1")
        *_, drawn = (each[4] for each in entries if each[4]["type"] == "mondkrone.cards-drawn.1")
        drawn["cards"] = dealt["deck"][-1:]

    case = next(case for case in REAL if case.game.id == "mondkrone")
    lines = rewritten(story(case, 0).lines(), change)
    [verdict] = verdicts([b"".join(lines)])
    assert verdict["wrong"] == "the cards drawn"


BEGINS = [
    ("coup", "coup.turn-begun.1", "seat"),
    ("coup", "coup.sets-taken.1", "first"),
    ("matchmaster", "matchmaster.dealt.1", "dealer"),
    ("meister-coup", "meister-coup.dealt.1", "leader"),
    ("stich-meister", "stich-meister.dealt.1", "dealer"),
]


@pytest.mark.parametrize(("game", "kind", "field"), BEGINS)
def test_seat_that_was_not_drawn_to_begin_is_found(game: str, kind: str, field: str) -> None:
    """A record in which another seat begins, with all else recomputed: by chance, or as an option says."""

    def change(entries: list[Any]) -> None:
        event = next(each[4] for each in entries if each[4]["type"] == kind)
        event[field] = (event[field] + 1) % seats

    forged = list[bytes]()
    for case in (case for case in REAL if case.game.id == game):
        lines = begun(case)
        seats = case.seats
        if kind.encode() in b"".join(lines):
            forged.append(b"".join(rewritten(lines, change)))
    assert forged
    assert {verdict["conclusion"] for verdict in verdicts(forged)} == {"wrong"}


PAGE = (ROOT / "docs" / "fair-dealing.md").read_text(encoding="utf-8")


def test_page_names_every_draw_and_the_cards_of_the_decktet() -> None:
    """Labels are those that the rules draw with, and the cards with names are listed in their order."""
    rows = re.findall(r"^\| `([a-z-]+)[0-9]*`(?: to `deal-13`)? \|[^|]*\|[^|]*\|[^|]*\|$", PAGE, re.MULTILINE)
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "domain").glob("*/rules.py"))
    drawn = {label for source in sources for label in re.findall(r'chance\.(?:shuffle|below)\(f?"([a-z-]+)', source)}
    assert set(rows) == drawn
    [listed] = re.findall(r"Cards are names, weakest first: (.*?)\n\n", PAGE, re.DOTALL)
    assert re.findall(r"`([a-z-]+)`", listed) == [card.value for card in CARDS]


def test_verifier_of_the_page_says_right_and_wrong(tmp_path: Path) -> None:
    """From the command line, with the exit codes of `tafelrunde verify`."""
    path = tmp_path / "record.ndjson"
    program = ROOT / "docs" / "verifier" / "verify.mjs"

    def run(*arguments: str) -> tuple[int, str, str]:
        command = ["node", str(program), *arguments]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        return done.returncode, done.stdout, done.stderr

    path.write_bytes(b"".join(short("coup")))
    code, said, _ = run(str(path))
    assert (code, said.startswith("right; not checked: moves and scores")) == (0, True)
    path.write_bytes(b"".join(short("coup")).replace(b'"actor":"test"', b'"actor":"tess"', 1))
    code, wrong, _ = run(str(path))
    assert (code, wrong) == (1, "wrong: the sum over all lines.\n")
    assert run(str(tmp_path / "nope"))[0] == run()[0] == 2


def test_verifier_of_the_page_checks_nothing_beside_a_file_of_another_kind(tmp_path: Path) -> None:
    """Such as what was kept of a tournament: that makes no record wrong."""
    (record := tmp_path / "record.ndjson").write_bytes(b"".join(short("coup")))
    other = tmp_path / "other.json"
    for content in ('{"format":"tafelrunde.kept-tournament.1"}', "{}", "[]", "null", "no JSON"):
        other.write_text(content)
        command = ["node", str(ROOT / "docs" / "verifier" / "verify.mjs"), str(record), str(other)]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        assert (done.returncode, done.stdout, bool(done.stderr)) == (2, "", True), content
