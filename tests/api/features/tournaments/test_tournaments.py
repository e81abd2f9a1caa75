"""Tournaments over HTTP: from the opening to the last round, and what no one may see or do."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any
from unittest.mock import AsyncMock

import pytest

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.environment import read_settings
from tafelrunde.service.features.tournaments.commitments import secret_of_table
from tafelrunde.service.features.tournaments.duty import Director
from tafelrunde.service.features.tournaments.events import Opened, decode
from tafelrunde.service.features.tournaments.feature import STORE
from tafelrunde.service.features.tournaments.port import TournamentId
from tafelrunde.service.features.tournaments.service import Tournaments
from tafelrunde.service.memory_store import memory_stores
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import API, Table, opened

pytestmark = pytest.mark.anyio
WISH = {"name": "Cup", "game": "duel", "seats": 2, "kind": "round-robin"}
FOUR_BOTS = ["random", "random", "random", "random"]
MINUTE_MS = 60_000
DAY_MS = 86_400_000


class Players:
    """Players by their ids, with their tokens."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.tokens: dict[str, str] = {}

    async def add(self, count: int) -> Sequence[str]:
        """Return the tokens of new players."""
        made = [await self.table.player(f"Player {len(self.tokens) + number}") for number in range(count)]
        self.tokens.update(made)
        return [token for _, token in made]


async def open_cup(table: Table, token: str, **wishes: Any) -> str:
    """Open a tournament and return its id."""
    answer = await table.post("/tournaments", token, {**WISH, **wishes})
    assert answer.status == 201, answer
    return answer.json["facts"]["tournament"]


async def join(table: Table, cup: str, token: str, **content: Any) -> Any:
    """Join a tournament; return the answer."""
    return await table.ask("PUT", f"/api/v1/tournaments/{cup}/entries/me", token=token, content=content)


async def sheet_of(table: Table, cup: str, token: str | None = None) -> Any:
    """Return a tournament."""
    answer = await table.get(f"/tournaments/{cup}", token)
    assert answer.status == 200, answer
    return answer.json


async def go_on(table: Table) -> None:
    """Let the service do what is due in tournaments."""
    await table.application.get(Director).step()


async def play(table: Table, match: str, tokens: Mapping[str, str]) -> None:
    """Play a match to its end: players by the first legal command, bots as they do."""
    facts = (await table.application.repository.load_latest(MatchId(match))).match
    seated = [tokens[chair.player] for chair in facts.chairs if chair.player is not None]
    while not (await table.application.repository.load_latest(MatchId(match))).match.status.finished:
        await table.play_bots(match)
        for token in seated:
            if (await table.view(match, token))["question"] is not None:
                assert (await table.play(match, token)).status == 200


async def play_round(table: Table, cup: str, tokens: Mapping[str, str]) -> Any:
    """Play all tables of the newest round; return it as it was drawn."""
    drawn = (await sheet_of(table, cup))["newest"]
    for each in drawn["tables"]:
        if each["match"] is not None:
            await play(table, each["match"], tokens)
    await go_on(table)
    return drawn


