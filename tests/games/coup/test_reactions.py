"""Challenges, blocks, and what is lost by them."""

from __future__ import annotations

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.events import CoinsTaken, InfluenceLost
from tafelrunde.domain.coup.messages import (
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExamine,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    KeepCards,
    LaunchCoup,
    LeaveCard,
    LetPass,
    LoseInfluence,
    ShowCard,
    ShowExamined,
    TakeForeignAid,
    TakeIncome,
)
from tafelrunde.domain.game import Seat
from tafelrunde.domain.secrecy import redact
from tests.games.coup.kit import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, INQUISITOR, Scene


def test_every_other_living_seat_may_challenge_a_claim() -> None:
    """Every player still in the game may doubt, whether concerned or not."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE)).do(0, ClaimSteal(1))
    assert (scene.stage, scene.asked) == ("challenge", (1, 2))


def test_claim_proved_costs_the_challenger_one_influence() -> None:
    """The claimed role is shown, goes back and is replaced; the challenger chooses a card to lose; the action is carried out."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), court=[AMBASSADOR], shuffles=[[AMBASSADOR]])
    scene.do(0, ClaimTax()).do(1, Challenge()).do(0, ShowCard(DUKE))
    assert scene.hand(0) == {AMBASSADOR, CAPTAIN}
    assert scene.chance.shuffled == 1
    assert scene.asked == (1,)
    scene.do(1, LoseInfluence(ASSASSIN))
    assert (scene.influence(), scene.coins) == ([2, 1], [4, 1])


def test_shown_card_may_be_drawn_again() -> None:
    """The shown card is in the deck when it is shuffled, so it may come back."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), shuffles=[[DUKE]])
    scene.do(0, ClaimTax()).do(1, Challenge()).do(0, ShowCard(DUKE))
    assert scene.hand(0) == {DUKE, CAPTAIN}


def test_other_card_shown_is_the_lost_influence_and_the_action_fails() -> None:
    """A player who cannot or will not prove loses the card that it shows, even if it holds the role."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN)).do(0, ClaimTax()).do(1, Challenge()).do(0, ShowCard(CAPTAIN))
    assert scene.face_up(0) == (CAPTAIN,)
    assert (scene.coins, scene.asked) == ([1, 1], (1,))


def test_cost_of_a_challenged_bluff_is_paid_back() -> None:
    """An exposed assassin gets its three coins back."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, DUKE), coins=[3, 0]).do(0, ClaimAssassination(1)).do(1, Challenge())
    assert scene.do(0, ShowCard(DUKE)).coins == [3, 0]


def test_cost_of_a_blocked_action_is_not_paid_back() -> None:
    """A contessa costs the assassin its coins."""
    scene = Scene((ASSASSIN, CAPTAIN), (CONTESSA, DUKE), coins=[3, 0]).do(0, ClaimAssassination(1)).let_pass(1)
    scene.do(1, Block(CONTESSA)).let_pass(0)
    assert (scene.coins, scene.influence(), scene.asked) == ([0, 0], [2, 2], (1,))


def test_foreign_aid_is_blocked_by_anyone_as_duke() -> None:
    """Every other seat may claim the duke against foreign aid; then there are no coins."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE)).do(0, TakeForeignAid())
    assert scene.asked == (1, 2)
    assert scene.do(2, Block(DUKE)).let_pass(0, 1).coins == [2, 2, 2]


def test_steal_is_blocked_by_its_target_as_captain_or_fifth_role() -> None:
    """Only the target may block, with either role; the block names one of them."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), (DUKE, AMBASSADOR)).do(0, ClaimSteal(1)).let_pass(1, 2)
    assert scene.asked == (1,)
    assert GAME.legal(scene.table, Seat(1)) == [Block(AMBASSADOR), Block(CAPTAIN), LetPass()]
    assert scene.refused(1, Block(DUKE)) == "cannot-block"


def test_inquisitor_blocks_stealing_as_the_ambassador_does() -> None:
    """Whichever fifth role is in play blocks."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), fifth_role="inquisitor").do(0, ClaimSteal(1)).let_pass(1)
    assert Block(INQUISITOR) in GAME.legal(scene.table, Seat(1))
    assert scene.refused(1, Block(AMBASSADOR)) == "role-not-in-play"


