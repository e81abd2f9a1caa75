"""Games over HTTP: the list, the sheet of a game, its rule sheets."""

from __future__ import annotations

import gzip

import jsonschema_rs
import msgspec
import pytest

from tafelrunde.api.http import catalog
from tafelrunde.service.features.registry import FEATURES, without
from tests.support.cases import GAMES
from tests.support.table import PLAIN, Table, opened

pytestmark = pytest.mark.anyio


async def test_games_are_listed_without_a_token(table: Table) -> None:
    """Anyone may see which games there are."""
    answer = await table.get("/games")
    assert answer.status == 200
    assert {"coup", "duel"} <= {game["id"] for game in answer.json["items"]}


async def test_list_of_games_names_the_features_of_the_service(table: Table) -> None:
    """A client hides what a deployment has left out, without asking for it."""
    assert (await table.get("/games")).json["features"] == [each.name for each in FEATURES if each.on(PLAIN)]
    async with opened(features=without("daily")) as small:
        assert not {"daily", "puzzles"} & {*(await small.get("/games")).json["features"]}
    off = [msgspec.structs.replace(each, on=lambda _: False) if each.name == "talk" else each for each in FEATURES]
    async with opened(features=off) as small:
        assert "talk" not in (await small.get("/games")).json["features"]


async def test_sheet_of_a_game_has_all_that_a_client_needs(table: Table) -> None:
    """Schemas, seats, bots, refusal codes with texts in both languages, and links to the rules."""
    sheet = (await table.get("/games/coup")).json
    assert (sheet["min_seats"], sheet["max_seats"]) == (2, 6)
    assert "random" in sheet["bots"]
    codes = {each["code"]: each["message"] for each in sheet["refusals"]}
    assert codes["coup.cannot-afford"]["de"] != codes["coup.cannot-afford"]["en"]
    assert "match.not-host" in codes
    assert sheet["rules"]["de"] == "/api/v1/games/coup/rules?lang=de"


async def test_sheet_has_the_cards_of_a_small_picture(table: Table) -> None:
    """By suit and rank, one may lie face down; a game that names none has none."""
    games = {each["id"]: each["pictured"] for each in (await table.get("/games")).json["items"]}
    duke, captain = ({"suit": suit, "rank": ""} for suit in ("duke", "captain"))
    assert games["coup"] == [duke, {"suit": None, "rank": ""}, captain]
    assert games["duel"] == []
    assert {len(cards) for game, cards in games.items() if game != "duel"} == {3}
    assert (await table.get("/games/coup")).json["pictured"] == games["coup"]


async def test_sheet_says_who_may_know_which_event(table: Table) -> None:
    """For each event of the game and of the match, also those that everyone knows."""
    found = (await table.get("/games/duel")).json["audiences"]
    assert found["duel.dealt.1"] == {"only": None, "hidden": {}, "parts": ["hands"]}
    assert found["duel.bid-made.1"] == {"only": ["seat"], "hidden": {}, "parts": []}
    assert found["duel.card-played.1"] == {"only": None, "hidden": {}, "parts": []}
    assert found["match.opened.1"] == {"only": None, "hidden": {"secret": []}, "parts": []}
    assert found["match.drawn.1"]["only"] == []


async def test_schemas_of_a_sheet_fit_what_is_played(table: Table) -> None:
    """A real view and real events are valid by the schemas that the sheet gives."""
    sheet = (await table.get("/games/duel")).json
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    view = await table.view(match, one)
    feed = (await table.get(f"/matches/{match}/feed", one)).json
    jsonschema_rs.validator_for(sheet["view"]).validate(view["table"])
    for item in feed["items"]:
        jsonschema_rs.validator_for(sheet["events"]).validate(item["event"])
    for command in view["question"]["legal"]:
        jsonschema_rs.validator_for(sheet["commands"]).validate(command)


@pytest.mark.parametrize("game", GAMES)
async def test_rules_are_there_in_both_languages(table: Table, game: str) -> None:
    """A rule sheet is Markdown, found beside the game's modules, and each language has its own."""
    german, english = [await table.get(f"/games/{game}/rules?lang={language}") for language in ("de", "en")]
    for answer in (german, english):
        assert answer.status == 200
        assert answer.header("content-type") == "text/markdown; charset=utf-8"
        assert answer.body.decode().startswith("# ")
    assert german.body != english.body


@pytest.mark.parametrize("path", ["/games/chess", "/games/Coup", "/games/coup%0A", "/games/chess/rules"])
async def test_game_is_not_found_when_there_is_none_of_that_name(table: Table, path: str) -> None:
    """What does not exist is 404, also where the id is malformed."""
    assert (await table.get(path)).status == 404


async def test_rules_are_not_found_when_a_game_has_no_sheet(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host may bring a game without one."""
    monkeypatch.setattr(catalog, "rule_sheet", lambda *_: None)
    assert (await table.get("/games/duel/rules")).status == 404


@pytest.mark.parametrize("path", ["/games", "/games/coup", "/games/coup/rules"])
async def test_page_is_not_sent_again_when_the_client_has_it(table: Table, path: str) -> None:
    """An entity tag that is sent back gives 304, without a body."""
    first = await table.get(path)
    tag = first.header("etag")
    assert tag is not None
    again = await table.get(path, headers=[("If-None-Match", f'"other", W/{tag}')])
    assert (again.status, again.body, again.header("etag")) == (304, b"", tag)
    assert (await table.get(path, headers=[("If-None-Match", '"other"')])).body == first.body


@pytest.mark.parametrize("path", ["/games", "/games/coup", "/games/coup/rules", "/games/coup/lesson"])
async def test_sheet_comes_packed_to_a_client_that_accepts_it(table: Table, path: str) -> None:
    """The same bytes in fewer, under a tag of their own; caches are notified that there are two."""
    plain = await table.get(path)
    packed = await table.get(path, headers=[("Accept-Encoding", "br, gzip")])
    assert (plain.header("content-encoding"), packed.header("content-encoding")) == (None, "gzip")
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert plain.header("vary") == packed.header("vary") == "Accept-Encoding"
    assert packed.header("etag") not in (None, plain.header("etag"))
    again = await table.get(path, headers=[("Accept-Encoding", "gzip"), ("If-None-Match", str(packed.header("etag")))])
    assert (again.status, again.body) == (304, b"")


async def test_head_is_answered_as_get(table: Table) -> None:
    """HEAD gets the headers of GET; the server omits the body."""
    head = await table.ask("HEAD", "/api/v1/games")
    whole = await table.get("/games")
    assert (head.status, head.headers) == (200, whole.headers)
    assert head.header("content-length") == str(len(whole.body))