async def play_all(table: Table, cup: str, tokens: Mapping[str, str]) -> list[Any]:
    """Play a started tournament to its end; return its rounds as they are then."""
    await go_on(table)
    while (await sheet_of(table, cup))["facts"]["stage"] == "running":
        await play_round(table, cup, tokens)
    count = (await sheet_of(table, cup))["facts"]["round"]
    return [(await table.get(f"/tournaments/{cup}/rounds/{number}")).json for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("wish", "rounds"),
    [
        ({"kind": "round-robin"}, 7),
        ({"kind": "swiss"}, 3),
        ({"kind": "swiss", "game": "coup", "seats": 4}, 3),
        ({"kind": "round-robin", "game": "matchmaster", "seats": 4, "rounds": 2}, 2),
    ],
    ids=["round robin", "swiss", "swiss, four seats", "round robin, four seats"],
)
async def test_tournament_of_eight_runs_to_its_end(table: Table, wish: Mapping[str, Any], rounds: int) -> None:
    """Four players and four bots: everyone plays in each round, the points are shared out whole, and the secrets fit."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cup = await open_cup(table, organiser, **wish, bots=FOUR_BOTS, visibility="listed")
    for token in others:
        assert (await join(table, cup, token, nonce="mine")).status == 200
    before = (await sheet_of(table, cup))["facts"]
    assert (before["stage"], before["draw_secret"], before["deal_secret"]) == ("open", None, None)
    assert (await table.post(f"/tournaments/{cup}/start", organiser)).status == 200
    played = await play_all(table, cup, players.tokens)
    after = await sheet_of(table, cup)
    facts, standings = after["facts"], after["standings"]
    assert (facts["stage"], facts["round"], facts["rounds"], len(played)) == ("over", rounds, rounds, rounds)
    seats = facts["seats"]
    for each in played:
        entrants = [chair["entrant"] for one in each["tables"] for chair in one["chairs"]]
        assert sorted(entrants) == list(range(8))
        assert all(one["over"] and sum(chair["points"] for chair in one["chairs"]) == pytest.approx(1) for one in each["tables"])
    assert sum(row["points"] for row in standings) == pytest.approx(rounds * 8 / seats, abs=0.01)
    assert [row["place"] for row in standings] == sorted(row["place"] for row in standings)
    met = Counter(
        pair
        for each in played
        for one in each["tables"]
        for pair in combinations(sorted(chair["entrant"] for chair in one["chairs"]), 2)
    )
    assert seats > 2 or max(met.values()) == 1
    for name in ("draw", "deal"):
        text = f"tafelrunde/tournament-{name}/1|{cup}|{facts[f'{name}_secret']}"
        assert hashlib.sha256(text.encode()).hexdigest() == facts[f"{name}_commitment"] == before[f"{name}_commitment"]
    for number, each in enumerate(played, 1):
        for place, one in enumerate(each["tables"]):
            match = (await table.application.repository.load_latest(MatchId(one["match"]))).match
            assert match.secret == secret_of_table(cup, facts["deal_secret"], number, place)
            assert {chair.nonce for chair in match.chairs} <= {"", "mine"}


async def test_bots_are_ranked_by_what_they_have_played(table: Table) -> None:
    """One player and seven bots: no place without a match behind it, and no bot without a win above a player with one."""
    players = Players(table)
    (organiser,) = await players.add(1)
    cup = await open_cup(table, organiser, kind="swiss", game="coup", seats=2, bots=["honest"] * 7)
    assert (await table.post(f"/tournaments/{cup}/start", organiser)).status == 200
    played = await play_all(table, cup, players.tokens)
    assert all(one["match"] is not None and chair["rank"] for each in played for one in each["tables"] for chair in one["chairs"])
    after = await sheet_of(table, cup)
    assert [row["played"] + row["byes"] for row in after["standings"]] == [3] * 8
    assert [row["points"] for row in after["standings"]] == [row["wins"] for row in after["standings"]]
    number = (await sheet_of(table, cup, organiser))["facts"]["entry"]
    me = next(row for row in after["standings"] if row["entrant"] == number)
    above = [row for row in after["standings"] if row["place"] < me["place"]]
    assert [row for row in above if row["wins"] < me["wins"]] == []


async def test_rounds_go_on_where_a_process_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut off at each write in turn: every match is opened once, no result is lost, and each round is drawn once.

    A match is listed only where it is there, and in the end all are.
    """
    stores = memory_stores()
    async with opened(stores=stores) as one:
        players = Players(one)
        organiser, *others = await players.add(4)
        cup = await open_cup(one, organiser, kind="swiss", rounds=2)
        for token in others:
            await join(one, cup, token)
        await one.post(f"/tournaments/{cup}/start", organiser)
        stopped = unlisted = 0
        for _ in range(100):
            async with opened(stores=stores) as process:
                process.now_ms = one.now_ms = one.now_ms + MINUTE_MS
                with monkeypatch.context() as patch:
                    cut_off(process, patch, after=stopped % 3)
                    try:
                        await go_on(process)
                    except Killed:
                        stopped += 1
                newest = (await sheet_of(process, cup))["newest"]
                for each in newest["tables"] if newest is not None else ():
                    unlisted += each["match"] is None
                    if each["match"] is not None:
                        assert await is_there(process, each["match"])
                        await play(process, each["match"], players.tokens)
            if (await sheet_of(one, cup))["facts"]["stage"] == "over":
                break
        assert min(stopped, unlisted) > 3
        assert (await sheet_of(one, cup))["facts"]["round"] == 2
        for number in (1, 2):
            drawn = (await one.get(f"/tournaments/{cup}/rounds/{number}")).json
            assert [table["over"] for table in drawn["tables"]] == [True, True]
            assert all([await is_there(one, table["match"]) for table in drawn["tables"]])
        mine = (await one.get("/me/tournaments", organiser)).json["items"]
        assert [each["tournament"] for each in mine] == [cup]


