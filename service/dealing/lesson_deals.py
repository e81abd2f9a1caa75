"""The chance of lessons: a secret that is none, out of the lesson's number, so that all learners of a game meet the same.

What a stranger needs to check it is docs/fair-dealing.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from ...domain.game import AnyGame, GameId

EDITIONS: Mapping[str, Mapping[int, int]] = {
    "coup": {1: 93},
    "matchmaster": {1: 1},
    "meister-coup": {1: 3},
    "mondkrone": {1: 1},
    "stich-meister": {1: 281},
}
"""The number of each edition of each lesson there ever was: a verifier goes by this list, and never by what a record says."""


def number_of_edition(game: AnyGame, edition: int) -> int | None:
    """Return the number of an edition of a game's lesson, None for an unknown one. A game of another package knows its newest."""
    listed = EDITIONS.get(game.id, {}).get(edition)
    newest = game.lesson.chance if game.lesson is not None and game.lesson.edition == edition else None
    return newest if listed is None else listed


def secret_of_lesson(game: GameId, number: int) -> str:
    """Return what each lesson of a game has as its secret, in hex: anyone can compute it."""
    return hashlib.sha256(f"tafelrunde/lesson/1|{game}|{number}".encode()).hexdigest()


def lesson_name(game: GameId) -> str:
    """Return what stands in the place of the match's id where a lesson is dealt."""
    return f"lesson-{game}"
