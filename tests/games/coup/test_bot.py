"""The honest bot: what it does with what it sees, and how well that plays."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt

import pytest

from tafelrunde.domain.coup import GAME, conduct
from tafelrunde.domain.coup.bots import honest
from tafelrunde.domain.coup.bots.honest import HonestBot
from tafelrunde.domain.coup.events import Action
from tafelrunde.domain.coup.messages import (
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    CoupOptions,
    KeepCards,
    LaunchCoup,
    LetPass,
    LoseInfluence,
    Role,
    ShowCard,
    TakeForeignAid,
    TakeIncome,
)
from tafelrunde.domain.coup.table import INDEX, NOBODY, CoupTable
from tafelrunde.domain.coup.view import CoupView
from tafelrunde.domain.game import Bot, Seat
from tafelrunde.domain.search import Steps

AMBASSADOR, ASSASSIN, CAPTAIN = Role.AMBASSADOR, Role.ASSASSIN, Role.CAPTAIN
CONTESSA, DUKE, INQUISITOR = Role.CONTESSA, Role.DUKE, Role.INQUISITOR
Player = Bot[CoupView, CoupCommand]
Chooser = Callable[[CoupTable, Seat], CoupCommand]
ME, RIVAL = Seat(0), Seat(1)
TRIES = 4_000


def dealt(*hand: Role, coins: Sequence[int] = (2, 2), turn: int = 0, up: Sequence[Role] = ()) -> CoupTable:
    """Return a table on which seat 0 holds some cards, and the others are dealt the rest of the deck in order."""
    options = CoupOptions()
    seats = len(coins)
    table = GAME.create(options, seats)
    rest = [role for role in (CONTESSA, AMBASSADOR, DUKE, CAPTAIN, ASSASSIN) for _ in range(3)]
    for role in (*hand, *up):
        rest.remove(role)
    others = [rest[2 * seat : 2 * seat + 2] for seat in range(seats - 1)]
    table.f_dealt([ints(hand), *map(ints, others)], coins, ints(rest[2 * (seats - 1) :]))
    for role in up:
        table.hands[1][0] = INDEX[role]
        table.f_influence_lost(1, INDEX[role])
        table.hands[1].append(table.court.pop())
    table.f_turn_begun(turn, asked=True)
    return table


def ints(roles: Sequence[Role]) -> list[int]:
    """Return roles as a table has them."""
    return [INDEX[role] for role in roles]


def claimed(table: CoupTable, action: Action, role: Role | None, target: int = NOBODY) -> CoupTable:
    """Let the seat whose turn it is declare an action, and ask the others to doubt it."""
    table.f_action_declared(action, target, NOBODY if role is None else INDEX[role], 0)
    others = [seat for seat in table.living() if seat != table.turn]
    table.f_window_opened("challenge", others)
    return table


def blockable(table: CoupTable, action: Action, role: Role | None, target: int = NOBODY) -> CoupTable:
    """Let the seat whose turn it is declare an action without being challenged, and ask who blocks it."""
    claimed(table, action, role, target)
    table.f_window_opened("block", [ME] if target == ME else [seat for seat in table.living() if seat != table.turn])
    return table


def answer(table: CoupTable, seed: int = 0) -> CoupCommand:
    """Return what the bot answers at seat 0."""
    return HonestBot().choose(GAME.view(table, ME), GAME.legal(table, ME), random.Random(seed), Steps(100))


def always(table: CoupTable) -> set[CoupCommand]:
    """Return all answers of the bot over many seeds."""
    return {answer(table, seed) for seed in range(60)}


def rate(table: CoupTable, wanted: type[CoupCommand]) -> float:
    """Return how often the bot gives one kind of answer."""
    return sum(isinstance(answer(table, seed), wanted) for seed in range(TRIES)) / TRIES


def assert_rate(found: float, stated: float) -> None:
    """Check a share of `TRIES` against a stated rate: within four standard deviations."""
    assert abs(found - stated) <= 4 * sqrt(stated * (1 - stated) / TRIES)


# What it does in its turn


@pytest.mark.parametrize(
    ("hand", "coins", "expected"),
    [
        pytest.param((CONTESSA, DUKE), (2, 2), ClaimTax(), id="duke"),
        pytest.param((CAPTAIN, DUKE), (2, 1), ClaimTax(), id="nothing-much-to-steal"),
        pytest.param((CAPTAIN, DUKE), (2, 2, 2), ClaimTax(), id="duke-before-captain-against-two"),
        pytest.param((ASSASSIN, DUKE), (3, 2), ClaimAssassination(RIVAL), id="assassin"),
        pytest.param((ASSASSIN, DUKE), (2, 2), ClaimTax(), id="assassin-too-dear"),
        pytest.param((ASSASSIN, DUKE), (7, 2), LaunchCoup(RIVAL), id="coup-at-seven"),
        pytest.param((ASSASSIN, DUKE), (10, 2), LaunchCoup(RIVAL), id="coup-at-ten"),
    ],
)
def test_bot_uses_the_roles_that_it_holds(hand: tuple[Role, ...], coins: tuple[int, ...], expected: CoupCommand) -> None:
    """What it holds, it claims; with seven coins it launches a coup."""
    assert always(dealt(*hand, coins=coins)) == {expected}


@pytest.mark.parametrize("other", [CONTESSA, DUKE])
def test_bot_steals_at_the_stated_rate_when_it_holds_a_captain(other: Role) -> None:
    """Against one rival the captain comes before the duke, but not always: captains must not rob each other endlessly."""
    assert_rate(rate(dealt(CAPTAIN, other), ClaimSteal), honest.STEAL_RATE)


def blocked(table: CoupTable, seat: int, kind: int, times: int) -> CoupTable:
    """Return the table with that many blocks of one kind counted for the present cards of a seat."""
    table.conduct[seat * conduct.WIDTH + kind] = times
    return table


@pytest.mark.parametrize(
    ("hand", "coins", "kind", "attack"),
    [
        pytest.param((ASSASSIN, CONTESSA), (3, 2), conduct.CONTESSA_BLOCK, ClaimAssassination, id="assassination"),
        pytest.param((CAPTAIN, CONTESSA), (2, 2), conduct.CAPTAIN_BLOCK, ClaimSteal, id="theft-by-captain"),
        pytest.param((CAPTAIN, CONTESSA), (2, 2), conduct.FIFTH_BLOCK, ClaimSteal, id="theft-by-ambassador"),
    ],
)
def test_bot_does_not_repeat_what_a_seat_has_blocked_twice(
    hand: tuple[Role, ...], coins: tuple[int, ...], kind: int, attack: type[CoupCommand]
) -> None:
    """It believes that seat, attacks others at most, and tries again once the seat's cards have changed."""
    for times, attacks in ((1, True), (2, False), (9, False)):
        assert (rate(blocked(dealt(*hand, coins=coins), RIVAL, kind, times), attack) > 0) is attacks
    three = blocked(dealt(*hand, coins=(*coins, 2)), RIVAL, kind, 2)
    targets = {command.target for command in always(three) if isinstance(command, ClaimAssassination | ClaimSteal)}
    assert targets == {Seat(2)}
    changed = blocked(dealt(*hand, coins=coins), RIVAL, kind, 2)
    conduct.forget_hand(changed.conduct, RIVAL)
    assert rate(changed, attack) > 0


