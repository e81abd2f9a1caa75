"""Why a search recommends a move of Stich-Meister: how often a card stands under the rules in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...game import Message
from ...reasons import OF_TRICKS, Reason, about_trick, more, tenths
from ...search import Considered
from ..messages import PlayCard, StichCommand
from ..table import StichTable
from ..trick import playable, winner
from ..view import StichView

WHY: Mapping[str, Message] = OF_TRICKS


def reason(view: StichView, considered: Considered[StichTable, StichCommand]) -> Reason | None:
    """Return why the best of the moves that were considered is recommended; None if nothing tells it apart."""
    best = considered.moves[0].command
    law = considered.worlds[0].law
    plain = not (law.hidden or law.first_out or law.second_wins)
    if isinstance(best, PlayCard) and plain and view.stage in {"play", "lead"}:
        return _about_trick(view, considered, best.card)
    return more(considered.results)


def _about_trick(view: StichView, considered: Considered[StichTable, StichCommand], card: int) -> Reason | None:
    """Return how often the card stands, if that tells it from the next best one; else what is true of any move."""
    following = considered.moves[1].command
    share = tenths(considered.worlds, _standing(card))
    other = tenths(considered.worlds, _standing(following.card)) if isinstance(following, PlayCard) else share
    trick = considered.worlds[0].trick
    last = len(trick) == len(view.seats) - 1
    ahead = winner(considered.worlds[0].law, [*trick, card]) == len(trick)
    return about_trick(card, share, other, last=last, ahead=ahead) or more(considered.results)


def _standing(card: int) -> Callable[[StichTable], bool]:
    """Return whether a card wins the trick, and none of the cards that others may still play beats it."""

    def stands(world: StichTable) -> bool:
        trick = [*world.trick, card]
        law = world.law
        place = len(trick) - 1
        later = [(world.leader + world.step * each) % world.seats for each in range(len(trick), world.seats)]
        return winner(law, trick) == place and all(
            winner(law, [*trick, each]) == place for seat in later for each in playable(law, trick, world.hands[seat])
        )

    return stands
