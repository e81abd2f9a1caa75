"""Actions, their costs, and turns."""

from __future__ import annotations

import pytest

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.messages import (
    ClaimAssassination,
    ClaimExamine,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupOptions,
    DraftCard,
    KeepCards,
    LaunchCoup,
    LeaveCard,
    LetPass,
    LoseInfluence,
    ReplaceCard,
    ShowExamined,
    TakeForeignAid,
    TakeIncome,
)
from tafelrunde.domain.game import InvalidOptions, Placing, Seat, Standing
from tafelrunde.domain.secrecy import redact
from tests.games.coup.kit import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, INQUISITOR, Scene, Script


def test_deal_gives_two_cards_and_two_coins_each() -> None:
    """Every player begins with two face-down cards and two coins; the rest of the fifteen cards is the court deck."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE))
    assert scene.influence() == [2, 2, 2]
    assert scene.coins == [2, 2, 2]
    assert len(scene.table.court) == 9


def test_two_seats_begin_with_one_coin_each() -> None:
    """With two players, each begins with one coin."""
    assert Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN)).coins == [1, 1]


def test_duel_coins_starter_only_gives_the_other_seat_two() -> None:
    """By option only the seat that begins has one coin."""
    assert Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), duel_coins="starter_only").coins == [1, 2]


def test_either_ambassador_or_inquisitor_is_in_play() -> None:
    """Only one of the two fifth roles is in the deck."""
    scene = Scene((INQUISITOR, CAPTAIN), (CONTESSA, ASSASSIN), fifth_role="inquisitor")
    cards = [*scene.table.court, *(card for hand in scene.table.hands for card in hand)]
    assert len(cards) == 15
    assert GAME.view(scene.table, None).fifth_role is INQUISITOR
    assert AMBASSADOR not in {role for seat in range(2) for role in scene.hand(seat)}


def test_first_seat_is_the_chosen_one() -> None:
    """The option names who begins."""
    assert Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), first_seat=1).asked == (1,)


def test_first_seat_random_comes_from_chance() -> None:
    """Without a choice the first seat is drawn."""
    table = GAME.create(CoupOptions(), 3)
    for event in GAME.start(table, Script([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], first=2)):
        GAME.fold(table, event)
    assert table.turn == 2


def test_rematch_begins_with_the_winner() -> None:
    """The winner of the last game begins the next one."""
    standing = Standing((Placing(Seat(0), 2), Placing(Seat(1), 1)))
    assert GAME.rematch(CoupOptions(), standing).first_seat == 1


def test_turns_go_clockwise_past_seats_that_are_out() -> None:
    """The next living seat is to move."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, CONTESSA), (DUKE, DUKE))
    scene.table.hands[1] = []
    assert scene.do(0, TakeIncome()).asked == (2,)


def test_passing_a_turn_is_not_possible() -> None:
    """A turn is one action; a pass is no action."""
    assert Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN)).refused(0, LetPass()) == "not-now"


def test_income_takes_one_coin() -> None:
    """Income is one coin, and no one is asked about it."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN)).do(0, TakeIncome())
    assert scene.coins == [2, 1]
    assert scene.asked == (1,)


def test_foreign_aid_takes_two_coins_if_no_one_blocks() -> None:
    """Foreign aid is two coins; it claims nothing, so only a block is possible."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN)).do(0, TakeForeignAid())
    assert scene.stage == "block"
    assert scene.let_pass(1).coins == [3, 1]


def test_coup_costs_seven_and_cannot_be_stopped() -> None:
    """A coup is paid with seven coins; the target loses one influence, whatever it holds."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), coins=[7, 0]).do(0, LaunchCoup(1))
    assert (scene.stage, scene.coins) == ("lose", [0, 0])
    assert scene.do(1, LoseInfluence(ASSASSIN)).influence() == [2, 1]


def test_coup_with_six_coins_is_refused() -> None:
    """A player who cannot pay cannot act."""
    assert Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), coins=[6, 0]).refused(0, LaunchCoup(1)) == "cannot-afford"


@pytest.mark.parametrize("coins", [10, 12])
def test_ten_coins_leave_only_the_coup(coins: int) -> None:
    """With ten or more coins at the start of a turn the coup is a duty."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE), coins=[coins, 0, 0])
    assert GAME.legal(scene.table, Seat(0)) == [LaunchCoup(1), LaunchCoup(2)]
    assert scene.refused(0, TakeIncome()) == "must-coup"


