"""Why a search recommends a move: what separates it from the next best one in the worlds that it drew.

A reason is made from the view of a seat and from worlds that agree with it, so it knows no more than that seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Final, Generic, NamedTuple, TypeVar

from .game import Message
from .table import Table

T = TypeVar("T", bound=Table)

TENTHS: Final = 10
FEW: Final = 4
"""A feature is looked at if at least this many worlds have it, and as many do not."""
CLEAR: Final = 2.5
"""By how many standard errors the gap between two moves must differ between worlds with a feature and those without."""
MOSTLY: Final = 6
"""From how many worlds in ten on a move that brings more is said to do so."""


ANY: Final[Mapping[str, Message]] = {
    "more": Message(
        "Wo es einen Unterschied macht, bringt das in {share} von 10 simulierten Verteilungen mehr als der nächstbeste Zug.",
        "Where it makes a difference, it brings more than the next best move in {share} of 10 simulated deals.",
    ),
    "more.share.10": Message(
        "Wo es einen Unterschied macht, bringt das in allen simulierten Verteilungen mehr als der nächstbeste Zug.",
        "Where it makes a difference, it brings more than the next best move in all simulated deals.",
    ),
}
"""Texts of the reason that fits any move, for `more`."""
OF_TRICKS: Final[Mapping[str, Message]] = {
    **ANY,
    "stands": Message(
        "In {share} von 10 passenden Verteilungen kann nach dir niemand {card} übertreffen.",
        "In {share} of 10 deals that fit, no seat after you can beat {card}.",
    ),
    "stands.share.10": Message(
        "In allen simulierten Verteilungen kann nach dir niemand {card} übertreffen.",
        "In all simulated deals, no seat after you can beat {card}.",
    ),
    "ducks": Message(
        "In {share} von 10 passenden Verteilungen kann jemand nach dir {card} übertreffen.",
        "In {share} of 10 deals that fit, a seat after you can beat {card}.",
    ),
    "ducks.share.10": Message(
        "In allen simulierten Verteilungen kann jemand nach dir {card} übertreffen.",
        "In all simulated deals, a seat after you can beat {card}.",
    ),
    "takes": Message("{card} gewinnt den Stich.", "{card} wins the trick."),
    "leaves": Message("{card} überlässt den Stich jemand anderem.", "{card} leaves the trick to another seat."),
}
"""Texts of reasons in games with tricks, for `about_trick`."""


class Reason(NamedTuple):
    """A message key of the game without its name, behind `<game>.why.`, and the arguments of that text."""

    key: str
    arguments: Mapping[str, str | int]


class Feature(NamedTuple, Generic[T]):
    """What may be true of a world, and the reason that it is if it separates two moves; the share is added to its arguments."""

    reason: Reason
    holds: Callable[[T], bool]


def tenths(worlds: Sequence[T], holds: Callable[[T], bool]) -> int:
    """Return in how many of ten worlds something holds, rounded."""
    return _round(sum(map(holds, worlds)), len(worlds))


def _round(count: int, of: int) -> int:
    """Return a share in tenths. Ten is said of all alone, and none of none alone: one exception makes either untrue."""
    if count in {0, of}:
        return TENTHS if count else 0
    return min(max(round(TENTHS * count / of), 1), TENTHS - 1)


def gaps(results: Sequence[Sequence[float]]) -> list[float]:
    """Return by how much the best move brought more than the next one, in each of the worlds that both were tried in."""
    return [one - other for one, other in zip(results[0], results[1], strict=False)] if len(results) > 1 else []


def separating(worlds: Sequence[T], results: Sequence[Sequence[float]], features: Sequence[Feature[T]]) -> Reason | None:
    """Return the reason of the feature in whose worlds the best move gains most clearly; None if none does."""
    found: Reason | None = None
    most = CLEAR
    gained = gaps(results)
    for feature in features:
        held = [feature.holds(world) for world in worlds[: len(gained)]]
        parts = [[gap for gap, has in zip(gained, held, strict=True) if has is wanted] for wanted in (True, False)]
        clear = _difference(*parts)
        if clear > most:
            share = tenths(worlds, feature.holds)
            most = clear
            found = Reason(feature.reason.key, {**feature.reason.arguments, "share": share})
    return found


def _difference(those: Sequence[float], others: Sequence[float]) -> float:
    """Return by how many standard errors the mean of some gaps is above that of others; 0 if there are too few."""
    if min(len(those), len(others)) < FEW:
        return 0.0
    (one, spread), (other, width) = _moments(those), _moments(others)
    return (one - other) / sqrt(spread / len(those) + width / len(others) + 1e-9) if one > 0 else 0.0


def _moments(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values)


def more(results: Sequence[Sequence[float]]) -> Reason | None:
    """Return that the best move brings more than the next one in most worlds in which they differ; None if it does not."""
    different = [gap for gap in gaps(results) if gap]
    share = _round(sum([gap > 0 for gap in different]), len(different)) if len(different) >= FEW else 0
    return Reason("more", {"share": share}) if share >= MOSTLY else None


def about_trick(card: int, share: int, other: int, *, last: bool, ahead: bool) -> Reason | None:
    """Return how often, in tenths, a card stands in a trick; None if the *other*, the next best one, does as often.

    *last*: the card closes the trick. *ahead*: it beats those that lie there already; if it does not, no other has to beat it.
    """
    if share == other:
        return None
    if last or not ahead:
        return Reason("takes" if share else "leaves", {"card": card})
    stands = share > other
    return Reason("stands" if stands else "ducks", {"card": card, "share": share if stands else TENTHS - share})