class Killed(BaseException):
    """The process is gone."""


def cut_off(process: Table, patch: pytest.MonkeyPatch, *, after: int) -> None:
    """Let a process die after some writes of matches or of facts."""
    left = after

    def dying(write: Any) -> Any:
        async def written(*arguments: Any) -> Any:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            return await write(*arguments)

        return written

    director = process.application.get(Director)
    events = process.application.stores.events
    patch.setattr(events, "append", dying(events.append))
    patch.setattr(director._store, "append", dying(director._store.append))


async def is_there(table: Table, match: str) -> bool:
    """Return whether a match was opened."""
    return await table.application.stores.events.head(MatchId(match)) is not None


async def test_unlisted_tournament_is_unknown_to_those_without_its_link(table: Table) -> None:
    """It is in no one else's list; and what an unknown id answers is the same for everything that can be asked."""
    players = Players(table)
    organiser, stranger = await players.add(2)
    hidden = await open_cup(table, organiser)
    shown = await open_cup(table, organiser, visibility="listed")
    for token in (stranger, None):
        assert [each["tournament"] for each in (await table.get("/tournaments", token)).json["items"]] == [shown]
    assert (await table.get("/me/tournaments", stranger)).json["items"] == []
    unknown = "c" + "a" * 24
    asked = [
        ("GET", "", None),
        ("GET", "/rounds/1", None),
        ("PUT", "/entries/me", {}),
        ("DELETE", "/entries/me", None),
        ("POST", "/start", None),
        ("DELETE", "", None),
    ]
    for method, path, content in asked:
        for cup in (unknown, "c" + hidden[2:], hidden.upper()):
            answer = await table.ask(method, f"/api/v1/tournaments/{cup}{path}", token=stranger, content=content)
            assert (answer.status, answer.json["type"]) == (404, "urn:tafelrunde:problem:not-found"), (method, path)
    assert (await table.get(f"/tournaments/{hidden}/rounds/1", stranger)).status == 404


async def test_secrets_are_in_no_answer_before_their_time(table: Table) -> None:
    """The one of the draws from the start on, that of the deals once all is over; both of one called off before its start."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cups = [await open_cup(table, organiser, rounds=1, visibility="listed") for _ in range(2)]
    for token in others:
        await join(table, cups[0], token)
    (draw, deal), unused = [await secrets_of(table, each) for each in cups]
    answers = [await table.get(f"/tournaments/{cups[0]}", token) for token in (organiser, others[0], None)]
    answers += [await table.get("/tournaments"), await table.get("/me/tournaments", organiser)]
    assert not any(secret.encode() in each.body for each in answers for secret in (draw, deal))
    started = await table.post(f"/tournaments/{cups[0]}/start", organiser)
    assert (draw.encode() in started.body, deal.encode() in started.body) == (True, False)
    await go_on(table)
    running = [await table.get(f"/tournaments/{cups[0]}", organiser), await table.get(f"/tournaments/{cups[0]}/rounds/1")]
    assert not any(deal.encode() in each.body for each in running)
    await play_round(table, cups[0], players.tokens)
    assert (await sheet_of(table, cups[0]))["facts"]["deal_secret"] == deal
    assert (await table.ask("DELETE", f"/api/v1/tournaments/{cups[1]}", token=organiser)).status == 200
    facts = (await sheet_of(table, cups[1], organiser))["facts"]
    assert (facts["stage"], facts["draw_secret"], facts["deal_secret"]) == ("cancelled", *unused)


async def test_deals_of_a_tournament_called_off_are_shown_once_no_match_of_it_runs(table: Table) -> None:
    """Its draw at once: nothing more is drawn. A match that begins no more counts after the time in which it could have begun."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cup = await open_cup(table, organiser, rounds=1)
    for token in others:
        await join(table, cup, token)
    secrets = await secrets_of(table, cup)
    await table.post(f"/tournaments/{cup}/start", organiser)
    await go_on(table)
    drawn = (await sheet_of(table, cup))["newest"]
    assert (await table.ask("DELETE", f"/api/v1/tournaments/{cup}", token=organiser)).status == 200
    shown: list[tuple[str | None, str | None]] = []
    for each in drawn["tables"]:
        await go_on(table)
        facts = (await sheet_of(table, cup))["facts"]
        shown.append((facts["draw_secret"], facts["deal_secret"]))
        await play(table, each["match"], players.tokens)
    await go_on(table)
    facts = (await sheet_of(table, cup))["facts"]
    assert shown == [(secrets[0], None)] * 2
    assert (facts["draw_secret"], facts["deal_secret"]) == secrets


