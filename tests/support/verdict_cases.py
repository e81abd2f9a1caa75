"""The cases of verdict_cases.json: how their records, what was kept of them, and what is known of a day are made."""

from __future__ import annotations

import base64
import functools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from tafelrunde.client import shapes
from tafelrunde.client.entries import Terms
from tafelrunde.client.keeping import Kept, KeptDeal, KeptFeed
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId
from tafelrunde.domain.match.commands import (
    BotPlay,
    DayDeal,
    Expire,
    LeaveSeat,
    MatchCommand,
    OpenMatch,
    SeatBot,
    Seating,
    StartMatch,
    TakeSeat,
)
from tafelrunde.domain.match.events import CardsCommitted, ExpiryReason
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import DRAWS
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.dealing import merkle
from tafelrunde.service.dealing.day_deals import day_commitment, secret_of_deal
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.dealing.lesson_deals import secret_of_lesson
from tafelrunde.service.features.records.record import Recorder, encode_lines
from tafelrunde.service.features.records.verify import match_of
from tafelrunde.service.features.tournaments.commitments import deal_commitment, match_of_table, secret_of_table
from tafelrunde.service.features.transparency.checks import content, day_leaf, hash_leaf, leaves_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.signing.signer import signer_of
from tafelrunde.service.signing.statements import Mark
from tafelrunde.service.views.feeds import Feed
from tests.service.features.records.test_branched import command as taken_up
from tests.service.features.records.test_mutants import with_sum
from tests.service.features.records.test_record import CODEC, NAME, REAL, SECRET, Story, finished, opening, rewritten
from tests.support.cases import GAMES as ALL_GAMES
from tests.support.paths import ROOT
from tests.support.rewriting import (
    COMMAND,
    DIGEST,
    EVENT,
    cut_off_command,
    end_before_commitment,
    rechain,
    with_other_label,
    with_other_root,
    without_commitment,
    without_labels,
)
from tools.archive_matches import kept as archived
from tools.archive_matches import loaded_of, path_of

COUP = GameId("coup")
CASE = next(case for case in REAL if case.game.id == COUP)
HOST = PlayerId("p0")
FIRST = Seat(0)
NONCE = "drawn-after-the-commitment"
SIGNER, OTHER_SIGNER = (signer_of(each * 64, b"cards") for each in "23")
DAY, DAY_SECRET, OTHER = "2023-11-14", "ab" * 32, "cd" * 32
ENDS_MS = 1_700_006_400_000
CUP, DEAL_SECRET = "c" + "a" * 24, "ef" * 32
LESSON_SECRET = secret_of_lesson(COUP, 93)


def whole_file() -> Any:
    """Return what the data file has."""
    return json.loads((ROOT / "tests" / "support" / "verdict_cases.json").read_text(encoding="utf-8"))


# Records


def _story(nonce: str = NONCE, **opened: Any) -> Story:
    """Return a match whose player sat down when it had the commitment; *opened* is how its opening differs."""
    begun = opening(CASE.game, CASE.seats, msgspec.to_builtins(CASE.options))
    secret = opened.get("secret", SECRET)
    changes = {"seating": (), "start": False, "commitment": commitment_to(NAME, secret), **opened}
    changed = msgspec.structs.replace(begun, **changes)
    return _played(changed, TakeSeat(player=HOST, seat=Seat(0), nonce=nonce), SeatBot(HOST, Seat(1), BotName("random")))


def _played(*commands: MatchCommand) -> Story:
    """Return a match that was played to its end after some commands and the start."""
    told = Story()
    for command in (*commands, StartMatch(HOST)):
        told.do(command)
    return finished(told, CASE, 0)


def _left() -> Story:
    """Return a match between bots, before which a player had sat down, and stood up again."""
    told = Story()
    begun = opening(CASE.game, CASE.seats, msgspec.to_builtins(CASE.options))
    player = PlayerId("p1")
    for command in (
        msgspec.structs.replace(begun, seating=(), start=False),
        TakeSeat(player=player, seat=Seat(0), nonce=NONCE),
        LeaveSeat(player),
        *(SeatBot(HOST, Seat(seat), BotName("random")) for seat in range(2)),
        StartMatch(HOST),
    ):
        told.do(command)
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = ask.open[0]
        told.do(BotPlay(seat, decision, told.match.game.legal(told.match.table, seat)[0]))
    return told


