"""Invitations: they reach one player, end with what they are for, and say nothing of a block."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import AsyncMock, patch

import pytest

from tafelrunde.api.features.people import invitation_routes
from tafelrunde.api.features.people.qr_code import qr_code
from tafelrunde.domain.match import PlayerId
from tafelrunde.service.environment import read_settings
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.features.inbox.service import Inboxes
from tafelrunde.service.features.people import invitations as service
from tafelrunde.service.features.people.feature import STORE
from tafelrunde.service.features.people.memory import MemoryPeople
from tafelrunde.service.features.people.port import KEPT_MS
from tests.support.table import API, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
UNKNOWN = "p" + "0" * 26


async def invite(table: Table, match: str, by: str, player: str) -> Answer:
    """Invite a player."""
    return await table.post(f"/matches/{match}/invitations", by, {"player": player})


async def found(table: Table, token: str) -> list[Any]:
    """Return the invitations that a player finds."""
    return (await table.get("/me/invitations", token)).json["items"]


async def at(table: Table, match: str, token: str) -> list[tuple[str, bool]]:
    """Return who is invited to a match, and whether it has declined."""
    listed = (await table.get(f"/matches/{match}/invitations", token)).json["items"]
    return [(each["other"]["name"], each["declined"]) for each in listed]


async def test_who_is_not_known_comes_by_a_link_or_its_code(table: Table) -> None:
    """The list of who is invited has the address of the match, and the same as a picture that a camera reads."""
    _, host = await table.player("Anna")
    matches = [await table.open(host, visibility="unlisted") for _ in range(2)]
    lists = [(await table.get(f"/matches/{match}/invitations", host)).json for match in matches]
    links = [each["link"] for each in lists]
    assert [link.rpartition("/match/")[2] for link in links] == matches
    assert [each["qr"] for each in lists] == [qr_code(link) for link in links]
    assert lists[0]["qr"].startswith("<svg ")
    assert lists[0]["qr"] != lists[1]["qr"]


async def test_code_of_a_match_is_drawn_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It depends on the address alone; drawing it takes longer than all else that the list needs."""
    drawn = list[str]()

    def draw(link: str) -> str:
        drawn.append(link)
        return qr_code(link)

    monkeypatch.setattr(invitation_routes, "qr_code", draw)
    _, host = await table.player("Anna")
    matches = [await table.open(host, visibility="unlisted") for _ in range(2)]
    for match in matches * 2:
        assert (await table.get(f"/matches/{match}/invitations", host)).status == 200
    assert [link.rpartition("/match/")[2] for link in drawn] == matches


async def test_invitation_reaches_inbox_and_list(table: Table) -> None:
    """Of its player alone, who can read the unlisted match and take a seat as usual; then it has done its work."""
    anna, host = await table.player("Anna")
    bert, guest = await table.player("Bert")
    _, third = await table.player("Cleo")
    starts = {token: (await table.get("/me/inbox", token)).json["cursor"] for token in (guest, third)}
    match = await table.open(host, visibility="unlisted")
    told = (await invite(table, match, host, bert)).json
    assert (told["match"], told["other"]["player"], told["free"], told["declined"]) == (match, bert, 1, False)
    (item,) = (await table.get(f"/me/inbox?after={starts[guest]}", guest)).json["items"]
    assert item["message"]["type"] == "player.invited"
    assert item["message"]["data"] == {"match": match, "game": "duel", "by": anna}
    (listed,) = await found(table, guest)
    assert (listed["match"], listed["other"]["name"]) == (match, "Anna")
    assert (await table.get(f"/matches/{match}", guest)).status == 200
    assert (await table.get(f"/me/inbox?after={starts[third]}", third)).json["items"] == await found(table, third) == []
    assert await at(table, match, host) == [("Bert", False)]
    assert (await table.post(f"/matches/{match}/seats", guest)).status == 200
    assert await found(table, guest) == await at(table, match, host) == []


async def test_player_is_invited_once(table: Table) -> None:
    """However often: one message, one line. Two who invite at the same moment may both be heard, but there is one line."""
    _, host = await table.player("Anna")
    bert, guest = await table.player("Bert")
    start = (await table.get("/me/inbox", guest)).json["cursor"]
    match = await table.open(host)
    answers = [await invite(table, match, host, bert) for _ in range(4)]
    assert {each.status for each in answers} == {200}
    assert len((await table.get(f"/me/inbox?after={start}", guest)).json["items"]) == len(await found(table, guest)) == 1
    other = await table.open(host)
    await asyncio.gather(*(invite(table, other, host, bert) for _ in range(2)))
    assert sorted(each["match"] for each in await found(table, guest)) == sorted([match, other])