async def secrets_of(table: Table, cup: str) -> tuple[str, str]:
    """Return both secrets of a tournament, from its first fact."""
    facts = await STORE.of(table.application.stores).read(TournamentId(cup), 0)
    assert facts is not None
    opened_as = decode(facts[0])
    assert isinstance(opened_as, Opened)
    return opened_as.draw_secret, opened_as.deal_secret


async def test_wish_is_refused_where_it_cannot_be_played(table: Table) -> None:
    """With the field that is wrong."""
    _, token = await table.player()
    wrong = [
        ({"game": "chess"}, "/game"),
        ({"game": "coup", "seats": 9}, "/seats"),
        ({"game": "coup", "options": {"what": 1}}, "/options/what"),
        ({"bots": ["nobody"]}, "/bots"),
        ({"fill": "nobody"}, "/bots"),
        ({"places": 4, "bots": ["random"] * 4}, "/bots"),
        ({"game": "coup", "seats": 6, "places": 4}, "/places"),
        ({"starts_ms": table.now_ms - 1}, "/starts_ms"),
        ({"starts_ms": table.now_ms + 31 * DAY_MS}, "/starts_ms"),
    ]
    for wish, field in wrong:
        answer = await table.post("/tournaments", token, {**WISH, **wish})
        assert (answer.json["type"], answer.json["field"]) == ("urn:tafelrunde:problem:invalid-options", field), wish
    assert (await table.post("/tournaments", token, {**WISH, "name": " "})).json["type"] == "urn:tafelrunde:problem:invalid-name"


async def test_tournament_starts_at_its_time_with_bots_that_even_it_out(table: Table) -> None:
    """Where too few have come and no bots are wished, it is called off; so is one that no one starts."""
    players = Players(table)
    organiser, other = await players.add(2)
    filled = await open_cup(table, organiser, game="coup", seats=3, fill="random", starts_ms=table.now_ms + MINUTE_MS)
    empty = await open_cup(table, organiser, starts_ms=table.now_ms + MINUTE_MS)
    unused = await open_cup(table, organiser)
    await join(table, filled, other)
    await go_on(table)
    table.now_ms += MINUTE_MS
    await go_on(table)
    sheet = await sheet_of(table, filled)
    assert (sheet["facts"]["stage"], sheet["facts"]["entrants"], len(sheet["newest"]["tables"])) == ("running", 6, 2)
    assert [row["bot"] for row in sheet["standings"]].count("random") == 4
    assert (await sheet_of(table, empty))["facts"]["cancelled"] == "too-few"
    assert (await join(table, filled, (await table.player())[1])).json["type"] == "urn:tafelrunde:problem:tournament-closed"
    table.now_ms += 30 * DAY_MS
    await go_on(table)
    assert (await sheet_of(table, unused))["facts"]["cancelled"] == "unused"


