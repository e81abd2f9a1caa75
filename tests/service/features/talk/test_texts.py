"""What becomes of a text before others see it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tafelrunde.service.features.talk.phrases import PHRASES, REACTIONS
from tafelrunde.service.features.talk.texts import LONGEST, fit_text
from tafelrunde.service.players.names import HIDDEN, MOST_MARKS


@given(st.text(max_size=400))
@example("\u202eabc")
@example("e\u0301" * 280)
@example("\u1100\u0300\u0301\u0302\u0303\u0304\u1161")
@example("a\u200d\u0301")
def test_text_is_in_its_normal_form_when_it_is_fit(given_text: str) -> None:
    """On one line, all of it can be seen, no longer than allowed, and done twice it is the same."""
    text = fit_text(given_text)
    if text is None:
        return
    assert 1 <= len(text) <= LONGEST
    assert text == unicodedata.normalize("NFC", text) == text.strip()
    assert "  " not in text
    assert not {unicodedata.category(each) for each in text} & HIDDEN - {"Cf"}
    assert not any("\u202a" <= each <= "\u202e" or "\u2066" <= each <= "\u2069" for each in text)
    assert fit_text(text) == text


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("Gut gespielt!", "Gut gespielt!"),
        ("  zwei \n\t Zeilen ", "zwei Zeilen"),
        ("\u202egut\u202c gespielt", "gut gespielt"),
        ("nichts\u0000 da\u0007zwischen", "nichts dazwischen"),
        ("Schu\u0308ppe", "Sch\u00fcppe"),
        ("\u2764\ufe0f danke \U0001f44d\U0001f3fd", "\u2764\ufe0f danke \U0001f44d\U0001f3fd"),
        ("z" + "\u0336" * 40, "z" + "\u0336" * MOST_MARKS),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        (" \u200b\u2060\u00a0", None),
        ("", None),
        ("a" * (LONGEST + 1), None),
    ],
)
def test_text_keeps_what_can_be_seen(given_text: str, expected: str | None) -> None:
    """What is invisible, or turns the writing, is left out; what is too long, or nothing, is refused."""
    assert fit_text(given_text) == expected


def test_what_is_ready_is_fit_to_be_said() -> None:
    """In both languages, as short as a line should be, and each text once."""
    texts = [text for each in (*PHRASES.values(), *REACTIONS.values()) for text in (each.de, each.en)]
    assert all(fit_text(text) == text and len(text) <= 40 for text in texts)
    for ready in (PHRASES, REACTIONS):
        assert len({each.de for each in ready.values()}) == len({each.en for each in ready.values()}) == len(ready)