def test_bot_exchanges_a_poor_hand_at_the_stated_rate() -> None:
    """A better hand is worth a turn, but not every turn."""
    assert_rate(rate(dealt(AMBASSADOR, CONTESSA), ClaimExchange), honest.CARDS_BEFORE_COINS)
    assert ClaimExchange() not in always(dealt(AMBASSADOR, DUKE))


def test_bot_aims_at_the_strongest_rival() -> None:
    """Influence counts first, then coins; equals are chosen by lot."""
    assert always(dealt(ASSASSIN, DUKE, coins=(7, 1, 4, 2))) == {LaunchCoup(Seat(2))}
    assert always(dealt(ASSASSIN, DUKE, coins=(7, 4, 1, 4))) == {LaunchCoup(Seat(1)), LaunchCoup(Seat(3))}
    weak = dealt(ASSASSIN, DUKE, coins=(7, 1, 4, 2))
    weak.f_influence_lost(2, weak.hands[2][0])
    assert always(weak) == {LaunchCoup(Seat(3))}


def test_bot_bluffs_at_the_stated_rate_when_it_has_nothing_to_claim() -> None:
    """Two contessas claim nothing: it takes what is free, and now and then claims the duke."""
    table = dealt(CONTESSA, CONTESSA)
    assert always(table) == {ClaimTax(), TakeForeignAid()}
    assert_rate(rate(table, ClaimTax), honest.BLUFF_ACTION)


