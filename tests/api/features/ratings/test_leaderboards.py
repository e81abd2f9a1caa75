"""Leaderboards over HTTP: they follow the transparency log, corrections included, and can be rebuilt."""

from __future__ import annotations

from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.application import Application
from tafelrunde.service.features.ratings.duty import RatingProjector
from tests.api.routes.test_corrections import TURNED, VOID, admin
from tests.support.table import GAMES, PLAIN, Table

pytestmark = pytest.mark.anyio


class Club:
    """Some players who play Duel against each other."""

    def __init__(self, table: Table, players: dict[str, tuple[str, str]]) -> None:
        self.table = table
        self.players = players

    @classmethod
    async def found(cls, table: Table, *names: str) -> Club:
        return cls(table, {name: await table.player(name) for name in names})

    async def play(self, one: str, other: str, **wishes: Any) -> str:
        """Let two play to the end; return the match."""
        tokens = [self.players[name][1] for name in (one, other)]
        match = await self.table.begin(*tokens, **wishes)
        await self.table.finish(match, *tokens)
        self.table.now_ms += 1_000
        return match

    async def count(self) -> None:
        """Let everything that is over be entered and counted."""
        while await self.table.application.finalizer.portion() == 0:
            pass
        await self.table.application.get(RatingProjector).catch_up()

    async def board(self, **query: object) -> Any:
        """Return a page of the leaderboard."""
        text = "&".join(f"{name}={value}" for name, value in query.items())
        answer = await self.table.get(f"/leaderboards/duel?{text}")
        assert answer.status == 200, answer
        return answer.json


async def test_finished_matches_make_a_leaderboard(table: Table) -> None:
    """Best first, with names, ratings, matches and wins."""
    club = await Club.found(table, "Anna", "Ben", "Carl")
    for one, other in (("Anna", "Ben"), ("Ben", "Carl"), ("Anna", "Carl"), ("Anna", "Ben")):
        await club.play(one, other)
    assert (await club.board())["items"] == []
    await club.count()
    board = await club.board()
    assert (board["game"], board["cursor"]) == ("duel", None)
    assert [row["place"] for row in board["items"]] == [1, 2, 3]
    assert {row["name"]: row["matches"] for row in board["items"]} == {"Anna": 3, "Ben": 3, "Carl": 2}
    ratings = [row["rating"] for row in board["items"]]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(row["wins"] for row in board["items"]) >= 4
    assert all(row["bot"] is None and row["player"] == club.players[row["name"]][0] for row in board["items"])


async def test_programs_have_a_leaderboard_of_their_own(table: Table) -> None:
    """People, programs and bots of the house are apart on request."""
    club = await Club.found(table, "Anna", "Ben")
    made = (await table.post("/players", content={"name": "Deep Duel", "bot": True})).json
    club.players["Deep Duel"] = (made["player"]["id"], made["text"])
    for one, other in (("Anna", "Ben"), ("Deep Duel", "Ben"), ("Anna", "Deep Duel")):
        await club.play(one, other)
    await club.count()

    async def names(**query: object) -> list[str]:
        return sorted(row["name"] for row in (await club.board(**query))["items"])

    assert await names(kind="programs") == ["Deep Duel"]
    assert await names(kind="people") == ["Anna", "Ben"]
    assert (await names(kind="bots"), await names()) == ([], ["Anna", "Ben", "Deep Duel"])
    assert (await table.get("/leaderboards/duel?kind=cats")).status == 400


async def test_leaderboard_is_paged(table: Table) -> None:
    """Every line once, in order, whatever the size of the pages."""
    club = await Club.found(table, *(f"Player {number}" for number in range(5)))
    names = list(club.players)
    for number in range(4):
        await club.play(names[number], names[number + 1])
    await club.count()
    rows = (await club.board())["items"]
    found: list[Any] = []
    page = await club.board(limit=2)
    while True:
        found += page["items"]
        if page["cursor"] is None:
            break
        page = await club.board(limit=2, after=page["cursor"])
    assert found == rows
    assert [row["place"] for row in found] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("cursor", ["abc", "eA", "MTAwMC4", "LTEueA"])
async def test_strange_cursor_is_refused(table: Table, cursor: str) -> None:
    """A cursor is taken from an answer, not made up."""
    answer = await table.get(f"/leaderboards/duel?after={cursor}")
    assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:cursor-unknown")


async def test_unknown_game_has_no_leaderboard(table: Table) -> None:
    """404."""
    assert (await table.get("/leaderboards/chess")).status == 404


