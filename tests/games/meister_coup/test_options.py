"""Options of Meister Coup: what is offered, and that each wrong one is refused by its name."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from tafelrunde.domain.game import InvalidOptions
from tafelrunde.domain.match.opening import read_options
from tafelrunde.domain.match.terms import OptionValue
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.messages import MeisterOptions
from tests.games.meister_coup.kit import Scene
from tests.support.cases import GAMES
from tests.support.table import opened

ANY = GAMES[GAME.id]
TWELVE: list[int | str] = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
WRONG: Mapping[str, tuple[int, Mapping[str, OptionValue], str]] = {
    "standard with six": (6, {}, "mode"),
    "team with three": (3, {"mode": "team"}, "mode"),
    "team with five": (5, {"mode": "team"}, "mode"),
    "unknown mode": (4, {"mode": "pairs"}, "mode"),
    "unknown list": (4, {"diamonds": "level"}, "diamonds"),
    "eleven numbers": (4, {"diamonds": TWELVE[1:]}, "diamonds"),
    "thirteen numbers": (4, {"diamonds": [*TWELVE, 0]}, "diamonds"),
    "four diamonds": (4, {"diamonds": [*TWELVE[1:], 4]}, "diamonds"),
    "minus one diamond": (4, {"diamonds": [-1, *TWELVE[1:]]}, "diamonds"),
    "a word among numbers": (4, {"diamonds": ["three", *TWELVE[1:]]}, "diamonds"),
    "a number alone": (4, {"diamonds": 3}, "diamonds"),
    "no list": (4, {"diamonds": None}, "diamonds"),
    "a leader beyond the table": (4, {"first_leader": 4}, "first_leader"),
    "a leader beyond any table": (4, {"first_leader": 6}, "first_leader"),
    "a leader below the table": (4, {"first_leader": -1}, "first_leader"),
    "an unknown leader": (4, {"first_leader": "cleverest"}, "first_leader"),
    "an unknown option": (4, {"colour": "violet"}, "colour"),
}
every_wrong_one = pytest.mark.parametrize(
    ("seats", "options", "field"), [pytest.param(*wrong, id=name) for name, wrong in WRONG.items()]
)


@pytest.mark.parametrize("mode", ["standard", "team"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_seats_depend_on_the_mode_when_a_match_is_opened(mode: str, seats: int) -> None:
    """Three to five play alone, four or six in two teams."""
    if seats in {"standard": (3, 4, 5), "team": (4, 6)}[mode]:
        assert read_options(ANY, {"mode": mode}, seats) == msgspec.structs.replace(MeisterOptions(), mode=mode)
        return
    with pytest.raises(InvalidOptions) as refused:
        read_options(ANY, {"mode": mode}, seats)
    assert refused.value.field == ("mode" if 3 <= seats <= 6 else "seats")


@every_wrong_one
def test_wrong_option_is_refused_by_its_name(seats: int, options: Mapping[str, OptionValue], field: str) -> None:
    """The error names the first wrong field."""
    with pytest.raises(InvalidOptions) as refused:
        read_options(ANY, options, seats)
    assert refused.value.field == field


@pytest.mark.parametrize("diamonds", [(0,) * 11, (0,) * 13, (0,) * 11 + (4,), (-1,) + (0,) * 11])
def test_wrong_diamonds_are_refused_when_they_come_from_code(diamonds: tuple[int, ...]) -> None:
    """Options that did not come from a decoder are checked too."""
    with pytest.raises(InvalidOptions) as refused:
        GAME.check(MeisterOptions(diamonds=diamonds), 4)
    assert refused.value.field == "diamonds"


def test_own_diamonds_are_kept_when_they_are_twelve_numbers() -> None:
    """An own list is read, and comes back in the view."""
    options = read_options(ANY, {"diamonds": TWELVE}, 4)
    assert isinstance(options, MeisterOptions)
    assert options.diamonds == tuple(TWELVE)
    assert GAME.view(GAME.create(options, 4), None).diamonds == tuple(TWELVE)


def test_rematch_has_the_same_options_when_a_match_is_over() -> None:
    """A rematch keeps the options; who leads is drawn again, unless a seat was named."""
    scene = Scene("v1", "v2", "g3", number=3, last=True, first_leader=2, diamonds="falling").play("v1 v2 g3")
    scene.pick("g3")
    assert GAME.rematch(scene.table.options, scene.standing()) == MeisterOptions(first_leader=2, diamonds="falling")


@pytest.mark.anyio
@every_wrong_one
async def test_wrong_option_is_refused_over_http_by_its_name(seats: int, options: Mapping[str, OptionValue], field: str) -> None:
    """The service answers 422 with the place of the wrong option."""
    async with opened() as table:
        _, token = await table.player()
        answer = await table.post("/matches", token, {"game": GAME.id, "seats": seats, "options": options})
        found = answer.status, answer.json["type"], answer.json["field"]
        assert found == (422, "urn:tafelrunde:problem:invalid-options", f"/options/{field}")
