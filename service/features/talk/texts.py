"""What a text of a player's own becomes before it is shown to others: all of it can be seen, and it changes nothing around it."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from ...players.names import MOST_MARKS, SEEN, is_hidden

LONGEST = 280
"""In characters, after it was brought into its normal form."""


def fit_text(given: str) -> str | None:
    """Return a text in its normal form, on one line; None if nothing of it can be seen, or it is too long.

    What cannot be seen, or changes how others are displayed, is left out: control characters, marks that turn the direction
    of writing, joiners. The result is its own normal form.
    """
    before, text = "", given
    while text != before:
        before, text = text, unicodedata.normalize("NFC", _plain(text))
    visible = any(unicodedata.category(each)[0] in SEEN for each in text)
    return text if visible and len(text) <= LONGEST else None


def _plain(text: str) -> str:
    """Return a text without what cannot be seen, each gap a single space."""
    one_line = " ".join(text.split())
    kept: list[str] = []
    marks = 0
    for before, each in pairwise(f" {one_line}"):
        marks = marks + 1 if unicodedata.category(each)[0] == "M" else 0
        if marks <= MOST_MARKS and not is_hidden(before, each):
            kept.append(each)
    return "".join(kept)
