"""Which names look alike, and which look like a name of the service or of its staff (UTS 39, "Confusable Detection")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

SERVICE = "tafelrunde"
STAFF = (
    "admin",
    "admins",
    "administrator",
    "administratorin",
    "moderator",
    "moderatorin",
    "official",
    "offiziell",
    "offizielle",
    "operator",
    "staff",
    "support",
    "system",
)
"""Words that no name may have, because a player with one of them would be taken for someone in charge."""
LEFT_OUT = frozenset("ZPC")
"""First letters of the categories that change little of how a name looks: spaces, punctuation, what cannot be seen."""
DRAWN = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
"""The names of letters in another drawing that neither Unicode's list nor its compatible forms lead back to a letter."""


def skeleton(name: str) -> str:
    """Return the skeleton of UTS 39: names with the same one look alike."""
    prototypes = _prototypes()
    decomposed = unicodedata.normalize("NFD", name)
    return unicodedata.normalize("NFD", "".join(prototypes.get(each, each) for each in decomposed))


def appearance(name: str) -> str:
    """Return what of a name people remember: its skeleton without spaces, punctuation, and the size of letters.

    A name of punctuation only is its skeleton.
    """
    folded = _fold(name)
    return "".join(each for each in folded if unicodedata.category(each)[0] not in LEFT_OUT) or folded


def is_reserved(name: str) -> bool:
    """True if a name has the service's name in it, or a word for those who run it, or what looks like either."""
    plain = "".join(each for each in _fold(name) if unicodedata.category(each)[0] != "M")
    words = "".join(each if each.isalnum() else " " for each in plain).split()
    whole = "".join(words)
    return appearance(SERVICE) in whole or not _staff().isdisjoint({whole, *words})


@cache
def _staff() -> frozenset[str]:
    return frozenset(map(appearance, STAFF))


def _fold(name: str) -> str:
    """Return a skeleton that is the same for capital and small letters, and for all that look like an i or an l.

    Capital letters look like others than small ones do, so it is taken before and after they are made small.
    """
    plain = "".join(map(_plain, unicodedata.normalize("NFKC", name)))
    return skeleton(skeleton(plain).casefold()).replace("i", "l")


def _plain(letter: str) -> str:
    """Return the letter of which this is another drawing; others are themselves."""
    drawn = DRAWN.fullmatch(unicodedata.name(letter, "")) if letter > "\u024f" else None
    return drawn[1] if drawn is not None else letter


@cache
def _prototypes() -> Mapping[str, str]:
    """Return what each character that looks like another one stands for."""
    found: dict[str, str] = {}
    for line in Path(__file__).with_name("confusables.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            prototype, _, sources = line.partition(": ")
            shown = "".join(chr(int(point, 16)) for point in prototype.split())
            found.update((chr(int(point, 16)), shown) for point in sources.split())
    return found
