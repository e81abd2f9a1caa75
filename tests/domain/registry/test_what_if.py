"""Any decision of any finished match can be taken up again: the same table, asked the same, and playable to its end."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tafelrunde.domain.game import DecisionId, Event, GameId, Hand, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Status
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.match.decide import Decided, decide
from tafelrunde.domain.match.events import CardsCommitted, DecisionOpened, HintsAllowed, MatchBranched
from tafelrunde.domain.match.refusals import MatchRefused
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.view import view
from tafelrunde.domain.secrecy import redact
from tafelrunde.service.dealing.dealer import dealer_for
from tafelrunde.service.matches.branching import WhatIf, taking_up
from tafelrunde.service.matches.codec import Envelope
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.views.card_proofs import CardViewer, DealProofs
from tests.support.cases import GAMES, PLAIN, Case, plain_cases
from tests.support.stored import stored
from tests.support.transcripts import CODEC, NOON_MS, Recording, log, record

ORIGIN, NEW = MatchId("m-origin"), MatchId("m-new")
CARLA = PlayerId("carla")
DECISIONS = 6


def loaded(recording: Recording) -> Loaded:
    """Return a match as the service has it."""
    entries = [bytes.fromhex(entry) for entry in log(recording)]
    return Loaded(recording.match, Version(len(entries)), chain_over(GENESIS, entries), entries)


def taken_up(origin: Loaded, wish: WhatIf) -> Decided:
    """Return what taking up a match causes."""
    command = taking_up(NEW, CARLA, wish, ORIGIN, origin, CODEC)
    blank = Match(GAMES)
    return decide(blank, command, dealer_for(NEW, blank, command, 0), NOON_MS)


def before(origin: Loaded, decision: DecisionId) -> tuple[Match, int]:
    """Return a match right after a decision was opened, and the number of events until then."""
    match = Match(GAMES)
    for number, entry in enumerate(origin.entries):
        event = CODEC.decode(entry)[1]
        match.fold(event)
        if isinstance(event, DecisionOpened) and event.decision == decision:
            return match, number
    raise AssertionError("no such decision")


def decisions(origin: Loaded) -> list[DecisionId]:
    """Return the decisions of a match."""
    events = [CODEC.decode(entry)[1] for entry in origin.entries]
    return [event.decision for event in events if isinstance(event, DecisionOpened)]


@plain_cases
def test_match_that_is_taken_up_stands_where_the_other_one_stood(case: Case) -> None:
    """Table, question and every seat's view of the table are the same; the first events say where it comes from."""
    origin = loaded(record(case, 1))
    rng = random.Random(case.name)
    asked = decisions(origin)
    for decision in rng.sample(asked, min(DECISIONS, len(asked))):
        seat = Seat(rng.randrange(case.seats))
        events, match, _ = taken_up(origin, WhatIf(decision=decision, seat=seat))
        then, version = before(origin, decision)
        assert stored(match.table.digest_form()) == stored(then.table.digest_form())
        assert match.pending() == then.pending()
        for viewer in case.viewers():
            assert view(match, viewer).table == view(then, viewer).table
        chain = chain_over(GENESIS, origin.entries[:version]).hex()
        assert events[1:3] == [MatchBranched(ORIGIN, decision, version, chain), HintsAllowed()]
        assert [chair.player for chair in match.chairs] == [CARLA if each == seat else None for each in range(case.seats)]
        assert (match.settings.rated, match.status) == (False, Status.RUNNING)


@plain_cases
def test_match_that_is_taken_up_can_be_played_to_its_end(case: Case) -> None:
    """By bots alone here; it ends as any other, and reveals a secret of its own."""
    origin = loaded(record(case, 2))
    rng = random.Random(case.name)
    _, match, _ = taken_up(origin, WhatIf(decision=rng.choice(decisions(origin)), seat=Seat(0), bot=BotName("random")))
    number = 1
    while (ask := match.pending()) is not None and (decision := match.open_decision()) is not None:
        seat = rng.choice(ask.open)
        command = rng.choice(match.game.legal(match.table, seat))
        if seat == 0:
            match.chairs[0] = match.chairs[1]
        play = BotPlay(seat, decision, command)
        _, match, _ = decide(match, play, dealer_for(NEW, match, play, number), NOON_MS)
        number += 1
    assert match.status is Status.OVER
    assert match.secret not in {None, origin.match.secret}


@plain_cases
def test_match_that_is_taken_up_shows_a_seat_no_more_than_the_other_did(case: Case) -> None:
    """The copied events show a seat what it saw of the table then."""
    origin = loaded(record(case, 3))
    decision = decisions(origin)[-1]
    events, *_ = taken_up(origin, WhatIf(decision=decision, seat=Seat(1)))
    _, version = before(origin, decision)
    first = [CODEC.decode(entry)[1] for entry in origin.entries[:version]]
    game = case.game.event_types
    for viewer in case.viewers():
        told = [redact(event, viewer) for event in events if isinstance(event, game)]
        assert told == [redact(event, viewer) for event in first if isinstance(event, game)]


@plain_cases
def test_cards_are_committed_to_again(case: Case) -> None:
    """Every copied deal is committed to with the new secret, and can be proved."""
    origin = loaded(record(case, 1))
    events, match, _ = taken_up(origin, WhatIf(decision=decisions(origin)[-1], seat=Seat(0)))
    entries = [CODEC.encode(Envelope(NOON_MS, "", "", "", CODEC.raw(event))) for event in events]
    ledger = DealProofs(NEW, Match(GAMES), entries)
    ledger.extend(Loaded(match, Version(len(entries)), GENESIS, entries), CODEC)
    page = ledger.page(CardViewer(None, len(entries)), 0, len(entries))
    committed = [event for event in events if isinstance(event, CardsCommitted)]
    assert [deal.root for deal in page.items] == [event.root for event in committed]
    assert len(committed) == sum(bool(hands) for hands in dealt(case, events))


def dealt(case: Case, events: list[Event]) -> Iterator[tuple[Hand, ...]]:
    """Yield what each event of the game has dealt."""
    table = case.game.create(case.options, case.seats)
    for event in events:
        if isinstance(event, case.game.event_types):
            case.game.fold(table, event)
            yield case.game.dealt(table, event)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (WhatIf(decision=DecisionId(100_000), seat=Seat(0)), "decision-unknown"),
        (WhatIf(decision=DecisionId(0), seat=Seat(0)), "decision-unknown"),
        (WhatIf(decision=DecisionId(1), seat=Seat(2)), "seat-unknown"),
        (WhatIf(decision=DecisionId(1), seat=Seat(-1)), "seat-unknown"),
        (WhatIf(decision=DecisionId(1), seat=Seat(0), bot=BotName("oracle")), "bot-unknown"),
    ],
)
def test_what_was_not_there_is_refused(wish: WhatIf, code: str) -> None:
    """A decision that was never asked, a seat or a bot that there is not."""
    case = next(case for case in PLAIN if case.game.id == GameId("coup") and case.seats == 2)
    with pytest.raises(MatchRefused) as refused:
        taken_up(loaded(record(case, 1)), wish)
    assert refused.value.refusal.code == code
