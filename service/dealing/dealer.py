"""Fair dealing: all chance of a match comes from one secret that was committed to before its seats filled.

A draw is that of `keyed_random.py` with the secret as its key and a prefix. In version 2 it is "tafelrunde/2|match|nonces|l|n"
for draw n (0, 1, ...) with label l in the match. In version 1 it is "tafelrunde/1|match|nonces|v|l|n" for draw n of the command
at version v of the log, which also counts events that have nothing to do with cards. A player's nonce, added on sitting down,
keeps the server from choosing its secret in favour of a seat. The whole scheme, for strangers, is docs/fair-dealing.md.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import UNSET

from ...domain.game import Hand
from ...domain.match import MatchId
from ...domain.match.commands import MatchCommand, OpenMatch, TakeSeat
from ...domain.match.state import Match
from ...domain.match.terms import DRAWS
from . import commitments
from .day_deals import deal_name
from .keyed_random import Draw
from .lesson_deals import lesson_name

Element = TypeVar("Element")


def new_secret() -> str:
    """Return 256 fresh random bits, in hex."""
    return secrets.token_hex(32)


def commitment_to(match_id: MatchId, secret: str) -> str:
    """Return what is published about a secret before the deal: sha256("tafelrunde/commitment/1|match|secret"), in hex."""
    return hashlib.sha256(f"tafelrunde/commitment/1|{match_id}|{secret}".encode()).hexdigest()


class Dealer:
    """The chance of one command by version 1: the same match, secret, nonces and version of the log give the same answers."""

    def __init__(self, match_id: MatchId, secret: str, nonces: Sequence[str], version: int) -> None:
        self._match = match_id
        self._secret = secret
        self._nonces = ",".join(nonces)
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
        return Draw(bytes.fromhex(self._secret), self._prefix(label))

    def _prefix(self, label: str) -> str:
        self._draws += 1
        return f"tafelrunde/1|{self._match}|{self._nonces}|{self._version}|{label}|{self._draws - 1}"


class KeyedDealer(Dealer):
    """The chance of one command by version 2: a draw depends on its label, and on how many with that label came before it.

    With a *deal* it depends on that name and not on the match: all matches of a day's deal, or of a lesson, draw the same.
    """

    def __init__(
        self, match_id: MatchId, secret: str, nonces: Sequence[str], drawn: Mapping[str, int], deal: str | None = None
    ) -> None:
        super().__init__(match_id, secret, nonces, 0)
        self._drawn = dict(drawn)
        self._name: str = match_id if deal is None else deal

    def _prefix(self, label: str) -> str:
        count = self._drawn.get(label, 0)
        self._drawn[label] = count + 1
        return f"tafelrunde/2|{self._name}|{self._nonces}|{label}|{count}"


def dealer_for(match_id: MatchId, match: Match, command: MatchCommand, version: int) -> Dealer:
    """Return the chance that *command* at *version* (events so far) may use; raise ValueError if it draws in an unknown way."""
    if isinstance(command, OpenMatch):
        by_seat = {place.seat: place.nonce for place in command.seating}
        nonces = [by_seat[seat] for seat in sorted(by_seat)]
        secret = command.secret
        draws = 1 if command.draws is UNSET else command.draws
        game = command.settings.game
        lesson = command.lesson is not UNSET
        day = None if command.daily is UNSET else command.daily.day
    else:
        nonces = _nonces(match, command)
        secret = match.facts.secret or ""
        draws = 1 if match.keyed is None else match.keyed.version
        game = match.settings.game
        lesson = match.lesson is not None
        day = None if match.daily is None else match.daily.day
    deal = deal_name(game, day) if day is not None else lesson_name(game) if lesson else None
    if deal is not None:
        nonces = [""] * len(nonces)
    if draws == 1:
        return Dealer(match_id, secret, nonces, version)
    if draws == DRAWS:
        return KeyedDealer(match_id, secret, nonces, match.drawn, deal)
    raise ValueError(f"draws of version {draws}")


def _nonces(match: Match, command: MatchCommand) -> list[str]:
    """Return the nonces of all seats; that of a player who takes a reserved seat counts at once, as the match may begin by it."""
    nonces = [chair.nonce for chair in match.chairs]
    if isinstance(command, TakeSeat) and (seat := match.reserved_for(command.player)) is not None:
        nonces[seat] = command.nonce
    return nonces
