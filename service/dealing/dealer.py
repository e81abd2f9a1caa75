"""Fair dealing: all chance of a match comes from one secret that was committed to before its seats filled.

Draw n (0, 1, ...) with label l in the command at version v is that of `draws.py` with the secret as its key and the prefix
"tafelrunde/1|match|nonces|v|l|n". A player's nonce, added on sitting down, keeps the server from choosing its secret in favour
of a seat. The whole scheme, for strangers, is docs/fair-dealing.md.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import TypeVar

from ...domain.game import Hand
from ...domain.match import MatchId
from ...domain.match.commands import MatchCommand, OpenMatch
from ...domain.match.state import Match
from . import commitments
from .keyed_random import Draw

Element = TypeVar("Element")


def new_secret() -> str:
    """Return 256 fresh random bits, in hex."""
    return secrets.token_hex(32)


def commitment_to(match: MatchId, secret: str) -> str:
    """Return what is published about a secret before the deal: sha256("tafelrunde/commitment/1|match|secret"), in hex."""
    return hashlib.sha256(f"tafelrunde/commitment/1|{match}|{secret}".encode()).hexdigest()


class Dealer:
    """The chance of one command: the same match, secret, nonces and version give the same answers."""

    def __init__(self, match: MatchId, secret: str, nonces: Sequence[str], version: int) -> None:
        self._match = match
        self._secret = secret
        self._nonces = nonces
        self._version = version
        self._draws = 0

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        return self._draw(label).shuffle(items)

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        return self._draw(label).below(bound)

    def commit(self, deal: int, hands: Sequence[Hand]) -> str:
        """Return the root, in hex, that binds the hands of a deal."""
        return commitments.Deal(self._match, self._secret, deal, hands).root.hex()

    def _draw(self, label: str) -> Draw:
        prefix = f"tafelrunde/1|{self._match}|{','.join(self._nonces)}|{self._version}"
        draw = Draw(bytes.fromhex(self._secret), f"{prefix}|{label}|{self._draws}")
        self._draws += 1
        return draw


def dealer_for(match_id: MatchId, match: Match, command: MatchCommand, version: int) -> Dealer:
    """Return the chance that *command* at *version* (events so far) may use."""
    if isinstance(command, OpenMatch):
        by_seat = {place.seat: place.nonce for place in command.seating}
        return Dealer(match_id, command.secret, [by_seat.get(seat, "") for seat in sorted(by_seat)], version)
    return Dealer(match_id, match.facts.secret or "", [chair.nonce for chair in match.chairs], version)
