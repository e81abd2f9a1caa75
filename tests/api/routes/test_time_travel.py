"""Views of earlier points, in every game: what a viewer gets is what it saw then, and what others saw only after the end."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.domain.registry import GAMES
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

MOMENTS = {round(3 * 1.6**step) for step in range(16)}
"""How many answers there are before everyone looks."""
SPECTATOR = "public"


class Game(NamedTuple):
    """A match with a token for each seat, and one of a spectator."""

    table: Table
    match: str
    players: list[str]
    tokens: dict[str, str]

    async def look(self, whose: str, more: str = "") -> Any:
        """Return a view of a seat, or of who watches."""
        answer = await self.table.get(f"/matches/{self.match}/view{more}", self.tokens[whose])
        assert answer.status == 200, answer
        return answer.json

    async def answer(self, rng: random.Random) -> bool:
        """Let an asked seat give any legal answer; return whether the match goes on."""
        application = self.table.application
        match = MatchId(self.match)
        loaded = await application.repository.load_latest(match)
        if (ask := loaded.match.pending()) is None:
            return False
        seat = rng.choice(ask.open)
        legal = loaded.match.game.legal(loaded.match.table, seat)
        await application.matches.play(PlayerId(self.players[seat]), match, ask.decision, rng.choice(legal), self.table.key())
        return True


async def begun(table: Table, game: str) -> Game:
    """Start a match with people on all seats, which others may watch."""
    seats = max(GAMES[GameId(game)].min_seats, 3)
    people = [await table.player() for _ in range(seats + 1)]
    match = await table.open(people[0][1], game=game, seats=seats, spectators="public")
    for _, token in people[1:seats]:
        assert (await table.post(f"/matches/{match}/seats", token)).status == 200
    assert (await table.post(f"/matches/{match}/start", people[0][1])).status == 200
    names = [*map(str, range(seats)), SPECTATOR]
    return Game(table, match, [player for player, _ in people], dict(zip(names, (token for _, token in people), strict=True)))


@pytest.mark.parametrize("game", GAMES)
async def test_every_point_can_be_seen_again(game: str) -> None:
    """By each seat and by a spectator, during the match and after it; what others saw is available only after it."""
    rng = random.Random(game)
    async with opened() as table:
        played = await begun(table, game)
        moments = [{whose: await played.look(whose) for whose in played.tokens}]
        count = 0
        while await played.answer(rng):
            count += 1
            if count in MOMENTS:
                moments.append({whose: await played.look(whose) for whose in played.tokens})
                await same_again(played, moments[-2], while_running=len(moments) > 2)
        moments.append({whose: await played.look(whose) for whose in played.tokens})
        assert moments[-1]["0"]["status"] == "over"
        for moment in moments:
            await same_again(played, moment)
        assert sum([await seen_by_all(played, moment) for moment in moments]) > len(moments)


async def same_again(played: Game, moment: dict[str, Any], *, while_running: bool = False) -> None:
    """Compare what each viewer sees of a point now with what it saw then; what others saw is closed while the match runs."""
    for whose, seen in moment.items():
        assert await played.look(whose, f"?at={seen['cursor']}") == seen
    if while_running and (await played.look("0"))["status"] == "running":
        closed = f"/matches/{played.match}/view?at={moment['0']['cursor']}&perspective="
        for whose in moment:
            answer = await played.table.get(closed + whose, played.tokens["0"])
            assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:not-over")


async def seen_by_all(played: Game, moment: dict[str, Any]) -> int:
    """Compare what each viewer saw then with what a seat, and a spectator, may see of it after the end.

    Another seat may have answered secretly since the caller's last item: then its point is before that answer. Returns how many
    views could be compared.
    """
    compared = 0
    for asker in (SPECTATOR, "1"):
        at = f"?at={moment[asker]['cursor']}"
        for whose, seen in moment.items():
            found = await played.look(asker, f"{at}&perspective={whose}")
            assert found["seat"] == seen["seat"]
            if await noticed(played, moment, asker):
                assert found["table"] == seen["table"]
                compared += 1
            if whose == asker:
                assert (found["table"], found["question"]) == (seen["table"], seen["question"])
    return compared


async def noticed(played: Game, moment: dict[str, Any], asker: str) -> bool:
    """Return whether the newest event then was one that the caller could see."""
    match = MatchId(played.match)
    application = played.table.application
    loaded = await application.repository.load_latest(match)

    def version(whose: str) -> int:
        seat = None if whose == SPECTATOR else Seat(int(whose))
        feed = application.feeds.of(match, loaded, seat)
        return feed.versions[feed.position(moment[whose]["cursor"]) - 1]

    return version(asker) == max(map(version, moment))


@pytest.mark.parametrize("game", GAMES)
async def test_point_of_another_feed_is_refused(game: str) -> None:
    """A cursor belongs to one viewer's feed; that of another seat is refused as unknown."""
    rng = random.Random(game)
    async with opened() as table:
        played = await begun(table, game)
        for _ in range(5):
            await played.answer(rng)
        cursor = (await played.look("0"))["cursor"]
        assert cursor != (await played.look("1"))["cursor"]
        answer = await table.get(f"/matches/{played.match}/view?at={cursor}", played.tokens["1"])
        assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:cursor-unknown")
