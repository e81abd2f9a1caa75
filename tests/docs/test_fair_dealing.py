"""The page on fair dealing: a stranger who follows it finds what we find."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from tafelrunde.domain.game import Hand, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.dealing.commitments import Deal
from tafelrunde.service.dealing.dealer import Dealer, KeyedDealer, commitment_to
from tafelrunde.service.dealing.keyed_random import Draw
from tests.support.stranger import THEIRS, VECTORS, block

SECRET = VECTORS["secret"]
MATCH = MatchId(VECTORS["match"])
KEY = bytes.fromhex(SECRET)
DEAL = VECTORS["deal"]
HANDS = [Hand(Seat(int(seat)), tuple(cards)) for seat, cards in DEAL["hands"].items()]


def test_vectors_of_the_page_are_those_of_the_tests() -> None:
    """The page shows the same vectors that are tested here."""
    assert json.loads(block("json")) == VECTORS


def test_commitment_is_the_published_one() -> None:
    """Ours, and that of the page's code."""
    assert commitment_to(MATCH, SECRET) == THEIRS["commitment"](MATCH, SECRET) == VECTORS["commitment"]


def test_words_are_the_published_ones() -> None:
    """The numbers of a draw, across the border of a block."""
    published = [int(word, 16) for word in VECTORS["words"]["words"]]
    assert list(itertools.islice(THEIRS["words"](SECRET, VECTORS["words"]["prefix"]), 5)) == published
    draw = Draw(KEY, VECTORS["words"]["prefix"])
    assert [draw.below(1 << 64) for _ in published] == published


@pytest.mark.parametrize("vector", VECTORS["below"])
def test_number_below_a_bound_is_the_published_one(vector: dict[str, object]) -> None:
    """With small and large bounds, and where the first number has to be dropped."""
    prefix = str(vector["prefix"])
    bound = vector["bound"]
    result = vector["result"]
    assert isinstance(bound, int)
    assert Draw(KEY, prefix).below(bound) == result
    assert THEIRS["below"](THEIRS["words"](SECRET, prefix), bound) == result


def test_shuffle_is_the_published_one() -> None:
    """From a draw by name, and as the dealer of a command gives it."""
    vector = VECTORS["shuffle"]
    assert Draw(KEY, vector["prefix"]).shuffle(vector["items"]) == vector["result"]
    assert THEIRS["shuffle"](SECRET, vector["prefix"], vector["items"]) == vector["result"]
    assert Dealer(MATCH, SECRET, ["anna", "", "c_3"], 7).shuffle("deal", vector["items"]) == vector["result"]


@pytest.mark.parametrize("vector", VECTORS["draws"])
def test_draw_of_version_2_is_the_published_one(vector: dict[str, Any]) -> None:
    """Its prefix, and its result, as the page's code and the dealer of a command give them."""
    prefix = THEIRS["prefix"](MATCH, vector["nonces"], vector["label"], vector["count"])
    chance = KeyedDealer(MATCH, SECRET, vector["nonces"], {vector["label"]: vector["count"]})
    assert prefix == vector["prefix"]
    if "bound" in vector:
        assert chance.below(vector["label"], vector["bound"]) == vector["result"]
        assert THEIRS["below"](THEIRS["words"](SECRET, prefix), vector["bound"]) == vector["result"]
    else:
        assert chance.shuffle(vector["label"], vector["items"]) == vector["result"]
        assert THEIRS["shuffle"](SECRET, prefix, vector["items"]) == vector["result"]


def test_order_and_salts_of_a_deal_are_the_published_ones() -> None:
    """Where each card's leaf is, and what blinds it."""
    ours = Deal(MATCH, SECRET, DEAL["deal"], HANDS)
    hands = {hand.seat: hand.cards for hand in HANDS}
    assert [[card.seat, card.card] for card in ours.cards] == DEAL["order"]
    assert list(map(list, THEIRS["order"](SECRET, MATCH, DEAL["deal"], hands))) == DEAL["order"]
    assert [ours.salt(index).hex() for index in range(5)] == DEAL["salts"]
    assert [THEIRS["salt"](SECRET, MATCH, DEAL["deal"], index) for index in range(5)] == DEAL["salts"]


def test_root_and_paths_of_a_deal_are_the_published_ones() -> None:
    """What is published of a deal, and two of its proofs."""
    ours = Deal(MATCH, SECRET, DEAL["deal"], HANDS)
    assert ours.root.hex() == DEAL["root"]
    for index, path in DEAL["paths"].items():
        assert list(ours.proof(int(index)).path) == path
