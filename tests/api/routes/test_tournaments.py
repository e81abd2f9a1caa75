"""Tournaments over HTTP: from the opening to the last round, and what no one may see or do."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.tournaments.commitments import secret_of_table
from tafelrunde.service.features.tournaments.director import Director
from tafelrunde.service.memory_store import memory_stores
from tests.support.table import Table, opened

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


async def test_rounds_go_on_where_a_process_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut off at each write in turn: every match is opened once, no result is lost, and each round is drawn once."""
    stores = memory_stores()
    async with opened(stores=stores) as one:
        players = Players(one)
        organiser, *others = await players.add(4)
        cup = await open_cup(one, organiser, kind="swiss", rounds=2)
        for token in others:
            await join(one, cup, token)
        await one.post(f"/tournaments/{cup}/start", organiser)
        stopped = 0
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
                    if await is_there(process, each["match"]):
                        await play(process, each["match"], players.tokens)
            if (await sheet_of(one, cup))["facts"]["stage"] == "over":
                break
        assert stopped > 3
        assert (await sheet_of(one, cup))["facts"]["round"] == 2
        for number in (1, 2):
            drawn = (await one.get(f"/tournaments/{cup}/rounds/{number}")).json
            assert [table["over"] for table in drawn["tables"]] == [True, True]
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
