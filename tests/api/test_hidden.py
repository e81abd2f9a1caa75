"""Hidden information on the wire: what a viewer cannot know does not change a byte of what it gets.

The games' own suites show that views, events and refusals tell nothing; here it is every byte of bodies, headers, errors,
dry runs, lists and streams. Leaks are planted to see that they are found.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from tafelrunde.api.problems import GameRefused, Refused
from tafelrunde.api.routes import play
from tafelrunde.domain.game import GameId
from tafelrunde.service.house import House
from tafelrunde.service.proofs import Dealt
from tafelrunde.service.webhooks.herald import Herald
from tafelrunde.service.webhooks.messages import MatchData, Started, Told
from tests.api.table import NOW_MS
from tests.api.worlds import Worlds, worlds
from tests.stored import stored

pytestmark = pytest.mark.anyio

STEPS = 40
COUP = GameId("coup")
STICH = GameId("stich-meister")


async def compared(game: GameId, seats: int, seed: int, **options: object) -> Worlds:
    """Play two worlds for a while, and compare after every step."""
    async with worlds(game, seats, seed, **options) as both:
        try:
            await play_on(both)
        except AssertionError as error:
            both.found = error
    if both.found is not None:
        raise both.found
    return both


async def play_on(both: Worlds) -> None:
    """Compare and play until nobody is left who could not tell the worlds apart, or the match is over."""
    for number in range(STEPS):
        for world in (both.one, both.other):
            await world.tend()
        await both.compare(streams=number % 8 == 7)
        if not both.alike or not await both.step():
            return


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param(COUP, 2, {}, id="coup-two"),
        pytest.param(COUP, 3, {}, id="coup-three"),
        pytest.param(COUP, 4, {"fifth_role": "inquisitor"}, id="coup-four-inquisitor"),
        pytest.param(COUP, 6, {}, id="coup-six"),
        pytest.param(STICH, 3, {}, id="stich-three"),
        pytest.param(STICH, 4, {"rules": [22, 23, 25, 38]}, id="stich-four-passing"),
        pytest.param(GameId("matchmaster"), 3, {}, id="matchmaster-three"),
        pytest.param(GameId("meister-coup"), 4, {"mode": "team"}, id="meister-coup-four-in-teams"),
        pytest.param(GameId("meister-coup"), 3, {}, id="meister-coup-three"),
        pytest.param(GameId("meister-coup"), 4, {"mode": "team"}, id="meister-coup-teams"),
        pytest.param(GameId("mondkrone"), 2, {}, id="mondkrone-two"),
        pytest.param(GameId("mondkrone"), 4, {}, id="mondkrone-four"),
    ],
)
async def test_wire_tells_nothing_that_its_viewer_cannot_know(game: GameId, seats: int, options: dict[str, object]) -> None:
    """Hands, decks and secret answers may differ: every byte stays the same for all who cannot know of it."""
    runs = [await compared(game, seats, seed, **options) for seed in range(3)]
    assert sum(run.differing for run in runs) > 15, [(run.checked, run.differing) for run in runs]


async def leak_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell with the view how many events there are in all."""
    honest = play.get_view.run

    async def leaking(call: Any) -> Any:
        reply: Any = await honest(call)
        version = (await call.house.matches.current(call.match)).version
        reply.headers.append((b"x-version", str(version).encode()))
        return reply

    monkeypatch.setattr(play.get_view, "run", leaking)


async def leak_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell with a refusal a number that depends on the whole table."""
    honest = play.give_command.run

    async def leaking(call: Any) -> Any:
        try:
            return await honest(call)
        except GameRefused:
            table = (await call.house.matches.current(call.match)).match.table
            raise Refused("refused", detail=str(sum(stored(table.freeze())))) from None

    monkeypatch.setattr(play.give_command, "run", leaking)


async def leak_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Date the facts by the last event, seen or not."""
    honest = House.summary

    async def leaking(house: House, *arguments: Any) -> Any:
        summary = await honest(house, *arguments)
        loaded = await house.matches.current(summary.match)
        envelope, _ = house.matches.codec.decode(loaded.entries[loaded.version - 1])
        return msgspec.structs.replace(summary, updated_ms=envelope.time_ms)

    monkeypatch.setattr(House, "summary", leaking)


async def leak_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name in the facts only the seats that have not answered yet."""
    honest = House.summary

    async def leaking(house: House, *arguments: Any) -> Any:
        summary = await honest(house, *arguments)
        ask = (await house.matches.current(summary.match)).match.pending()
        return msgspec.structs.replace(summary, asked=ask.open if ask is not None else ())

    monkeypatch.setattr(House, "summary", leaking)


async def leak_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prove a hidden card to everybody, if it is one of those that come first."""
    honest = Dealt.known

    def leaking(dealt: Dealt, index: int, look: Any) -> bool:
        return honest(dealt, index, look) or dealt.deal.cards[index].card < "c"

    monkeypatch.setattr(Dealt, "known", leaking)


async def leak_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send a message for every command, whether anybody may see it or not."""

    def leaking(_: Herald, match: Any, loaded: Any, versions: Any) -> list[Told]:
        data = MatchData(match=match, game=loaded.match.facts.game)
        return [Told(version, NOW_MS + version, Started(timestamp="", data=data)) for version in versions]

    monkeypatch.setattr(Herald, "_told", leaking)


@pytest.mark.parametrize(
    ("leak", "place"),
    [
        pytest.param(leak_version, "/view'", id="version-in-header"),
        pytest.param(leak_table, "/commands.dry_run=true'", id="table-in-refusal"),
        pytest.param(leak_time, "/matches/m[a-z2-7]+'", id="time-in-facts"),
        pytest.param(leak_open, "/matches/m[a-z2-7]+'", id="open-in-facts"),
        pytest.param(leak_proof, "/proofs", id="card-in-proofs"),
        pytest.param(leak_message, "/webhooks/", id="secret-in-messages"),
    ],
)
async def test_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], Awaitable[None]], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test that finds nothing proves nothing: each of these is found where it is."""
    await leak(monkeypatch)
    with pytest.raises(AssertionError, match=place):
        _ = [await compared(COUP, 3, seed) for seed in range(4)]