async def test_player_who_has_left_plays_no_further_rounds(table: Table) -> None:
    """Before the start the place is free again; after it the name stays in the standings, and the other one rests."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cup = await open_cup(table, organiser)
    for token in others:
        await join(table, cup, token)
    path = f"/api/v1/tournaments/{cup}/entries/me"
    assert (await table.ask("DELETE", path, token=others[0])).json["facts"]["entrants"] == 3
    assert (await join(table, cup, others[0])).json["facts"]["entry"] == 3
    await table.post(f"/tournaments/{cup}/start", organiser)
    await go_on(table)
    left = await table.ask("DELETE", path, token=others[0])
    assert (left.json["facts"]["withdrawn"], left.json["facts"]["entrants"]) == (True, 4)
    await play_round(table, cup, players.tokens)
    second = (await sheet_of(table, cup))["newest"]
    assert (second["round"], len(second["tables"]), len(second["byes"])) == (2, 1, 1)
    await play_all(table, cup, players.tokens)
    after = await sheet_of(table, cup)
    assert after["facts"]["stage"] == "over"
    assert [row["entrant"] for row in after["standings"] if row["withdrawn"]] == [3]
    assert sum(row["points"] for row in after["standings"]) == 2 + 1 + 0.5 + 1 + 0.5


async def test_deleted_player_is_in_no_tournament_that_goes_on(table: Table) -> None:
    """One of its own that has not begun is called off; where it has played, its id stays, without a name."""
    players = Players(table)
    organiser, leaver, *others = await players.add(5)
    cup, own = await open_cup(table, organiser), await open_cup(table, leaver, visibility="listed")
    for token in (leaver, *others):
        await join(table, cup, token)
    waiting = await open_cup(table, organiser)
    await join(table, waiting, leaver)
    await table.post(f"/tournaments/{cup}/start", organiser)
    await go_on(table)
    player = (await table.get("/me", leaver)).json["id"]
    exported = await table.application.get(Tournaments).export(PlayerId(player))
    assert isinstance(exported, list)
    assert {each["tournament"]: (each["organises"], each["entry"]) for each in exported} == {
        cup: (False, 1),
        own: (True, 0),
        waiting: (False, 1),
    }
    await table.application.erasure.forget(PlayerId(player))
    row = next(each for each in (await sheet_of(table, cup))["standings"] if each["player"] == player)
    assert (row["name"], row["withdrawn"]) == (None, True)
    assert (await sheet_of(table, own))["facts"]["cancelled"] == "organiser"
    assert (await sheet_of(table, waiting))["facts"]["entrants"] == 1
    assert await STORE.of(table.application.stores).of_player(PlayerId(player)) == []


async def test_old_tournament_is_deleted_with_all_that_leads_to_it(table: Table) -> None:
    """Its days after its end are over; its matches stay."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cup = await open_cup(table, organiser, rounds=1, visibility="listed")
    for token in others:
        await join(table, cup, token)
    await table.post(f"/tournaments/{cup}/start", organiser)
    (played,) = await play_all(table, cup, players.tokens)
    table.now_ms += 90 * DAY_MS - 1
    await go_on(table)
    assert (await sheet_of(table, cup))["facts"]["stage"] == "over"
    table.now_ms += 1
    await go_on(table)
    assert (await table.get(f"/tournaments/{cup}")).status == 404
    assert (await table.get("/tournaments")).json["items"] == []
    assert (await table.get("/me/tournaments", organiser)).json["items"] == []
    assert await STORE.of(table.application.stores).claim(table.now_ms * 2, 0, 9) == []
    chairs = (await table.get(f"/matches/{played['tables'][0]['match']}", organiser)).json["chairs"]
    assert len(chairs) == 2