async def test_player_tells_its_ratings(table: Table) -> None:
    """As in the leaderboard, game by game."""
    club = await Club.found(table, "Anna", "Ben")
    player, token = club.players["Anna"]
    assert (await table.get("/me", token)).json["ratings"] == []
    await club.play("Anna", "Ben")
    await club.count()
    [row] = [row for row in (await club.board())["items"] if row["name"] == "Anna"]
    told = {"game": "duel", **{name: row[name] for name in ("place", "rating", "provisional", "mu", "sigma", "matches", "wins")}}
    for path in (f"/players/{player}", "/me"):
        assert (await table.get(path, token)).json["ratings"] == [told]


async def test_history_of_a_player_has_its_rating_after_each_match(table: Table) -> None:
    """The newest point is what the leaderboard says; a player who has played nothing has none."""
    club = await Club.found(table, "Anna", "Ben", "Carl")
    for other in ("Ben", "Ben", "Ben"):
        await club.play("Anna", other)
    await club.count()
    player, token = club.players["Anna"]
    [row] = [row for row in (await club.board())["items"] if row["name"] == "Anna"]
    [history] = (await table.get(f"/players/{player}/ratings", token)).json["items"]
    assert (history["game"], len(history["points"]), history["points"][-1]["rating"]) == ("duel", 3, row["rating"])
    assert (await table.get(f"/players/{club.players['Carl'][0]}/ratings", token)).json["items"] == []


async def test_rating_is_provisional_until_ten_matches_count(table: Table) -> None:
    """In the leaderboard and in the profile, for each game by itself."""
    club = await Club.found(table, "Anna", "Ben", "Carl")
    for _ in range(9):
        await club.play("Anna", "Ben")
    await club.count()
    assert {row["name"]: row["provisional"] for row in (await club.board())["items"]} == {"Anna": True, "Ben": True}
    await club.play("Anna", "Carl")
    await club.count()
    rows = {row["name"]: row["provisional"] for row in (await club.board())["items"]}
    assert rows == {"Anna": False, "Ben": True, "Carl": True}
    [told] = (await table.get("/me", club.players["Anna"][1])).json["ratings"]
    assert (told["matches"], told["provisional"]) == (10, False)


async def test_bots_are_rated_and_marked(table: Table) -> None:
    """A bot has a line of its own, whichever seat it plays on."""
    _, token = await table.player("Anna")
    for _ in range(2):
        bots = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "steady"}]
        match = await table.open(token, seats=3, bots=bots, start=True)
        while (await table.view(match, token))["status"] == "running":
            await table.play_bots(match)
            if (await table.view(match, token))["question"] is not None:
                await table.play(match, token)
    club = Club(table, {})
    await club.count()
    rows = {row["bot"] or row["name"]: row for row in (await club.board())["items"]}
    assert set(rows) == {"Anna", "steady"}
    assert (rows["steady"]["player"], rows["steady"]["name"], rows["steady"]["matches"]) == (None, None, 2)


async def test_match_among_one_kind_of_bot_is_not_rated(table: Table) -> None:
    """It says nothing about anyone's strength."""
    _, token = await table.player()
    bots = [{"seat": seat, "bot": "steady"} for seat in range(2)]
    match = await table.open(token, seat=None, bots=bots, start=True)
    await table.play_bots(match)
    club = Club(table, {})
    await club.count()
    assert (await club.board())["items"] == []


async def test_unrated_match_does_not_count(table: Table) -> None:
    """The player who opens a match chooses; its rematch keeps the choice."""
    club = await Club.found(table, "Anna", "Ben")
    match = await club.play("Anna", "Ben", rated=False)
    assert (await table.get(f"/matches/{match}", club.players["Anna"][1])).json["rated"] is False
    for name in ("Anna", "Ben"):
        await table.post(f"/matches/{match}/rematch", club.players[name][1])
    rematch = (await table.view(match, club.players["Anna"][1]))["rematch"]
    assert (await table.get(f"/matches/{rematch}", club.players["Anna"][1])).json["rated"] is False
    await club.count()
    assert (await club.board())["items"] == []


async def test_aborted_match_does_not_count(table: Table) -> None:
    """It has no result."""
    club = await Club.found(table, "Anna", "Ben")
    tokens = [token for _, token in club.players.values()]
    match = await table.begin(*tokens)
    for token in tokens:
        await table.post(f"/matches/{match}/abort", token)
    await club.count()
    assert (await club.board())["items"] == []
    await table.post(f"/matches/{match}/adjudicate", await admin(table), {"placings": TURNED, **VOID})
    await club.count()
    assert [(row["name"], row["wins"]) for row in (await club.board())["items"]] == [("Ben", 1), ("Anna", 0)]