async def test_message_of_an_invitation_comes_when_its_process_was_killed_before(table: Table) -> None:
    """The player found it in its list already; the next invitation posts the message that is missing, once."""
    _, host = await table.player("Anna")
    bert, guest = await table.player("Bert")
    start = (await table.get("/me/inbox", guest)).json["cursor"]
    match = await table.open(host)
    with patch.object(Inboxes, "post", AsyncMock(side_effect=StoreUnavailable("killed"))):
        assert (await invite(table, match, host, bert)).status == 503
    assert [each["match"] for each in await found(table, guest)] == [match]
    for _ in range(2):
        assert (await invite(table, match, host, bert)).status == 200
    (item,) = (await table.get(f"/me/inbox?after={start}", guest)).json["items"]
    assert item["message"]["data"]["match"] == match


async def test_invitation_that_was_cut_off_comes_when_it_is_repeated(table: Table) -> None:
    """A process that was killed has left it at the match, and not with its player: then its message comes, too, and once."""
    _, host = await table.player("Anna")
    bert, guest = await table.player("Bert")
    start = (await table.get("/me/inbox", guest)).json["cursor"]
    match = await table.open(host)
    await invite(table, match, host, bert)
    with patch.object(MemoryPeople, "show", AsyncMock(return_value=False)):
        other = await table.open(host)
        await invite(table, other, host, bert)
    assert [each["match"] for each in await found(table, guest)] == [match]
    for _ in range(2):
        assert (await invite(table, other, host, bert)).status == 200
    assert {each["match"] for each in await found(table, guest)} == {match, other}
    items = (await table.get(f"/me/inbox?after={start}", guest)).json["items"]
    assert [each["message"]["data"]["match"] for each in items] == [match, other]


async def test_declined_invitation_does_not_come_again(table: Table) -> None:
    """Those at the match see it; one that was withdrawn can come again."""
    _, host = await table.player("Anna")
    bert, guest = await table.player("Bert")
    match = await table.open(host)
    await invite(table, match, host, bert)
    assert (await table.ask("DELETE", f"{API}/matches/{match}/invitations/{bert}", token=host)).status == 204
    assert await found(table, guest) == await at(table, match, host) == []
    await invite(table, match, host, bert)
    assert len(await found(table, guest)) == 1
    for _ in range(2):
        assert (await table.ask("DELETE", f"{API}/me/invitations/{match}", token=guest)).status == 204
    assert await at(table, match, host) == [("Bert", True)]
    assert (await invite(table, match, host, bert)).json["declined"]
    assert await found(table, guest) == []


async def test_blocked_player_learns_nothing(table: Table) -> None:
    """All answers are those of an invitation that is not answered yet."""
    _, host = await table.player("Anna")
    (bert, guest), (cleo, _) = await table.player("Bert"), await table.player("Cleo")
    anna = (await table.get("/me", host)).json["id"]
    await table.ask("PUT", f"{API}/me/blocked/{anna}", token=guest)
    start = (await table.get("/me/inbox", guest)).json["cursor"]
    match = await table.open(host)
    silent, real = await invite(table, match, host, bert), await invite(table, match, host, cleo)
    assert silent.status == real.status
    assert {**silent.json, "other": None} == {**real.json, "other": None}
    assert (await invite(table, match, host, bert)).json == silent.json
    assert sorted(await at(table, match, host)) == [("Bert", False), ("Cleo", False)]
    assert (await table.get(f"/me/inbox?after={start}", guest)).json["items"] == await found(table, guest) == []
    assert (await table.ask("DELETE", f"{API}/me/blocked/{anna}", token=guest)).status == 204
    assert await found(table, guest) == [], "what was held back does not come later"


async def test_invitation_is_hidden_while_its_player_is_blocked(table: Table) -> None:
    """A block also counts for what came before it."""
    anna, host = await table.player("Anna")
    bert, guest = await table.player("Bert")
    await invite(table, await table.open(host), host, bert)
    await table.ask("PUT", f"{API}/me/blocked/{anna}", token=guest)
    assert await found(table, guest) == []


