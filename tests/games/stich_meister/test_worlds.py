"""What viewers of Stich-Meister know of hidden cards: it is true, and drawn worlds keep to it and are alike in chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import sqrt

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.bots.determinization import determinize
from tafelrunde.domain.stich_meister.cards import Suit, card_of
from tafelrunde.domain.stich_meister.messages import OpenCards, PassCards, PlayCard, StichCommand
from tafelrunde.domain.stich_meister.table import NOBODY, StichTable
from tafelrunde.domain.stich_meister.view import StichView
from tests.games.stich_meister.seated import hiding_rules, random_match, started
from tests.support.dice import Dice

MATCHES = 30
DRAWS = 3_000
FEW = 5
CHANCE = Dice("worlds")


def viewers(table: StichTable) -> list[Seat | None]:
    """Return all viewers."""
    return [*map(Seat, range(table.seats)), None]


def tables(every: int, dealt_rules: bool = False) -> Iterator[tuple[StichTable, random.Random]]:
    """Yield tables from all along random matches under many rules."""
    for seed in range(MATCHES):
        rng = random.Random(seed)
        for table in random_match(3 + seed % 3, seed, None if dealt_rules else hiding_rules(seed)):
            if rng.randrange(every) == 0:
                yield table, rng


def false_notes(table: StichTable, view: StichView) -> list[str]:
    """Return what a view says of hidden cards and is not so."""
    wrong = [
        f"{each.card} is not there"
        for each in view.known
        if not any(each.card in table.hands[seat] for seat in each.hands)
        and not any(each.card == table.aside[seat] for seat in each.asides)
    ]
    for each in view.seats:
        wrong += [f"{card} is there" for card in set(each.lacks).intersection(table.hands[each.seat])]
    return wrong


def test_what_a_view_says_of_hidden_cards_is_so() -> None:
    """Passed cards lie where the view says, and no seat holds what it is said to lack."""
    told = 0
    for table, _ in tables(every=4):
        for viewer in viewers(table):
            view = GAME.view(table, viewer)
            assert false_notes(table, view) == []
            told += len(view.known) + sum(len(each.lacks) for each in view.seats)
    assert told > 10_000


@pytest.mark.parametrize("dealt_rules", [False, True])
def test_drawn_world_looks_the_same(dealt_rules: bool) -> None:
    """A viewer cannot distinguish a drawn world from the true one."""
    for table, rng in tables(every=20, dealt_rules=dealt_rules):
        for viewer in viewers(table):
            view = GAME.view(table, viewer)
            world = determinize(view, rng)
            assert GAME.view(world, viewer) == view
            assert false_notes(world, view) == []


def all_cards(table: StichTable) -> list[int]:
    """Return every card of a round, wherever it is."""
    found = [card for hand in table.hands for card in hand] + [card for card in table.aside if card != NOBODY]
    return sorted([*found, *table.trick, *(card for trick in table.tricks for card in trick.cards)])


def all_rules(table: StichTable) -> list[int]:
    """Return every rule card, wherever it is."""
    used = [rule for each in table.rounds for rule in each[1]]
    running = table.rules if table.round > len(table.rounds) else ()
    return sorted([*used, *running, *table.rule_deck, *(rule for hand in table.rule_hands for rule in hand)])


def test_drawn_world_has_every_card_once() -> None:
    """No card is lost or doubled, nor any rule card."""
    for table, rng in tables(every=40, dealt_rules=True):
        for viewer in viewers(table):
            world = determinize(GAME.view(table, viewer), rng)
            assert all_cards(world) == all_cards(table)
            assert all_rules(world) == all_rules(table) == list(range(1, 61))


def test_drawn_world_is_played_to_its_end() -> None:
    """Whatever is drawn can be played on."""
    for table, rng in tables(every=150):
        world = determinize(GAME.view(table, Seat(0)), rng)
        while (ask := GAME.pending(world)) is not None:
            seat = rng.choice(ask.open)
            GAME.play(world, seat, rng.choice(GAME.legal(world, seat)), CHANCE)
        assert GAME.standing(world) is not None


def test_own_secret_answer_is_kept_when_a_world_is_drawn() -> None:
    """The viewer's choice stands; the others may still choose."""
    table = started(4, 1, (22, 47, 48, 49))
    GAME.play(table, Seat(2), PassCards(tuple(table.hands[2][:3])), CHANCE)
    world = determinize(GAME.view(table, Seat(2)), random.Random(1))
    assert world.answers[2] == table.answers[2]
    asked = GAME.pending(world)
    assert asked is not None
    assert 2 not in asked.open


def give_all(table: StichTable, kind: type[PassCards] | type[OpenCards]) -> list[tuple[int, ...]]:
    """Let every seat pass, or lay open, its first three cards; return them."""
    given = [tuple(hand[:3]) for hand in table.hands]
    for seat, cards in enumerate(given):
        GAME.play(table, Seat(seat), kind(cards), CHANCE)
    return given


def known(table: StichTable, viewer: int | None) -> dict[int, tuple[int, ...]]:
    """Return in which hands a viewer knows cards to be."""
    view = GAME.view(table, None if viewer is None else Seat(viewer))
    return {each.card: each.hands for each in view.known}


def test_giver_knows_where_passed_cards_are() -> None:
    """A seat that passes cards to the right knows three cards there, and no one else does."""
    table = started(4, 2, (22, 47, 48, 49))
    given = give_all(table, PassCards)
    for seat in range(4):
        assert known(table, seat) == dict.fromkeys(given[seat], ((seat - 1) % 4,))
    assert known(table, None) == {}


