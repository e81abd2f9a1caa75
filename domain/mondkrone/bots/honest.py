"""The honest bot of Mondkrone: it takes the move that the others can answer least, and keeps its hand long.

It decides from its seat's view alone. A rival is taken to hold cards drawn evenly from all that the bot does not see.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ...game import Budget, Rng
from ..cards import INDEX, POINTS, SUIT_BITS, SUITS_OF, deck_cards, ints, mask_of
from ..conditions import best_of, better, leads, results
from ..messages import DiscardToPile, DropOut, LayAside, MondkroneCommand, PlayAndDiscard, PlayToPalette
from ..view import MondkroneSeatView, MondkroneView

HAND: Final = 0.5
"""What one more card in hand is worth, where knocking a rival out is worth 1."""
LAST_CARD: Final = 0.5
"""What it costs besides to have no card left."""


class HonestBot:
    """Plays on while it can, and scores as much as it can. *prospect*: what it makes of a position."""

    def __init__(self, prospect: Callable[[MondkroneView], Prospect] | None = None) -> None:
        self._prospect = prospect or Prospect

    def choose(self, view: MondkroneView, legal: Sequence[MondkroneCommand], rng: Rng, budget: Budget) -> MondkroneCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        if len(legal) == 1:
            return legal[0]
        if view.stage == "scoring":
            return max(legal, key=_haul)
        prospect = self._prospect(view)
        return max((command for command in legal if not isinstance(command, DropOut)), key=prospect.worth)


def _haul(command: MondkroneCommand) -> tuple[int, list[int]]:
    """Return the points of what is laid aside; among equals the strongest cards are taken out of the deck."""
    cards = ints(command.cards) if isinstance(command, LayAside) else []
    return sum(POINTS[card] for card in cards), cards[::-1]


class Prospect:
    """What the bot makes of a position: how many of the cards that it does not see would let each rival go on.

    *keep*: what one more card in hand is worth to it.
    """

    def __init__(self, view: MondkroneView, keep: float = HAND) -> None:
        self.keep = keep
        own = next(each for each in view.seats if each.seat == view.seat)
        others = [each for each in view.seats if each.seat != view.seat and not each.out]
        self.palette = _palette(own)
        self.hand = own.hand_size
        self.top = ints(view.pile)[-1]
        self.draws = view.deck_size if view.options.draw else 0
        self.unseen = _unseen(view)
        self.rivals = [Rival(each, [_palette(other) for other in others if other is not each], self.unseen) for each in others]

    def worth(self, command: MondkroneCommand) -> float:
        """Return how good a move is."""
        played, put = _cards(command)
        palette = self.palette | mask_of(played)
        drawn = sum(min(len(SUITS_OF[card]) - 1, self.draws) for card in put)
        left = self.hand - len(played) - len(put) + drawn
        top = put[0] if put else self.top
        knocked = sum(rival.stuck(palette, SUITS_OF[top], self.unseen) for rival in self.rivals)
        return knocked + self.keep * left - (LAST_CARD if not left else 0)


class Rival:
    """One rival: what each unseen card would make of its palette."""

    def __init__(self, seat: MondkroneSeatView, others: list[int], unseen: Sequence[int]) -> None:
        self.hand = seat.hand_size
        self.now = results(_palette(seat))
        self.others = best_of(others)
        made = [results(_palette(seat) | 1 << card) for card in unseen]
        self.then = [sorted(column) for column in zip(*made, strict=True)] or [[] for _ in self.now]

    def stuck(self, palette: int, conditions: Iterable[int], unseen: Sequence[int]) -> float:
        """Return how likely this rival can neither lead with one more card nor change the conditions with one."""
        best = better(self.others, results(palette))
        playing = max(len(unseen) - bisect_right(self.then[each], best[each]) for each in conditions)
        lead = leads(self.now, best)
        putting = sum(not SUIT_BITS[card] & ~lead for card in unseen) if lead else 0
        share = min(1.0, (playing + putting) / max(1, len(unseen)))
        return (1 - share) ** self.hand


def _palette(seat: MondkroneSeatView) -> int:
    return mask_of(ints(seat.palette))


def _cards(command: MondkroneCommand) -> tuple[list[int], list[int]]:
    """Return the cards that a move plays to the palette, and those that it puts on the pile."""
    match command:
        case PlayToPalette(card):
            return [INDEX[card]], []
        case DiscardToPile(card):
            return [], [INDEX[card]]
        case PlayAndDiscard(played, put):
            return [INDEX[played]], [INDEX[put]]
        case _:
            return [], []


def _unseen(view: MondkroneView) -> list[int]:
    """Return the cards that may be in the rivals' hands."""
    seen = {*ints(view.pile), *ints(view.hand)}
    for each in view.seats:
        seen.update(ints(each.palette), ints(each.scored))
    return [card for card in deck_cards(extended=view.options.deck == "extended") if card not in seen]
