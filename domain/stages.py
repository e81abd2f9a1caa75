"""Stages: what a table waits for.

Each game declares its own in `stages.py`, once: the number that is stored, the key that views have, and the key of the prompt's
text. The members are also bound as constants of that module, since Python 3.11 looks up a member of an enum slowly.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Self


class Stage(IntEnum):
    """What a table waits for. The number is stored: never renumber. `prompt` is empty where no seat is asked."""

    key: str
    prompt: str

    def __new__(cls, number: int, key: str, prompt: str = "") -> Self:  # noqa: D102 - a magic method
        stage = int.__new__(cls, number)
        stage._value_ = number
        stage.key = key
        stage.prompt = prompt
        return stage

    @classmethod
    @cache
    def of(cls, key: str) -> Self:
        """Return the stage that views call by a key. Raises KeyError if there is none."""
        return {stage.key: stage for stage in cls}[key]
