"""Why a search recommends a move of MatchMaster: how often a card stands, and what a hand has to bid on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...game import Message
from ...reasons import OF_TRICKS, Reason, about_trick, more, tenths
from ...search import Considered
from ..cards import TRUMP, suit_of, value_of
from ..messages import MatchMasterCommand, PlaceBid, PlayCard
from ..moves import playable, winning
from ..table import MatchMasterTable
from ..view import MatchMasterView

HIGH = 11
"""From this value on a card that is no trump counts as high."""
WHY: Mapping[str, Message] = {
    "hand": Message(
        "Trümpfe auf deiner Hand: {trumps}, andere Karten ab 11: {high}.",
        "Trumps in your hand: {trumps}, other cards from 11 on: {high}.",
    ),
    **OF_TRICKS,
}


def reason(view: MatchMasterView, considered: Considered[MatchMasterTable, MatchMasterCommand]) -> Reason | None:
    """Return why the best of the moves that were considered is recommended; None if nothing tells it apart."""
    best = considered.moves[0].command
    if isinstance(best, PlaceBid):
        trumps = [card for card in view.hand if suit_of(card) == TRUMP]
        high = [card for card in view.hand if suit_of(card) != TRUMP and value_of(card) >= HIGH]
        return Reason("hand", {"trumps": len(trumps), "high": len(high)})
    return _about_trick(view, considered, best.card)


def _about_trick(view: MatchMasterView, considered: Considered[MatchMasterTable, MatchMasterCommand], card: int) -> Reason | None:
    """Return how often the card stands, if that tells it from the next best one; else what is true of any move."""
    following = considered.moves[1].command
    share = tenths(considered.worlds, _standing(card))
    other = tenths(considered.worlds, _standing(following.card)) if isinstance(following, PlayCard) else share
    trick = considered.worlds[0].trick
    last = len(trick) == len(view.seats) - 1
    ahead = winning([*trick, card]) == len(trick)
    return about_trick(card, share, other, last=last, ahead=ahead) or more(considered.results)


def _standing(card: int) -> Callable[[MatchMasterTable], bool]:
    """Return whether a card wins the trick, and none of the cards that others may still play beats it."""

    def stands(world: MatchMasterTable) -> bool:
        trick = [*world.trick, card]
        place = len(trick) - 1
        later = [(world.leader + each) % world.seats for each in range(len(trick), world.seats)]
        return winning(trick) == place and all(
            winning([*trick, each]) == place for seat in later for each in playable(world.hands[seat], trick)
        )

    return stands