async def test_result_counts_once_all_may_know_it(table: Table) -> None:
    """Where spectators see a match a minute later, its result, and what follows from it, is in the standings a minute later."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cup = await open_cup(table, organiser, rounds=1, spectators="delayed")
    for token in others:
        await join(table, cup, token)
    await table.post(f"/tournaments/{cup}/start", organiser)
    await go_on(table)
    await play_round(table, cup, players.tokens)
    newest = (await sheet_of(table, cup))["newest"]
    assert [each["over"] for each in newest["tables"]] == [False, False]
    table.now_ms += MINUTE_MS
    await go_on(table)
    assert (await sheet_of(table, cup))["facts"]["stage"] == "over"


async def test_match_without_a_result_gives_its_players_nothing(table: Table) -> None:
    """Two who agree to end theirs win no point; one that an operator takes back is shared."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cup = await open_cup(table, organiser, rounds=1)
    for token in others:
        await join(table, cup, token)
    await table.post(f"/tournaments/{cup}/start", organiser)
    await go_on(table)
    first, second = (await sheet_of(table, cup))["newest"]["tables"]
    for token in players.tokens.values():
        await table.post(f"/matches/{first['match']}/abort", token)
    await play(table, second["match"], players.tokens)
    await table.application.corrections.void(PlayerId("operator"), MatchId(second["match"]), "A test.", "void")
    await go_on(table)
    newest = (await sheet_of(table, cup))["newest"]
    assert [[chair["points"] for chair in each["chairs"]] for each in newest["tables"]] == [[0, 0], [0.5, 0.5]]
    assert [[chair["rank"] for chair in each["chairs"]] for each in newest["tables"]] == [[None, None], [1, 1]]


async def test_players_hear_of_their_round_in_their_inbox(table: Table) -> None:
    """Each of its own match; and a second look posts nothing again."""
    players = Players(table)
    organiser, *others = await players.add(4)
    cursor = (await table.get("/me/inbox", others[0])).json["cursor"]
    cup = await open_cup(table, organiser)
    for token in others:
        await join(table, cup, token)
    await table.post(f"/tournaments/{cup}/start", organiser)
    await go_on(table)
    await table.application.get(Director).tend(TournamentId(cup))
    (item,) = (await table.get(f"/me/inbox?after={cursor}", others[0])).json["items"]
    mine = (await sheet_of(table, cup, others[0]))["facts"]["your_match"]
    assert item["message"]["type"] == "tournament.round-started"
    assert item["message"]["data"] == {"tournament": cup, "round": 1, "match": mine, "game": "duel"}


async def test_only_the_organiser_starts_and_cancels(table: Table) -> None:
    """Others are refused, and so is what is over; starting or calling off twice is once."""
    players = Players(table)
    organiser, other = await players.add(2)
    cup = await open_cup(table, organiser, bots=["random"] * 3, rounds=1)
    assert (await table.post(f"/tournaments/{cup}/start", other)).json["type"] == "urn:tafelrunde:problem:not-organiser"
    path = f"/api/v1/tournaments/{cup}"
    assert (await table.ask("DELETE", path, token=other)).json["type"] == "urn:tafelrunde:problem:not-organiser"
    started = [(await table.post(f"/tournaments/{cup}/start", organiser)).json["facts"]["stage"] for _ in range(2)]
    assert started == ["running"] * 2
    await play_all(table, cup, players.tokens)
    assert (await table.post(f"/tournaments/{cup}/start", organiser)).json["type"] == "urn:tafelrunde:problem:tournament-closed"
    assert (await table.ask("DELETE", path, token=organiser)).json["type"] == "urn:tafelrunde:problem:tournament-closed"
    second = f"/api/v1/tournaments/{await open_cup(table, organiser)}"
    assert [(await table.ask("DELETE", second, token=organiser)).status for _ in range(2)] == [200, 200]


async def test_tournaments_of_an_address_are_counted_together() -> None:
    """Who signs up again opens no more; what the address is refused costs the player nothing."""
    async with opened(read_settings({"TAFELRUNDE_TOURNAMENTS_PER_ADDRESS_DAILY": "2"})) as table:
        for expected in (201, 201, 429, 429):
            answer = await table.post("/tournaments", (await table.player("Ann"))[1], WISH)
            assert answer.status == expected
        assert answer.json["type"] == "urn:tafelrunde:problem:too-many-tournaments"