def test_bot_takes_income_when_someone_probably_blocks_foreign_aid() -> None:
    """Among many rivals one has a duke."""
    assert TakeIncome() in always(dealt(CONTESSA, CONTESSA, coins=(2, 2, 2, 2, 2)))
    assert TakeForeignAid() not in always(dealt(CONTESSA, CONTESSA, coins=(2, 2, 2, 2, 2)))


# How it reacts


def test_bot_doubts_a_claim_that_cannot_be_true() -> None:
    """All three dukes are in plain sight, so the claim is a lie, whatever is at stake."""
    table = dealt(DUKE, DUKE, up=(DUKE,), turn=1)
    assert always(claimed(table, Action.TAX, DUKE)) == {Challenge()}
    table.f_influence_lost(0, INDEX[DUKE])
    assert always(table) == {Challenge()}


def test_bot_doubts_an_unlikely_claim_at_the_stated_rate() -> None:
    """With one copy left, the claim is unlikely."""
    table = claimed(dealt(DUKE, DUKE, turn=1), Action.TAX, DUKE)
    assert 0 < honest.likelihood(GAME.view(table, ME), RIVAL, DUKE) <= honest.UNLIKELY
    assert_rate(rate(table, Challenge), honest.DOUBT)


def test_bot_doubts_less_when_a_claim_costs_only_others() -> None:
    """Others may doubt what costs them."""
    table = claimed(dealt(CAPTAIN, CAPTAIN, turn=1, coins=(2, 2, 2)), Action.STEAL, CAPTAIN, target=2)
    assert_rate(rate(table, Challenge), honest.DOUBT_FOR_OTHERS)


def test_bot_rarely_doubts_a_likely_claim() -> None:
    """Now and then it does, so that bluffing is never safe."""
    assert_rate(rate(claimed(dealt(CONTESSA, CAPTAIN, turn=1), Action.TAX, DUKE), Challenge), honest.DOUBT_ANYTHING)


def test_bot_does_not_risk_its_last_influence_on_a_guess() -> None:
    """With one influence left it doubts only what cannot be true."""
    table = claimed(dealt(DUKE, DUKE, turn=1), Action.TAX, DUKE)
    table.f_influence_lost(0, INDEX[DUKE])
    assert always(table) == {LetPass()}


def test_bot_doubts_the_assassin_when_all_is_lost_otherwise() -> None:
    """Against the last influence an assassination that is rather a lie is doubted."""
    table = claimed(dealt(CAPTAIN, DUKE, turn=1), Action.ASSASSINATION, ASSASSIN, target=0)
    table.f_influence_lost(0, INDEX[DUKE])
    assert always(table) == {Challenge()}


def last_stand(hand: Role, *, mine: int, rival: int) -> CoupTable:
    """Return a table on which the bot's last influence faces one rival, who is to move."""
    table = dealt(hand, AMBASSADOR, turn=1, coins=(mine, rival))
    table.f_influence_lost(0, INDEX[AMBASSADOR])
    return table


@pytest.mark.parametrize(
    ("hand", "mine", "rival", "expected"),
    [
        pytest.param(CONTESSA, 2, 4, Challenge(), id="seven-coins-come"),
        pytest.param(CONTESSA, 2, 3, LetPass(), id="too-few-coins"),
        pytest.param(CAPTAIN, 2, 5, LetPass(), id="a-captain-may-rob-it"),
        pytest.param(CAPTAIN, 2, 6, Challenge(), id="a-captain-takes-too-little"),
        pytest.param(CONTESSA, 7, 4, Challenge(), id="a-coup-leaves-it-an-influence"),
    ],
)
def test_bot_doubts_a_tax_that_pays_for_the_last_coup(hand: Role, mine: int, rival: int, expected: CoupCommand) -> None:
    """A seat that is lost otherwise risks nothing by a doubt."""
    assert always(claimed(last_stand(hand, mine=mine, rival=rival), Action.TAX, DUKE)) == {expected}


