"""Records: what they hold, who gets them, and that checking one finds everything right, or the first thing that is wrong."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.game import AnyGame, GameId, Hand, InvalidOptions, Seat
from tafelrunde.domain.match import BotName, MatchId, MatchSettings, PlayerId, Spectators
from tafelrunde.domain.match.commands import Abort, BotPlay, MatchCommand, OpenMatch, Play, Seating, StartMatch, TakeSeat
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.events import CardsCommitted, is_match_event
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import DRAWS, Dealing
from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.service.dealing.commitments import Deal
from tafelrunde.service.dealing.dealer import commitment_to, dealer_for
from tafelrunde.service.features.records.record import Recorder, encode_lines
from tafelrunde.service.features.records.verdict import Conclusion
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches.codec import COMPLETE, Codec, Envelope, digest_of, is_digested
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tests.support.cases import CASES, GAMES, Case

CODEC = Codec(GAMES)
NAME = MatchId("m" + "a" * 24)
SECRET = "7" * 64
ANNA = PlayerId("anna")
PLAYERS = (PlayerId("p0"),)


class Story:
    """A match that is played without a store, entry by entry as the handler writes it."""

    def __init__(self, name: MatchId = NAME) -> None:
        self.name = name
        self.match = Match(GAMES)
        self.entries: list[bytes] = []

    def do(self, command: MatchCommand) -> None:
        """Carry out a command."""
        now = 1_700_000_000_000 + 1_000 * len(self.entries)
        decided = decide(self.match, command, dealer_for(self.name, self.match, command, len(self.entries)), now)
        before = len(self.entries)
        digested = is_digested(self.match, decided.match, before, before + len(decided.events))
        last = len(decided.events) - 1
        for number, event in enumerate(decided.events):
            envelope = Envelope(
                time_ms=now,
                actor="test",
                command_id=f"c-{len(self.entries)}",
                correlation_id="",
                event=CODEC.raw(event),
                command=b"" if number else CODEC.command(command),
                digest=b"" if number < last else digest_of(decided.match) if digested else COMPLETE,
            )
            self.entries.append(CODEC.encode(envelope))
        self.match = decided.match

    def lines(self) -> list[bytes]:
        """Return the record."""
        chain = chain_over(GENESIS, self.entries)
        loaded = Loaded(self.match, Version(len(self.entries)), chain, self.entries)
        return list(encode_lines(Recorder(CODEC).lines(self.name, loaded)))


def opening(game: AnyGame, seats: int, options: dict[str, Any], people: int = 1) -> OpenMatch:
    """Return the opening of a match with a player on the first seats and bots on the others."""
    sitting = [Seating(seat=Seat(seat), player=PlayerId(f"p{seat}"), nonce=f"n{seat}") for seat in range(people)]
    bots = [Seating(seat=Seat(seat), bot=BotName("random")) for seat in range(people, seats)]
    return OpenMatch(
        settings=MatchSettings(game=game.id, seats=seats, options=options, spectators=Spectators.PUBLIC),
        host=PlayerId("p0"),
        secret=SECRET,
        commitment=commitment_to(NAME, SECRET),
        seating=(*sitting, *bots),
        start=True,
        dealing=Dealing.CARDS,
        draws=DRAWS,
    )


def story(case: Case, seed: int = 1) -> Story:
    """Return a match that was played at random to its end."""
    told = Story()
    told.do(opening(case.game, case.seats, msgspec.to_builtins(case.options)))
    return finished(told, case, seed)


def finished(told: Story, case: Case, seed: int) -> Story:
    """Play a match that has begun at random to its end."""
    rng = random.Random(f"{case.name}/{seed}")
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = rng.choice(ask.open)
        command = rng.choice(told.match.game.legal(told.match.table, seat))
        told.do(Play(PlayerId("p0"), decision, command) if seat == 0 else BotPlay(seat, decision, command))
    return told


REAL = [case for case in CASES if case.game.id in REGISTERED]
"""All games of the registry, with all their options."""


def shortest() -> list[bytes]:
    """Return a short record: Coup for two."""
    case = next(case for case in REAL if case.name == "coup-2-default")
    return min((story(case, seed).lines() for seed in range(6)), key=len)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in REAL])
def test_record_of_any_match_is_found_right(case: Case) -> None:
    """Every game with every option: decks, decisions, events, states, commitments and result come out again."""
    told = story(case)
    verdict = verify(told.lines(), GAMES)
    assert verdict.finding is None
    assert (verdict.entries, verdict.match, verdict.game) == (len(told.entries), NAME, case.game.id)
    assert verdict.deals > 0


def test_record_of_an_aborted_match_is_found_right() -> None:
    """The secret is revealed then, too, and there are no placings."""
    told = Story()
    told.do(msgspec.structs.replace(opening(GAMES[GameId("coup")], 2, {}), seating=(), start=False))
    told.do(TakeSeat(player=PlayerId("p0"), nonce="mine"))
    told.do(TakeSeat(player=ANNA))
    told.do(StartMatch(PlayerId("p0")))
    told.do(Abort(PlayerId("p0")))
    told.do(Abort(ANNA))
    lines = told.lines()
    assert verify(lines, GAMES).finding is None
    end = json.loads(lines[-2])
    assert (end["status"], end["secret"], end["placings"], end["nonces"]) == ("aborted", SECRET, None, ["mine", ""])


def test_record_needs_nothing_else() -> None:
    """Options, rules, schemas, software, secret, nonces, chain and states are in it."""
    lines = [json.loads(line) for line in shortest()]
    head, end = lines[0], lines[-2]
    assert (head["game"], head["rules_version"], head["options"]["fifth_role"]) == ("coup", 2, "ambassador")
    assert len(head["rules"]) == 64
    kinds = {line["event"]["type"] for line in lines if line["line"] == "entry"}
    assert kinds == set(head["schemas"])
    assert head["commitment"] == commitment_to(NAME, end["secret"])
    assert (end["nonces"], end["status"]) == (["n0", ""], "over")


def rewritten(lines: list[bytes], change: Any) -> list[bytes]:
    """Return a record with changed entries, and everything derived from them recomputed: commitments, digests, chain, lines."""
    envelopes = [
        msgspec.msgpack.decode(base64.b64decode(json.loads(line)["bytes"])) for line in lines if b'"line":"entry"' in line
    ]
    digests = [envelope[6] for envelope in envelopes]
    change(envelopes)
    match = Match(GAMES)
    entries = list[bytes]()
    hands = tuple[Hand, ...]()
    for envelope in envelopes:
        event = CODEC.decode(msgspec.msgpack.encode(envelope))[1]
        if isinstance(event, CardsCommitted):
            envelope[4]["root"] = Deal(NAME, SECRET, event.deal, hands).root.hex()
            event = msgspec.structs.replace(event, root=envelope[4]["root"])
        match.fold(event)
        hands = () if is_match_event(event) else match.game.dealt(match.table, event)
        envelope[6] = digest_of(match) if envelope[6] in digests and envelope[6] else envelope[6]
        entries.append(msgspec.msgpack.encode(envelope))
    loaded = Loaded(match, Version(len(entries)), chain_over(GENESIS, entries), entries)
    return list(encode_lines(Recorder(CODEC).lines(NAME, loaded)))


def forgeries() -> list[Any]:
    """Return what a forger does to the entries, by what it is."""

    def other_time(entries: list[Any]) -> None:
        entries[0][0] += 1

    def other_digest(entries: list[Any]) -> None:
        entries[-1][6] = bytes(32)

    def other_cards(entries: list[Any]) -> None:
        dealt = next(entry[4] for entry in entries if entry[4]["type"] == "coup.dealt.1")
        dealt["court"][0], dealt["hands"][0][0] = dealt["hands"][0][0], dealt["court"][0]
        assert dealt["court"][0] != dealt["hands"][0][0]

    def command_left_out(entries: list[Any]) -> None:
        firsts = [number for number, entry in enumerate(entries) if entry[5]]
        del entries[firsts[-2] : firsts[-1]]

    return [pytest.param(each, id=each.__name__) for each in (other_time, other_digest, other_cards, command_left_out)]


@pytest.mark.parametrize("change", forgeries())
def test_forger_who_hashes_everything_again_is_found_out(change: Any) -> None:
    """Another time or state, other cards with commitments to them, a command left out: deciding again gives something else."""
    finding = verify(rewritten(shortest(), change), GAMES).finding
    assert finding is not None
    assert not finding.what.startswith(("chain", "sum over all lines", "what the bytes say"))


def test_first_wrong_thing_is_named() -> None:
    """The version, what it is, and both values."""
    lines = shortest()
    entry = json.loads(lines[3])
    entry["actor"] = "somebody"
    lines[3] = msgspec.json.encode(entry) + b"\n"
    finding = verify(lines, GAMES).finding
    assert finding is not None
    assert (finding.line, finding.what, finding.found) == ("3", "what the bytes say: actor", "somebody")


@pytest.mark.parametrize("other", [0, 0.0])
def test_number_in_place_of_false_is_found(other: float) -> None:
    """To Python they are equal, to others who read the record they are not."""
    lines = shortest()
    head = json.loads(lines[0])
    assert head["options"]["duel_draft"] is False
    head["options"]["duel_draft"] = other
    lines[0] = msgspec.json.encode(head) + b"\n"
    lines[-1] = b'{"line":"sum","sum":"%s"}\n' % hashlib.sha256(b"".join(lines[:-1])).hexdigest().encode()
    finding = verify(lines, GAMES).finding
    assert finding is not None
    assert (finding.line, finding.what) == ("head", "options")


def test_changed_rule_does_not_change_old_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folding needs no rules: the same states come out. Deciding again shows that the rules differ now."""
    lines = shortest()
    coup = GAMES[GameId("coup")]
    entries = [base64.b64decode(json.loads(line)["bytes"]) for line in lines if line.startswith(b'{"line":"entry"')]
    monkeypatch.setattr(type(coup), "why_not", lambda *_: None)
    monkeypatch.setattr(type(coup), "play", lambda *_: None)
    match = Match(GAMES)
    for entry in entries:
        envelope, event = CODEC.decode(entry)
        match.fold(event)
        assert envelope.digest in {b"", COMPLETE, digest_of(match)}
    assert verify(lines, GAMES).finding is not None


