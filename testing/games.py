"""Which games the suites run over: chosen once, before the suites are imported."""

from __future__ import annotations

from collections.abc import Mapping

from ..domain.game import AnyGame, GameId

_chosen: dict[GameId, AnyGame] = {}


def choose(games: Mapping[GameId, AnyGame]) -> None:
    """Let the suites run over these games."""
    _chosen.clear()
    _chosen.update(games)


def games_under_test() -> Mapping[GameId, AnyGame]:
    """Return the games that were chosen; raise LookupError if none were."""
    if not _chosen:
        raise LookupError("the suites have no games: name them in the configuration of pytest, as tafelrunde_games")
    return dict(_chosen)