@pytest.mark.parametrize(("hand", "mine"), [(CONTESSA, 7), (ASSASSIN, 3)])
def test_bot_does_not_doubt_when_it_may_win_first(hand: Role, mine: int) -> None:
    """A coup or an assassin at the rival's last influence comes before the rival's own."""
    table = last_stand(hand, mine=mine, rival=4)
    table.f_influence_lost(1, table.hands[1][0])
    assert always(claimed(table, Action.TAX, DUKE)) == {LetPass()}


@pytest.mark.parametrize(("rival", "expected"), [(7, Challenge()), (6, LetPass())])
def test_bot_doubts_a_block_if_the_last_coup_comes_next(rival: int, expected: CoupCommand) -> None:
    """Seven coins on the other side: if the block stands, all is lost, so it is doubted."""
    table = dealt(CONTESSA, AMBASSADOR, coins=(2, rival))
    table.f_influence_lost(0, INDEX[AMBASSADOR])
    blockable(table, Action.FOREIGN_AID, None)
    table.f_action_blocked(1, INDEX[DUKE])
    table.f_window_opened("block-challenge", [ME])
    assert always(table) == {expected}


def test_bot_never_doubts_an_assassin_that_its_contessa_blocks() -> None:
    """A doubt would risk an influence that is safe."""
    table = claimed(dealt(CONTESSA, CAPTAIN, turn=1), Action.ASSASSINATION, ASSASSIN, target=0)
    assert {answer(table, seed) for seed in range(500)} == {LetPass()}


def test_bot_takes_income_when_a_rival_has_claimed_the_duke() -> None:
    """Foreign aid would be blocked again; without a claim it is taken."""
    table = dealt(CONTESSA, CONTESSA, coins=(2, 2))
    assert TakeForeignAid() in always(table)
    table.claims[1] = (INDEX[DUKE],)
    assert TakeIncome() in always(table)
    assert TakeForeignAid() not in always(table)


@pytest.mark.parametrize(
    ("hand", "action", "role", "block"),
    [
        pytest.param((DUKE, CONTESSA), Action.FOREIGN_AID, None, Block(DUKE), id="foreign-aid"),
        pytest.param((DUKE, CONTESSA), Action.ASSASSINATION, ASSASSIN, Block(CONTESSA), id="assassination"),
        pytest.param((CAPTAIN, CONTESSA), Action.STEAL, CAPTAIN, Block(CAPTAIN), id="theft-captain"),
        pytest.param((AMBASSADOR, CONTESSA), Action.STEAL, CAPTAIN, Block(AMBASSADOR), id="theft-ambassador"),
    ],
)
def test_bot_blocks_what_it_can(hand: tuple[Role, Role], action: Action, role: Role | None, block: Block) -> None:
    """With the role in hand it always blocks, and names the role that it holds."""
    target = NOBODY if action is Action.FOREIGN_AID else 0
    assert always(blockable(dealt(*hand, turn=1), action, role, target)) == {block}


@pytest.mark.parametrize(
    ("action", "role", "last", "stated"),
    [
        pytest.param(Action.FOREIGN_AID, None, False, honest.BLUFF_BLOCK, id="foreign-aid"),
        pytest.param(Action.ASSASSINATION, ASSASSIN, False, honest.BLUFF_CONTESSA, id="contessa"),
        pytest.param(Action.ASSASSINATION, ASSASSIN, True, honest.BLUFF_LAST_CONTESSA, id="last-contessa"),
    ],
)
def test_bot_bluffs_a_block_at_the_stated_rate(action: Action, role: Role | None, last: bool, stated: float) -> None:
    """Without the role it blocks as often as its constants say."""
    table = blockable(dealt(ASSASSIN, ASSASSIN, turn=1), action, role, NOBODY if action is Action.FOREIGN_AID else 0)
    if last:
        table.f_influence_lost(0, INDEX[ASSASSIN])
    assert_rate(rate(table, Block), stated)


