"""The chance of lessons: a secret that is none, out of the lesson's number, so that all learners of a game meet the same.

What a stranger needs to check it is docs/fair-dealing.md.
"""

from __future__ import annotations

import hashlib

from ...domain.game import GameId


def secret_of_lesson(game: GameId, number: int) -> str:
    """Return what each lesson of a game has as its secret, in hex: anyone can compute it."""
    return hashlib.sha256(f"tafelrunde/lesson/1|{game}|{number}".encode()).hexdigest()


def lesson_name(game: GameId) -> str:
    """Return what stands in the place of the match's id where a lesson is dealt."""
    return f"lesson-{game}"
