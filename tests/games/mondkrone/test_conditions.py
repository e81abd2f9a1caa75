"""The cards, and what a palette shows in each condition."""

from __future__ import annotations

from collections import Counter

import pytest

from tafelrunde.domain.mondkrone.cards import EXTENDED, FACES, INDEX, SUITS, Card, Kind, Rank, deck_cards
from tafelrunde.domain.mondkrone.conditions import hauls, involved
from tests.games.mondkrone.kit import CONDITIONS, Scene, cards, mask, shows, ways

WITH_SEA = "author calamity sea chance-meeting"
WITH_DARKNESS = "author darkness chance-meeting"


def test_standard_deck_has_six_aces_six_crowns_and_three_cards_of_each_other_rank() -> None:
    """36 cards: 35 to deal and the Ace of Moons; every rank has all six suits once."""
    dealt = deck_cards(extended=False)
    assert len(dealt) == 35
    standard = [card for card in Card if not EXTENDED >> INDEX[card] & 1]
    assert len(standard) == 36
    assert set(standard) - {list(Card)[card] for card in dealt} == {Card.ACE_OF_MOONS}
    for rank in set(Rank) - {Rank.PAWN, Rank.COURT}:
        suits = Counter(suit for card in standard if FACES[card].rank is rank for suit in FACES[card].suits)
        assert suits == Counter(SUITS)


def test_extended_deck_adds_four_pawns_and_four_courts_of_three_suits() -> None:
    """Eight more cards; each of the two ranks has every suit twice."""
    assert len(deck_cards(extended=True)) == 43
    for rank in (Rank.PAWN, Rank.COURT):
        faces = [face for face in FACES.values() if face.rank is rank]
        assert [len(face.suits) for face in faces] == [3] * 4
        assert Counter(suit for face in faces for suit in face.suits) == Counter(SUITS * 2)


def test_cards_compare_by_rank_then_by_their_higher_suit() -> None:
    """No two cards are equal: moons are the highest suit, knots the lowest."""
    order = "ace-of-knots ace-of-moons origin desert author pact windfall calamity end sea bard huntress"
    assert sorted(cards(order), key=INDEX.__getitem__) == list(cards(order))


def test_pawns_and_courts_rank_between_nine_and_crown_and_compare_by_their_next_suit() -> None:
    """9 < pawn < court < crown; of two with moons the one with the higher second suit is higher."""
    order = "pact watchman harvest rite consul windfall"
    assert sorted(cards(order), key=INDEX.__getitem__) == list(cards(order))


@pytest.mark.parametrize(
    ("condition", "palette", "expected"),
    [
        ("moons", "author pact sea", (1, "sea")),
        ("suns", "mountain pact castle author", (3, "pact")),
        ("waves", "author battle lunatic diplomat castle", (4, "diplomat")),
        ("leaves", "mountain sailor", (4, "mountain")),
        ("wyrms", "desert mountain cave author", (3, "cave")),
        ("knots", "ace-of-suns author savage battle soldier", (4, "battle")),
    ],
)
def test_each_suit_counts_what_its_condition_says(condition: str, palette: str, expected: tuple[int, str]) -> None:
    """Highest card, most of a suit, even cards, different suits, most of a type, small values."""
    assert shows(palette, condition) == expected


def test_suns_count_a_card_for_each_of_its_suits() -> None:
    """Moons twice and suns three times make three of one suit."""
    assert shows("mountain bard pact", "suns") == (3, "bard")
    assert shows("forest mountain pact", "suns") == (3, "pact")


def test_wyrms_count_a_card_for_each_of_its_types() -> None:
    """A location that is also an event counts as both; aces are a type."""
    assert shows("origin battle pact", "wyrms") == (3, "pact")
    assert shows("origin forest", "wyrms") == (2, "forest")
    assert shows("ace-of-knots ace-of-suns sea", "wyrms") == (2, "ace-of-suns")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_empty_palette_has_no_result(condition: str) -> None:
    """A count of zero is no result at all."""
    assert shows("", condition) == (0, "")


def test_pawns_and_courts_are_neither_even_nor_small() -> None:
    """They count for waves and knots as little as an ace or a crown does for waves."""
    assert shows("consul harvest", "waves") == shows("consul harvest", "knots") == (0, "")
    assert shows("ace-of-suns bard", "waves") == (0, "")


def test_larger_count_leads() -> None:
    """Two even cards are better than one, however high."""
    assert Scene("author battle", "diplomat", top="ace-of-waves").leader() == 0


