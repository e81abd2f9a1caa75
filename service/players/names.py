"""Which display names are fit to be shown: all of a name can be seen, and nothing in it changes how others are displayed."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

LONGEST_NAME = 40
"""In characters, and in the width of a Latin letter."""
MOST_MARKS = 4
"""How many marks one letter may carry: a pile of them would cover the lines above."""
VERY_WIDE = {"\u2e3a": 2, "\u2e3b": 3, "\ufdfd": 18}
"""Single characters without a longer form, and how many letters wide they are: long dashes, a sentence in Arabic."""
CUNEIFORM = range(0x12000, 0x12550)
CUNEIFORM_WIDTH = 3
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that are invisible, or that change how others are displayed."""
SEEN = frozenset("LNPS")
"""First letters of the categories of what can be seen by itself: letters, numbers, punctuation, symbols."""
IGNORABLE = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE1000),
    )
)
"""Unicode's Default_Ignorable_Code_Point, which Python does not know, as far as `HIDDEN` does not cover it already."""
BLANK = frozenset((0x2800, 0x1D159))
"""Symbols that look like a space: the empty Braille pattern, the note without a head."""
SELECTORS = "\ufe0e\ufe0f"
"""They only choose how the symbol before them is drawn: as text, or in colour."""


def fit_name(name: str) -> str | None:
    """Return a display name in its normal form; None if it is not fit to be shown."""
    normal = unicodedata.normalize("NFC", name)
    if normal != normal.strip() or not 1 <= len(normal) <= LONGEST_NAME or sum(map(_width, normal)) > LONGEST_NAME:
        return None
    if _most_marks(normal) > MOST_MARKS:
        return None
    visible = not any(is_hidden(before, each) for before, each in pairwise(f" {normal}"))
    return normal if visible and any(unicodedata.category(each)[0] in SEEN for each in normal) else None


def is_hidden(before: str, each: str) -> bool:
    """Return whether a character cannot be seen where it stands."""
    if each in SELECTORS and unicodedata.category(before)[0] == "S":
        return False
    return unicodedata.category(each) in HIDDEN or ord(each) in IGNORABLE or ord(each) in BLANK


def _width(each: str) -> int:
    """Return how many Latin letters wide a character is, about; a ligature is as wide as what it stands for."""
    if unicodedata.category(each)[0] == "M":
        return 0
    if ord(each) in CUNEIFORM:
        return CUNEIFORM_WIDTH
    usual = 2 if unicodedata.east_asian_width(each) in {"F", "W"} else 1
    return max(usual, VERY_WIDE.get(each, 0), len(unicodedata.normalize("NFKC", each)))


def _most_marks(name: str) -> int:
    """Return how many marks follow one another at most."""
    most = marks = 0
    for each in name:
        marks = marks + 1 if unicodedata.category(each)[0] == "M" else 0
        most = max(most, marks)
    return most