@pytest.mark.parametrize(
    ("wish", "joined"),
    [({}, 5), ({"bots": ["random"] * 3}, 2), ({"kind": "swiss", "rounds": 3}, 9), ({"game": "coup", "seats": 4}, 12)],
)
async def test_address_pays_for_the_matches_that_its_players_add(wish: Mapping[str, Any], joined: int) -> None:
    """However many guests join from there, they begin no more matches than it may open a day; a player pays for none."""
    limits = {"TAFELRUNDE_MATCHES_PER_ADDRESS_DAILY": "14", "TAFELRUNDE_MATCHES_PER_PLAYER_DAILY": "1"}
    async with opened(read_settings(limits)) as table:
        players = Players(table)
        organiser, *others = await players.add(13)
        cup = await open_cup(table, organiser, **wish)
        answers = [await join(table, cup, token) for token in others]
        taken = [each.status for each in answers]
        assert taken == [200] * (joined - 1) + [429] * (13 - joined)
        assert {each.json["type"] for each in answers[joined - 1 :]} <= {"urn:tafelrunde:problem:too-many-requests"}
        await table.post(f"/tournaments/{cup}/start", organiser)
        await go_on(table)
        facts = (await sheet_of(table, cup))["facts"]
        assert facts["rounds"] * min(joined, facts["entrants"] // facts["seats"]) <= 14


@pytest.mark.parametrize(("wish", "joined"), [({}, 5), ({"game": "coup", "seats": 4}, 12)])
async def test_address_pays_for_the_matches_that_players_add_who_join_at_once(
    wish: Mapping[str, Any], joined: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many may join as one after the other, although each has seen the tournament as it was before all others."""
    limits = {"TAFELRUNDE_MATCHES_PER_ADDRESS_DAILY": "14"}
    async with opened(read_settings(limits)) as table:
        players = Players(table)
        organiser, *others = await players.add(13)
        cup = await open_cup(table, organiser, **wish)
        store = STORE.of(table.application.stores)
        append, waiting, all_there = store.append, 0, asyncio.Event()

        async def together(tournament: TournamentId, expected: int, facts: Sequence[bytes]) -> bool:
            nonlocal waiting
            waiting += 1
            if waiting == len(others):
                all_there.set()
            await all_there.wait()
            return await append(tournament, expected, facts)

        with monkeypatch.context() as patch:
            patch.setattr(store, "append", together)
            async with asyncio.timeout(PATIENCE_SECONDS):
                answers = await asyncio.gather(*(join(table, cup, token) for token in others))
        assert sorted(each.status for each in answers) == [200] * (joined - 1) + [429] * (13 - joined)
        assert (await sheet_of(table, cup))["facts"]["entrants"] == joined


@pytest.mark.parametrize("same", [True, False])
async def test_join_that_adds_no_one_in_the_end_costs_nothing(monkeypatch: pytest.MonkeyPatch, same: bool) -> None:
    """The same request came twice at once, or another player took the last place meanwhile: what was paid is given back."""
    async with opened(read_settings({"TAFELRUNDE_MATCHES_PER_ADDRESS_DAILY": "4"})) as table:
        organiser, one, other = await Players(table).add(3)
        cup = await open_cup(table, organiser, bots=["random"] * 2, rounds=1, places=4)
        store = STORE.of(table.application.stores)
        append = store.append

        async def after_another(tournament: TournamentId, expected: int, facts: Sequence[bytes]) -> bool:
            patch.undo()
            table.now_ms += 1
            assert (await join(table, cup, one)).status == 200
            return await append(tournament, expected, facts)

        with monkeypatch.context() as patch:
            patch.setattr(store, "append", after_another)
            assert (await join(table, cup, one if same else other)).status == (200 if same else 409)
        bots_and_me = {**WISH, "bots": ["random"] * 3}
        assert (await table.post("/tournaments", organiser, {**bots_and_me, "rounds": 2})).status == 201
        assert (await table.post("/tournaments", organiser, {**bots_and_me, "rounds": 1})).status == 429


async def test_join_that_others_are_always_ahead_of_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was written, so what was paid is given back."""
    async with opened(read_settings({"TAFELRUNDE_MATCHES_PER_ADDRESS_DAILY": "2"})) as table:
        organiser, other = await Players(table).add(2)
        cup = await open_cup(table, organiser, bots=["random"] * 2, rounds=1, places=4)
        with monkeypatch.context() as patch:
            patch.setattr(STORE.of(table.application.stores), "append", AsyncMock(return_value=False))
            assert (await join(table, cup, other)).status == 503
        answers = [await join(table, cup, other), await table.post("/tournaments", organiser, {**WISH, "bots": ["random"] * 3})]
        assert [each.status for each in answers] == [200, 429]


async def test_join_beyond_what_an_address_had_gives_back_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator's player may join although nothing is left: what was not paid is not given back."""
    async with opened(read_settings({"TAFELRUNDE_MATCHES_PER_ADDRESS_DAILY": "2"})) as table:
        [organiser] = await Players(table).add(1)
        player, own = await table.player("Embedder")  # joins by its own token: that for others pays from no address
        await table.application.accounts.issue(PlayerId(player), "key", ["read", "play", "create", "embed"], None)
        cup = await open_cup(table, organiser, bots=["random"] * 2, rounds=1, places=4)
        last = {**WISH, "bots": ["random"] * 3, "rounds": 1}
        while (await table.post("/tournaments", organiser, last)).status == 201:
            pass
        with monkeypatch.context() as patch:
            patch.setattr(STORE.of(table.application.stores), "append", AsyncMock(return_value=False))
            assert (await join(table, cup, own)).status == 503
        assert (await table.post("/tournaments", organiser, last)).status == 429
        assert (await join(table, cup, own)).status == 200


async def test_address_may_spend_what_was_too_little_for_more() -> None:
    """A tournament that adds more matches than are left is refused and costs none of them."""
    async with opened(read_settings({"TAFELRUNDE_MATCHES_PER_ADDRESS_DAILY": "3"})) as table:
        [organiser] = await Players(table).add(1)
        wish = {**WISH, "bots": ["random"] * 3}
        taken = [(await table.post("/tournaments", organiser, {**wish, "rounds": rounds})).status for rounds in (2, 2, 1, 1)]
        assert taken == [201, 429, 201, 429]


async def test_address_pays_once_when_a_player_leaves_and_joins_again() -> None:
    """Nor for a place that another one leaves; what is added beyond all that was there at once is paid for."""
    limits = {"TAFELRUNDE_MATCHES_PER_ADDRESS_DAILY": "7"}
    async with opened(read_settings(limits)) as table:
        players = Players(table)
        organiser, *others = await players.add(6)
        cup = await open_cup(table, organiser)
        for token in others[:3]:
            assert (await join(table, cup, token)).status == 200
        for _ in range(3):
            assert (await table.ask("DELETE", f"{API}/tournaments/{cup}/entries/me", token=others[0])).status == 200
            assert (await join(table, cup, others[0])).status == 200
        await table.ask("DELETE", f"{API}/tournaments/{cup}/entries/me", token=others[0])
        assert (await join(table, cup, others[3])).status == 200
        assert (await join(table, cup, others[4])).status == 429


async def test_matches_of_a_tournament_cost_no_player_a_match_of_the_day() -> None:
    """Neither the organiser nor a player pays for them; a player has ten tournaments at once, and opens five a day."""
    async with opened(read_settings({"TAFELRUNDE_MATCHES_PER_PLAYER_DAILY": "1"})) as table:
        players = Players(table)
        organiser, *others = await players.add(4)
        cup = await open_cup(table, organiser)
        for token in others:
            await join(table, cup, token)
        await table.post(f"/tournaments/{cup}/start", organiser)
        await go_on(table)
        assert (await table.post("/matches", organiser, {"game": "duel", "seats": 2})).status == 201
        again = [await table.post("/tournaments", organiser, WISH) for _ in range(5)]
        assert [each.status for each in again] == [201] * 4 + [429]
        for token in others[:2]:
            for _ in range(5):
                await join(table, (await open_cup(table, token)), others[2])
        refused = await join(table, await open_cup(table, (await players.add(1))[0]), others[2])
        assert refused.json["type"] == "urn:tafelrunde:problem:too-many-tournaments"