def test_block_against_stealing_is_proved_by_the_named_role_only() -> None:
    """Who blocks as captain cannot prove it with the ambassador."""
    scene = Scene((CAPTAIN, DUKE), (AMBASSADOR, CONTESSA), coins=[2, 2]).do(0, ClaimSteal(1)).let_pass(1)
    scene.do(1, Block(CAPTAIN)).do(0, Challenge()).do(1, ShowCard(AMBASSADOR))
    assert (scene.face_up(1), scene.coins) == ((AMBASSADOR,), [4, 0])


def test_block_may_be_challenged_by_every_other_seat() -> None:
    """Also by the active one, and by seats that it does not concern."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), (DUKE, AMBASSADOR)).do(0, ClaimSteal(1)).let_pass(1, 2)
    assert scene.do(1, Block(CAPTAIN)).asked == (0, 2)


def test_block_proved_stands_and_costs_the_challenger() -> None:
    """The blocker replaces its card, the challenger loses one influence, the action is stopped."""
    scene = Scene((CAPTAIN, DUKE), (CAPTAIN, CONTESSA), coins=[2, 2]).do(0, ClaimSteal(1)).let_pass(1)
    scene.do(1, Block(CAPTAIN)).do(0, Challenge()).do(1, ShowCard(CAPTAIN)).do(0, LoseInfluence(DUKE))
    assert (scene.influence(), scene.coins, scene.asked) == ([1, 2], [2, 2], (1,))


def test_failed_block_lets_the_action_through_without_a_second_block() -> None:
    """There is one block per action."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE)).do(0, TakeForeignAid())
    scene.do(1, Block(DUKE)).do(0, Challenge()).do(1, ShowCard(ASSASSIN))
    assert (scene.stage, scene.coins) == ("action", [4, 2, 2])


def test_challenge_comes_before_the_block() -> None:
    """Two windows, one after the other: a block is not possible while the claim may be challenged."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA)).do(0, ClaimSteal(1))
    assert scene.refused(1, Block(CAPTAIN)) == "not-now"


def test_first_reaction_closes_the_window() -> None:
    """After one challenge no one else can challenge."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE)).do(0, ClaimTax()).do(2, Challenge())
    assert scene.refused(1, Challenge()) == "not-asked"


def test_pass_is_final_while_the_window_is_open() -> None:
    """A player who has passed cannot react any more, and no one sees who has."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE)).do(0, ClaimTax()).let_pass(1)
    assert scene.refused(1, Challenge()) == "not-asked"
    ask = GAME.pending(scene.table)
    assert ask is not None
    assert (ask.seats, ask.open) == ((1, 2), (2,))
    assert redact(scene.facts[0], Seat(2)) is None
    assert GAME.view(scene.table, Seat(1)).passed
    assert not GAME.view(scene.table, Seat(2)).passed


def test_target_that_lost_its_challenge_may_still_claim_contessa() -> None:
    """The block window follows the challenge window, for a target that still has a card."""
    scene = Scene((ASSASSIN, CAPTAIN), (DUKE, CAPTAIN), coins=[3, 0]).do(0, ClaimAssassination(1)).do(1, Challenge())
    scene.do(0, ShowCard(ASSASSIN)).do(1, LoseInfluence(DUKE))
    assert (scene.stage, scene.asked) == ("block", (1,))


def test_lost_challenge_and_assassination_take_two_influence() -> None:
    """One card for the challenge, one for the deed; the match ends at once if no one else is left."""
    scene = Scene((ASSASSIN, CAPTAIN), (DUKE, CAPTAIN), coins=[3, 0]).do(0, ClaimAssassination(1)).do(1, Challenge())
    scene.do(0, ShowCard(ASSASSIN)).do(1, LoseInfluence(DUKE)).let_pass(1)
    assert (scene.influence(), scene.winners()) == ([2, 0], (0,))


def test_exposed_contessa_loses_two_influence_in_order() -> None:
    """First for the challenge, then for the assassination."""
    scene = Scene((ASSASSIN, CAPTAIN), (DUKE, CAPTAIN), (DUKE, DUKE), coins=[3, 0, 0]).do(0, ClaimAssassination(1))
    scene.let_pass(1, 2).do(1, Block(CONTESSA)).do(0, Challenge()).do(1, ShowCard(CAPTAIN))
    assert [fact.role for fact in scene.facts if isinstance(fact, InfluenceLost)] == [CAPTAIN, DUKE]
    assert (scene.influence(), scene.asked) == ([2, 0, 2], (2,))


def test_assassination_of_a_target_that_is_out_does_nothing_more() -> None:
    """A target with one card whose challenge fails is out; the deed has no one left to hit."""
    scene = Scene((ASSASSIN, CAPTAIN), (DUKE, CAPTAIN), (DUKE, DUKE), coins=[3, 0, 0])
    scene.table.hands[1] = scene.table.hands[1][:1]
    scene.do(0, ClaimAssassination(1)).do(1, Challenge()).do(0, ShowCard(ASSASSIN))
    assert (scene.influence(), scene.coins, scene.asked) == ([2, 0, 2], [0, 0, 0], (2,))


def test_thief_gets_the_coins_of_a_target_just_eliminated() -> None:
    """Coins of a seat that is out go to the treasury only after the running action."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), (DUKE, AMBASSADOR), coins=[1, 3, 0])
    scene.table.hands[1] = scene.table.hands[1][:1]
    scene.do(0, ClaimSteal(1)).let_pass(1, 2).do(1, Block(CAPTAIN)).do(0, Challenge())
    assert scene.coins == [3, 0, 0]
    assert scene.table.out[1]


