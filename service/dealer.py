"""Fair dealing: all chance of a match comes from one secret that was committed to before its seats filled.

Draw n of label l in the command at version v is HMAC-SHA256(secret, "tafelrunde/1|match|nonces|v|l|n|k") for k = 0, 1, ...,
each read as four 64-bit big-endian numbers; numbers that would favour some results are dropped. Decks are shuffled by
Fisher-Yates from the last place down. A player's nonce, added on sitting down, keeps the server from choosing its secret to
suit anybody.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import TypeVar

from ..domain.match import MatchId
from ..domain.match.messages import MatchCommand, OpenMatch
from ..domain.match.state import Match

Element = TypeVar("Element")

WORD = 8
RANGE = 1 << (8 * WORD)


def new_secret() -> str:
    """Return 256 fresh random bits, in hex."""
    return secrets.token_hex(32)


def commitment_to(match: MatchId, secret: str) -> str:
    """Return what is published about a secret before the deal: sha256("tafelrunde/commitment/1|match|secret"), in hex."""
    return hashlib.sha256(f"tafelrunde/commitment/1|{match}|{secret}".encode()).hexdigest()


class Dealer:
    """The chance of one command: the same match, secret, nonces and version give the same answers."""

    def __init__(self, match: MatchId, secret: str, nonces: Sequence[str], version: int) -> None:
        self._key = bytes.fromhex(secret)
        self._prefix = f"tafelrunde/1|{match}|{','.join(nonces)}|{version}"
        self._draws = 0

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        words = self._words(label)
        deck = list(items)
        for place in range(len(deck) - 1, 0, -1):
            other = words.below(place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        return deck

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        return self._words(label).below(bound)

    def _words(self, label: str) -> _Words:
        words = _Words(self._key, f"{self._prefix}|{label}|{self._draws}")
        self._draws += 1
        return words


class _Words:
    """The endless 64-bit words of one draw."""

    def __init__(self, key: bytes, prefix: str) -> None:
        self._key = key
        self._prefix = prefix
        self._block = 0
        self._buffer = b""

    def below(self, bound: int) -> int:
        limit = RANGE - RANGE % bound
        while (word := self._next()) >= limit:
            pass
        return word % bound

    def _next(self) -> int:
        if not self._buffer:
            message = f"{self._prefix}|{self._block}".encode()
            self._buffer = hmac.digest(self._key, message, "sha256")
            self._block += 1
        word, self._buffer = self._buffer[:WORD], self._buffer[WORD:]
        return int.from_bytes(word, "big")


def dealer_for(match_id: MatchId, match: Match, command: MatchCommand, version: int) -> Dealer:
    """Return the chance that *command* at *version* (events so far) may use."""
    if isinstance(command, OpenMatch):
        by_seat = {place.seat: place.nonce for place in command.seating}
        return Dealer(match_id, command.secret, [by_seat.get(seat, "") for seat in sorted(by_seat)], version)
    return Dealer(match_id, match.facts.secret or "", [chair.nonce for chair in match.chairs], version)
