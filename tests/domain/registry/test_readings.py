"""Texts for some values and some readers: there is a reader for each of them."""

from __future__ import annotations

from tafelrunde.domain.wording import wording
from tests.support.readings import readings, with_texts


def test_every_text_of_events_and_commands_has_a_reader() -> None:
    """No more special text is hidden by another: with some values of the fields, in their order, some reader has it.

    A text on whose key others go on may be for clients alone that do not know those.
    """
    hidden: list[str] = []
    for kind, texts in with_texts():
        tag = str(kind.__struct_config__.tag)
        keys = {key for key in texts if key == tag or key.startswith(f"{tag}.")}
        chosen = {wording(texts, each.key, each.given, each.seat) for each in readings(kind, texts)}
        hidden += sorted(key for key in keys - chosen if not any(each.startswith(f"{key}.") for each in chosen))
    assert hidden == []