async def test_ratings_follow_corrections(table: Table) -> None:
    """A voided match is as if it had not been played; an adjudicated one as if it had ended so, at its place."""
    club = await Club.found(table, "Anna", "Ben", "Carl")
    wrong = await club.play("Anna", "Ben")
    other = await club.play("Anna", "Carl")
    await club.play("Ben", "Carl")
    await club.count()
    before = await club.board()
    operator = await admin(table)
    await table.post(f"/matches/{wrong}/void", operator, VOID)
    await club.count()
    assert {row["name"]: row["matches"] for row in (await club.board())["items"]} == {"Anna": 1, "Ben": 1, "Carl": 2}
    ended = (await table.get(f"/matches/{other}/feed", club.players["Anna"][1])).json["items"][-1]["event"]
    assert ended["type"] == "match.ended.1"
    placings = [{"seat": each["seat"], "rank": each["rank"]} for each in ended["placings"]]
    await table.post(f"/matches/{other}/adjudicate", operator, {"placings": placings, **VOID})
    first = (await table.application.queries.load_public_facts(MatchId(wrong))).placings
    assert first is None
    told = (await table.get(f"/matches/{wrong}/feed", club.players["Anna"][1])).json["items"]
    [ended] = [item["event"] for item in told if item["event"]["type"] == "match.ended.1"]
    placings = [{"seat": each["seat"], "rank": each["rank"]} for each in ended["placings"]]
    await table.post(f"/matches/{wrong}/adjudicate", operator, {"placings": placings, **VOID})
    await club.count()
    assert _strengths(await club.board()) == _strengths(before)


def _strengths(board: Any) -> list[tuple[object, ...]]:
    return [(row["name"], row["mu"], row["sigma"], row["matches"], row["wins"]) for row in board["items"]]


async def _story(table: Table) -> Club:
    club = await Club.found(table, "Anna", "Ben", "Carl", "Dora")
    names = list(club.players)
    matches: list[str] = []
    for number in range(10):
        matches.append(await club.play(names[number % 4], names[(number * 3 + 1) % 4 if number % 2 else (number + 2) % 4]))
        if number % 3 == 0:
            await club.count()
    operator = await admin(table)
    await table.post(f"/matches/{matches[2]}/void", operator, VOID)
    await club.count()
    await table.post(f"/matches/{matches[5]}/adjudicate", operator, {"placings": TURNED, **VOID})
    await table.post(f"/matches/{matches[2]}/adjudicate", operator, {"placings": TURNED, **VOID})
    await club.play("Dora", "Anna")
    return club


async def test_rebuilt_ratings_are_the_same(table: Table) -> None:
    """Counted as the matches ended, or all at once by another process, from archives: the same numbers."""
    club = await _story(table)
    await club.count()
    live = await club.board()
    assert len(live["items"]) == 4
    table.now_ms += 4_000_000
    await club.count()
    fresh = Application(table.application.stores, PLAIN, games=GAMES, now_ms=lambda: table.now_ms)
    await fresh.get(RatingProjector).rebuild()
    assert await club.board() == live


async def test_stand_in_plays_for_its_player(table: Table) -> None:
    """Who leaves a running match does not escape its result."""
    club = await Club.found(table, "Anna", "Ben")
    tokens = [token for _, token in club.players.values()]
    match = await table.begin(*tokens)
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=tokens[0], key=table.key())
    while (await table.view(match, tokens[1]))["status"] == "running":
        await table.play_bots(match)
        if (await table.view(match, tokens[1]))["question"] is not None:
            await table.play(match, tokens[1])
    await club.count()
    assert {row["name"] for row in (await club.board())["items"]} == {"Anna", "Ben"}


async def test_deleted_player_stays_without_a_name(table: Table) -> None:
    """Others' ratings rest on its matches."""
    club = await Club.found(table, "Anna", "Ben")
    await club.play("Anna", "Ben")
    await club.count()
    await table.ask("DELETE", "/api/v1/me", token=club.players["Anna"][1])
    rows = (await club.board())["items"]
    assert {row["name"] for row in rows} == {None, "Ben"}
    assert {row["player"] for row in rows} == {player for player, _ in club.players.values()}


async def _alone(table: Table, token: str) -> str:
    """Begin a match against a bot, and answer once."""
    bots = [{"seat": 1, "bot": "steady"}]
    match = await table.open(token, bots=bots, start=True, options={"first_seat": 0, "cards": 4})
    assert (await table.play(match, token)).status == 200
    return match