def test_equal_counts_are_decided_by_the_highest_card_among_those_that_make_them() -> None:
    """A higher card that is not even does not help with waves."""
    assert Scene("sea author battle", "lunatic sailor", top="ace-of-waves").leader() == 1


def test_equal_ranks_are_decided_by_the_suit() -> None:
    """The Diplomat has moons, the Mill has not."""
    assert Scene("mill", "diplomat", top="ace-of-waves").leader() == 1


def test_best_of_several_sets_with_the_same_count_decides() -> None:
    """Two of moons and two of wyrms: the higher pair counts."""
    assert shows("author forest battle cave", "suns") == (2, "cave")
    assert Scene("author forest battle cave", "chance-meeting journey", top="ace-of-suns").leader() == 1
    assert Scene("author forest battle darkness", "chance-meeting journey", top="ace-of-suns").leader() == 0


def test_count_of_zero_leads_in_nothing() -> None:
    """Without any even card no one leads in waves."""
    assert Scene("sea", "bard", top="ace-of-waves").leader() is None


def test_seats_that_are_out_are_not_compared() -> None:
    """A palette that is face down counts no more."""
    scene = Scene("author", "sea", "pact", hands=["", "soldier"], turn=1)
    assert scene.leader() == 1
    assert scene.do(1, scene.legal()[-1]).leader() == 2


# The rulebook's examples of involved cards


@pytest.mark.parametrize("palette", [WITH_SEA, WITH_DARKNESS])
def test_five_suits_of_the_rulebook_need_all_their_cards(palette: str) -> None:
    """Author, Calamity, Sea and Chance Meeting show five suits, as do Author, the 9 of waves and wyrms, and Chance Meeting."""
    assert shows(palette, "leaves")[0] == 5
    assert ways(palette, "leaves") == {frozenset(cards(palette))}


@pytest.mark.parametrize("palette", [WITH_SEA, WITH_DARKNESS])
def test_market_makes_author_or_chance_meeting_superfluous(palette: str) -> None:
    """With the Market there are other ways, and none of them has all three of these cards."""
    three = set(cards("author chance-meeting market"))
    rest = frozenset(cards(palette)) - three
    assert ways(f"{palette} market", "leaves") == {rest | (three - {spared}) for spared in three}
    assert shows(f"{palette} market", "leaves")[0] == 5


def test_card_whose_suits_are_shown_by_others_in_every_way_is_not_involved() -> None:
    """The Huntress shows moons only, and the Author is needed for knots: the Author's moons are enough."""
    assert ways("huntress author", "leaves") == {frozenset(cards("author"))}
    assert shows("huntress author", "leaves") == (2, "author")


def test_highest_card_involved_in_suits_decides_a_tie() -> None:
    """Equal numbers of suits: the Huntress is superfluous, so the Merchant beats the Author."""
    assert Scene("huntress author", "merchant", top="ace-of-leaves").leader() == 1


def test_smallest_number_of_cards_is_not_needed() -> None:
    """Three cards with four suits are as good a way as two, if none of the three can be spared."""
    found = ways("sea end mountain sailor", "leaves")
    assert found == {frozenset(cards("mountain sailor")), frozenset(cards("sea end mountain"))}


def test_involved_cards_are_those_of_any_way_in_any_condition() -> None:
    """Moons and leaves on the pile: the highest card, and whatever some way to show the suits needs."""
    palette = mask("huntress author forest")
    assert involved(palette, [CONDITIONS.index("leaves")]) == mask("author forest")
    assert involved(palette, [CONDITIONS.index("moons"), CONDITIONS.index("leaves")]) == palette


def test_choices_of_all_cards_are_one_set_for_each_condition() -> None:
    """Two ways for one condition and one for the other make two choices, united."""
    palette = mask("author mountain forest soldier")
    conditions = [CONDITIONS.index(each) for each in ("knots", "wyrms")]
    wanted = [mask("author mountain forest"), mask("author mountain soldier")]
    assert hauls(palette, conditions, all_cards=True) == sorted(wanted)


def test_types_are_locations_events_personalities_and_aces() -> None:
    """Three cards are a location and an event; all others have one type, and aces are a type of their own."""
    doubles = {card for card, face in FACES.items() if len(face.kinds) == 2}
    assert doubles == set(cards("origin market end"))
    assert all(face.kinds == (Kind.ACE,) for face in FACES.values() if face.rank is Rank.ACE)
