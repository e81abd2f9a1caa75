"""Answers that a service did not take: the client keeps them with its own time, the check says what the record has instead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tafelrunde.audit.kept_evidence import LOST, compare
from tafelrunde.audit.verdict_text import as_text
from tafelrunde.client import ApiError, Client, Unreachable
from tafelrunde.client.calls import Call
from tafelrunde.client.keeping import MOST_ANSWERS, KeptAnswer, read_kept
from tafelrunde.domain.game import DecisionId, GameId, Seat
from tafelrunde.domain.match import BotName, MatchSettings
from tafelrunde.domain.match.commands import BotPlay, LeaveSeat, OpenMatch, Play, SeatBot, StartMatch, TakeSeat, TimeOut
from tafelrunde.domain.match.terms import DRAWS, EDITION, Dealing
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.signing.signer import signer_of
from tafelrunde.service.signing.statements import Mark
from tests.audit.test_kept_evidence import NAME, NONCE, PLAYER, SECRET, kept_of, verified
from tests.service.features.records.test_record import CODEC, GAMES, Story
from tests.support.served import Service, service
from tests.support.verifying import verdicts

pytestmark = pytest.mark.xdist_group("client")
SENT_MS = 1_700_000_000_000
TAX = {"type": "coup.tax"}


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


def begun() -> Story:
    """Return a match of Coup in which seat 0 was dealt to with a nonce of its own, and is asked first."""
    told = Story(NAME)
    settings = MatchSettings(game=GameId("coup"), seats=2, options={"first_seat": 0})
    commitment = commitment_to(NAME, SECRET)
    opening = OpenMatch(settings=settings, host=PLAYER, secret=SECRET, commitment=commitment, seating=(), start=False)
    told.do(msgspec.structs.replace(opening, dealing=Dealing.CARDS, draws=DRAWS, edition=EDITION))
    told.do(TakeSeat(player=PLAYER, seat=Seat(0), nonce=NONCE))
    told.do(SeatBot(PLAYER, Seat(1), BotName("random")))
    told.do(StartMatch(PLAYER))
    return told


def finished(told: Story) -> Story:
    """Play a match to its end: every seat by its first legal command."""
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = ask.open[0]
        move = told.match.game.legal(told.match.table, seat)[0]
        told.do(Play(PLAYER, decision, move) if seat == 0 else BotPlay(seat, decision, move))
    return told


def first_decision(told: Story) -> DecisionId:
    """Return the number of the decision that is open."""
    decision = told.match.open_decision()
    assert decision is not None
    return decision


def check(told: Story, *answers: KeptAnswer) -> tuple[str, tuple[str, ...], str]:
    """Return why a record is undecided beside what was kept, what is said of the answers, and the whole text."""
    kept = msgspec.structs.replace(kept_of(told), unacknowledged=answers)
    lines = told.lines()
    found = compare(kept, lines, None)
    assert found.finding is None
    verdict = msgspec.structs.replace(verify(lines, GAMES), unsure=found.unsure)
    return found.unsure, found.lost, as_text(verdict, found)


def test_answer_that_was_lost_until_its_time_was_up_leaves_the_record_undecided(tmp_path: Path) -> None:
    """The service held it back, played the default, and refused it then: the record alone is right, and says "timed out"."""
    told = begun()
    decision = first_decision(told)
    told.do(TimeOut(decision))
    finished(told)
    sent = KeptAnswer(decision=decision, command=TAX, at_ms=SENT_MS, problem="urn:tafelrunde:problem:decision-closed")
    unsure, (sentence,), text = check(told, sent)
    assert sentence == (
        f'You sent {{"type":"coup.tax"}} for decision {decision} at 2023-11-14T22:13:20.000Z, and the service refused it '
        f"(urn:tafelrunde:problem:decision-closed); the record says that your time was up at {time_of(told)}."
    )
    assert (LOST in unsure, "is undecided" in text.splitlines()[0], sentence in text) == (True, True, True)
    kept, record = tmp_path / "kept.json", tmp_path / "record.ndjson"
    kept.write_bytes(msgspec.json.encode(msgspec.structs.replace(kept_of(told), unacknowledged=(sent,))))
    record.write_bytes(b"".join(told.lines()))
    code, said = verified(record, kept)
    assert (code, sentence in said) == (3, True), said
    [device] = verdicts([b"".join(told.lines())], msgspec.json.decode(kept.read_bytes()))
    assert (device["conclusion"], "lost" in device["open"]) == ("undecided", True), device
    assert [(each["instead"], each["at_ms"]) for each in device["lost"]] == [("time", SENT_MS)]


def test_lost_answer_is_compared_when_only_marks_say_which_seat_it_is_of() -> None:
    """A page without HTTPS keeps signed marks and no chain: the program says what the browser says."""
    told = begun()
    decision = first_decision(told)
    told.do(TimeOut(decision))
    finished(told)
    sent = KeptAnswer(decision=decision, command=TAX, at_ms=SENT_MS)
    signer = signer_of("2" * 64, b"cards")
    whole = kept_of(told)
    assert whole.feed is not None
    mark = signer.mark(Mark(match=NAME, seat=Seat(0), n=whole.feed.n, chain=bytes.fromhex(whole.feed.chain)))
    kept = msgspec.structs.replace(
        whole,
        origin=signer.origin,
        keys=(signer.public.text,),
        marks=(mark,),
        seat=None,
        nonce="",
        feed=None,
        unacknowledged=(sent,),
    )
    found = compare(kept, told.lines(), None)
    [device] = verdicts([b"".join(told.lines())], msgspec.to_builtins(kept))
    assert (LOST in found.unsure, "lost" in device["open"]) == (True, True)


def time_of(told: Story) -> str:
    """Return when the seat's time was up, as the record has it."""
    at_ms = next(CODEC.decode(each)[0].time_ms for each in told.entries if b"match.timed-out.1" in each)
    return f"2023-11-14T22:13:{20 + (at_ms - SENT_MS) // 1000:02}.000Z"


