"""Bad options: each is refused with a typed problem that points at the field."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import Wrong, facts_of
from tests.support.table import Table

pytestmark = pytest.mark.anyio

WRONG = [
    pytest.param(game, wrong, id=f"{game}-{wrong.option}-{n}")
    for game in GAMES
    for n, wrong in enumerate(facts_of(game).wrong_options)
]


async def refused(table: Table, wish: dict[str, object]) -> tuple[int, str, str]:
    """Return how a wish for a match is refused."""
    _, token = await table.player()
    answer = await table.post("/matches", token, wish)
    return answer.status, answer.json["type"], answer.json["field"]


@pytest.mark.parametrize(("game", "wrong"), WRONG)
async def test_bad_option_is_refused_with_its_field(game: GameId, wrong: Wrong, table: Table) -> None:
    """Unknown names, values out of bounds, and what does not go with the number of seats."""
    answer = await refused(table, {"game": game, "seats": wrong.seats, "options": {wrong.option: wrong.value}})
    assert answer == (422, "urn:tafelrunde:problem:invalid-options", f"/options/{wrong.option}")


@pytest.mark.parametrize("game", GAMES)
async def test_number_of_seats_out_of_range_is_refused_with_its_field(game: GameId, table: Table) -> None:
    """One seat too few, and one too many."""
    for seats in (GAMES[game].min_seats - 1, GAMES[game].max_seats + 1):
        assert await refused(table, {"game": game, "seats": seats}) == (422, "urn:tafelrunde:problem:invalid-options", "/seats")
