"""What a session needs of its connection, whichever server has it."""

from __future__ import annotations

from typing import Protocol


class Transport(Protocol):
    """A connection of a client. Nothing here waits.

    It calls the session: `receive` or `binary` for each message, `writable` when `unsent` has fallen to `ROOM_BYTES`,
    `note_pong`, and `leave` at its end.
    """

    @property
    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""
        ...

    def send(self, text: bytes) -> None:
        """Send a frame."""
        ...

    def ping(self) -> bool:
        """Send a ping; return whether its answer will be noticed."""
        ...

    def pause(self) -> None:
        """Read no more until `resume`; what was read already may still come."""
        ...

    def resume(self) -> None:
        """Read on."""
        ...

    def close(self, code: int) -> None:
        """End the connection with a code, once all was sent."""
        ...

    def abort(self) -> None:
        """End the connection at once."""
        ...
