"""What operators may do to finished matches: corrections. They are events like any other, so nothing is ever edited."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.game import Placing
from ...domain.match import MatchId
from ...domain.match.commands import AdjudicateMatch, MatchCommand, VoidMatch
from ..ports.events import Written
from .command_handler import CommandHandler, IssuedCommand, fingerprint_of
from .own_keys import operators_key


class Corrections:
    """Corrects matches in the name of an operator. Raises NotFound, KeyReused, MatchRefused."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    async def void(self, name: str, match_id: MatchId, reason: str, key: str) -> Written:
        """Take the result of a finished match back."""
        return await self._correct(name, match_id, VoidMatch(reason), key)

    async def adjudicate(self, name: str, match_id: MatchId, placings: Sequence[Placing], reason: str, key: str) -> Written:
        """Give a finished match another result."""
        return await self._correct(name, match_id, AdjudicateMatch(tuple(placings), reason), key)

    async def _correct(self, name: str, match_id: MatchId, command: MatchCommand, key: str) -> Written:
        issued = IssuedCommand(
            match=match_id,
            actor=f"operator:{name}",
            key=operators_key(name, key),
            fingerprint=fingerprint_of(command),
            command=command,
        )
        return await self._handler.carry_out(issued)