async def test_aborting_alone_after_having_played_is_a_loss(table: Table) -> None:
    """No one can keep just the wins; neither the bot nor any other player gains by it, and a rebuild gives the same numbers."""
    club = await Club.found(table, "Anna")
    player, token = club.players["Anna"]
    match = await _alone(table, token)
    ended = await table.post(f"/matches/{match}/abort", token)
    assert "match.seat-forfeited.1" in [item["event"]["type"] for item in ended.json["items"]]
    await club.count()
    [row] = (await club.board())["items"]
    assert (row["player"], row["matches"], row["wins"]) == (player, 1, 0)
    assert row["mu"] < 25
    live = await club.board()
    await Application(table.application.stores, PLAIN, games=GAMES, now_ms=lambda: table.now_ms).get(RatingProjector).rebuild()
    assert await club.board() == live


async def test_loss_of_who_forfeited_can_be_voided(table: Table) -> None:
    """By an operator, as any result."""
    club = await Club.found(table, "Anna")
    match = await _alone(table, token := club.players["Anna"][1])
    await table.post(f"/matches/{match}/abort", token)
    await club.count()
    assert (await table.post(f"/matches/{match}/void", await admin(table), VOID)).status == 200
    await club.count()
    assert (await club.board())["items"] == []


async def test_who_leaves_first_does_not_escape_the_result(table: Table) -> None:
    """The other one cannot abort alone, but play on or leave as well; then bots play to the end, and it counts for both."""
    club = await Club.found(table, "Anna", "Ben")
    tokens = [token for _, token in club.players.values()]
    match = await table.begin(*tokens, clock={"away_seconds": 0})
    for token in tokens:
        await table.play(match, token)
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=tokens[0])
    await table.post(f"/matches/{match}/abort", tokens[1])
    assert (await table.get(f"/matches/{match}", tokens[1])).json["status"] == "running"
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=tokens[1])
    await table.play_bots(match)
    await club.count()
    assert {row["name"]: row["matches"] for row in (await club.board())["items"]} == {"Anna": 1, "Ben": 1}


async def test_who_left_before_playing_gains_nothing_when_the_other_forfeits(table: Table) -> None:
    """A stand-in has won nothing when the match was not played out."""
    club = await Club.found(table, "Anna", "Ben")
    tokens = [token for _, token in club.players.values()]
    match = await table.begin(*tokens)
    await table.play(match, tokens[1])
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=tokens[0])
    await table.post(f"/matches/{match}/abort", tokens[1])
    await club.count()
    assert [(row["name"], row["wins"]) for row in (await club.board())["items"]] == [("Ben", 0)]


async def test_abort_that_two_agree_on_is_not_rated(table: Table) -> None:
    """Also after both have played."""
    club = await Club.found(table, "Anna", "Ben")
    tokens = [token for _, token in club.players.values()]
    match = await table.begin(*tokens)
    for token in tokens:
        await table.play(match, token)
    for token in tokens:
        await table.post(f"/matches/{match}/abort", token)
    await club.count()
    assert (await club.board())["items"] == []


async def test_guests_are_not_rated(table: Table) -> None:
    """The others at the table are, as if the guest had not been there; with one alone left nothing counts."""
    club = await Club.found(table, "Anna")
    guest = await table.player()
    club.players["Guest"] = guest
    await club.play("Anna", "Guest")
    await club.count()
    assert (await club.board())["items"] == []
    bots = [{"seat": 2, "bot": "steady"}]
    match = await table.open(club.players["Anna"][1], seats=3, bots=bots)
    await table.post(f"/matches/{match}/seats", guest[1])
    await table.post(f"/matches/{match}/start", club.players["Anna"][1])
    while (await table.get(f"/matches/{match}", guest[1])).json["status"] == "running":
        await table.play_bots(match)
        for token in (club.players["Anna"][1], guest[1]):
            if (await table.view(match, token))["question"] is not None:
                await table.play(match, token)
    await club.count()
    assert {row["player"] or row["bot"] for row in (await club.board())["items"]} == {club.players["Anna"][0], "steady"}


async def test_guest_that_takes_a_name_is_rated_from_the_next_match_on(table: Table) -> None:
    """What counts is whether it had a name on sitting down; a rematch is a next match."""
    club = await Club.found(table, "Anna")
    club.players["Ben"] = await table.player()
    tokens = [token for _, token in club.players.values()]
    match = await table.begin(*tokens)
    await table.ask("PATCH", "/api/v1/me", token=tokens[1], content={"name": "Ben"})
    await table.finish(match, *tokens)
    await club.count()
    assert (await club.board())["items"] == []
    await table.finish(await table.play_again(match, *tokens), *tokens)
    await club.count()
    assert {row["name"] for row in (await club.board())["items"]} == {"Anna", "Ben"}