def test_bot_does_not_bluff_a_role_that_is_gone() -> None:
    """No one believes a fourth contessa."""
    table = dealt(ASSASSIN, ASSASSIN, turn=1)
    table.up[1] = ints((CONTESSA, CONTESSA, CONTESSA))
    assert Block(CONTESSA) not in always(blockable(table, Action.ASSASSINATION, ASSASSIN, target=0))


# Which cards it gives


def test_bot_proves_what_it_can_prove() -> None:
    """Challenged rightly or wrongly: the claimed role if it is there, else the card that it misses least."""
    table = claimed(dealt(CONTESSA, DUKE), Action.TAX, DUKE)
    table.f_claim_challenged(1, 0, INDEX[DUKE], True)
    assert always(table) == {ShowCard(DUKE)}
    table = claimed(dealt(CONTESSA, CAPTAIN), Action.TAX, DUKE)
    table.f_claim_challenged(1, 0, INDEX[DUKE], True)
    assert always(table) == {ShowCard(CONTESSA)}


@pytest.mark.parametrize(("hand", "lost"), [((DUKE, AMBASSADOR), AMBASSADOR), ((ASSASSIN, CONTESSA), CONTESSA)])
def test_bot_loses_the_card_that_it_misses_least(hand: tuple[Role, Role], lost: Role) -> None:
    """The better role stays."""
    table = dealt(*hand)
    table.f_loss_demanded(0)
    assert always(table) == {LoseInfluence(lost)}


def test_bot_keeps_the_best_of_an_exchange() -> None:
    """Two different good roles are better than a pair."""
    table = claimed(dealt(AMBASSADOR, DUKE), Action.EXCHANGE, AMBASSADOR)
    table.court[:2] = ints((DUKE, CAPTAIN))
    table.f_cards_drawn(0, table.court[:2], asked=True)
    assert always(table) == {KeepCards((CAPTAIN, DUKE))}


# What it knows


def test_likelihood_is_what_enumerating_all_deals_gives() -> None:
    """Holding one duke, two of thirteen unseen cards are dukes, and the rival holds two cards."""
    view = GAME.view(dealt(DUKE, CAPTAIN), ME)
    assert honest.likelihood(view, RIVAL, DUKE) == pytest.approx(1 - (11 * 10) / (13 * 12))
    assert honest.likelihood(view, RIVAL, ASSASSIN) == pytest.approx(1 - (10 * 9) / (13 * 12))


# Other styles


def styled_rate(name: str, table: CoupTable, wanted: type[CoupCommand]) -> float:
    """Return how often a character gives one kind of answer."""
    view, legal = GAME.view(table, ME), GAME.legal(table, ME)
    found = (GAME.bots()[name].choose(view, legal, random.Random(seed), Steps(1)) for seed in range(TRIES))
    return sum(isinstance(command, wanted) for command in found) / TRIES


def test_bluffer_claims_what_it_does_not_hold() -> None:
    """Two contessas, and it sends an assassin half of the time, or at least steals; the plain dealer claims the duke at most."""
    rich = dealt(CONTESSA, CONTESSA, coins=(3, 2))
    assert_rate(styled_rate("bluffer", rich, ClaimAssassination), honest.BLUFFER.bluff_action)
    assert styled_rate("honest", rich, ClaimAssassination) == 0
    poor = dealt(CONTESSA, CONTESSA, coins=(2, 2))
    assert_rate(styled_rate("bluffer", poor, ClaimSteal), honest.BLUFFER.bluff_action * honest.STEAL_RATE)


def test_bluffer_blocks_without_the_role() -> None:
    """An assassin is usually answered with a contessa."""
    table = blockable(dealt(DUKE, CAPTAIN, turn=1), Action.ASSASSINATION, ASSASSIN, target=0)
    assert_rate(styled_rate("bluffer", table, Block), honest.BLUFFER.bluff_contessa)


def test_suspicious_one_doubts_more_and_claims_only_what_it_holds() -> None:
    """A likely claim is doubted several times as often; without a role there is income or foreign aid."""
    table = claimed(dealt(CONTESSA, CAPTAIN, turn=1), Action.TAX, DUKE)
    assert_rate(styled_rate("suspicious", table, Challenge), honest.SUSPICIOUS.doubt_anything)
    assert styled_rate("suspicious", dealt(CONTESSA, CONTESSA), ClaimTax) == 0
