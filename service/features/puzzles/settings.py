"""Settings of puzzles of the day."""

from __future__ import annotations

from typing import Annotated

import msgspec


class PuzzleSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the puzzles of the day.

    - puzzle_matches: how many matches of bots the service plays and reviews at most for the puzzle of a game and day, where no
      reviewed match of people has one; 0: none.
    """

    puzzle_matches: Annotated[int, msgspec.Meta(ge=0, le=100)] = 3
