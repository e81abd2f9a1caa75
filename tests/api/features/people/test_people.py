"""People over the wire: profiles, relations, public pages and exports; who may see what."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.people import service
from tafelrunde.service.features.registry import without
from tafelrunde.service.views import queries
from tests.support.table import API, Table, opened

pytestmark = pytest.mark.anyio
OWL = {"figure": "owl", "colour": "teal"}
UNKNOWN = "p" + "0" * 26


async def put(table: Table, path: str, token: str) -> int:
    """Follow or block; return the status."""
    return (await table.ask("PUT", f"{API}/me/{path}", token=token)).status


async def names(table: Table, path: str, token: str) -> list[str]:
    """Return the names in a list of people."""
    return [each["name"] for each in (await table.get(f"/me/{path}", token)).json["items"]]


async def change(table: Table, token: str, **wish: Any) -> Any:
    """Change a profile; return the answer."""
    return await table.ask("PATCH", f"{API}/me/profile", token=token, content=wish)


async def test_avatar_comes_with_player_and_seat(table: Table) -> None:
    """The same in both; an empty seat has none."""
    player, token = await table.player("Anna")
    mine = (await table.get("/me", token)).json["avatar"]
    assert (await table.get(f"/players/{player}")).json["avatar"] == mine
    one, other = (await table.get(f"/matches/{await table.open(token)}")).json["chairs"]
    assert one["avatar"] == mine
    assert "avatar" not in other


async def test_no_one_has_an_avatar_without_the_feature() -> None:
    """Fields of a feature leave with it."""
    async with opened(features=without("people")) as table:
        _, token = await table.player("Anna")
        assert not {"avatar", "languages"} & (await table.get("/me", token)).json.keys()
        chairs = (await table.get(f"/matches/{await table.open(token)}")).json["chairs"]
        assert all("avatar" not in each for each in chairs)


async def test_profile_is_changed_field_by_field(table: Table) -> None:
    """What is omitted stays; null leads back to the avatar of the id; the name is another matter."""
    player, token = await table.player("Anna")
    drawn = (await table.get("/me", token)).json["avatar"]
    assert (await change(table, token, avatar=OWL)).json["avatar"] == OWL
    told = (await change(table, token, languages=["de", "en", "de"])).json
    assert (told["avatar"], told["languages"], told["name"]) == (OWL, ["de", "en"], "Anna")
    await table.ask("PATCH", f"{API}/me", token=token, content={"name": "Anna B."})
    seen = (await table.get(f"/players/{player}")).json
    assert (seen["avatar"], seen["languages"], seen["name"]) == (OWL, ["de", "en"], "Anna B.")
    assert (await change(table, token, avatar=None)).json["avatar"] == drawn


@pytest.mark.parametrize(
    "wish", [{"avatar": {"figure": "dragon", "colour": "red"}}, {"languages": ["Deutsch"]}, {"languages": ["de"] * 9}]
)
async def test_profile_is_refused_when_it_fits_no_field(table: Table, wish: dict[str, object]) -> None:
    """Figures, colours and languages are closed."""
    _, token = await table.player("Anna")
    assert (await change(table, token, **wish)).status == 400


async def test_people_are_followed_and_blocked(table: Table) -> None:
    """Newest first, each once; who is blocked is followed no longer. No one else sees it."""
    _, anna = await table.player("Anna")
    (bert, other), (cleo, _) = await table.player("Bert"), await table.player("Cleo")
    for player in (bert, cleo, bert):
        table.now_ms += 1
        assert await put(table, f"followed/{player}", anna) == 204
    assert await names(table, "followed", anna) == ["Cleo", "Bert"]
    assert await names(table, "followed", other) == await names(table, "blocked", other) == []
    assert await put(table, f"blocked/{cleo}", anna) == 204
    assert await names(table, "followed", anna) == ["Bert"]
    assert await names(table, "blocked", anna) == ["Cleo"]
    for path in (f"followed/{bert}", f"blocked/{cleo}", f"blocked/{cleo}"):
        assert (await table.ask("DELETE", f"{API}/me/{path}", token=anna)).status == 204
    assert await names(table, "followed", anna) == await names(table, "blocked", anna) == []


async def test_people_come_in_pages(table: Table) -> None:
    """Each page goes on after the last, also among equal times; a cursor of nothing is refused."""
    _, anna = await table.player("Anna")
    for number in range(5):
        await put(table, f"followed/{(await table.player(f'P{number}'))[0]}", anna)
    found: list[str] = []
    after = ""
    while True:
        page = (await table.get(f"/me/followed?limit=2{after}", anna)).json
        found += [each["name"] for each in page["items"]]
        if page["cursor"] is None:
            break
        after = f"&after={page['cursor']}"
    assert sorted(found) == [f"P{number}" for number in range(5)]
    assert (await table.get("/me/followed?after=abc", anna)).status == 409


async def test_unknown_player_is_refused_like_oneself(table: Table) -> None:
    """Neither is there to be followed."""
    player, anna = await table.player("Anna")
    answers = [await table.ask("PUT", f"{API}/me/followed/{each}", token=anna) for each in (UNKNOWN, player)]
    assert {each.status for each in answers} == {404}
    assert len({each.body for each in answers}) == 1


async def test_list_is_full_at_its_limit(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more is refused, and what is on it stays."""
    monkeypatch.setattr(service, "MOST_RELATED", 1)
    _, anna = await table.player("Anna")
    (bert, _), (cleo, _) = await table.player("Bert"), await table.player("Cleo")
    assert await put(table, f"blocked/{bert}", anna) == 204
    assert await put(table, f"blocked/{cleo}", anna) == 409
    assert await names(table, "blocked", anna) == ["Bert"]


