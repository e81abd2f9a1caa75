"""Names that look like another at the same table, or like the staff's: refused wherever a name is chosen or shown."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import patch

import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.ports.players import PlayerRecord
from tests.support.table import API, Answer, Table

pytestmark = pytest.mark.anyio

ALIKE = (409, "match.name-looks-alike")
RESERVED = (422, "urn:tafelrunde:problem:invalid-name")
CUP = {"name": "Cup", "game": "duel", "seats": 2, "kind": "round-robin"}
SEEK = {"game": "coup", "seats": 2, "pace": "quick", "patience_seconds": 30}


def refusal(answer: Answer) -> tuple[int, Any]:
    """Return what a request was refused with."""
    return answer.status, answer.json.get("code", answer.json["type"])


async def rename(table: Table, token: str, name: str) -> Answer:
    """Ask for another name."""
    return await table.ask("PATCH", f"{API}/me", token=token, content={"name": name})


async def sit(table: Table, match: str, token: str) -> Answer:
    """Ask for a seat."""
    return await table.post(f"/matches/{match}/seats", token)


async def embed_key(table: Table, name: str) -> str:
    """Return the key of an application."""
    player, _ = await table.player(name)
    return (await table.application.accounts.issue(PlayerId(player), "key", ["read", "play", "create", "embed"], None))[1]


async def test_name_of_the_staff_is_refused_wherever_one_is_chosen(table: Table) -> None:
    """One rule for players, users of applications, tournaments and applications."""
    _, token = await table.player("Anna")
    match = await table.open(token)
    key = await embed_key(table, "Chess club")
    for name in ("Tаfelrunde", "Moderator", "Аdmin"):
        assert refusal(await table.post("/players", content={"name": name})) == RESERVED, name
        assert refusal(await rename(table, token, name)) == RESERVED, name
        assert refusal(await table.post("/tournaments", token, {**CUP, "name": name})) == RESERVED, name
        assert refusal(await table.post(f"/matches/{match}/users", key, {"user": "u1", "name": name})) == RESERVED, name
        wish = {"client_name": name, "redirect_uris": ["https://clock.example/back"]}
        assert (await table.post("/oauth/applications", content=wish)).json["error"] == "invalid_client_metadata", name


async def test_seat_is_refused_when_a_name_there_looks_alike(table: Table) -> None:
    """The first player there has the name; the other one sits down under a different one. Guests have no names."""
    (_, good), (_, false), (_, guest) = await table.player("Good"), await table.player("Gооd"), await table.player()
    match = await table.open(good, seats=4)
    assert refusal(await sit(table, match, false)) == ALIKE
    assert (await sit(table, match, guest)).status == 200
    assert (await sit(table, match, (await table.player())[1])).status == 200
    assert (await rename(table, false, "Better")).status == 200
    assert (await sit(table, match, false)).status == 200


async def test_seat_is_refused_when_a_bot_there_has_the_name(table: Table) -> None:
    """In either language."""
    _, host = await table.player("Anna")
    match = await table.open(host, seats=4, bots=[{"seat": 3, "bot": "random"}])
    for name in ("Dicer", "WÜRFLER"):
        assert refusal(await sit(table, match, (await table.player(name))[1])) == ALIKE, name


async def test_new_name_is_refused_when_it_looks_like_another_at_a_table(table: Table) -> None:
    """While the match is open or runs: a player could sit down under one name and continue under another."""
    (_, one), (_, other) = await table.player("Anna"), await table.player()
    match = await table.open(one)
    assert (await sit(table, match, other)).status == 200
    assert refusal(await rename(table, other, "Аnna")) == ALIKE
    assert (await table.post(f"/matches/{match}/start", one)).status == 200
    assert refusal(await rename(table, other, "ANNA")) == ALIKE
    assert (await rename(table, one, "anna")).status == 200
    await table.finish(match, one, other)
    assert (await rename(table, other, "Anna")).status == 200


async def test_new_name_is_taken_back_when_a_seat_was_taken_meanwhile(table: Table) -> None:
    """A player cannot slip to a table under its old name while it takes another."""
    (_, one), (other_id, other) = await table.player("Anna"), await table.player("Bert")
    match = await table.open(one)
    accounts, rename_now = table.application.accounts, table.application.accounts.rename

    async def sit_first(player: PlayerId, name: str) -> PlayerRecord:
        assert (await sit(table, match, other)).status == 200
        return await rename_now(player, name)

    with patch.object(accounts, "rename", sit_first):
        assert refusal(await rename(table, other, "Аnna")) == ALIKE
    assert (await table.get(f"/players/{other_id}")).json["name"] == "Bert"


async def test_own_seat_is_taken_back_whatever_names_are_there(table: Table) -> None:
    """A player who comes back to a running match does not sit down."""
    (_, one), (other_id, other) = await table.player("Anna"), await table.player("Bert")
    match = await table.begin(one, other)
    assert (await table.ask("DELETE", f"{API}/matches/{match}/seats/me", token=other, key=table.key())).status == 200
    await table.application.accounts.rename(PlayerId(other_id), "Anna")
    assert (await sit(table, match, other)).status == 200


async def test_one_of_two_sits_down_when_they_look_alike_and_come_at_once(table: Table) -> None:
    """The seat that is written first counts for the other one."""
    _, host = await table.player("Host")
    match = await table.open(host, seats=4)
    tokens = [(await table.player(name))[1] for name in ("Good", "Gооd", "GOOD")]
    answers = await asyncio.gather(*(sit(table, match, token) for token in tokens))
    assert sorted(each.status for each in answers) == [200, 409, 409]


async def test_users_of_one_application_may_have_one_name(table: Table) -> None:
    """The application distinguishes them; for all others the rule holds."""
    _, host = await table.player("Host")
    match = await table.open(host, seats=4)
    key, other = await embed_key(table, "Club"), await embed_key(table, "Café")

    async def seat(key: str, user: str, name: str) -> Answer:
        return await table.post(f"/matches/{match}/users", key, {"user": user, "name": name})

    assert (await seat(key, "u1", "Anna")).status == 201
    assert (await seat(key, "u2", "Anna")).status == 201
    assert refusal(await seat(other, "u1", "Anna")) == ALIKE
    assert refusal(await seat(key, "u1", "Hоst")) == ALIKE


async def test_users_who_take_names_that_look_alike_at_once_do_not_get_both(table: Table) -> None:
    """Both requests have found the name free before either stores it; the former name is restored."""
    _, host = await table.player("Host")
    match = await table.open(host, seats=4)
    keys = [await embed_key(table, name) for name in ("Chess club", "School")]

    async def seat(key: str, name: str) -> Answer:
        return await table.post(f"/matches/{match}/users", key, {"user": "u1", "name": name})

    users = [(await seat(key, name)).json["player"] for key, name in zip(keys, ("Bert", "Cleo"), strict=True)]
    seat_tokens, user_now, both = table.application.seat_tokens, table.application.seat_tokens.user, asyncio.Barrier(2)

    async def store_together(*args: Any) -> PlayerRecord:
        await both.wait()
        record = await user_now(*args)
        await both.wait()
        return record

    with patch.object(seat_tokens, "user", store_together):
        answers = await asyncio.gather(*(seat(key, name) for key, name in zip(keys, ("Anna", "Аnna"), strict=True)))
    assert ALIKE in [refusal(each) for each in answers if each.status != 201]
    names = [(await table.get(f"/players/{user}")).json["name"] for user in users]
    assert names != ["Anna", "Аnna"]
    for answer, name, former in zip(answers, names, ("Bert", "Cleo"), strict=True):
        assert answer.status == 201 or name == former


async def test_user_who_comes_twice_at_once_gets_no_name_that_looks_like_another_at_the_table(table: Table) -> None:
    """The request that makes the player later has found none, and it sits at the table by then."""
    (_, host), key = await table.player("Host"), await embed_key(table, "Chess club")
    match = await table.open(host, seats=4)
    seat_tokens, user_now = table.application.seat_tokens, table.application.seat_tokens.user

    async def seat(name: str) -> Answer:
        return await table.post(f"/matches/{match}/users", key, {"user": "u1", "name": name})

    async def be_second(*args: Any) -> PlayerRecord:
        with patch.object(seat_tokens, "user", user_now):
            answer = await seat("Bert")
            assert answer.status == 201, answer
        return await user_now(*args)

    with patch.object(seat_tokens, "user", be_second):
        assert refusal(await seat("Hоst")) == ALIKE
    user = (await table.post(f"/matches/{match}/users", key, {"user": "u1"})).json["player"]
    assert (await table.get(f"/players/{user}")).json["name"] == "Guest"


async def test_quick_match_keeps_look_alikes_apart(table: Table) -> None:
    """Each gets a place at a table of its own."""
    tokens = [(await table.player(name))[1] for name in ("Good", "Gооd", "Bert")]
    first, second, third = [(await table.post("/quick-matches", token, SEEK)).json["match"] for token in tokens]
    assert first != second
    assert third == first


async def test_tournament_is_closed_to_look_alikes_of_those_in_it(table: Table) -> None:
    """Nor may a player in it take such a name later; of two who come at once, one joins."""
    (_, host), (_, false), (_, bert) = await table.player("Good"), await table.player("Gооd"), await table.player("Bert")
    cup = (await table.post("/tournaments", host, CUP)).json["facts"]["tournament"]

    async def join(token: str) -> Answer:
        return await table.ask("PUT", f"{API}/tournaments/{cup}/entries/me", token=token, content={})

    assert refusal(await join(false)) == ALIKE
    assert (await join(bert)).status == 200
    assert refusal(await rename(table, bert, "G00d")) == ALIKE
    twins = [(await table.player(name))[1] for name in ("Cleo", "Сleo")]
    assert sorted(each.status for each in await asyncio.gather(*map(join, twins))) == [200, 409]
