"""Why a search recommends a move of Meister Coup: what a card wins, what a colour is still good for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...game import Message
from ...reasons import ANY, Reason, more, tenths
from ...search import Considered, seat_of
from ..cards import COLOUR_OF, COLOURS, VALUE_OF
from ..messages import MeisterCommand, PickCard, PlayCard, TakeCards
from ..ranking import ranking
from ..table import MeisterTable
from ..view import MeisterView

WHY: Mapping[str, Message] = {
    "wins": Message("{card} gewinnt den Stich: Du wählst eine Karte daraus.", "{card} wins the trick: you pick a card of it."),
    "second": Message(
        "Mit {card} wirst du Zweiter und nimmst die zwei niedrigsten der übrigen Karten.",
        "With {card} you come second and take the two lowest cards that are left.",
    ),
    "stands": Message(
        "In {share} von 10 passenden Verteilungen kann dich nach {card} keine einzelne Karte überholen.",
        "In {share} of 10 deals that fit, no single card can overtake you after {card}.",
    ),
    "stands.share.10": Message(
        "In allen simulierten Verteilungen gilt: Nach {card} überholt dich keine einzelne Karte.",
        "In all simulated deals, no single card can overtake you after {card}.",
    ),
    "keeps": Message("Das hebt {card} für einen späteren Stich auf.", "It keeps {card} for a later trick."),
    "colour": Message(
        "Von {colour} hast du für den nächsten Meistercoup am wenigsten.",
        "You have least of {colour} for the next Meistercoup.",
    ),
    "diamonds": Message("{card} bringt Punkte: {points}.", "{card} scores points: {points}."),
    **ANY,
}


def reason(view: MeisterView, considered: Considered[MeisterTable, MeisterCommand]) -> Reason | None:
    """Return why the best of the moves that were considered is recommended; None if nothing tells it apart."""
    match considered.moves[0].command:
        case PlayCard(card):
            return _about_play(view, considered, card) or more(considered.results)
        case PickCard(card):
            return _about_gain(view, [card]) or more(considered.results)
        case TakeCards(cards):
            return _about_gain(view, cards) or more(considered.results)
        case _:
            return more(considered.results)


def _about_play(view: MeisterView, considered: Considered[MeisterTable, MeisterCommand], card: int) -> Reason | None:
    trick = [*considered.worlds[0].trick, card]
    if len(trick) == len(view.seats):
        place = ranking(trick).index(len(trick) - 1)
        if place < 2:
            return Reason("second" if place else "wins", {"card": card})
    elif (share := tenths(considered.worlds, _standing(card))) > _next(considered):
        return Reason("stands", {"card": card, "share": share})
    best = max(view.hand, key=VALUE_OF.__getitem__)
    return Reason("keeps", {"card": best}) if VALUE_OF[best] > VALUE_OF[card] else None


def _next(considered: Considered[MeisterTable, MeisterCommand]) -> int:
    """Return how often the next best card stands."""
    following = considered.moves[1].command
    return tenths(considered.worlds, _standing(following.card)) if isinstance(following, PlayCard) else 0


def _standing(card: int) -> Callable[[MeisterTable], bool]:
    """Return whether a card would win the trick, and no card of those who still play would overtake it alone."""

    def stands(world: MeisterTable) -> bool:
        trick = [*world.trick, card]
        place = len(trick) - 1
        later = [(world.leader + each) % world.seats for each in range(len(trick), world.seats)]
        return ranking(trick)[0] == place and all(
            ranking([*trick, each])[0] == place for seat in later for each in world.hands[seat]
        )

    return stands


def _about_gain(view: MeisterView, cards: Sequence[int]) -> Reason | None:
    """Return which missing colour cards bring, else the points of one with diamonds."""
    collected = view.seats[seat_of(view, view.seat)].collected
    missing = [card for card in cards if collected[COLOUR_OF[card]] == min(collected)]
    if missing and len(set(collected)) > 1:
        return Reason("colour", {"colour": COLOURS[COLOUR_OF[missing[0]]].value})
    dearest = max(cards, key=lambda card: view.diamonds[VALUE_OF[card] - 1])
    diamonds = view.diamonds[VALUE_OF[dearest] - 1]
    return Reason("diamonds", {"card": dearest, "points": 1 + diamonds}) if diamonds else None