def test_tax_takes_three_coins() -> None:
    """The duke's tax is three coins."""
    assert Scene((CAPTAIN, CAPTAIN), (CONTESSA, ASSASSIN)).do(0, ClaimTax()).let_pass(1).coins == [4, 1]


def test_assassination_costs_three_and_takes_one_influence() -> None:
    """The assassin's price is paid at once, when the action is declared."""
    scene = Scene((ASSASSIN, CAPTAIN), (DUKE, CAPTAIN), coins=[3, 0]).do(0, ClaimAssassination(1))
    assert scene.coins == [0, 0]
    scene.let_pass(1).let_pass(1)
    assert scene.stage == "lose"
    assert scene.do(1, LoseInfluence(DUKE)).face_up(1) == (DUKE,)


@pytest.mark.parametrize(("before", "after"), [([1, 5], [3, 3]), ([1, 2], [3, 0]), ([1, 1], [2, 0]), ([1, 0], [1, 0])])
def test_steal_takes_two_coins_or_what_is_there(before: list[int], after: list[int]) -> None:
    """The captain takes two coins, the only one, or none."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), coins=before).do(0, ClaimSteal(1))
    assert scene.let_pass(1).let_pass(1).coins == after


def test_target_must_be_another_living_seat() -> None:
    """A player cannot target itself, a seat that is out, or one that does not exist."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), (DUKE, AMBASSADOR), coins=[7, 2, 2])
    scene.table.hands[2] = []
    assert scene.refused(0, LaunchCoup(0)) == "target-self"
    assert scene.refused(0, LaunchCoup(2)) == "target-out"
    assert scene.refused(0, LaunchCoup(5)) == "target-unknown"


def test_ambassador_exchange_draws_two_and_returns_two() -> None:
    """The ambassador chooses from its own and two drawn cards; two go back, and the court deck is shuffled."""
    scene = Scene((AMBASSADOR, CONTESSA), (DUKE, CAPTAIN), court=[ASSASSIN, DUKE]).do(0, ClaimExchange()).let_pass(1)
    assert scene.stage == "exchange"
    assert scene.influence() == [2, 2]
    scene.do(0, KeepCards((ASSASSIN, AMBASSADOR)))
    assert scene.hand(0) == {ASSASSIN, AMBASSADOR}
    assert (len(scene.table.court), scene.chance.shuffled) == (11, 1)


def test_exchange_with_one_influence_keeps_one_card() -> None:
    """As many cards are kept as the seat has influence: drawn cards are none."""
    scene = Scene((AMBASSADOR, CONTESSA), (DUKE, CAPTAIN), court=[ASSASSIN, DUKE])
    scene.table.hands[0] = scene.table.hands[0][:1]
    scene.do(0, ClaimExchange()).let_pass(1)
    assert scene.refused(0, KeepCards((ASSASSIN, DUKE))) == "wrong-number"
    assert scene.do(0, KeepCards((DUKE,))).hand(0) == {DUKE}


def test_exchange_of_a_card_that_is_not_there_is_refused() -> None:
    """Only own and drawn cards can be kept."""
    scene = Scene((AMBASSADOR, CONTESSA), (DUKE, CAPTAIN), court=[ASSASSIN, DUKE]).do(0, ClaimExchange()).let_pass(1)
    assert scene.refused(0, KeepCards((CAPTAIN, DUKE))) == "card-not-held"