async def test_blocked_player_sees_no_difference(table: Table) -> None:
    """In nothing that it can look at: the player's page, its own lists, its own profile."""
    anna, mine = await table.player("Anna")
    bert, theirs = await table.player("Bert")
    paths = (f"/players/{anna}", f"/players/{anna}/matches", f"/players/{bert}", "/me/followed", "/me/blocked", "/me/invitations")
    before = [(await table.get(path, theirs)).body for path in paths]
    await put(table, f"blocked/{bert}", mine)
    assert [(await table.get(path, theirs)).body for path in paths] == before


async def test_recent_players_are_those_of_the_newest_matches(table: Table) -> None:
    """Each once, without the blocked ones, and none of matches that one only hosts."""
    _, anna = await table.player("Anna")
    (bert, other), (_, third) = await table.player("Bert"), await table.player("Cleo")
    for guest in (other, third, other):
        table.now_ms += 1_000
        await table.project(await table.begin(anna, guest))
    assert await names(table, "recent-players", anna) == ["Bert", "Cleo"]
    await put(table, f"blocked/{bert}", anna)
    assert await names(table, "recent-players", anna) == ["Cleo"]
    assert await names(table, "recent-players", third) == ["Anna"]


async def test_page_of_a_player_has_listed_matches_that_are_over(table: Table) -> None:
    """Nothing that runs, and nothing unlisted; the same for all who look, the player included."""
    anna, mine = await table.player("Anna")
    _, theirs = await table.player("Bert")
    shown = await table.begin(mine, theirs)
    hidden = await table.begin(mine, theirs, visibility="unlisted")
    running = await table.begin(mine, theirs)
    for match in (shown, hidden):
        await table.finish(match, mine, theirs)
    for match in (shown, hidden, running):
        await table.project(match)
    for token in (None, mine, theirs):
        page = (await table.get(f"/players/{anna}/matches", token)).json
        assert [each["match"] for each in page["items"]] == [shown]
        assert page["cursor"] is None
        assert page["items"][0]["your_turn"] is None
    assert (await table.get(f"/players/{UNKNOWN}/matches")).status == 404


