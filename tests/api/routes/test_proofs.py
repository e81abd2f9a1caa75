"""Proofs over HTTP: commitments before the seats fill, proofs for those who may know, the secret when all is over."""

from __future__ import annotations

from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.dealing.dealer import commitment_to
from tests.support.stranger import THEIRS
from tests.support.table import Table
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio

MINUTE_MS = 60_000


async def players(table: Table) -> tuple[str, str, str]:
    """Return the tokens of three players; the last one will not play."""
    return (await table.player())[1], (await table.player())[1], (await table.player())[1]


async def deals(table: Table, match: str, token: str | None = None) -> Any:
    """Return the list of proofs."""
    answer = await table.get(f"/matches/{match}/proofs", token)
    assert answer.status == 200, answer
    return answer.json


async def proof(table: Table, match: str, place: tuple[object, object], token: str | None = None) -> Answer:
    """Ask for a proof."""
    return await table.get(f"/matches/{match}/proofs/{place[0]}/{place[1]}", token)


async def events(table: Table, match: str, token: str | None, kind: str) -> list[Any]:
    """Return all events of a type in a player's feed."""
    items = (await table.get(f"/matches/{match}/feed?limit=500", token)).json["items"]
    return [item["event"] for item in items if item["event"]["type"] == kind]


async def bid(table: Table, match: str, *tokens: str) -> None:
    """Let all bid, so that cards are played next."""
    for token in tokens:
        assert (await table.play(match, token)).status == 200


async def lead(table: Table, match: str, *tokens: str) -> tuple[str, int, str]:
    """Let the leader play a card; return its token, its seat and the card."""
    for seat, token in enumerate(tokens):
        if (question := (await table.view(match, token))["question"]) is not None:
            assert (await table.play(match, token)).status == 200
            return token, seat, str(question["legal"][0]["card"])
    raise AssertionError("nobody leads")


async def test_commitment_is_there_before_the_seats_fill(table: Table) -> None:
    """Anyone can keep it; the secret and the deals are not there yet."""
    one, _, stranger = await players(table)
    match = await table.open(one)
    facts = (await table.get(f"/matches/{match}", stranger)).json
    found = await deals(table, match, stranger)
    assert found == {"match": match, "commitment": facts["commitment"], "secret": None, "items": [], "cursor": None}
    assert facts["links"]["proofs"] == f"/api/v1/matches/{match}/proofs"


async def test_secret_fits_its_commitment_when_the_match_is_over(table: Table) -> None:
    """Ours and the page's code agree that it is the secret that was committed to."""
    one, other, _ = await players(table)
    match = await table.begin(one, other, spectators="public")
    before = await deals(table, match)
    await table.finish(match, one, other)
    after = await deals(table, match)
    [ended] = await events(table, match, None, "match.ended.1")
    assert (before["secret"], after["secret"]) == (None, ended["secret"])
    assert before["commitment"] == commitment_to(MatchId(match), ended["secret"]) == THEIRS["commitment"](match, ended["secret"])


@pytest.mark.parametrize("started", [False, True])
async def test_secret_is_revealed_when_the_match_is_aborted(table: Table, started: bool) -> None:
    """Before the start and after it."""
    one, other, _ = await players(table)
    match = await (table.begin(one, other) if started else table.open(one))
    assert (await deals(table, match, one))["secret"] is None
    for token in (one, other)[: 1 + started]:
        assert (await table.post(f"/matches/{match}/abort", token)).status == 200
    found = await deals(table, match, one)
    assert found["commitment"] == commitment_to(MatchId(match), found["secret"])
    assert sum(len(deal["cards"]) for deal in found["items"]) == 4 * started


async def test_nonces_change_the_deal_when_players_send_them(table: Table) -> None:
    """With the secret and the nonces anyone can reproduce the deals, and not without the nonces."""
    one, other, _ = await players(table)
    match = await table.open(one, nonce="of-anna", nonce_with_opening=True, options={"first_seat": 0})
    assert (await table.post(f"/matches/{match}/seats", other, {"nonce": "of_bert"})).status == 200
    assert (await table.post(f"/matches/{match}/start", one)).status == 200
    hands = [(await table.view(match, token))["table"]["hand"] for token in (one, other)]
    await table.finish(match, one, other)
    secret = (await deals(table, match, one))["secret"]
    assert dealt_anew(match, secret, "of-anna,of_bert") == hands
    assert dealt_anew(match, secret, ",") != hands


def dealt_anew(match: str, secret: str, nonces: str) -> list[list[int]]:
    """Return the hands of Duel as a stranger deals them: two cards each, from the first draw of a deal."""
    deck = THEIRS["shuffle"](secret, f"tafelrunde/2|{match}|{nonces}|deal|0", range(18))
    return [sorted(deck[:2]), sorted(deck[2:4])]


