"""Texts of tokens show who made them."""

from __future__ import annotations

import secrets
import string

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.token_seal import SEAL_BYTES, TokenForm, TokenSeal, token_seal_of
from tafelrunde.service.settings import Settings

KEY, OTHER = bytes(32), bytes(range(32))
SECRET = bytes(reversed(range(32)))


def test_text_is_recognized_wherever_the_key_is_known() -> None:
    """The key of the deployment is all that is needed: another process and the next start accept the same tokens."""
    text = token_seal_of(KEY).make_text(SECRET)
    assert token_seal_of(KEY).form_of(text) is TokenForm.SEALED
    assert token_seal_of(OTHER).form_of(text) is TokenForm.FOREIGN
    assert token_seal_of(KEY).make_text(SECRET) == text


def test_text_stays_valid_when_the_key_is_rotated() -> None:
    """The newest key makes new tokens; a former one is accepted for as long as it is listed."""
    before = TokenSeal([KEY]).make_text(SECRET)
    rotated = TokenSeal([OTHER, KEY])
    assert rotated.form_of(before) is TokenForm.SEALED
    assert rotated.form_of(rotated.make_text(SECRET)) is TokenForm.SEALED
    assert TokenSeal([KEY]).form_of(rotated.make_text(SECRET)) is TokenForm.FOREIGN


def test_changed_text_is_foreign() -> None:
    """A change of any character is seen, but for four bits of the last one: the store knows no such text."""
    seal = TokenSeal([KEY])
    text = seal.make_text(SECRET)
    alphabet = string.ascii_letters + string.digits + "-_"
    for at in range(len("tr_"), len(text) - 1):
        for letter in alphabet:
            if letter != text[at]:
                assert seal.form_of(text[:at] + letter + text[at + 1 :]) is TokenForm.FOREIGN, (at, letter)
    wrong = [text[:-1], f"{text}A", text.removeprefix("tr_"), f"{text}\n", text.replace("t", "T", 1), f" {text}", "", "tr_", "ä"]
    assert {seal.form_of(each) for each in wrong} == {TokenForm.FOREIGN}
    assert SEAL_BYTES * 8 >= 48


def test_text_of_former_versions_is_left_to_the_store() -> None:
    """Tokens without a seal are stored for good, so their form is still accepted."""
    assert TokenSeal([KEY]).form_of(f"tr_{secrets.token_urlsafe(32)}") is TokenForm.UNSEALED


@pytest.mark.anyio
async def test_every_kind_of_token_is_sealed() -> None:
    """Players, operators, applications with users, seats and OAuth grants: all tokens have one form."""
    stores = memory_stores()
    accounts = Application(stores, Settings()).accounts
    player, _, first = await accounts.register("Ann")
    texts = [
        first,
        (await accounts.issue(player.id, "operator", ("read", "admin"), None))[1],
        (await accounts.issue(player.id, "app", ("read", "play", "embed"), None))[1],
        (await accounts.issue(player.id, "seat", ("read",), None, place=(MatchId("m1"), Seat(0))))[1],
        (await accounts.issue(player.id, "grant", ("read",), None, grant="g1"))[1],
    ]
    seal = token_seal_of(stores.id_key)
    assert {seal.form_of(text) for text in texts} == {TokenForm.SEALED}
    for text in texts:
        assert (await accounts.authenticate(text)).player == player.id