def _branched(nonce: str = "") -> Story:
    """Return a match that takes up another one, with a nonce of its player."""
    told = Story()
    begun = msgspec.structs.replace(taken_up(CASE), draws=DRAWS)
    player, *others = begun.seating
    seating = (msgspec.structs.replace(player, nonce=nonce), *others)
    told.do(msgspec.structs.replace(begun, seating=seating))
    return finished(told, CASE, 0)


def _of_table(secret: str = secret_of_table(CUP, DEAL_SECRET, 1, 0)) -> Story:
    """Return the match of a tournament's first table: its nonce came with the opening."""
    match = match_of_table(CUP, 1, 0)
    told = Story(match)
    begun = opening(CASE.game, CASE.seats, msgspec.to_builtins(CASE.options))
    told.do(msgspec.structs.replace(begun, secret=secret, commitment=commitment_to(match, secret)))
    return finished(told, CASE, 0)


def _begun_at_once() -> Story:
    told = Story()
    begun: OpenMatch = opening(CASE.game, CASE.seats, msgspec.to_builtins(CASE.options))
    seats = (Seating(seat=Seat(0), player=HOST, nonce=NONCE), *begun.seating[1:])
    told.do(msgspec.structs.replace(begun, seating=seats))
    return finished(told, CASE, 0)


def _day(**changes: Any) -> Mapping[str, Any]:
    """Return what is special in the opening of the deal of a day."""
    deal = DayDeal(day=DAY, ends_ms=ENDS_MS, commitment=day_commitment(DAY, DAY_SECRET))
    return {"daily": deal, "secret": secret_of_deal(DAY, DAY_SECRET, COUP), **changes}


def _old() -> list[bytes]:
    """Return the shortest listed record with draws of version 1 that a player on the first seat sent a nonce for."""

    def is_old(lines: Sequence[bytes]) -> bool:
        text = b"".join(lines)
        is_plain = b'"match.draws-keyed.1"' not in text and b'"match.branched.1"' not in text
        return is_plain and bool(json.loads(lines[-2])["nonces"][0])

    records = (list(encode_lines(Recorder(CODEC).lines(each.match, loaded_of(each)))) for each in archived(path_of(CASE.game)))
    return min(filter(is_old, records), key=len)


def _with_head(lines: Sequence[bytes], **changes: Any) -> list[bytes]:
    head = {**json.loads(lines[0]), **changes}
    kept = {name: value for name, value in head.items() if value is not None}
    return with_sum([msgspec.json.encode(kept) + b"\n", *lines[1:-1]])


def _with_draws_3(envelopes: list[Any]) -> None:
    command = CODEC.command_of(envelopes[0][COMMAND])
    envelopes[0][COMMAND] = CODEC.command(msgspec.structs.replace(command, draws=3))
    next(each for each in envelopes if each[EVENT]["type"] == "match.draws-keyed.1")[EVENT]["version"] = 3


def _with_rules_9(envelopes: list[Any]) -> None:
    envelopes[0][EVENT]["rules_version"] = 9


def _with_event_at(kind: str, event: Mapping[str, Any]) -> Callable[[list[Any]], None]:
    """Return a change that puts an event with a command of its own behind the first commitment to cards, or the last event."""

    def change(envelopes: list[Any]) -> None:
        kinds = [each[EVENT]["type"] for each in envelopes]
        place = len(kinds) - 1 - kinds[::-1].index(kind)
        while not envelopes[place][DIGEST]:
            place += 1
        like = envelopes[place]
        command = msgspec.msgpack.encode({"type": "match.leave-seat", "player": "p1"})
        envelopes.insert(place + 1, [like[0], "test", f"late-{place}", "", dict(event), command, like[DIGEST]])

    return change


def _two_ends(lines: Sequence[bytes]) -> list[bytes]:
    end = next(json.loads(line)["event"] for line in lines if b'"match.ended.1"' in line and b'"line":"entry"' in line)
    return rewritten(list(lines), _with_event_at("match.ended.1", end))


def _bot_nonce() -> list[bytes]:
    begun = opening(CASE.game, CASE.seats, {})
    player, bot = begun.seating
    told = Story()
    told.do(msgspec.structs.replace(begun, seating=(player, msgspec.structs.replace(bot, nonce="chosen")), start=False))
    told.do(Expire(ExpiryReason.UNUSED))
    return told.lines()


