"""Idempotency keys of the commands that the service issues by itself: all of them are made here, so no two acts share one.

Logs contain them. A command that is repeated after an update must find its old key, so a form never changes.
"""

from __future__ import annotations

import secrets
from enum import Enum
from typing import NewType

from ...domain.match import PlayerId

OwnKey = NewType("OwnKey", str)
"""A key that the service made for itself."""


class Act(Enum):
    """What the service does in a match by itself, and the form of its key.

    The parts in place of the braces distinguish one occasion from the next. What precedes the first brace begins no other form,
    so keys of two acts always differ.
    """

    OPEN_REMATCH = "rematch"
    NOTE_REMATCH = "rematch-noted"
    OPEN_TOURNAMENT_MATCH = "tournament"
    OPEN_PUZZLE = "puzzle"
    OPEN_QUICK_MATCH = "quick"
    RESERVE_QUICK_SEAT = "quick|{}"
    RELEASE_QUICK_SEAT = "quick-lapse|{}|{}"
    SEAT_QUICK_BOT = "quick-bot|{}|{}"
    START_QUICK_MATCH = "quick-start|{}"
    TIME_OUT = "timeout-{}"
    EXPIRE = "expire"
    ANSWER_FOR_BOT = "bot-{}-{}"

    def key(self, *parts: str | int) -> OwnKey:
        """Return the key of one such act, with as many *parts* as its form has braces."""
        return OwnKey(self.value.format(*parts))


class PlayersAct(Enum):
    """What the service does in a match in the name of a player, and the form of its key among the keys of that player.

    Each has a `|`, which no key that a client sends contains.
    """

    OPEN_DAILY = "daily|{}"
    TAKE_HINT = "hint|{}"
    FORGET = "forget|{}"

    def key(self, part: str | int) -> str:
        """Return the key of one such act, which stands for a key that the player sends."""
        return self.value.format(part)


def operators_key(name: str, key: str) -> str:
    """Return the key of an operator's command. No player has the id `operator`."""
    return f"operator:{name}:{key}"


def players_key(player: PlayerId, key: str) -> str:
    """Return the key of a player's command: that of the player's request, apart from those of all others."""
    return f"{player}:{key}"


def key_of_a_request() -> str:
    """Return a fresh key for a command in a player's name, of the form that a request without one gets.

    The log does not show whether the player asked for the command.
    """
    return secrets.token_hex(16)
