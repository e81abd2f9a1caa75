"""Commitments to cards: one for each event that hands out cards, right after it, and the same for all viewers."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match.commands import Seating
from tafelrunde.domain.match.events import CardsCommitted, MatchOpened, MatchStarted
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import Dealing
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, Scene, opening
from tests.support.duel.events import Dealt
from tests.support.own import GAMES
from tests.support.stored import stored

SEATING = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT))
OPENING = opening(seating=SEATING, start=True)


@pytest.fixture
def scene() -> Scene:
    """A match that commits to its cards."""
    return Scene(msgspec.structs.replace(OPENING, dealing=Dealing.CARDS))


def test_commitment_stands_behind_the_fact_that_dealt(scene: Scene) -> None:
    """In the same command, before any seat is asked; it counts the deal and the cards."""
    place = next(place for place, event in enumerate(scene.events) if isinstance(event, Dealt))
    committed = scene.events[place + 1]
    assert isinstance(committed, CardsCommitted)
    assert (committed.deal, committed.size, len(committed.root)) == (1, 4, 64)
    assert scene.match.deals == 1


def test_commitment_is_made_only_where_cards_are_dealt(scene: Scene) -> None:
    """Bids and played cards hand nothing out."""
    for player in (ANNA, BERT, ANNA, BERT):
        assert not any(isinstance(event, CardsCommitted) for event in scene.play(player))


def test_commitment_is_shown_to_everyone_as_it_is(scene: Scene) -> None:
    """Seats and spectators keep the same root."""
    committed = next(event for event in scene.events if isinstance(event, CardsCommitted))
    assert all(redact(committed, viewer) == committed for viewer in (Seat(0), Seat(1), None))


def test_match_says_that_it_commits_to_its_cards(scene: Scene) -> None:
    """In its first event, for everyone; matches without commitments are stored as they always were."""
    opened = scene.events[0]
    plain = Scene(OPENING).events[0]
    assert isinstance(opened, MatchOpened)
    assert isinstance(plain, MatchOpened)
    told = redact(opened, None)
    assert isinstance(told, MatchOpened)
    assert told.dealing is opened.dealing is Dealing.CARDS
    assert plain.dealing is UNSET
    assert b"dealing" not in stored(plain)


def test_match_without_commitments_stays_without() -> None:
    """Its events and its state are what they were before there were any."""
    scene = Scene(OPENING)
    assert [type(event) for event in scene.events[3:5]] == [MatchStarted, Dealt]
    assert not any(isinstance(event, CardsCommitted) for event in scene.events)
    assert "deals" not in msgspec.to_builtins(scene.match.digest_form())


def test_folded_match_counts_its_deals(scene: Scene) -> None:
    """The number of the next deal is part of the state."""
    match = Match(GAMES)
    for event in scene.events:
        match.fold(event)
    assert stored(match.digest_form()) == stored(scene.match.digest_form())
    assert msgspec.to_builtins(match.digest_form())["deals"] == 1