def _shortened(lines: Sequence[bytes]) -> list[bytes]:
    last = max(number for number, line in enumerate(lines) if b'"line":"entry"' in line)
    return with_sum([*lines[:last], *lines[last + 1 : -1]])


BRANCHED: Mapping[str, Any] = {"type": "match.branched.1", "match": "m" + "b" * 24, "decision": 1, "version": 9, "chain": OTHER}
LESSON: Mapping[str, Any] = {"lesson": 1, "secret": LESSON_SECRET}
RECORDS: Mapping[str, Callable[[], Sequence[bytes]]] = {
    "plain": lambda: _story().lines(),
    "plain_with_number": lambda: _with_head(record("plain"), lesson=93),
    "without_nonce": lambda: _story("").lines(),
    "lesson": lambda: _story("", **LESSON).lines(),
    "lesson_with_nonce": lambda: _story(**LESSON).lines(),
    "lesson_without_number": lambda: _with_head(record("lesson"), lesson=None),
    "lesson_with_other_number": lambda: _with_head(record("lesson"), lesson=7),
    "lesson_with_other_secret": lambda: _story("", lesson=1).lines(),
    "lesson_unlisted": lambda: _story("", lesson=999).lines(),
    "lesson_unlisted_with_number": lambda: _with_head(_story("", lesson=999, secret=secret_of_lesson(COUP, 5)).lines(), lesson=5),
    "lesson_unlisted_with_wrong_number": lambda: _with_head(record("lesson_unlisted"), lesson=5),
    "day": lambda: _story("", **_day()).lines(),
    "day_with_nonce": lambda: _story(**_day()).lines(),
    "day_with_other_secret": lambda: _story("", **_day(secret=SECRET)).lines(),
    "day_without_commitment": lambda: _story("", **_day(daily=DayDeal(day=DAY, ends_ms=ENDS_MS))).lines(),
    "lesson_and_day": lambda: _story("", **_day(lesson=1, secret=LESSON_SECRET)).lines(),
    "old": _old,
    "old_unlisted": lambda: _story(draws=UNSET).lines(),
    "keyed_1": lambda: _story(draws=1).lines(),
    "draws_3": lambda: rewritten(list(record("plain")), _with_draws_3),
    "keyed_twice": lambda: rewritten(
        list(record("plain")), _with_event_at("match.cards-committed.1", {"type": "match.draws-keyed.1", "version": 2})
    ),
    "lesson_late": lambda: rewritten(
        list(record("plain")), _with_event_at("match.cards-committed.1", {"type": "match.lesson-begun.1", "edition": 1})
    ),
    "branched_late": lambda: rewritten(list(record("plain")), _with_event_at("match.cards-committed.1", BRANCHED)),
    "other_root": lambda: rechain(record("plain"), with_other_root),
    "commitment_left_out": lambda: rechain(record("plain"), without_commitment),
    "other_label": lambda: rechain(record("plain"), with_other_label),
    "labels_left_out": lambda: rechain(record("plain"), without_labels),
    "command_cut_off": lambda: rechain(record("plain"), cut_off_command),
    "end_before_commitment": lambda: rechain(record("plain"), end_before_commitment),
    "rules_9": lambda: rewritten(list(record("plain")), _with_rules_9),
    "uncommitted": lambda: _story(dealing=UNSET).lines(),
    "branched": lambda: _branched().lines(),
    "branched_with_nonce": lambda: _branched(NONCE).lines(),
    "begun_at_once": lambda: _begun_at_once().lines(),
    "of_table": lambda: _of_table().lines(),
    "of_table_with_other_secret": lambda: _of_table(SECRET).lines(),
    "left": lambda: _left().lines(),
    "bot_nonce": _bot_nonce,
    "other_secret": lambda: _story(commitment=commitment_to(NAME, OTHER)).lines(),
    "late_seat": lambda: rewritten(
        list(record("plain")), _with_event_at("coup.turn-begun.1", {"type": "match.seat-left.1", "seat": 1})
    ),
    "two_ends": lambda: _two_ends(record("plain")),
    "truncated": lambda: record("plain")[:-1],
    "shortened": lambda: _shortened(record("plain")),
    "wrong_sum": lambda: (*record("plain")[:-1], record("lesson")[-1]),
}


