"""The bot that plays by a net: what the net sees, where each move has its place, and how its scores become moves."""

from __future__ import annotations

import random
from base64 import b85encode
from pathlib import Path

import msgspec
import pytest

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.bots import BOTS, learned_policy
from tafelrunde.domain.coup.bots.encoding import FEATURES, OWN, PLACES, PUBLIC, RIVAL, encode, place_of, rivals_of
from tafelrunde.domain.coup.bots.policy import MIDDLE, Net
from tafelrunde.domain.coup.messages import Challenge, ClaimTax, CoupOptions, Role
from tafelrunde.domain.coup.move_codec import move_of
from tafelrunde.domain.coup.moves import DUKE
from tafelrunde.domain.coup.rules import set_up
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.coup.view import view
from tafelrunde.domain.game import Seat
from tafelrunde.domain.search import Steps
from tafelrunde.service.simulate import SeededChance

NO_STEPS = Steps(0)
MOST = 12


def dealt(seats: int, seed: int, *, inquisitor: bool = False) -> CoupTable:
    """Return a table that is about to take its first turn."""
    table = GAME.create(CoupOptions(fifth_role="inquisitor" if inquisitor else "ambassador"), seats)
    set_up(table, SeededChance(random.Random(seed)))
    return table


def seen(table: CoupTable, seat: int) -> list[int]:
    """Return what the net sees of a table from one seat."""
    found = view(table, Seat(seat))
    return encode(found, rivals_of(found))


@pytest.mark.parametrize("inquisitor", [False, True])
@pytest.mark.parametrize("seats", range(2, 7))
def test_every_legal_move_has_a_place_of_its_own_and_everything_seen_is_a_small_number(seats: int, inquisitor: bool) -> None:
    """Two moves of one place would be one to the net, and a number above twelve was never learned."""
    rng = random.Random(seats)
    table = dealt(seats, seats, inquisitor=inquisitor)
    while (ask := GAME.pending(table)) is not None:
        seat = rng.choice(ask.open)
        commands = GAME.legal(table, seat)
        found = view(table, seat)
        rivals = rivals_of(found)
        places = [place_of(move_of(command), rivals) for command in commands]
        assert len({*places}) == len(places)
        assert 0 <= min(places) <= max(places) < PLACES
        numbers = encode(found, rivals)
        assert len(numbers) == FEATURES
        assert 0 <= min(numbers) <= max(numbers) <= MOST
        GAME.play(table, seat, rng.choice(commands), SeededChance(rng))


def test_net_sees_a_table_alike_from_wherever_it_sits() -> None:
    """Rivals stand in the order of their turns after the viewer, so a table that is turned looks the same."""
    table, turned = dealt(4, 1), dealt(4, 1)
    turned.hands = [turned.hands[(seat + 1) % 4] for seat in range(4)]
    turned.coins = [table.coins[(seat + 1) % 4] for seat in range(4)]
    turned.turn = (table.turn - 1) % 4
    assert [seen(table, seat) for seat in (1, 2, 3, 0)] == [seen(turned, seat) for seat in range(4)]


def test_seats_that_are_out_leave_no_gap_in_what_the_net_sees() -> None:
    """A table of four with two seats left looks as one with two, but for the cards that lie open and what was decided before."""
    table = dealt(4, 3)
    for seat in (1, 2):
        for card in [*table.hands[seat]]:
            table.f_influence_lost(seat, card)
        table.f_seat_eliminated(seat, table.coins[seat])
    found = view(table, Seat(0))
    assert rivals_of(found) == [3]
    alone = encode(found, [3])[OWN + PUBLIC :]
    all_three = encode(view(dealt(4, 3), Seat(0)), [1, 2, 3])[OWN + PUBLIC :]
    assert alone[:RIVAL] == all_three[2 * RIVAL : 3 * RIVAL]
    assert not any(alone[RIVAL:])


def test_ambassador_and_inquisitor_are_the_same_card_to_the_net() -> None:
    """Only one number says which of the two is played with, and which questions the inquisitor may ask."""
    found = view(dealt(3, 6), Seat(0))
    assert Role.AMBASSADOR in found.hand
    hand = tuple(Role.INQUISITOR if role is Role.AMBASSADOR else role for role in found.hand)
    changed = msgspec.structs.replace(found, fifth_role=Role.INQUISITOR, hand=hand)
    one, other = (encode(each, [1, 2]) for each in (found, changed))
    assert sum(1 for mine, theirs in zip(one, other, strict=True) if mine != theirs) == 1


def test_net_adds_whole_numbers_and_passes_on_what_is_above_zero() -> None:
    """The score of a place: its bias and the second layer by its weights, which is made of the first one, as of the features."""
    first = [0] * (FEATURES + 1) * 2
    first[2 * 3 : 2 * 3 + 2] = [5, -7]  # feature 3
    first[2 * FEATURES :] = [1, 2]
    second = [2, 0, 0, 3, -1, -4]  # two rows, then biases
    last = [0] * 3 * PLACES
    last[7], last[PLACES + 7], last[2 * PLACES + 7] = 10, 20, -3
    text = b85encode(bytes(value + MIDDLE for value in (*first, *second, *last))).decode()
    net = Net((2, 2), text, (10, 2, 1), 0.5)
    features = [0] * FEATURES
    features[3] = 4  # units: 10 + 20 = 30 and 20 - 28 = -8; then 60 - 2 = 58 and -8
    assert net.scores(features, [7, 8]) == [0.5 * (58 * 10 - 3), 0.0]


def test_moves_are_drawn_so_that_no_one_can_foresee_them() -> None:
    """In one and the same position the bot does not always make the same move; it never makes one that is not legal."""
    kinds: list[int] = []
    for deal in range(12):
        table = dealt(2, deal)
        seat = Seat(table.turn)
        found, legal = view(table, seat), GAME.legal(table, seat)
        drawn = {BOTS["policy"].choose(found, legal, random.Random(seed), NO_STEPS) for seed in range(100)}
        assert drawn <= {*legal}
        kinds.append(len(drawn))
    assert max(kinds) > 1


def test_same_view_and_chance_give_the_same_move() -> None:
    """So a verifier finds the answer again (decision 12)."""
    table = dealt(5, 2)
    seat = Seat(table.turn)
    legal = GAME.legal(table, seat)
    answers = {BOTS["policy"].choose(view(table, seat), legal, random.Random(4), NO_STEPS) for _ in range(5)}
    assert len(answers) == 1


def test_bot_doubts_what_it_knows_to_be_false() -> None:
    """A claim of a role whose three copies it sees elsewhere: whatever the net thinks of it, to let that pass is a blunder."""
    table = dealt(2, 8)
    claimant, other = Seat(table.turn), Seat(1 - table.turn)
    GAME.play(table, claimant, ClaimTax(), SeededChance(random.Random(0)))
    table.hands[other] = [DUKE, DUKE]
    table.up[claimant] = [DUKE]
    assert BOTS["policy"].choose(view(table, other), GAME.legal(table, other), random.Random(1), NO_STEPS) == Challenge()


def test_net_is_a_file_of_less_than_a_hundred_kilobytes() -> None:
    """It is part of every installation."""
    assert Path(learned_policy.__file__).with_suffix(".py").stat().st_size < 100_000