async def test_invitation_is_refused_when_it_makes_no_sense(table: Table) -> None:
    """To oneself, to who sits there, from who does not, to a match that runs; unknown players and matches look alike."""
    (anna, host), (bert, other), (cleo, third) = [await table.player(name) for name in ("Anna", "Bert", "Cleo")]
    match = await table.open(host, seats=2)
    assert (await invite(table, match, host, anna)).status == 409
    assert (await invite(table, match, third, bert)).status == 409
    assert (await table.get(f"/matches/{match}/invitations", third)).status == 409
    unknown = [await invite(table, match, host, UNKNOWN), await invite(table, "m" + "a" * 24, host, bert)]
    assert {each.status for each in unknown} == {404}
    assert len({each.body for each in unknown}) == 1
    await table.post(f"/matches/{match}/seats", other)
    assert (await invite(table, match, host, bert)).status == 409
    assert (await invite(table, match, other, cleo)).status == 200, "who sits there may invite, too"
    await table.post(f"/matches/{match}/start", host)
    assert (await invite(table, match, host, cleo)).status == 409
    assert await found(table, third) == []


async def test_invitation_ends_after_a_week_and_with_its_match(table: Table) -> None:
    """And with the player who has invited."""
    _, host = await table.player("Anna")
    _, leaving = await table.player("Bert")
    cleo, guest = await table.player("Cleo")
    over, old = await table.open(host), await table.open(host)
    left = await table.open(leaving, spectators="public")
    for match, by in ((over, host), (old, host), (left, leaving)):
        await invite(table, match, by, cleo)
    assert len(await found(table, guest)) == 3
    await table.post(f"/matches/{over}/abort", host)
    await table.ask("DELETE", f"{API}/me", token=leaving)
    assert [each["match"] for each in await found(table, guest)] == [old]
    table.now_ms += KEPT_MS
    assert await found(table, guest) == []
    assert await STORE.of(table.application.stores).invitations(PlayerId(cleo)) == []


async def test_invitations_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a match, and of a player a day; an invitation that is repeated costs nothing."""
    monkeypatch.setattr(service, "MOST_INVITED", 3)
    async with opened(read_settings({"TAFELRUNDE_INVITATIONS_DAILY": "4", "TAFELRUNDE_BOT_PAUSE_MS": "0"})) as table:
        _, host = await table.player("Anna")
        one, other = await table.open(host), await table.open(host)
        people = [(await table.player(f"P{number}"))[0] for number in range(4)]
        assert [(await invite(table, one, host, each)).status for each in people] == [200, 200, 200, 409]
        assert (await invite(table, one, host, people[0])).status == 200
        assert (await invite(table, other, host, people[0])).status == 200
        late = await invite(table, other, host, people[1])
        assert (late.status, late.json["type"]) == (429, "urn:tafelrunde:problem:too-many-requests")
        assert 0 < int(late.header("retry-after") or 0) <= 86_400 // 4


async def test_guests_at_an_address_share_what_they_may_send(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new guest has a budget of its own, but not one for the address that it asks from."""
    monkeypatch.setattr("tafelrunde.service.players.quota_table.ADDRESS_SHARES", 2)
    async with opened(read_settings({"TAFELRUNDE_INVITATIONS_DAILY": "1", "TAFELRUNDE_BOT_PAUSE_MS": "0"})) as table:
        cleo, _ = await table.player("Cleo")
        hosts = [(await table.player(name))[1] for name in ("Ann", "Ben", "Dora")]
        assert [(await invite(table, await table.open(each), each, cleo)).status for each in hosts] == [200, 200, 429]


async def test_player_gets_no_flood_of_invitations() -> None:
    """Beyond a number a day nothing comes, and the sender cannot see that; those whom the player follows still reach it."""
    settings = read_settings({"TAFELRUNDE_INVITATIONS_RECEIVED_DAILY": "2", "TAFELRUNDE_BOT_PAUSE_MS": "0"})
    async with opened(settings) as table:
        (dora, friend), (cleo, guest) = await table.player("Dora"), await table.player("Cleo")
        await table.ask("PUT", f"{API}/me/followed/{dora}", token=guest)
        start = (await table.get("/me/inbox", guest)).json["cursor"]
        hosts = [(await table.player())[1] for _ in range(3)]
        matches = [await table.open(each) for each in hosts]
        told = [await invite(table, match, host, cleo) for match, host in zip(matches, hosts, strict=True)]
        assert [each.status for each in told] == [200] * 3
        assert told[2].json.keys() == told[0].json.keys()
        assert await at(table, matches[2], hosts[2]) == [("Cleo", False)]
        assert sorted(each["match"] for each in await found(table, guest)) == sorted(matches[:2])
        assert len((await table.get(f"/me/inbox?after={start}", guest)).json["items"]) == 2
        assert (await invite(table, match := await table.open(friend), friend, cleo)).status == 200
        assert match in {each["match"] for each in await found(table, guest)}