def test_answer_without_a_reply_is_compared_with_what_the_record_has() -> None:
    """The same answer settles it; another one, or that of a bot, does not; a decision that others closed is only named."""
    told = begun()
    decision = first_decision(told)
    finished(told)
    played = next(
        CODEC.command_of(envelope.command)
        for envelope, _ in map(CODEC.decode, told.entries)
        if envelope.command and b"match.play" in envelope.command
    )
    assert isinstance(played, Play)
    same = KeptAnswer(decision=decision, command=msgspec.to_builtins(played.command), at_ms=SENT_MS)
    assert (check(told, same)[:2], of_device(told, same)) == (("", ()), [])
    other = KeptAnswer(decision=decision, command={"type": "coup.other"}, at_ms=SENT_MS)
    unsure, (sentence,), _ = check(told, other)
    assert (LOST in unsure, "did not answer; the record says {" in sentence) == (True, True)
    assert of_device(told, other) == ["other"]
    closed = KeptAnswer(decision=10_000, command=TAX, at_ms=SENT_MS)
    unsure, (sentence,), _ = check(told, closed)
    assert (unsure, "was closed without an answer of your seat" in sentence) == ("", True)
    assert of_device(told, closed) == ["closed"]


def of_device(told: Story, *answers: KeptAnswer) -> list[str]:
    """Return what the browser finds in the record in place of lost answers, once it agrees with the program on which are lost."""
    kept = msgspec.structs.replace(kept_of(told), unacknowledged=answers)
    [device] = verdicts([b"".join(told.lines())], msgspec.to_builtins(kept))
    assert ("lost" in device["open"]) is (LOST in check(told, *answers)[0])
    return [each["instead"] for each in device["lost"]]


def test_answer_in_whose_place_a_bot_answered_leaves_the_record_undecided() -> None:
    """The player left while the answer was on its way: the record has that of the bot that took over."""
    told = begun()
    decision = first_decision(told)
    told.do(LeaveSeat(PLAYER))
    while (ask := told.match.pending()) is not None and (still := told.match.open_decision()) is not None:
        seat = ask.open[0]
        told.do(BotPlay(seat, still, told.match.game.legal(told.match.table, seat)[0]))
    sent = KeptAnswer(decision=decision, command=TAX, at_ms=SENT_MS)
    unsure, (sentence,), _ = check(told, sent)
    assert (LOST in unsure, "the record says that a bot answered in your place" in sentence) == (True, True)
    assert of_device(told, sent) == ["bot"]


def test_client_keeps_answers_that_were_refused_or_not_acknowledged(
    served: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its own time; a later answer to the same decision that is taken settles those before, and the newest are kept."""
    with Client(served.url, keep=tmp_path) as client:
        client.sign_up()
        match = client.open_match("coup", 2, bots={1: "random"}, start=True).match

        def kept() -> list[tuple[int, str]]:
            found = read_kept((tmp_path / f"{match}.kept.json").read_bytes())
            assert all(each.at_ms > SENT_MS for each in found.unacknowledged)
            return [(each.decision, each.problem.rpartition(":")[2]) for each in found.unacknowledged]

        for _ in client.follow(match):
            if (question := client.view(match).question) is not None:
                break
        else:
            raise AssertionError("the match ended before its player was asked")
        with pytest.raises(ApiError):
            client.play(match, question.decision, {"type": "coup.nothing"})
        with pytest.raises(ApiError):
            client.play(match, question.decision + 1_000, question.legal[0])
        assert [decision for decision, _ in kept()] == [question.decision, question.decision + 1_000]
        assert all(problem for _, problem in kept())

        def lose(call: Call[object], token: str | None) -> object:
            raise Unreachable

        with monkeypatch.context() as patch:
            patch.setattr(client._connection, "ask", lose)
            for _ in range(MOST_ANSWERS):
                with pytest.raises(Unreachable):
                    client.play(match, question.decision, question.legal[0])
        assert kept() == [(question.decision, "")] * MOST_ANSWERS
        client.play(match, question.decision, question.legal[0])
        assert kept() == []
