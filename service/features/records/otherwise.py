"""What of an event is not as the rules give it, in words: the cards of a seat, or the fields that differ."""

from __future__ import annotations

from collections.abc import Mapping

from ....domain.game import Event, Seat
from ....domain.match.events import is_match_event
from ....domain.match.state import Match

CARDS = "the cards of deal {} are not those of the secret"
EVENT = "the event that the rules give"


def otherwise(match: Match, expected: Event, found: Event) -> tuple[str, str, str] | None:
    """Return what is wrong, what was expected and what was found, where two events give a seat other cards; None if none."""
    ours, theirs = _lying(match, expected), _lying(match, found)
    for seat in sorted(ours.keys() & theirs.keys()):
        if ours[seat] != theirs[seat]:
            return CARDS.format(match.deals + 1), _say(seat, ours[seat]), _say(seat, theirs[seat])
    return None


def _lying(match: Match, event: Event) -> Mapping[Seat, list[str]]:
    """Return what lies face down at each seat whose cards an event changes; nothing for one that no such match could have."""
    after = match.copy()
    try:
        after.fold(event)
        dealt = () if is_match_event(event) else after.game.dealt(after.table, event)
    except Exception:  # folding checks nothing: an event that was forged can break it in any way
        return {}
    return {hand.seat: sorted(hand.cards) for hand in dealt}


def _say(seat: Seat, cards: list[str]) -> str:
    return f"seat {seat}: {', '.join(cards)}"


def differing(expected: Mapping[str, object], found: Mapping[str, object]) -> tuple[object, object]:
    """Return the fields of two events of one kind that differ; both whole if the kinds do."""
    if expected.get("type") != found.get("type"):
        return expected, found
    names = [name for name in {**expected, **found} if expected.get(name) != found.get(name)]
    one, other = ({name: each[name] for name in names if name in each} for each in (expected, found))
    return one, other
