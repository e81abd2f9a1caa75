"""Bad options: each is refused with a typed problem that points at the field."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.table import Table

pytestmark = pytest.mark.anyio

ELEVEN = [0] * 11
WRONG: list[tuple[str, int, str, object]] = [
    ("coup", 2, "fifth_role", "duke"),
    ("coup", 3, "duel_draft", True),
    ("coup", 2, "colour", "red"),
    ("matchmaster", 3, "first_dealer", 3),
    ("matchmaster", 3, "first_dealer", "me"),
    ("meister-coup", 5, "mode", "team"),
    ("meister-coup", 6, "mode", "standard"),
    ("meister-coup", 4, "diamonds", ELEVEN),
    ("meister-coup", 4, "diamonds", [4, *ELEVEN]),
    ("meister-coup", 4, "diamonds", "many"),
    ("stich-meister", 3, "rules", [1, 2, 3, 61]),
    ("stich-meister", 3, "rules", [1, 2, 3, 3]),
    ("stich-meister", 3, "rules", [1, 2, 3]),
    ("mondkrone", 2, "deck", "huge"),
    ("mondkrone", 2, "draw", 1),
]


async def refused(table: Table, wish: dict[str, object]) -> tuple[int, str, str]:
    """Return how a wish for a match is refused."""
    _, token = await table.player()
    answer = await table.post("/matches", token, wish)
    return answer.status, answer.json["type"], answer.json["field"]


@pytest.mark.parametrize(("game", "seats", "name", "value"), WRONG)
async def test_bad_option_is_refused_with_its_field(game: str, seats: int, name: str, value: object, table: Table) -> None:
    """Unknown names, values out of bounds, and what does not go with the number of seats."""
    answer = await refused(table, {"game": game, "seats": seats, "options": {name: value}})
    assert answer == (422, "/problems/invalid-options", f"/options/{name}")


@pytest.mark.parametrize("game", GAMES)
async def test_number_of_seats_out_of_range_is_refused_with_its_field(game: GameId, table: Table) -> None:
    """One seat too few, and one too many."""
    for seats in (GAMES[game].min_seats - 1, GAMES[game].max_seats + 1):
        assert await refused(table, {"game": game, "seats": seats}) == (422, "/problems/invalid-options", "/seats")
