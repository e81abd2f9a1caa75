"""All sessions of a process, so that they end when it does."""

from __future__ import annotations

from typing import Protocol

from ...service.application import Application


class Session(Protocol):
    """One of them."""

    def drain(self) -> None:
        """Answer what is under way, and end."""
        ...


class Sessions:
    """Those that are open in this process; a part of its context."""

    def __init__(self) -> None:
        self._open: set[Session] = set()
        self._application: Application | None = None

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._open)

    def add(self, session: Session, application: Application) -> None:
        """Have a session end when the application drains."""
        self._open.add(session)
        if self._application is not application:
            self._application = application
            application.hooks.drain.append(self.drain)
        if application.draining:
            session.drain()

    def remove(self, session: Session) -> None:
        """Forget a session."""
        self._open.discard(session)

    def drain(self) -> None:
        """Let all of them end."""
        for session in list(self._open):
            session.drain()
