"""Forgeries that were right once."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tafelrunde.audit.log_proofs import LogRoot, check_proofs
from tafelrunde.audit.verdict_text import as_text
from tafelrunde.client.shapes import LeafProof, LeafProofs
from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.commands import BotPlay, MatchCommand, Play, TimeOut, VoidMatch
from tafelrunde.service.dealing import merkle
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.errors import RecordWrong
from tafelrunde.service.features.records.record import Recorder, encode_lines
from tafelrunde.service.features.records.verdict import Conclusion, Finding, Verdict
from tafelrunde.service.features.records.verify import match_of, verify
from tafelrunde.service.features.transparency.checks import hash_leaf, leaves_of
from tafelrunde.service.matches.codec import digest_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tests.service.features.records.test_branched import branched
from tests.service.features.records.test_mutants import rechained, with_sum
from tests.service.features.records.test_record import CODEC, NAME, PLAYERS, REAL, Story, opening, story
from tests.support.cases import GAMES

COUP = GAMES[GameId("coup")]
CASE = next(case for case in REAL if case.name == "coup-2-default")
LINES = story(CASE, 2).lines()
DEALS = sum(line.startswith(b'{"line":"deal"') for line in LINES)
EVENT, COMMAND, DIGEST = 4, 5, 6
HOSTILE = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def verdict(lines: Sequence[bytes]) -> Verdict:
    """Return what our verifier finds."""
    return verify(lines, GAMES, CODEC)


def found(lines: Sequence[bytes]) -> Finding:
    """Return what is wrong."""
    finding = verdict(lines).finding
    assert finding is not None
    return finding


def edited(number: int, change: Callable[[Any], object]) -> list[bytes]:
    """Return the record with one line edited, and the sum put right."""
    row = json.loads(LINES[number])
    change(row)
    lines = list(LINES)
    lines[number] = msgspec.json.encode(row) + b"\n"
    return with_sum(lines[:-1])


def envelopes() -> list[Any]:
    """Return the entries of the record."""
    rows = [json.loads(line) for line in LINES]
    return [msgspec.msgpack.decode(base64.b64decode(row["bytes"])) for row in rows if row["line"] == "entry"]


def number_of(kind: str) -> int:
    """Return in which line the last event of a kind is."""
    return max(number for number, envelope in enumerate(envelopes(), start=1) if envelope[EVENT]["type"] == kind)


def chained(number: int, change: Callable[[Any], object]) -> list[bytes]:
    """Return the record with one entry changed, and all chains, readable parts and sums recomputed."""
    envelope = envelopes()[number - 1]
    change(envelope)
    return with_sum([*LINES[:number], *rechained(LINES[:-1], number, envelope)])


def with_entries(entries: Sequence[Any]) -> list[bytes]:
    """Return the record with other entries, chained and counted."""
    head, *rest = (json.loads(line) for line in LINES[:-1])
    rows = [{**head, "entries": len(entries)}]
    chain = GENESIS
    for number, envelope in enumerate(entries, start=1):
        content = msgspec.msgpack.encode(envelope)
        chain = hashlib.sha256(chain + content).digest()
        *plain, command, digest = envelope
        row: dict[str, Any] = {
            "line": "entry",
            "version": number,
            "bytes": base64.b64encode(content).decode(),
            "chain": chain.hex(),
        }
        row |= zip(("time_ms", "actor", "command_id", "correlation_id", "event"), plain, strict=True)
        row |= {"command": msgspec.msgpack.decode(command) if command else None, "digest": digest.hex() or None}
        rows.append(row)
    rows += [row for row in rest if row["line"] == "deal"]
    rows.append({**rest[-1], "chain": chain.hex(), "state": entries[-1][DIGEST].hex()})
    return with_sum(msgspec.json.encode(row) + b"\n" for row in rows)


def test_record_without_forgery_is_right() -> None:
    """So that what follows is found because of the forgery."""
    assert verdict(LINES).right
    assert with_entries(envelopes()) == edited(3, lambda _: None) == chained(3, lambda _: None) == LINES


# What the deals were committed to


def test_commitment_replaced_after_the_end() -> None:
    """The commitment at the time of the deal counts, not the one given when the secret is revealed."""
    entries = envelopes()
    number = next(n for n, each in enumerate(entries) if each[EVENT]["type"] == "match.cards-committed.1")
    late = copy.deepcopy(entries[number])
    late[COMMAND] = msgspec.msgpack.encode({"type": "match.void-match", "reason": "none"})
    late[DIGEST] = entries[-1][DIGEST]
    entries[number][EVENT]["root"] = "ab" * 32
    lines = with_entries([*entries, late])
    assert found(lines).line == str(number + 1)


def test_commitment_that_is_reported_twice() -> None:
    """Deals are counted from 1, and each has one commitment."""
    entries = envelopes()
    number = number_of("match.cards-committed.1") - 1
    twice = with_entries([*entries[:number], [*entries[number][:COMMAND], b"", b""], *entries[number:]])
    assert found(twice)
    entries[number][EVENT]["deal"] = 1
    assert found(with_entries(entries))


def test_opening_that_comes_twice() -> None:
    """The first entry opens the match, and no other."""
    entries = envelopes()
    forged = with_entries([*entries[:2], [*entries[0][:COMMAND], b"", b""], *entries[2:]])
    assert found(forged)


# Head and end


def _swapped(row: Any) -> None:
    for placing in row["placings"]:
        placing["rank"] = 3 - placing["rank"]


@pytest.mark.parametrize(
    ("number", "change"),
    [
        pytest.param(-2, _swapped, id="placings swapped"),
        pytest.param(-2, lambda row: row.update(status="aborted"), id="aborted"),
        pytest.param(-2, lambda row: row.update(nonces=["x", "y"]), id="nonces"),
        pytest.param(-2, lambda row: row.update(state="00" * 32), id="state"),
        pytest.param(0, lambda row: row.update(game="mondkrone"), id="game"),
        pytest.param(0, lambda row: row.update(options={}), id="options"),
        pytest.param(0, lambda row: row.update(rules_version=7), id="rules_version"),
        pytest.param(0, lambda row: row.update(seats=6), id="seats"),
        pytest.param(0, lambda row: row["schemas"].update({"coup.won.9": {}}), id="schemas"),
        pytest.param(0, lambda row: row.update(more=1), id="another name"),
        pytest.param(3, lambda row: row.update(version=3.0), id="another way to write a number"),
    ],
)
def test_head_or_end_that_says_something_else(number: int, change: Callable[[Any], object]) -> None:
    """Both follow from the first and the last events."""
    forged = edited(number % len(LINES), change)
    assert found(forged)


def test_name_that_comes_twice_in_a_line() -> None:
    """Readers that take the first, and readers that take the last, get the same."""
    line = LINES[3].replace(b'"event":{', b'"event":{"type":"fake","seat":9},"event":{', 1)
    forged = with_sum([*LINES[:3], line, *LINES[4:-1]])
    assert found(forged).what == "the usual way to write a line"


def test_placings_or_hands_that_the_rules_do_not_give() -> None:
    """Though all else is recomputed from them."""
    ended, dealt = number_of("match.ended.1"), number_of("coup.dealt.1")

    def other_hands(envelope: Any) -> None:
        envelope[EVENT]["hands"][0] = ["duke", "duke"]

    swapped = chained(ended, lambda envelope: _swapped(envelope[EVENT]))
    end = json.loads(swapped[-2])
    _swapped(end)
    swapped = with_sum([*swapped[:-2], msgspec.json.encode(end) + b"\n"])
    cards = "the cards of deal 1 are not those of the secret"
    for forged, number, what in (
        (swapped, ended, "the event that the rules give"),
        (chained(dealt, other_hands), dealt, cards),
    ):
        assert (found(forged).line, found(forged).what) == (str(number), what)
    finding = found(chained(dealt, other_hands))
    hands = json.loads(LINES[dealt])["event"]["hands"]
    assert (finding.expected, finding.found) == (f"seat 0: {', '.join(sorted(hands[0]))}", "seat 0: duke, duke")
    finding = found(swapped)
    assert json.loads(finding.expected).keys() == json.loads(finding.found).keys() == {"placings"}


# Shapes


def played(command: MatchCommand, name: MatchId = NAME, seed: int = 1) -> list[bytes]:
    """Return the record of a match of Coup that was opened so, played at random."""
    told = Story(name)
    rng = random.Random(seed)
    told.do(command)
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = rng.choice(ask.open)
        move = rng.choice(told.match.game.legal(told.match.table, seat))
        told.do(Play(PLAYERS[0], decision, move) if seat == 0 else BotPlay(seat, decision, move))
    return told.lines()


@pytest.mark.parametrize("secret", ["", "00", "77 77", "7" * 62, "7" * 128, "AB" * 32])
def test_secret_that_is_weak_or_written_another_way(secret: str) -> None:
    """256 bits in 64 hex digits: with the commitment a short one could be found by trying."""
    command = msgspec.structs.replace(opening(COUP, 2, {}), secret=secret, commitment=commitment_to(NAME, secret))
    forged = played(command)
    assert found(forged).what == "a secret of 64 hex digits"


@pytest.mark.parametrize("name", ["", "a|b", "m" * 25 + "\n", "m\x1b[31mWrong", "m" * 5_000])
def test_id_that_is_none(name: str) -> None:
    """Ids stand between bars in what is hashed, and in what is printed."""
    command = opening(COUP, 2, {})
    forged = played(msgspec.structs.replace(command, commitment=commitment_to(MatchId(name), command.secret)), MatchId(name))
    assert found(forged).what == "the id of a match"


@pytest.mark.parametrize("nonce", ["n,m", "n|1", "ä", "n" * 65])
def test_nonce_that_is_none(nonce: str) -> None:
    """Nonces stand between commas in what is drawn from."""
    command = opening(COUP, 2, {})
    sitting = msgspec.structs.replace(command.seating[0], nonce=nonce)
    forged = played(msgspec.structs.replace(command, seating=(sitting, *command.seating[1:])))
    assert found(forged).what == "a nonce"


# Bytes that break readers


def raw_command(number: int, raw: bytes) -> list[bytes]:
    """Return the record with these bytes as a command, chained and summed; what they say is said if it can be."""
    head, *rest = (json.loads(line) for line in LINES[:-1])
    chain = GENESIS
    rows = [head]
    for row in rest:
        if row["line"] == "entry":
            content = base64.b64decode(row["bytes"])
            if row["version"] == number:
                envelope = msgspec.msgpack.decode(content)
                envelope[COMMAND] = raw
                content = msgspec.msgpack.encode(envelope)
                row["command"] = plain(raw)
            chain = hashlib.sha256(chain + content).digest()
            row["bytes"] = base64.b64encode(content).decode()
        if "chain" in row:
            row["chain"] = chain.hex()
        rows.append(row)
    return with_sum(msgspec.json.encode(row) + b"\n" for row in rows)


def plain(raw: bytes) -> Any:
    """Return what bytes say, if that can be written as JSON."""
    try:
        value = msgspec.msgpack.decode(raw)
        msgspec.json.encode(value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError, TypeError):
        return None
    return value


@HOSTILE
@given(raw=st.binary(min_size=1, max_size=40))
@example(raw=b"\xc1")
@example(raw=b"\xa1\xff")
@example(raw=b"\x90")
@example(raw=b"\x80")
@example(raw=b"\x81\x01\x02")
@example(raw=b"\x91" * 3_000 + b"\xc0")
@example(raw=b"\x81\xa4type" * 3_000 + b"\xc0")
@example(raw=b"\x81\xa4type\xaamatch.play")
def test_bytes_that_are_no_command(raw: bytes) -> None:
    """A finding, never an error, anywhere."""
    number = next(place for place, envelope in enumerate(envelopes(), start=1) if place > 1 and envelope[COMMAND])
    forged = raw_command(number, raw)
    assert found(forged).line in {str(number), f"line {number + 1}"}
    with pytest.raises(RecordWrong):
        match_of(forged, GAMES)


@pytest.mark.parametrize("time_ms", [2**64 - 1, 2**63, -1, -(2**63), 253_402_300_800_000])
@pytest.mark.parametrize("number", [1, 9])
def test_time_that_is_none(time_ms: int, number: int) -> None:
    """No one played before 1970, and deadlines are times too."""
    forged = chained(number, lambda envelope: envelope.__setitem__(0, time_ms))
    assert (found(forged).line, found(forged).what) == (str(number), "a time")


def test_nesting_without_end() -> None:
    """In a line, and in the bytes of an entry."""
    line = b'{"line":"entry","version":1,"event":' + b'{"a":' * 500_000 + b"1" + b"}" * 500_000 + b"}\n"
    entry = b"\x97\x01\xa0\xa0\xa0" + b"\x81\xa1a" * 3_000 + b"\xc0\xc4\x00\xc4\x00"
    row = json.loads(LINES[3])
    row.update(
        bytes=base64.b64encode(entry).decode(), chain=chain_over(bytes.fromhex(json.loads(LINES[2])["chain"]), [entry]).hex()
    )
    for forged in ([LINES[0], line, *LINES[2:-1]], [*LINES[:3], msgspec.json.encode(row) + b"\n", *LINES[4:-1]]):
        assert found(with_sum(forged))


# What is left out or was never there


def test_void_that_was_cut_off() -> None:
    """The transparency log has a leaf more than the record: refused, whichever checkpoint was kept."""
    told = story(CASE)
    short = told.lines()
    told.do(VoidMatch("cheating"))
    leaves = list(leaves_of(NAME, told.entries, CODEC))
    hashes = [hash_leaf(leaf) for leaf in leaves]

    def proofs(size: int) -> tuple[LeafProofs, LogRoot]:
        root = merkle.root(hashes[:size]).hex()
        known = list[LeafProof]()
        for index, leaf in enumerate(leaves[:size]):
            path = tuple(sister.hex() for sister in merkle.inclusion(hashes[:size], index))
            assert leaf.outcome is not None
            outcome = leaf.outcome.value
            at = leaf.time_ms
            known.append(
                LeafProof(index=index, version=leaf.version, chain=leaf.chain.hex(), outcome=outcome, time_ms=at, path=path)
            )
        return LeafProofs(match=NAME, size=size, root=root, leaves=tuple(known)), LogRoot(size, root)

    (newest, kept), (before, early) = proofs(2), proofs(1)
    for checkpoint in (kept, None):
        assert check_proofs(told.lines(), newest, checkpoint) is None
        finding = check_proofs(short, newest, checkpoint)
        assert finding is not None
        assert (finding.expected, finding.found) == ("1", "2")
    assert check_proofs(told.lines(), before, early) is None
    assert check_proofs(told.lines(), before, None) is not None


def test_hands_of_a_match_that_is_taken_up() -> None:
    """They are given, not dealt: the verdict says so, and where to look."""
    lines = branched(CASE).lines()
    taken = verdict(lines).taken_up
    assert taken is not None
    events = [json.loads(line)["event"] for line in lines if line.startswith(b'{"line":"entry"')]
    origin = next(event for event in events if event["type"] == "match.branched.1")
    kinds = [event["type"] for event in events]
    told_again = [kind for kind in kinds[: kinds.index("match.decision-opened.1")] if kind.startswith("coup.")]
    assert (taken.match, taken.version, taken.chain) == (origin["match"], origin["version"], origin["chain"])
    assert taken.events == len(told_again) > 0
    assert "all done again" not in as_text(verdict(lines))
    assert f"begins with {taken.events} events of match {taken.match}, not dealt here" in as_text(verdict(lines))
    assert verdict(LINES).taken_up is None


def test_time_outs_that_come_too_early() -> None:
    """No time follows from anything, so they are no fault of the record; the verdict counts them."""
    told = Story()
    rng = random.Random(3)
    early = 0
    told.do(opening(COUP, 2, {}))
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = rng.choice(ask.open)
        if seat == 0 and early < 3:
            told.do(TimeOut(decision))
            early += 1
        else:
            move = rng.choice(told.match.game.legal(told.match.table, seat))
            told.do(Play(PLAYERS[0], decision, move) if seat == 0 else BotPlay(seat, decision, move))
    checked = verdict(told.lines())
    assert (checked.finding, checked.early) == (None, early)
    assert f"{early} time-outs came before their deadline" in as_text(checked)


# Other rules


OTHER_RULES = 99


def of_rules(version: int, change: Callable[[list[Any]], object]) -> list[bytes]:
    """Return the record with another version of the rules in it, changed, and all put right that follows."""
    entries = envelopes()
    entries[0][EVENT]["rules_version"] = version
    match = Story().match
    raws: list[bytes] = []
    change(entries)
    for envelope in entries:
        match.fold(CODEC.decode(msgspec.msgpack.encode(envelope))[1])
        envelope[DIGEST] = digest_of(match) if envelope[DIGEST] else b""
        raws.append(msgspec.msgpack.encode(envelope))
    loaded = Loaded(match, Version(len(raws)), chain_over(GENESIS, raws), raws)
    return list(encode_lines(Recorder(CODEC).lines(NAME, loaded)))


def winner_exchanged(entries: list[Any]) -> None:
    """Give the ranks the other way round."""
    _swapped(next(each[EVENT] for each in entries if each[EVENT]["type"] == "match.ended.1"))


def no_digests(entries: list[Any]) -> None:
    """Leave out all state digests."""
    for each in entries:
        each[DIGEST] = b""


def test_winner_exchanged_under_other_rules() -> None:
    """Undecided is not right: it is said that nothing was decided again."""
    checked = verdict(of_rules(OTHER_RULES, winner_exchanged))
    assert (checked.conclusion, checked.finding, checked.right, checked.commands > 9) == (Conclusion.UNDECIDED, None, False, True)
    assert "no command was decided again" in as_text(checked)
    assert "right" not in as_text(checked)


def test_digests_left_out_under_other_rules() -> None:
    """Every command has one at its end, whatever the rules; they are all that such a record has to be compared with."""
    forged = of_rules(OTHER_RULES, no_digests)
    assert "a command where the one before is complete" in found(forged).what
    with pytest.raises(RecordWrong):
        match_of(forged, GAMES)


def test_cards_that_do_not_fit_their_commitments_under_other_rules() -> None:
    """A finding, though no deck is dealt again."""

    def other_root(entries: list[Any]) -> None:
        entries[number_of("match.cards-committed.1") - 1][EVENT]["root"] = "ab" * 32

    forged = raw_rules(other_root)
    assert (found(forged).line, found(forged).what) == ("deals", "cards that fit their commitments")
    assert verdict(raw_rules(lambda _: None)).conclusion is Conclusion.UNDECIDED


def raw_rules(change: Callable[[list[Any]], object]) -> list[bytes]:
    """Return the record under other rules with its own deal lines and end, as a recorder would refuse to write it."""
    entries = envelopes()
    entries[0][EVENT]["rules_version"] = OTHER_RULES
    change(entries)
    match = Story().match
    for envelope in entries:
        match.fold(CODEC.decode(msgspec.msgpack.encode(envelope))[1])
        envelope[DIGEST] = digest_of(match) if envelope[DIGEST] else b""
    lines = with_entries(entries)
    lines[0] = re.sub(rb'"rules_version":\d+', b'"rules_version":%d' % OTHER_RULES, lines[0])
    return with_sum(lines[:-1])
