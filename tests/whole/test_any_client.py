"""A client that knows no game: it reads who is asked, and picks from what is legal."""

from __future__ import annotations

import itertools
import random

import pytest

from tafelrunde.api.app import running
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.table import API, Table
from tests.support.thorough import tries
from tests.support.wire import Answer, Wire

pytestmark = pytest.mark.anyio

MATCHES = tries(1, 10)
"""The minimum number of matches of each game."""
MOST_ANSWERS = 4_000


class Client:
    """Some players at one table, who know nothing but the paths and shapes of the contract."""

    def __init__(self, wire: Wire, seed: str) -> None:
        self.wire = wire
        self.rng = random.Random(seed)
        self.tokens: list[str] = []
        self.match = ""
        self.answers = 0

    async def ask(self, method: str, path: str, seat: int | None = None, content: object = None) -> Answer:
        """Ask as the player of a seat; every request that changes something has a key of its own."""
        self.answers += 1
        token = None if seat is None else self.tokens[seat]
        key = f"key-{self.answers}" if method == "POST" else None
        return await self.wire.ask(method, API + path, token=token, content=content, key=key)

    async def sit_down(self, game: str, seats: int) -> None:
        """Open a match, fill its seats, and start; take one seat fewer if the game's default options do not allow that number."""
        self.tokens = [(await self.ask("POST", "/players", content={})).json["text"] for _ in range(seats)]
        opened = await self.ask("POST", "/matches", 0, {"game": game, "seats": seats})
        if opened.status == 422:
            await self.sit_down(game, seats - 1)
            return
        self.match = opened.json["match"]
        for seat in range(1, seats):
            await self.ask("POST", f"/matches/{self.match}/seats", seat, {})
        await self.ask("POST", f"/matches/{self.match}/start", 0, {})

    async def play(self) -> list[dict[str, int | None]]:
        """Play to the end, and return the placings."""
        while (view := (await self.ask("GET", f"/matches/{self.match}/view", 0)).json)["status"] == "running":
            assert self.answers < MOST_ANSWERS
            for seat in view["waiting"]["seats"]:
                await self.answer(seat)
        return view["placings"]

    async def answer(self, seat: int) -> None:
        """Give any legal command, if the seat is asked."""
        view = (await self.ask("GET", f"/matches/{self.match}/view", seat)).json
        if (question := view["question"]) is not None:
            content = {"decision": question["decision"], "command": self.rng.choice(question["legal"])}
            answer = await self.ask("POST", f"/matches/{self.match}/commands", seat, content)
            assert answer.status == 200, answer


@pytest.mark.parametrize("game", GAMES)
async def test_client_that_knows_no_game_finishes_matches_with_every_number_of_seats(game: GameId) -> None:
    """Matches of each game, with every number of seats in turn, each come to an end with a winner."""
    table = Table()
    async with running(table.app):
        wire = Wire(table.app)
        sheet = (await wire.ask("GET", f"{API}/games/{game}")).json
        tables = range(sheet["min_seats"], sheet["max_seats"] + 1)
        seats = itertools.cycle(tables)
        for number in range(max(MATCHES, len(tables))):
            client = Client(wire, f"{game}/{number}")
            await client.sit_down(game, next(seats))
            placings = await client.play()
            assert [placing["seat"] for placing in placings] == list(range(len(client.tokens)))
            assert 1 in {placing["rank"] for placing in placings}
