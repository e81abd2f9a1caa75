"""The texts of Coup in German and English."""

from __future__ import annotations

from collections.abc import Mapping

from ..game import Message

MESSAGES: Mapping[str, Message] = {
    "coup": Message("Coup", "Coup"),
}
