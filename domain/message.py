"""A text for people."""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, frozen=True):
    """One text for people in both languages; `{name}` stands for an argument. `rule` names where it comes from."""

    de: str
    en: str
    rule: str = ""