async def test_own_cards_are_proved_at_once(table: Table) -> None:
    """To their seat; the other seat and spectators see the root and the number of cards."""
    one, other, _ = await players(table)
    match = await table.begin(one, other, spectators="public")
    [committed] = await events(table, match, None, "match.cards-committed.1")
    mine, theirs, public = [(await deals(table, match, token))["items"] for token in (one, other, None)]
    assert public == [{"deal": 1, "size": 4, "root": committed["root"], "cards": []}]
    assert [[card["seat"] for card in each[0]["cards"]] for each in (mine, theirs)] == [[0, 0], [1, 1]]
    hand = (await table.view(match, one))["table"]["hand"]
    assert sorted(int(card["card"]) for card in mine[0]["cards"]) == hand
    for card in mine[0]["cards"]:
        found = (await proof(table, match, (1, card["index"]), one)).json
        assert (found["seat"], found["card"], found["root"]) == (0, card["card"], committed["root"])
        assert THEIRS["holds"](found)


async def test_proof_of_a_hidden_card_looks_like_that_of_none(table: Table) -> None:
    """The same bytes, whatever the card is and whether there is one."""
    one, other, stranger = await players(table)
    match = await table.begin(one, other, spectators="public")
    mine = {card["index"] for card in (await deals(table, match, one))["items"][0]["cards"]}
    places = [*((1, index) for index in range(6) if index not in mine), (0, 0), (2, 0), (999_999_999, 1), ("x", 0), ("01", 0)]
    found = {await proof(table, match, place, one) for place in places}
    assert len(found) == 1
    assert found.pop().status == 404
    for token in (stranger, None):
        assert {(await proof(table, match, (1, index), token)).status for index in range(6)} == {404}


async def test_shown_card_is_proved_to_everyone(table: Table) -> None:
    """As soon as it lies on the table, and no other card with it."""
    one, other, stranger = await players(table)
    match = await table.begin(one, other, spectators="public")
    await bid(table, match, one, other)
    _, seat, card = await lead(table, match, one, other)
    for token in (None, stranger):
        [deal] = (await deals(table, match, token))["items"]
        [shown] = deal["cards"]
        assert (shown["seat"], shown["card"]) == (seat, card)
        assert THEIRS["holds"]((await proof(table, match, (1, shown["index"]), token)).json)


async def test_delayed_spectators_get_proofs_a_minute_late(table: Table) -> None:
    """What they do not see yet cannot be proved to them."""
    one, other, _ = await players(table)
    match = await table.begin(one, other, spectators="delayed")
    assert (await deals(table, match))["items"] == []
    table.now_ms += MINUTE_MS
    await bid(table, match, one, other)
    table.now_ms += 1_000
    await lead(table, match, one, other)
    [before] = (await deals(table, match))["items"]
    table.now_ms += MINUTE_MS
    [after] = (await deals(table, match))["items"]
    assert (before["cards"], len(after["cards"])) == ([], 1)


async def test_proofs_are_refused_when_spectators_are_off(table: Table) -> None:
    """As the view is."""
    one, other, stranger = await players(table)
    match = await table.begin(one, other)
    for path in (f"/matches/{match}/proofs", f"/matches/{match}/proofs/1/0", f"/matches/{match}/proofs/9/9"):
        answer = await table.get(path, stranger)
        assert (answer.status, answer.json["type"]) == (403, "urn:tafelrunde:problem:spectators-off")


async def test_proofs_of_a_match_that_does_not_concern_the_caller_are_not_found(table: Table) -> None:
    """An unlisted match without spectators is not there for strangers."""
    one, other, stranger = await players(table)
    match = await table.begin(one, other, visibility="unlisted")
    for path in (f"/matches/{match}/proofs", f"/matches/{match}/proofs/1/0"):
        assert (await table.get(path, stranger)).status == 404


async def test_list_of_proofs_comes_in_pages(table: Table) -> None:
    """All deals once, in order, whatever the size of a page."""
    one, other, _ = await players(table)
    match = await table.begin(one, other, game="coup", options={"first_seat": 0, "max_decisions": 100})
    await table.finish(match, one, other)
    whole = (await deals(table, match, one))["items"]
    pages = list[Any]()
    after = 0
    while after is not None:
        page = (await table.get(f"/matches/{match}/proofs?limit=1&after={after}", one)).json
        pages = pages + page["items"]
        after = page["cursor"]
    assert pages == whole
    assert [deal["deal"] for deal in whole] == list(range(1, len(whole) + 1))


async def test_every_root_is_found_again_when_the_secret_is_out(table: Table) -> None:
    """A stranger sorts, shuffles and salts the cards of each deal, and gets the order in which they are listed."""
    one, other, _ = await players(table)
    match = await table.begin(one, other, game="coup", spectators="public")
    await table.finish(match, one, other)
    found = await deals(table, match)
    for deal in found["items"]:
        hands: dict[int, list[str]] = {}
        for card in deal["cards"]:
            hands.setdefault(card["seat"], []).append(card["card"])
        order = THEIRS["order"](found["secret"], match, deal["deal"], hands)
        assert [(card["seat"], card["card"]) for card in deal["cards"]] == order
        for index in range(deal["size"]):
            told = (await proof(table, match, (deal["deal"], index))).json
            assert told["salt"] == THEIRS["salt"](found["secret"], match, deal["deal"], index)
            assert THEIRS["holds"](told)
            assert told["root"] == deal["root"]
