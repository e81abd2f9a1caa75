"""What the first command of a match did: who it seated, with which nonces, and whether it started the match."""

from __future__ import annotations

from typing import NamedTuple

from ..domain.match import PlayerId
from ..domain.match.events import MatchStarted, SeatTaken
from ..service.games import Games
from ..service.matches.codec import Codec
from ..service.matches.repository import Loaded


class Opening(NamedTuple):
    """The players and nonces by seat, as the command that opened a match seated them, and whether it started the match."""

    players: dict[int, PlayerId]
    nonces: dict[int, str]
    starts: bool


def opening_in(loaded: Loaded, games: Games) -> Opening:
    """Return what the first command of a match did."""
    codec = Codec(games)
    players: dict[int, PlayerId] = {}
    nonces: dict[int, str] = {}
    starts = False
    for entry in loaded.entries[: loaded.version]:
        envelope, event = codec.decode(entry)
        if isinstance(event, SeatTaken):
            players[event.seat] = event.player
            nonces[event.seat] = event.nonce
        starts |= isinstance(event, MatchStarted)
        if envelope.complete:
            break
    return Opening(players, nonces, starts)
