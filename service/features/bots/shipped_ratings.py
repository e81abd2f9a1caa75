"""How strong the bots are, as the arena measured it: `strength.json`, written by `make ladder`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import msgspec

from ....domain.game import GameId

RATINGS: Mapping[GameId, Mapping[str, int]] = msgspec.json.decode(
    files(__package__ or __name__).joinpath("strength.json").read_bytes(), type=dict[GameId, dict[str, int]]
)
"""Ratings by game and bot, on a scale of its own for each game, around 1000."""