@functools.cache
def record(name: str) -> tuple[bytes, ...]:
    """Return the lines of a record by its name."""
    return tuple(RECORDS[name]())


# What was kept


def _loaded(lines: Sequence[bytes]) -> tuple[MatchId, Loaded]:
    """Return the match of a record that may be wrong."""
    entries = [base64.b64decode(json.loads(line)["bytes"]) for line in lines if b'"line":"entry"' in line]
    match = Match(ALL_GAMES)
    for entry in entries:
        match.fold(CODEC.decode(entry)[1])
    return json.loads(lines[0])["match"], Loaded(match, Version(len(entries)), chain_over(GENESIS, entries), entries)


def _mark(match: MatchId, feed: Feed, seat: Seat | None, n: int) -> str:
    return SIGNER.mark(Mark(match=match, seat=seat, n=n, chain=feed.chain(n)))


def _whole(lines: Sequence[bytes], seat: Seat | None = FIRST) -> Kept:
    """Return what the player of the first seat, or a spectator, has kept of a match."""
    match, loaded = _loaded(lines)
    feed = Feed(seat, loaded.entries)
    feed.extend(loaded, CODEC)
    events = [CODEC.decode(entry)[1] for entry in loaded.entries]
    n = len(feed.items)
    return Kept(
        service="https://cards.example.org",
        origin=SIGNER.origin,
        keys=(SIGNER.public.text,),
        match=match,
        commitment=loaded.match.facts.commitment,
        seat=seat,
        nonce=loaded.match.chairs[0].nonce if seat is not None else "",
        deals=tuple(
            KeptDeal(deal=each.deal, size=each.size, root=each.root) for each in events if isinstance(each, CardsCommitted)
        ),
        feed=KeptFeed(seat=seat, n=n, chain=feed.chain(n).hex()),
        marks=(_mark(match, feed, seat, 3), _mark(match, feed, seat, n)),
        checkpoints=(str(SIGNER.checkpoint(0, merkle.EMPTY)),),
    )


def _replaced(**changes: Any) -> Callable[[Sequence[bytes]], Kept]:
    return lambda lines: msgspec.structs.replace(_whole(lines), **changes)


def _half(lines: Sequence[bytes]) -> Kept:
    match, loaded = _loaded(lines)
    feed = Feed(Seat(0), loaded.entries)
    feed.extend(loaded, CODEC)
    marks = (_mark(match, feed, Seat(0), 3), _mark(match, feed, Seat(0), 9))
    return msgspec.structs.replace(_whole(lines), feed=KeptFeed(seat=0, n=9, chain=feed.chain(9).hex()), marks=marks)


def _with_root(lines: Sequence[bytes]) -> Kept:
    kept = _whole(lines)
    return msgspec.structs.replace(kept, deals=(msgspec.structs.replace(kept.deals[0], root=OTHER), *kept.deals[1:]))


def _with_chain(lines: Sequence[bytes], seat: int | None) -> Kept:
    return msgspec.structs.replace(_whole(lines), feed=KeptFeed(seat=seat, n=4, chain=OTHER))


def _with_mark(lines: Sequence[bytes]) -> Kept:
    kept = _whole(lines)
    mark = SIGNER.mark(Mark(match=MatchId(kept.match), seat=Seat(0), n=4, chain=bytes(32)))
    return msgspec.structs.replace(kept, marks=(kept.marks[0], mark))


def _with_other_key(lines: Sequence[bytes]) -> Kept:
    match, loaded = _loaded(lines)
    feed = Feed(Seat(0), loaded.entries)
    feed.extend(loaded, CODEC)
    mark = _mark(match, feed, Seat(0), 3)
    text, _, signature = mark.rpartition("\n\n")
    other = signature[:-6] + ("AAAA" if signature[-6:-2] != "AAAA" else "BBBB") + signature[-2:]
    return msgspec.structs.replace(_whole(lines), marks=(f"{text}\n\n{other}",))


def _with_other_checkpoint(lines: Sequence[bytes]) -> Kept:
    """Return a kept file with a checkpoint that says more than was signed."""
    [checkpoint] = _whole(lines).checkpoints
    text, _, signature = checkpoint.rpartition("\n\n")
    origin, _, root = text.split("\n")
    return msgspec.structs.replace(_whole(lines), checkpoints=(f"{origin}\n1\n{root}\n\n{signature}",))


