"""A circuit breaker: while a server does not answer at all, not every command waits for its own time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from redis.exceptions import TimeoutError as TimedOut

RETRY_SECONDS = 1.0
"""The pause after a probe without an answer. Commands that come meanwhile fail at once."""


class CircuitBreaker:
    """Opens when commands have timed out, and closes when a probe does not.

    One probe at a time goes to the server, and all commands wait for that one. *probe* raises a timeout if there is no answer;
    any other error is one.
    """

    def __init__(self, probe: Callable[[], Awaitable[object]]) -> None:
        self.open = False
        self._probe = probe
        self._probing: asyncio.Task[None] | None = None
        self._next = 0.0

    def trip(self) -> None:
        """Open it: commands have timed out. The next one begins a probe."""
        self.open = True

    async def pass_through(self) -> None:
        """Return if it is closed or a probe closes it; raise TimedOut if not."""
        if self.open and (self._probing is not None or asyncio.get_running_loop().time() >= self._next):
            self._probing = self._probing or asyncio.create_task(self._try(), name="probe of the store")
            await asyncio.wait({self._probing})
        if self.open:
            raise TimedOut("the server has not answered for a while")

    async def _try(self) -> None:
        try:
            await self._probe()
        except (TimedOut, TimeoutError):
            self._next = asyncio.get_running_loop().time() + RETRY_SECONDS
        except Exception:  # the command that waits for the probe meets it too, and has a name for it
            self.open = False
        else:
            self.open = False
        finally:
            self._probing = None

    def close(self) -> None:
        """Cancel a probe that is under way: the connection is about to end."""
        if self._probing is not None:
            self._probing.cancel()


def timed_out(error: BaseException) -> bool:
    """Return whether there was no answer; the library says so of a new connection only in the cause of its error."""
    inner = error.__cause__ or error.__context__
    return isinstance(error, (TimedOut, TimeoutError)) or (inner is not None and timed_out(inner))
