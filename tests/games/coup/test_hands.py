"""Which hands of Coup are committed to again, and which cards are shown to whom."""

from __future__ import annotations

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.messages import (
    Challenge,
    ClaimExamine,
    ClaimExchange,
    ClaimTax,
    DraftCard,
    KeepCards,
    LeaveCard,
    LoseInfluence,
    ReplaceCard,
    Role,
    ShowCard,
    ShowExamined,
)
from tafelrunde.domain.game import Hand, Seat, Shown
from tests.games.coup.kit import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, INQUISITOR, Scene


def hand(seat: int, *roles: Role) -> Hand:
    """Return a hand."""
    return Hand(Seat(seat), tuple(role.value for role in roles))


def dealt(scene: Scene) -> list[tuple[Hand, ...]]:
    """Return the hands that the last command's facts dealt, all of them as they are after it."""
    return [hands for fact in scene.facts if (hands := GAME.dealt(scene.table, fact))]


def shown(scene: Scene) -> list[Shown]:
    """Return the cards that the last command showed."""
    return [each for fact in scene.facts for each in GAME.shown(fact)]


def test_all_hands_are_dealt_at_the_start() -> None:
    """Two cards each, in name order."""
    assert dealt(Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN))) == [(hand(0, CAPTAIN, DUKE), hand(1, ASSASSIN, CONTESSA))]


def test_hands_are_dealt_when_both_have_drafted() -> None:
    """Before that, everyone knows the sets to choose from."""
    scene = Scene((), (), duel_draft=True)
    assert dealt(scene) == []
    assert dealt(scene.do(0, DraftCard(DUKE))) == []
    [hands] = dealt(scene.do(1, DraftCard(CAPTAIN)))
    assert [(each.seat, len(each.cards)) for each in hands] == [(0, 2), (1, 2)]


def test_hand_is_dealt_again_when_a_proved_card_is_replaced() -> None:
    """The whole hand: otherwise its next proof would reveal whether the card was there before."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), court=[AMBASSADOR], shuffles=[[AMBASSADOR]])
    scene.do(0, ClaimTax()).do(1, Challenge()).do(0, ShowCard(DUKE))
    assert shown(scene) == [Shown(Seat(0), "duke")]
    assert dealt(scene) == [(hand(0, AMBASSADOR, CAPTAIN),)]
    assert shown(scene.do(1, LoseInfluence(ASSASSIN))) == [Shown(Seat(1), "assassin")]


def test_hand_is_dealt_again_when_cards_are_drawn_and_when_they_are_returned() -> None:
    """An exchange changes it twice, and no one else knows which cards were returned."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), court=[AMBASSADOR, CONTESSA])
    scene.do(0, ClaimExchange()).let_pass(1)
    assert dealt(scene) == [(hand(0, AMBASSADOR, CAPTAIN, CONTESSA, DUKE),)]
    assert dealt(scene.do(0, KeepCards((AMBASSADOR, CONTESSA)))) == [(hand(0, AMBASSADOR, CONTESSA),)]
    assert shown(scene) == []


def test_examined_card_is_shown_to_the_inquisitor_alone() -> None:
    """It can be proved to that seat, not to others; a replaced one is followed by a new deal of that hand."""
    scene = Scene((INQUISITOR, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE), fifth_role="inquisitor", court=[CAPTAIN])
    scene.do(0, ClaimExamine(Seat(1))).let_pass(1, 2).do(1, ShowExamined(CONTESSA))
    assert shown(scene) == [Shown(Seat(1), "contessa", to=(Seat(0),))]
    assert dealt(scene) == []
    [hands] = dealt(scene.do(0, ReplaceCard()))
    assert [each.seat for each in hands] == [1]


def test_hand_is_not_dealt_again_when_the_examined_card_stays() -> None:
    """Nothing has changed."""
    scene = Scene((INQUISITOR, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE), fifth_role="inquisitor")
    scene.do(0, ClaimExamine(Seat(1))).let_pass(1, 2).do(1, ShowExamined(CONTESSA)).do(0, LeaveCard())
    assert dealt(scene) == []
