"""Proofs out of logs of random matches of every game: what is known can be proved, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.match.events import CardsCommitted, is_match_event
from tafelrunde.domain.match.state import Match
from tafelrunde.service.dealing.commitments import holds
from tafelrunde.service.errors import CorruptHistory, NotFound
from tafelrunde.service.matches.codec import Envelope
from tafelrunde.service.views.card_proofs import CardViewer, DealProofs
from tests.service.views.dealt import CODEC, Story, told
from tests.support.cases import CASES, GAMES, PLAIN, Case
from tests.support.stranger import THEIRS
from tests.support.transcripts import NOON_MS

ALL = 1 << 30
INQUISITOR = next(case for case in CASES if case.name == "coup-2-fifth_role=inquisitor")
FEWEST = [next(case for case in PLAIN if case.game is game) for game in GAMES.values()]

every_plain = pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in [*PLAIN, INQUISITOR]])
every_game = pytest.mark.parametrize("case", [pytest.param(case, id=case.game.id) for case in FEWEST])


def steps(story: Story) -> Iterator[tuple[int, Event, Match]]:
    """Yield every event with its version and the match after it."""
    match = Match(GAMES)
    for version, event in enumerate(story.events, start=1):
        match.fold(event)
        yield version, event, match


def whole(story: Story) -> DealProofs:
    """Return the ledger of the whole match; it answers for any earlier version too."""
    return story.ledger(len(story.events))


@every_plain
def test_hand_can_be_proved_by_its_seat_when_it_is_dealt(case: Case) -> None:
    """A seat can prove its whole hand at once; others see how many cards were dealt, and none of them."""
    story = told(case, 1)
    ledger = whole(story)
    hands = dict[Seat | None, list[str]]()
    for version, event, match in steps(story):
        if isinstance(event, CardsCommitted):
            for viewer in case.viewers():
                newest = ledger.page(CardViewer(viewer, version), event.deal - 1, ALL)
                [deal] = newest.items
                assert (deal.size, deal.root, newest.secret) == (event.size, event.root, None)
                assert sorted(each.card for each in deal.cards) == hands.get(viewer, [])
        elif not is_match_event(event):
            hands.clear()
            hands.update((hand.seat, sorted(hand.cards)) for hand in match.game.dealt(match.table, event))


@every_plain
def test_shown_card_can_be_proved_from_then_on(case: Case) -> None:
    """Every viewer who saw a card can prove it, and no one can prove more for it."""
    story = told(case, 2)
    ledger = whole(story)
    gained = 0
    for version, event, match in steps(story):
        shown = match.game.shown(event) if not is_match_event(event) else ()
        for viewer in case.viewers() if shown else ():
            before, after = (provable(ledger, CardViewer(viewer, at)) for at in (version - 1, version))
            seen = Counter((each.seat, each.card) for each in shown if each.to is None or viewer in (each.seat, *each.to))
            assert after - before <= seen
            assert all(after[each] for each in seen)
            gained += (after - before).total()
    assert gained


def provable(ledger: DealProofs, look: CardViewer) -> Counter[tuple[Seat, str]]:
    """Return all cards that a viewer can prove."""
    return Counter((each.seat, each.card) for deal in ledger.page(look, 0, ALL).items for each in deal.cards)


@every_plain
def test_everything_can_be_proved_when_the_match_is_over(case: Case) -> None:
    """The secret is out: each card of each deal has a proof that leads to the root which was published when it was dealt."""
    story = told(case, 3)
    ledger = whole(story)
    look = CardViewer(None, len(story.events))
    page = ledger.page(look, 0, ALL)
    committed = [event for event in story.events if isinstance(event, CardsCommitted)]
    assert page.secret == story.match.secret
    assert [(deal.deal, deal.size, deal.root) for deal in page.items] == [(each.deal, each.size, each.root) for each in committed]
    for deal in page.items:
        assert [card.index for card in deal.cards] == list(range(deal.size))
        for index in {0, deal.size // 2, deal.size - 1}:
            proof = ledger.proof(look, deal.deal, index)
            assert proof.root == deal.root
            assert holds(proof)
            assert THEIRS["holds"](msgspec.to_builtins(proof))


@every_game
def test_proof_is_given_exactly_for_the_listed_cards(case: Case) -> None:
    """A card that is not listed, or not there, or in a deal that is still to come, is not found."""
    story = told(case, 4)
    ledger = whole(story)
    half = len(story.events) // 2
    for viewer in case.viewers():
        look = CardViewer(viewer, half)
        listed = {(deal.deal, card.index) for deal in ledger.page(look, 0, ALL).items for card in deal.cards}
        deals = story.match.deals
        size = max(deal.size for deal in ledger.page(look, 0, ALL).items)
        for deal in range(-1, deals + 2):
            for index in range(-1, size + 1):
                assert given(ledger, look, deal, index) == ((deal, index) in listed)


def given(ledger: DealProofs, look: CardViewer, deal: int, index: int) -> bool:
    """Return whether a proof is given."""
    try:
        return ledger.proof(look, deal, index).index == index
    except NotFound:
        return False


@every_game
def test_ledger_is_the_same_when_it_is_extended_step_by_step(case: Case) -> None:
    """A process that follows a match proves what one proves that reads the log later."""
    story = told(case, 5)
    growing = story.ledger(1)
    for version in range(1, len(story.events) + 1):
        story.extend(growing, version)
        for viewer in (Seat(0), None):
            look = CardViewer(viewer, version)
            assert growing.page(look, 0, ALL) == story.ledger(version).page(look, 0, ALL)
        if version > 60:
            return


@every_game
def test_match_without_commitments_has_no_deals(case: Case) -> None:
    """A match opened before there were commitments continues without them."""
    story = told(case, 6, commits=False)
    assert not any(isinstance(event, CardsCommitted) for event in story.events)
    page = whole(story).page(CardViewer(Seat(0), len(story.events)), 0, ALL)
    assert (page.items, page.secret) == ((), story.match.secret)


@every_game
def test_ledger_refuses_a_log_with_another_root(case: Case) -> None:
    """Cards that do not fit what was published are never proved."""
    story = told(case, 7)
    place = next(place for place, event in enumerate(story.events) if isinstance(event, CardsCommitted))
    other = CardsCommitted(1, 1, "00" * 32)
    story.entries[place] = CODEC.encode(Envelope(NOON_MS, "clock", "", "", CODEC.raw(other)))
    with pytest.raises(CorruptHistory):
        whole(story)