def test_inquisitor_exchange_draws_one_and_returns_one() -> None:
    """The inquisitor's exchange is of one card."""
    scene = Scene((INQUISITOR, CONTESSA), (DUKE, CAPTAIN), court=[ASSASSIN], fifth_role="inquisitor")
    scene.do(0, ClaimExchange()).let_pass(1)
    assert len(scene.table.drawn) == 1
    assert scene.do(0, KeepCards((ASSASSIN, CONTESSA))).hand(0) == {ASSASSIN, CONTESSA}


def examined() -> Scene:
    """A scene in which seat 1 has to show the inquisitor of seat 0 one of two different cards."""
    scene = Scene((INQUISITOR, CONTESSA), (DUKE, CAPTAIN), court=[ASSASSIN], fifth_role="inquisitor")
    return scene.do(0, ClaimExamine(1)).let_pass(1)


def test_examined_seat_chooses_the_card_and_only_the_inquisitor_sees_it() -> None:
    """The examined seat chooses; a third party does not see the role."""
    scene = examined()
    assert scene.asked == (1,)
    scene.do(1, ShowExamined(DUKE))
    assert GAME.view(scene.table, Seat(0)).examined is DUKE
    assert GAME.view(scene.table, None).examined is None


def test_examined_card_left_stays() -> None:
    """The inquisitor may leave the card."""
    assert examined().do(1, ShowExamined(DUKE)).do(0, LeaveCard()).hand(1) == {DUKE, CAPTAIN}


def test_examined_card_replaced_goes_back_before_the_draw() -> None:
    """The card goes back, the deck is shuffled, then a new card is drawn."""
    scene = examined().do(1, ShowExamined(DUKE)).do(0, ReplaceCard())
    assert scene.hand(1) == {ASSASSIN, CAPTAIN}
    assert scene.chance.shuffled == 1


def test_examine_cannot_be_blocked() -> None:
    """Neither examine nor exchange has a block window."""
    assert examined().stage == "show"
    exchange = Scene((AMBASSADOR, CONTESSA), (DUKE, CAPTAIN)).do(0, ClaimExchange()).let_pass(1)
    assert exchange.stage == "exchange"


def test_examine_needs_the_inquisitor_in_play() -> None:
    """With the ambassador no one can examine."""
    assert Scene((AMBASSADOR, CONTESSA), (DUKE, CAPTAIN)).refused(0, ClaimExamine(1)) == "role-not-in-play"


def test_duel_draft_deals_one_chosen_and_one_dealt_card() -> None:
    """Each keeps one card of its own set, secretly; one more each comes from the third set; three cards are the court deck."""
    table = GAME.create(CoupOptions(first_seat=0, duel_draft=True), 2)
    chance = Script([], first=0)
    for event in GAME.start(table, chance):
        GAME.fold(table, event)
    for seat, role in ((1, DUKE), (0, ASSASSIN)):
        ask = GAME.pending(table)
        assert ask is not None
        assert ask.seats == (0, 1)
        facts = GAME.decide(table, Seat(seat), DraftCard(role), chance)
        assert redact(facts[0], Seat(1 - seat)) is None
        for event in facts:
            GAME.fold(table, event)
    assert [len(hand) for hand in table.hands] == [2, 2]
    assert ASSASSIN in GAME.view(table, Seat(0)).hand
    assert DUKE in GAME.view(table, Seat(1)).hand
    assert len(table.court) == 3


def test_duel_draft_with_three_seats_is_refused() -> None:
    """The draft is a variant for two."""
    with pytest.raises(InvalidOptions) as caught:
        GAME.check(CoupOptions(duel_draft=True), 3)
    assert caught.value.field == "duel_draft"


def test_bound_on_decisions_ends_the_game_with_its_leader() -> None:
    """After the maximum number of decisions, most influence wins, then most coins; ties share."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), coins=[0, 0], max_decisions=50)
    scene.table.decision = 50
    assert scene.do(0, TakeIncome()).winners() == (0,)
    tied = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), coins=[0, 1], max_decisions=50)
    tied.table.decision = 50
    assert tied.do(0, TakeIncome()).winners() == (0, 1)
