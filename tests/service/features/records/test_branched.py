"""Records of matches that take up others: they stand for themselves, and no forged history upsets a verifier."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.game import DecisionId, Seat
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.domain.match.commands import Abort, BotPlay, OpenMatch, Play
from tafelrunde.service.dealing.dealer import commitment_to
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches.branching import WhatIf, taking_up
from tafelrunde.service.matches.codec import plain_of
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tests.service.features.records.test_mutants import edits
from tests.service.features.records.test_record import CODEC, NAME, REAL, SECRET, Story, story
from tests.support.cases import GAMES, Case

PLAIN = [case for case in REAL if case.name.endswith("-default")]
PLAYER = PlayerId("p0")
FORGERIES = 150


def command(case: Case, decision: int = 2) -> OpenMatch:
    """Return the opening of a match that takes up another one of a case."""
    told = story(case)
    origin = Loaded(told.match, Version(len(told.entries)), chain_over(GENESIS, told.entries), told.entries)
    made = taking_up(NAME, PLAYER, WhatIf(decision=DecisionId(decision), seat=Seat(0)), MatchId("m-origin"), origin, CODEC)
    return msgspec.structs.replace(made, secret=SECRET, commitment=commitment_to(NAME, SECRET))


def branched(case: Case) -> Story:
    """Return a match that takes up another one, and is played at random to its end."""
    told = Story()
    rng = random.Random(case.name)
    told.do(command(case))
    while (ask := told.match.pending()) is not None and (decision := told.match.open_decision()) is not None:
        seat = rng.choice(ask.open)
        move = rng.choice(told.match.game.legal(told.match.table, seat))
        told.do(Play(PLAYER, decision, move) if seat == 0 else BotPlay(seat, decision, move))
    return told


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in PLAIN])
def test_record_of_a_match_that_takes_up_another_is_found_right(case: Case) -> None:
    """Whatever its first command takes up."""
    assert verify(branched(case).lines(), GAMES, CODEC).finding is None


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in PLAIN if case.seats == case.game.min_seats])
def test_forged_history_is_a_finding_and_no_error(case: Case) -> None:
    """Anything forged into the first command is reported as what is wrong."""
    opening: Any = plain_of(CODEC.command(command(case, 5)))
    history = list(opening["branch"]["history"])
    told = Story()
    told.do(command(case, 5))
    told.do(Abort(PLAYER))
    lines = told.lines()
    rng = random.Random(case.name)
    assert verify(lines, GAMES, CODEC).finding is None
    for _ in range(FORGERIES):
        forged = rewritten(history, rng)
        raw = msgspec.msgpack.encode({**opening, "branch": {**opening["branch"], "history": forged}})
        found = verify(with_command(lines, raw), GAMES, CODEC).finding
        assert (found is None) == (forged == history)


def rewritten(history: list[Any], rng: random.Random) -> list[Any]:
    """Return a history with one event left out, doubled, moved or changed."""
    forged = list(history)
    here = rng.randrange(len(history))
    there = rng.randrange(len(history))
    match rng.randrange(4):
        case 0:
            del forged[here]
        case 1:
            forged.insert(there, forged[here])
        case 2:
            forged.insert(there, forged.pop(here))
        case _:
            forged = next(edits(forged, rng))
    return forged


def with_command(lines: list[bytes], raw: bytes) -> list[bytes]:
    """Return a record with another first command, as far as its bytes and its readable part go."""
    entry = json.loads(lines[1])
    envelope = msgspec.msgpack.decode(base64.b64decode(entry["bytes"]))
    envelope[5] = raw
    content = msgspec.msgpack.encode(envelope)
    entry["bytes"] = base64.b64encode(content).decode()
    entry["chain"] = chain_over(GENESIS, (content,)).hex()
    entry["command"] = plain_of(raw)
    return [lines[0], msgspec.json.encode(entry) + b"\n", *lines[2:]]