def _of_spectator(lines: Sequence[bytes]) -> Kept:
    theirs = _whole(lines, None)
    return msgspec.structs.replace(_whole(lines), feed=theirs.feed, marks=theirs.marks)


def _as_of_seat(lines: Sequence[bytes]) -> Kept:
    theirs = _whole(lines, None).feed
    assert theirs is not None
    return msgspec.structs.replace(_whole(lines), feed=msgspec.structs.replace(theirs, seat=0))


def _terms(**changes: Any) -> Callable[[Sequence[bytes]], Kept]:
    """Return a function that makes the kept file of a tournament match, with *changes* to its terms."""
    terms = Terms(
        tournament=CUP,
        draw_commitment=OTHER,
        deal_commitment=deal_commitment(CUP, DEAL_SECRET),
        public_ids=True,
        deal_secret=DEAL_SECRET,
    )
    return _replaced(tournament=msgspec.structs.replace(terms, **changes))


KEPT: Mapping[str, Callable[[Sequence[bytes]], Kept]] = {
    "whole": _whole,
    "whole_of_spectator": lambda lines: _whole(lines, None),
    "nonce": _replaced(nonce=NONCE),
    "no_nonce": _replaced(nonce=""),
    "no_feed": _replaced(feed=None),
    "no_marks": _replaced(marks=()),
    "no_events": _replaced(feed=None, marks=()),
    "half_feed": _half,
    "no_deals": _replaced(deals=()),
    "feed_of_spectator": _of_spectator,
    "other_viewer": lambda lines: _with_chain(lines, None),
    "other_viewer_to_the_end": _replaced(feed=KeptFeed(seat=None, n=10_000, chain=OTHER), marks=()),
    "spectators_as_of_seat": _as_of_seat,
    "other_commitment": _replaced(commitment=OTHER),
    "other_match": _replaced(match="m" + "b" * 24, marks=()),
    "other_nonce": _replaced(nonce="another"),
    "other_root": _with_root,
    "other_feed": lambda lines: _with_chain(lines, 0),
    "other_mark": _with_mark,
    "other_key": _with_other_key,
    "other_checkpoint": _with_other_checkpoint,
    "terms": _terms(),
    "terms_without_secret": _terms(deal_secret=None),
    "terms_without_public_ids": _terms(public_ids=False),
    "terms_with_other_secret": _terms(deal_secret=OTHER),
}


@functools.cache
def make_kept(name: str, of: str) -> Kept:
    """Return what was kept of a record, by both names."""
    return KEPT[name](record(of))


# What is known of a day


def make_proofs(name: str, of: str) -> shapes.LeafProofs:
    """Return the proofs of a record in a log that has its end and the leaf of its day."""
    match, loaded = match_of(record(of), GAMES)
    (end,) = leaves_of(match, loaded.entries, CODEC)
    assert end.outcome is not None
    leaf = day_leaf(DAY, OTHER if name == "other_leaf" else day_commitment(DAY, DAY_SECRET))
    hashes = [hash_leaf(end), hash_leaf(leaf)]
    paths = [[each.hex() for each in merkle.inclusion(hashes, index)] for index in range(2)]
    root = merkle.root(hashes).hex()
    lies: Mapping[str, Mapping[str, Any]] = {
        "right": {},
        "other_leaf": {},
        "other_secret": {"secret": OTHER},
        "other_text": {"text": f"tafelrunde.day.1\n{DAY}\n{OTHER}\n"},
        "other_root": {"path": [OTHER]},
    }
    told = {
        "day": DAY,
        "size": 2,
        "root": root,
        "index": 1,
        "text": content(leaf).decode(),
        "path": paths[1],
        "secret": DAY_SECRET,
    }
    day = msgspec.convert({**told, **lies[name]}, shapes.DayProof)
    proof = shapes.LeafProof(
        index=0,
        version=end.version,
        chain=end.chain.hex(),
        outcome=end.outcome.value,
        time_ms=end.time_ms,
        path=tuple(paths[0]),
    )
    return shapes.LeafProofs(match=match, size=2, root=root, leaves=(proof,), day=day)
