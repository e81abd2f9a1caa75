"""The bold and the careful bot of MatchMaster: they play as the honest bot does, and bid more, or less, for the same hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...bots import bold, careful
from ...game import Bot, Budget, Character, Message, Rng
from ..messages import MatchMasterCommand, PlaceBid
from ..view import MatchMasterView
from .honest import HonestBot, worth

MORE: Final = 0.05
LESS: Final = 0.35
"""How many tricks more, or less, than their hands should take they bid, before rounding. Bidding less costs less."""

HONEST: Final = HonestBot()


class StyledBot:
    """Bids what its hand should take and `lean` tricks more, and plays for exactly that."""

    def __init__(self, lean: float) -> None:
        self._lean = lean

    def choose(self, view: MatchMasterView, legal: Sequence[MatchMasterCommand], rng: Rng, budget: Budget) -> MatchMasterCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        if not isinstance(legal[0], PlaceBid):
            return HONEST.choose(view, legal, rng, budget)
        wanted = round(worth(view) + self._lean)
        return min((bid for bid in legal if isinstance(bid, PlaceBid)), key=lambda bid: abs(bid.tricks - wanted))


STYLES: Mapping[str, Bot[MatchMasterView, MatchMasterCommand]] = {"bold": StyledBot(MORE), "careful": StyledBot(-LESS)}

CHARACTERS: Mapping[str, Character] = {
    "bold": bold(Message(de="sagt im Zweifel einen Stich mehr an", en="when in doubt, bids one trick more")),
    "careful": careful(Message(de="sagt im Zweifel einen Stich weniger an", en="when in doubt, bids one trick less")),
}
