"""How two worlds are played: some steps, with everything compared between them."""

from __future__ import annotations

from collections.abc import Mapping, Set

from tafelrunde.domain.game import GameId
from tests.whole.hidden.world import PUBLIC
from tests.whole.hidden.worlds import Finding, Worlds, worlds

STEPS = 32
WHOLE = 3, 19
COUP = GameId("coup")


async def played(
    game: GameId,
    seats: int,
    seed: int,
    options: Mapping[str, object],
    *,
    wishes: Mapping[str, object] = PUBLIC,
    wanted: Set[Finding] | None = None,
) -> Worlds:
    """Play two worlds for a while, and compare after every step; raise AssertionError for the first difference.

    If differences are *wanted*, look for nothing else, until all of them are found.
    """
    difference: AssertionError | None = None
    async with worlds(game, seats, seed, options, wishes) as both:
        if wanted is not None:
            both.found = set()
            both.only = frozenset(place for place, _ in wanted)
        try:
            await both.listen()
            await _play_on(both, wanted)
        except AssertionError as error:
            difference = error  # the service would wrap it, if it went through its end
    if difference is not None:
        raise difference
    return both


async def _play_on(both: Worlds, wanted: Set[Finding] | None) -> None:
    """Compare and play until every viewer can distinguish the worlds, or the match is over."""
    for number in range(STEPS):
        await both.pass_time()
        await both.wait()
        await both.compare(whole=number in WHOLE)
        if wanted is not None and wanted <= (both.found or set()):
            return
        if not both.alike or not await both.step():
            return
