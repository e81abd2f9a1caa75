"""Matches with real secrets, played at random and stored: what proofs are made from."""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple

import msgspec

from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.match import BotName, MatchId, Status
from tafelrunde.domain.match.commands import BotPlay, MatchCommand, Seating
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import Dealing
from tafelrunde.service.dealing.dealer import commitment_to, dealer_for
from tafelrunde.service.matches.codec import Codec, Envelope
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version
from tafelrunde.service.views.card_proofs import DealProofs
from tests.support.cases import GAMES, Case
from tests.support.transcripts import ANNA, NOON_MS, opening

CODEC = Codec(GAMES)
MATCH = MatchId("m" + "a" * 24)


class Story(NamedTuple):
    """A match as it was played, and its log."""

    match: Match
    events: list[Event]
    entries: list[bytes]

    def ledger(self, version: int) -> DealProofs:
        """Return the ledger of the match up to a version."""
        ledger = DealProofs(MATCH, Match(GAMES), self.entries)
        self.extend(ledger, version)
        return ledger

    def extend(self, ledger: DealProofs, version: int) -> None:
        """Let a ledger follow the match up to a version."""
        ledger.extend(Loaded(self.match, Version(version), GENESIS, self.entries), CODEC)


class Teller:
    """Carries commands out and keeps what they cause."""

    def __init__(self) -> None:
        self.match = Match(GAMES)
        self.events: list[Event] = []

    def do(self, command: MatchCommand) -> None:
        """Carry out a command with the chance that the service gives it."""
        chance = dealer_for(MATCH, self.match, command, len(self.events))
        caused, self.match, _ = decide(self.match, command, chance, NOON_MS)
        self.events += caused

    def story(self) -> Story:
        """Return all that was caused."""
        entries = [CODEC.encode(Envelope(NOON_MS, "clock", "", "", CODEC.raw(event))) for event in self.events]
        return Story(self.match, self.events, entries)


def told(case: Case, seed: int, *, commits: bool = True) -> Story:
    """Return a random match between bots."""
    rng = random.Random(f"{case.name}/{seed}")
    teller = Teller()
    bots = tuple(Seating(seat=Seat(seat), bot=BotName("random")) for seat in range(case.seats))
    plain = opening(case, bots, start=True)
    secret = hashlib.sha256(f"{case.name}/{seed}".encode()).hexdigest()
    command = msgspec.structs.replace(plain, host=ANNA, secret=secret, commitment=commitment_to(MATCH, secret))
    teller.do(msgspec.structs.replace(command, dealing=Dealing.CARDS) if commits else command)
    while teller.match.status is Status.RUNNING:
        ask, decision = teller.match.pending(), teller.match.open_decision()
        assert ask is not None
        assert decision is not None
        seat = rng.choice(ask.open)
        teller.do(BotPlay(seat, decision, rng.choice(teller.match.game.legal(teller.match.table, seat))))
    return teller.story()