async def test_cursor_says_nothing_of_the_unlisted_match_where_a_page_ended(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its id nor its time, and it leads on; one that was not made here leads nowhere."""
    monkeypatch.setattr(queries, "PAGE", 1)
    monkeypatch.setattr(queries, "PAGES_AT_ONCE", 1)
    anna, mine = await table.player("Anna")
    _, theirs = await table.player("Bert")
    shown, hidden = await table.begin(mine, theirs), ""
    table.now_ms += 1_000
    hidden = await table.begin(mine, theirs, visibility="unlisted")
    for match in (shown, hidden):
        await table.finish(match, mine, theirs)
        await table.project(match)
    first = (await table.get(f"/players/{anna}/matches")).json
    assert (first["items"], first["cursor"] is None) == ([], False)
    plain = base64.urlsafe_b64decode(first["cursor"] + "=" * (-len(first["cursor"]) % 4))
    assert hidden.encode() not in plain
    assert str(table.now_ms)[:6].encode() not in plain
    second = (await table.get(f"/players/{anna}/matches?after={first['cursor']}")).json
    assert [each["match"] for each in second["items"]] == [shown]
    changed = ("A" if first["cursor"][-5] != "A" else "B").join((first["cursor"][:-5], first["cursor"][-4:]))
    made = base64.urlsafe_b64encode(f"{table.now_ms}.{hidden}".encode()).decode().rstrip("=")
    for wrong in (changed, made, "A", "AA"):
        assert (await table.get(f"/players/{anna}/matches?after={wrong}")).json["type"] == "urn:tafelrunde:problem:cursor-unknown"


async def test_page_of_a_player_keeps_the_delay_of_a_match(table: Table) -> None:
    """A match with delayed spectators is over for the public when its delay has passed."""
    anna, mine = await table.player("Anna")
    _, theirs = await table.player("Bert")
    match = await table.begin(mine, theirs, spectators="delayed")
    await table.finish(match, mine, theirs)
    await table.project(match)
    for token in (None, mine):
        assert (await table.get(f"/players/{anna}/matches", token)).json["items"] == []


async def test_export_has_what_is_kept_of_its_player_alone(table: Table) -> None:
    """Profile, tokens without secrets, matches, relations, webhooks; nothing that others have decided about the player."""
    anna, mine = await table.player("Anna")
    bert, theirs = await table.player("Bert")
    match = await table.begin(mine, theirs)
    await table.project(match)
    await put(table, f"followed/{bert}", mine)
    await put(table, f"blocked/{anna}", theirs)
    await table.post("/webhooks", mine, {"url": "https://example.com/", "events": ["match.ended"]})
    told = (await table.get("/me/export", mine)).json
    assert (told["player"]["name"], told["matches"]) == ("Anna", [match])
    assert [each["label"] for each in told["tokens"]] == ["first"]
    assert [each["player"] for each in told["features"]["people"]["followed"]] == [bert]
    assert told["features"]["people"]["blocked"] == []
    assert [each["url"] for each in told["features"]["webhooks"]] == ["https://example.com/"]
    assert {"ratings", "puzzles", "daily"} <= told["features"].keys()
    for secret in (mine, "whsec_"):
        assert secret not in str(told)


async def test_nothing_of_a_deleted_player_is_left_with_others(table: Table) -> None:
    """Its page is gone, and so is it from all lists; the proof of its match stays valid."""
    anna, mine = await table.player("Anna")
    _, theirs = await table.player("Bert")
    match = await table.begin(mine, theirs, spectators="public")
    await table.finish(match, mine, theirs)
    await table.project(match)
    await put(table, f"followed/{anna}", theirs)
    await table.application.finalizer.openings()
    await table.application.finalizer.portion()
    before = (await table.get(f"/matches/{match}/verification", theirs)).json
    assert before["right"]
    assert (await table.ask("DELETE", f"{API}/me", token=mine)).status == 204
    assert await names(table, "followed", theirs) == await names(table, "recent-players", theirs) == []
    assert (await table.get(f"/players/{anna}")).status == (await table.get(f"/players/{anna}/matches")).status == 404
    after = (await table.get(f"/matches/{match}/verification", theirs)).json
    assert after == before
    assert (await table.application.repository.load_latest(MatchId(match))).match.status.finished