def test_challenger_that_is_out_does_not_stop_the_action() -> None:
    """Elimination in mid-turn: the tax is still collected, the coins of the seat that is out go at the end of the turn."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE), coins=[2, 5, 2])
    scene.table.hands[1] = scene.table.hands[1][:1]
    scene.do(0, ClaimTax()).do(1, Challenge()).do(0, ShowCard(DUKE))
    assert (scene.coins, scene.asked) == ([5, 0, 2], (2,))


def test_examine_of_a_target_that_is_out_ends_the_turn() -> None:
    """A target eliminated by its own challenge shows nothing."""
    scene = Scene((INQUISITOR, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE), fifth_role="inquisitor")
    scene.table.hands[1] = scene.table.hands[1][:1]
    scene.do(0, ClaimExamine(1)).do(1, Challenge()).do(0, ShowCard(INQUISITOR))
    assert (scene.stage, scene.asked) == ("action", (2,))


def test_match_ends_at_once_in_mid_turn() -> None:
    """When one seat is left there are no coins, no refund and no replacement any more."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), coins=[3, 0])
    scene.table.hands[0] = scene.table.hands[0][:1]
    scene.do(0, ClaimAssassination(1)).do(1, Challenge())
    assert (scene.winners(), scene.coins) == ((1,), [0, 0])
    assert not any(isinstance(fact, CoinsTaken) for fact in scene.facts)
    assert scene.asked == ()


def test_only_winner_is_ranked_first_and_all_others_share_the_second_rank() -> None:
    """There is a winner and no second place."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), (DUKE, AMBASSADOR), coins=[7, 0, 0])
    scene.table.hands[1], scene.table.hands[2] = [], scene.table.hands[2][:1]
    scene.do(0, LaunchCoup(2))
    standing = GAME.standing(scene.table)
    assert standing is not None
    assert [placing.rank for placing in standing.placings] == [1, 2, 2]


def test_loser_of_influence_chooses_the_card() -> None:
    """The seat itself decides which card it turns up; what it does not hold is refused."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), coins=[7, 0]).do(0, LaunchCoup(1))
    assert scene.refused(1, LoseInfluence(DUKE)) == "card-not-held"
    assert scene.do(1, LoseInfluence(CONTESSA)).hand(1) == {ASSASSIN}


def legal_of(scene: Scene, seat: int) -> list[object]:
    """Return what a seat may do."""
    return list(GAME.legal(scene.table, Seat(seat)))


