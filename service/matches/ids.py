"""Ids that a request always leads to, so that a repeated request finds what the first one made."""

from __future__ import annotations

import base64
import hmac

from ...domain.match import MatchId, PlayerId

NO_PLAYER = PlayerId("p" + "0" * 26)
"""The host of the matches of bots that puzzles are made of. No player has this id."""
NO_HOST = PlayerId("p" + "0" * 25 + "1")
"""The host of the matches of bots in tournaments, which no puzzle is made of unless they are listed. No player has this id."""


class DerivedIds:
    """Derives ids from requests. Without the deployment's key they cannot be guessed."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def match(self, *parts: str) -> MatchId:
        """Return the id of the match that a request opens."""
        return MatchId("m" + base64.b32encode(self._digest(*parts)[:15]).decode().lower())

    def rematch(self, match_id: MatchId) -> MatchId:
        """Return the id of a match's rematch."""
        return self.match("rematch", match_id)

    def user(self, application: PlayerId, user: str) -> PlayerId:
        """Return the id of the player that stands for a user of another application."""
        return PlayerId("p" + self._digest("user", application, user).hex()[:26])

    def _digest(self, *parts: str) -> bytes:
        return hmac.digest(self._key, "|".join(parts).encode(), "sha256")
