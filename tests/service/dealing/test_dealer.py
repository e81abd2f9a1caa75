"""Fair dealing: the same secret deals the same cards, and every order is equally likely."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import permutations

from tafelrunde.domain.match import MatchId
from tafelrunde.service.dealing.dealer import Dealer, commitment_to, new_secret

MATCH = MatchId("m1")
SECRET = "0f" * 32
CHI_SQUARE_23 = 49.7
"""The 99.9 % quantile of chi-square with 23 degrees of freedom."""


def test_shuffle_with_the_same_secret_and_nonces_gives_the_same_order() -> None:
    """Who knows the revealed secret can deal every deck again."""
    first = Dealer(MATCH, SECRET, ["a", ""], 7).shuffle("deal", range(15))
    again = Dealer(MATCH, SECRET, ["a", ""], 7).shuffle("deal", range(15))
    assert first == again
    assert sorted(first) == list(range(15))


def test_shuffle_with_another_nonce_version_label_or_match_gives_another_order() -> None:
    """Each of the inputs matters, so a deal cannot be predicted if one of them is unknown."""
    usual = Dealer(MATCH, SECRET, ["a", "b"], 7).shuffle("deal", range(30))
    others = [
        Dealer(MATCH, SECRET, ["a", "c"], 7).shuffle("deal", range(30)),
        Dealer(MATCH, SECRET, ["a", "b"], 8).shuffle("deal", range(30)),
        Dealer(MATCH, SECRET, ["a", "b"], 7).shuffle("draw", range(30)),
        Dealer(MatchId("m2"), SECRET, ["a", "b"], 7).shuffle("deal", range(30)),
        Dealer(MATCH, "1f" * 32, ["a", "b"], 7).shuffle("deal", range(30)),
    ]
    assert all(other != usual for other in others)


def test_second_draw_with_the_same_label_is_fresh() -> None:
    """Draws of one command are numbered, so that the same label never repeats an order."""
    dealer = Dealer(MATCH, SECRET, [], 1)
    assert dealer.shuffle("deal", range(30)) != dealer.shuffle("deal", range(30))


def test_shuffle_over_many_secrets_is_uniform() -> None:
    """Every order of four cards is equally likely (chi-square over 12,000 secrets)."""
    rounds = 12_000
    seen = Counter(
        tuple(Dealer(MATCH, hashlib.sha256(str(number).encode()).hexdigest(), [], 1).shuffle("deal", "abcd"))
        for number in range(rounds)
    )
    expected = rounds / 24
    assert sum((seen[order] - expected) ** 2 / expected for order in permutations("abcd")) < CHI_SQUARE_23


def test_below_follows_the_written_scheme() -> None:
    """A stranger who reads the module's first lines gets the same number."""
    message = f"tafelrunde/1|{MATCH}|x,y|3|first-seat|0|0".encode()
    block = hmac.digest(bytes.fromhex(SECRET), message, "sha256")
    assert Dealer(MATCH, SECRET, ["x", "y"], 3).below("first-seat", 6) == int.from_bytes(block[:8], "big") % 6


def test_commitment_binds_the_secret_to_its_match() -> None:
    """Another secret, or the same one in another match, has another commitment."""
    secrets = {commitment_to(MATCH, SECRET), commitment_to(MatchId("m2"), SECRET), commitment_to(MATCH, new_secret())}
    assert len(secrets) == 3