def test_last_card_is_lost_without_asking() -> None:
    """Everyone sees that there is one answer: no one is asked, and no decision is counted."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), (DUKE, DUKE), coins=[7, 0, 0])
    scene.table.f_influence_lost(1, scene.table.hands[1][0])
    before = scene.decision
    scene.do(0, LaunchCoup(1))
    assert (scene.stage, scene.asked, scene.influence(), scene.decision) == ("action", (2,), [2, 0, 2], before + 1)


def test_last_card_is_shown_without_asking() -> None:
    """A challenged seat, or one that is examined, shows the only card that it has."""
    scene = Scene((INQUISITOR, CAPTAIN), (CONTESSA, DUKE), (DUKE, DUKE), fifth_role="inquisitor")
    scene.table.f_influence_lost(1, scene.table.hands[1][0])
    examined = scene.do(0, ClaimExamine(1)).let_pass(1, 2)
    assert (examined.stage, GAME.view(examined.table, Seat(0)).examined) == ("judge", DUKE)
    assert examined.do(0, LeaveCard()).do(1, ClaimTax()).do(0, Challenge()).stage == "lose"


def test_seat_with_two_equal_cards_is_asked_which_to_lose() -> None:
    """It has one answer, and is asked like any other: the lack of a question would reveal the card that stays face down."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, CONTESSA), coins=[7, 0]).do(0, LaunchCoup(1))
    assert (scene.stage, scene.asked, legal_of(scene, 1)) == ("lose", (1,), [LoseInfluence(CONTESSA)])
    assert scene.do(1, LoseInfluence(CONTESSA)).face_up(1) == (CONTESSA,)


def test_challenged_seat_with_two_equal_cards_is_asked_which_to_show() -> None:
    """Whether it can prove its claim or not."""
    for role, stage in ((DUKE, "lose"), (CONTESSA, "action")):
        scene = Scene((role, role), (CAPTAIN, ASSASSIN)).do(0, ClaimTax()).do(1, Challenge())
        assert (scene.stage, scene.asked, legal_of(scene, 0)) == ("prove", (0,), [ShowCard(role)])
        assert scene.do(0, ShowCard(role)).stage == stage


def test_exchange_among_equal_cards_is_asked() -> None:
    """Where all own and drawn cards are equal the only answer is given by the seat, too."""
    scene = Scene((AMBASSADOR, CONTESSA), (DUKE, CAPTAIN), court=[AMBASSADOR, AMBASSADOR])
    scene.table.hands[0] = scene.table.hands[0][:1]
    scene.do(0, ClaimExchange()).let_pass(1)
    assert (scene.stage, scene.asked, legal_of(scene, 0)) == ("exchange", (0,), [KeepCards((AMBASSADOR,))])
    assert scene.do(0, KeepCards((AMBASSADOR,))).asked == (1,)


def test_examined_seat_with_two_equal_cards_is_asked_which_to_show() -> None:
    """The inquisitor waits for its answer, as for that of any other."""
    scene = Scene((INQUISITOR, CAPTAIN), (CONTESSA, CONTESSA), fifth_role="inquisitor").do(0, ClaimExamine(1)).let_pass(1)
    assert (scene.stage, scene.asked, legal_of(scene, 1)) == ("show", (1,), [ShowExamined(CONTESSA)])
    assert scene.do(1, ShowExamined(CONTESSA)).stage == "judge"