def test_other_rules_version_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of rules that this software does not have is not called wrong: it is undecided, and nothing was decided."""
    lines = shortest()
    monkeypatch.setattr(type(GAMES[GameId("coup")]), "rules_version", 9)
    monkeypatch.setattr("tafelrunde.service.features.records.verify.decide", lambda *_: pytest.fail("today's rules were asked"))
    verdict = verify(lines, GAMES)
    assert (verdict.conclusion, verdict.finding, verdict.rules_version) == (Conclusion.UNDECIDED, None, 2)
    lines[0] = lines[0].replace(b'"rules_version":2', b'"rules_version":3')
    assert verify(lines, GAMES).conclusion is Conclusion.WRONG


@pytest.mark.parametrize("content", [[], [b"\n"], [b"{}\n"], [b'{"line":"end"}\n'], [b"\xff\xfe\n"]])
def test_what_is_no_record_is_reported(content: list[bytes]) -> None:
    """No line, or no head: one finding, never an error."""
    assert verify(content, GAMES).finding is not None


def test_options_that_are_not_offered_are_reported() -> None:
    """What opening refuses, checking refuses too."""
    with pytest.raises(InvalidOptions):
        Story().do(opening(GAMES[GameId("coup")], 2, {"fifth_role": "nobody"}))
