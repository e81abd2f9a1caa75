"""Commitments to cards: a proof holds for one card only, and neither roots nor places reveal anything about a hand."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from tafelrunde.domain.game import Hand, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.dealing.commitments import CardProof, Deal, holds
from tests.support.stranger import THEIRS

MATCH = MatchId("m1")
SECRET = "0f" * 32
HANDS = [Hand(Seat(0), ("duke", "duke")), Hand(Seat(1), ("assassin", "captain")), Hand(Seat(2), ("contessa", "captain", "duke"))]
SECRETS = 4_000
CHI_SQUARE_3 = 16.3
"""The 99.9 % quantile of chi-square with 3 degrees of freedom."""


def deal(secret: str = SECRET, number: int = 1, hands: Sequence[Hand] = HANDS) -> Deal:
    """Return a deal."""
    return Deal(MATCH, secret, number, hands)


def proofs() -> list[CardProof]:
    """Return the proofs of all cards of a deal."""
    return [deal().proof(index) for index in range(7)]


@pytest.mark.parametrize("proof", proofs(), ids=lambda proof: str(proof.index))
def test_proof_holds_for_its_card(proof: CardProof) -> None:
    """With the root anyone can check a card, with our code or the page's."""
    assert holds(proof)
    assert THEIRS["holds"](msgspec.to_builtins(proof))


def altered(proof: CardProof) -> list[CardProof]:
    """Return a proof with each of its parts changed."""
    other = "00" * 32
    changes: list[dict[str, object]] = [
        {"match": "m2"},
        {"deal": 2},
        {"index": (proof.index + 1) % proof.size},
        {"seat": proof.seat + 1},
        {"card": "ambassador"},
        {"salt": other},
        {"path": (*proof.path[:-1], other)},
        {"path": proof.path[:-1]},
        {"path": (*proof.path, other)},
        {"root": other},
    ]
    return [msgspec.structs.replace(proof, **change) for change in changes]


@pytest.mark.parametrize("proof", proofs(), ids=lambda proof: str(proof.index))
def test_proof_fails_when_any_part_of_it_is_changed(proof: CardProof) -> None:
    """Another card, seat, place, deal, match, salt, path or root."""
    for other in altered(proof):
        assert not holds(other)
        assert not THEIRS["holds"](msgspec.to_builtins(other))


def test_root_is_another_when_a_card_or_its_seat_is_another() -> None:
    """The root binds every card to its seat."""
    moved = [Hand(Seat(0), ("duke", "captain")), Hand(Seat(1), ("assassin", "duke")), HANDS[2]]
    changed = [*HANDS[:2], Hand(Seat(2), ("contessa", "captain", "captain"))]
    assert len({deal(hands=hands).root for hands in (HANDS, moved, changed)}) == 3


def test_root_is_the_same_when_hands_are_listed_otherwise() -> None:
    """The order in which a game lists hands and cards does not matter."""
    listed = [Hand(hand.seat, hand.cards[::-1]) for hand in HANDS[::-1]]
    assert deal(hands=listed).root == deal().root


def test_root_is_another_when_the_same_cards_are_dealt_again() -> None:
    """A root does not show that a hand came back, nor can it be guessed from another match's."""
    roots = {deal().root, deal(number=2).root, deal(secret="1f" * 32).root, Deal(MatchId("m2"), SECRET, 1, HANDS).root}
    assert len(roots) == 4


def places(hand: tuple[str, ...]) -> Counter[int]:
    """Return at which places the first duke of a hand is proved, over many secrets."""
    hands = [Hand(Seat(0), hand), Hand(Seat(1), ("assassin", "captain"))]
    found = Counter[int]()
    for number in range(SECRETS):
        cards = deal(hashlib.sha256(str(number).encode()).hexdigest(), hands=hands).cards
        found[next(index for index, card in enumerate(cards) if (card.seat, card.card, card.copy) == (0, "duke", 0))] += 1
    return found


@pytest.mark.parametrize("hand", [("duke", "duke"), ("duke", "assassin"), ("duke", "contessa")])
def test_place_of_a_shown_card_tells_nothing_of_the_card_beside_it(hand: tuple[str, ...]) -> None:
    """It is at each place equally often, whether the other card is equal, or sorts before or behind it (chi-square)."""
    expected = SECRETS / 4
    found = places(hand)
    assert sum((found[place] - expected) ** 2 / expected for place in range(4)) < CHI_SQUARE_3
