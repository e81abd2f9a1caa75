"""What an item of the inbox says of itself."""

from __future__ import annotations

from typing import Any, Protocol


class _HasMessage(Protocol):
    @property
    def message(self) -> dict[str, Any]: ...


class AboutMatch:
    """The two things that each message of an inbox has."""

    __slots__ = ()

    @property
    def kind(self: _HasMessage) -> str:
        """The type of the message: `match.started`, `match.decision-opened` (your turn), `match.ended` ..."""
        return str(self.message["type"])

    @property
    def match(self: _HasMessage) -> str:
        """The match that it is about; empty if it is about none."""
        return str(self.message["data"].get("match", ""))