def test_coup_that_is_the_duty_against_the_only_rival_is_launched_at_once() -> None:
    """With ten coins and one rival left there is one possible action, and the rival is asked what it loses."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, ASSASSIN), coins=[0, 10]).do(0, TakeIncome())
    assert (scene.stage, scene.asked, scene.coins) == ("lose", (0,), [1, 3])


def test_face_up_cards_are_public() -> None:
    """A turned-up card stays visible to everyone."""
    scene = Scene((DUKE, CAPTAIN), (CONTESSA, CONTESSA), coins=[7, 0]).do(0, LaunchCoup(1)).do(1, LoseInfluence(CONTESSA))
    scene.do(1, TakeIncome())
    assert GAME.view(scene.table, None).seats[1].face_up == (CONTESSA,)


def defaults(scene: Scene, seat: int) -> object:
    """Return what is played for a seat whose time is up."""
    return GAME.default(scene.table, Seat(seat))


def test_default_of_windows_is_to_pass() -> None:
    """No one challenges or blocks by being absent."""
    scene = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA)).do(0, ClaimSteal(1))
    assert defaults(scene, 1) == LetPass()
    assert defaults(scene.let_pass(1), 1) == LetPass()
    assert defaults(scene.do(1, Block(CAPTAIN)), 0) == LetPass()


def test_default_action_is_income_or_the_coup_on_the_next_seat() -> None:
    """With ten coins the next living seat clockwise is hit."""
    assert defaults(Scene((CAPTAIN, DUKE), (DUKE, CONTESSA)), 0) == TakeIncome()
    rich = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), (DUKE, AMBASSADOR), coins=[0, 10, 0], first_seat=1)
    assert defaults(rich, 1) == LaunchCoup(2)


def test_default_of_a_challenged_seat_proves_if_it_can() -> None:
    """Else it shows its first card by role name."""
    honest = Scene((CAPTAIN, DUKE), (DUKE, CONTESSA)).do(0, ClaimTax()).do(1, Challenge())
    assert defaults(honest, 0) == ShowCard(DUKE)
    bluff = Scene((CONTESSA, CAPTAIN), (DUKE, CONTESSA)).do(0, ClaimTax()).do(1, Challenge())
    assert defaults(bluff, 0) == ShowCard(CAPTAIN)


def test_default_of_a_loss_is_the_first_card() -> None:
    """First is by role name."""
    assert defaults(Scene((CAPTAIN, DUKE), (DUKE, CONTESSA), coins=[7, 0]).do(0, LaunchCoup(1)), 1) == LoseInfluence(CONTESSA)


def test_default_of_an_exchange_keeps_one_s_own_cards() -> None:
    """An absent exchanger ends with what it had."""
    scene = Scene((AMBASSADOR, DUKE), (DUKE, CONTESSA), court=[ASSASSIN, ASSASSIN]).do(0, ClaimExchange()).let_pass(1)
    scene.do(0, GAME.default(scene.table, Seat(0)))
    assert scene.hand(0) == {AMBASSADOR, DUKE}


def test_default_of_an_examination_shows_the_first_card_and_leaves_it() -> None:
    """Neither side changes anything by being absent."""
    scene = Scene((INQUISITOR, CONTESSA), (DUKE, CAPTAIN), fifth_role="inquisitor").do(0, ClaimExamine(1)).let_pass(1)
    assert defaults(scene, 1) == ShowExamined(CAPTAIN)
    assert defaults(scene.do(1, ShowExamined(CAPTAIN)), 0) == LeaveCard()


def test_worked_example_of_the_rulebook() -> None:
    """Jörg (0), Isa (1) and Stephan (2) play two rounds; hands, coins and losses are as printed."""
    scene = Scene(
        (CONTESSA, DUKE),
        (CAPTAIN, CONTESSA),
        (ASSASSIN, DUKE),
        court=[ASSASSIN, DUKE],
        shuffles=[[AMBASSADOR], [CONTESSA]],
    )
    scene.do(0, ClaimTax()).let_pass(1, 2)
    scene.do(1, ClaimExchange()).let_pass(0, 2).do(1, KeepCards((ASSASSIN, CAPTAIN)))
    scene.do(2, ClaimTax()).do(1, Challenge()).do(2, ShowCard(DUKE)).do(1, LoseInfluence(ASSASSIN))
    assert (scene.hand(0), scene.hand(1), scene.hand(2)) == ({CONTESSA, DUKE}, {CAPTAIN}, {ASSASSIN, CONTESSA})
    assert (scene.coins, scene.face_up(1)) == ([5, 2, 5], (ASSASSIN,))

    scene.do(0, ClaimTax()).let_pass(1, 2).do(1, TakeIncome())
    scene.do(2, ClaimAssassination(0)).let_pass(0, 1).do(0, Block(CONTESSA)).let_pass(1, 2)
    assert scene.coins == [8, 3, 2]
    scene.do(0, LaunchCoup(2)).do(2, LoseInfluence(CONTESSA))
    scene.do(1, ClaimSteal(2)).let_pass(0, 2).do(2, Block(AMBASSADOR)).do(1, Challenge())
    assert (scene.influence(), scene.coins) == ([2, 1, 0], [1, 5, 0])
    assert [scene.face_up(seat) for seat in range(3)] == [(), (ASSASSIN,), (CONTESSA, ASSASSIN)]
    assert scene.asked == (0,)