def play_three_tricks(table: StichTable) -> None:
    """Let all seats play the first legal card three times."""
    while table.number < 4 and len(table.asked) == 1:
        seat = Seat(table.asked[0])
        GAME.play(table, seat, GAME.legal(table, seat)[-1], CHANCE)


def test_everyone_knows_where_an_open_card_went() -> None:
    """A card that lay open and is passed on is hidden, but all have seen who picks it up."""
    table = started(4, 3, (25, 38, 48, 49))
    opened = give_all(table, OpenCards)
    play_three_tricks(table)
    before = [set(cards) for cards in table.opened]
    given = give_all(table, PassCards)
    moved = {card: ((seat + 1) % 4,) for seat, cards in enumerate(given) for card in cards if card in before[seat]}
    assert moved
    assert set(moved) <= {card for cards in opened for card in cards}
    assert known(table, None) == moved


def test_card_passed_twice_is_in_one_of_two_hands() -> None:
    """What was passed left before the first lead may have been passed on after the third trick, or not."""
    table = started(4, 4, (23, 38, 48, 49))
    given = give_all(table, PassCards)[0]
    play_three_tricks(table)
    held = [card for card in given if card in table.hands[1]]
    give_all(table, PassCards)
    assert held
    assert {card: known(table, 0).get(card) for card in held} == dict.fromkeys(held, (1, 2))


def lacks(table: StichTable, viewer: int, seat: int) -> set[int]:
    """Return what a viewer knows a seat to lack."""
    return set(GAME.view(table, Seat(viewer)).seats[seat].lacks)


def trick_of(table: StichTable, *hands: tuple[int, ...]) -> None:
    """Deal these hands, and let every seat play its first card."""
    table.hands = [sorted(hand) for hand in hands]
    for place in range(len(hands)):
        seat = (table.leader + place) % table.seats
        command: StichCommand = PlayCard(hands[seat][0])
        assert GAME.why_not(table, Seat(seat), command) is None
        GAME.play(table, Seat(seat), command, CHANCE)


def suited(suit: Suit, *values: int) -> tuple[int, ...]:
    """Return cards of a suit."""
    return tuple(card_of(suit, value) for value in values)


def test_seat_that_does_not_follow_lacks_the_suit() -> None:
    """All see that it has none of it; rule 28 shows that it has no trump either, unless it plays one."""
    table = started(3, 5, (15, 28, 48, 49), dealer=2)
    trick_of(table, suited(Suit.FAN, 2, 3), suited(Suit.KOI, 4, 5), suited(Suit.COIN, 2, 3))
    fans, coins = set(suited(Suit.FAN, *range(4, 16))), set(suited(Suit.COIN, *range(4, 16)))
    missing = {card for card in fans | coins if card % 15 not in (0, 9, 12)}
    assert lacks(table, 2, 1) >= missing - {*table.hands[2]}
    assert lacks(table, 1, 2) == {card for card in missing if card < 15} | set(suited(Suit.FAN, 3))


def deals(view: StichView) -> list[tuple[tuple[int, ...], ...]]:
    """Return all deals of unseen cards to hands that a view allows, by brute force; nothing for many cards."""
    others = [each for each in view.seats if each.seat != view.seat]
    seen = {*view.hand, *(play.card for play in view.trick)}
    seen.update(play.card for trick in view.tricks for play in trick.plays)
    rest = [card for card in range(60) if card not in seen and (len(view.seats) != 3 or card % 15 not in (0, 9, 12))]
    if len(rest) > FEW + 2:
        return []
    found = {
        tuple(tuple(sorted(order[start : start + size])) for start, size in places(others_sizes(view)))
        for order in permutations(rest)
    }
    return sorted(
        deal for deal in found if not any(set(each.lacks).intersection(hand) for each, hand in zip(others, deal, strict=True))
    )


def others_sizes(view: StichView) -> list[int]:
    """Return how many cards each other seat holds."""
    return [each.hand_size for each in view.seats if each.seat != view.seat]


def places(sizes: list[int]) -> list[tuple[int, int]]:
    """Return where each hand starts, and its size."""
    return [(sum(sizes[:number]), size) for number, size in enumerate(sizes)]


def positions(count: int) -> Iterator[StichView]:
    """Yield late views in which little is left to wonder, but not nothing."""
    found = 0
    for seed in range(1_000):
        for table in random_match(4, ("late", seed), (15, 28, 48, 49)):
            if table.number == 14 and len(table.trick) == 1 and table.round == 1:
                view = GAME.view(table, Seat(table.asked[0]))
                if any(each.lacks for each in view.seats) and len(deals(view)) in range(4, 40):
                    found += 1
                    yield view
            if table.round > 1 or found == count:
                break
        if found == count:
            return


def test_every_possible_deal_is_drawn_about_as_often() -> None:
    """Late in a round, with suits shown lacking, each deal that the view allows is as likely as any other."""
    rng = random.Random(8)
    for view in positions(4):
        possible = deals(view)
        others = [each.seat for each in view.seats if each.seat != view.seat]
        worlds = (determinize(view, rng) for _ in range(DRAWS))
        found = Counter(tuple(tuple(world.hands[seat]) for seat in others) for world in worlds)
        assert set(found) <= set(possible)
        expected = DRAWS / len(possible)
        chi_square = sum((found[deal] - expected) ** 2 / expected for deal in possible)
        assert chi_square < critical(len(possible) - 1)


def critical(freedom: int) -> float:
    """Return a bound on chi-square that fair draws pass with overwhelming likelihood (six standard deviations)."""
    return freedom + 6 * sqrt(2 * freedom)
