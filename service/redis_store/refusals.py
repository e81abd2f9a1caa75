"""What a server refuses, and every failure of it under our own names."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

from ..errors import CorruptHistory, StoreError, StoreReplaced, StoreUnavailable
from .link import Reply

_REPLACED = "REPLACED"
"""The first word with which `guard.lua` refuses."""
_REFUSALS = {"NOREPLICAS", "MISCONF", "MASTERDOWN", "BUSY", "CLUSTERDOWN", "TRYAGAIN", "NOAUTH", "OOM", "READONLY", "LOADING"}
"""Error prefixes of a server that temporarily refuses."""
PASSING = {"LOADING", "BUSY"}
"""Those that soon resolve by themselves: the server is loading its data, or a script takes long."""
REFUSED = "ERR"
"""What a server says to the first commands of a connection that asks for what it has not, such as a database of that number."""
_REFUSED: Mapping[type[RedisError], str] = {
    OutOfMemoryError: "OOM",
    ReadOnlyError: "READONLY",
    NoPermissionError: "NOPERM",
    BusyLoadingError: "LOADING",
    MasterDownError: "MASTERDOWN",
    ClusterDownError: "CLUSTERDOWN",
    TryAgainError: "TRYAGAIN",
    AuthenticationError: "NOAUTH",
}
"""The same for errors whose prefix the library strips; subclasses before their base classes."""


@contextmanager
def our_errors() -> Generator[None]:
    """Raise what fails at the server by our own names."""
    try:
        yield
    except RedisError as error:
        raise named(error) from error
    except (OSError, TimeoutError) as error:
        raise StoreUnavailable(f"the server cannot be reached: {error}") from error


def refusal_of(error: RedisError) -> str:
    """Return the error prefix (`MISCONF`) with which the server refuses for now, or a connection; empty for anything else."""
    known = next((word for kind, word in _REFUSED.items() if isinstance(error, kind)), "")
    said = str(error).rpartition("caused error: ")[2]  # the library prefixes errors of commands in a pipeline with its own words
    if found := known or (word if (word := said.partition(" ")[0]) in _REFUSALS else ""):
        return found
    inner = error.__cause__ or error.__context__  # a refusal of a connection's first command is wrapped
    if isinstance(inner, RedisError) and (found := refusal_of(inner)):
        return found
    return REFUSED if isinstance(error, Disconnected) and isinstance(error.__cause__, ResponseError) else ""


def named(error: RedisError) -> StoreError:
    """Return an error of the server by our own name."""
    if (refusal := refusal_of(error)) or isinstance(error, (Disconnected, TimedOut)):
        return StoreUnavailable(str(error), refusal)
    if str(error).startswith(_REPLACED):
        return StoreReplaced()
    if str(error).startswith("WRONGTYPE"):
        return CorruptHistory("a key holds something else than the store writes")
    return StoreError(f"the server refused a command: {error}")


def sound(reply: Reply | Exception) -> Reply:
    """Return a reply; raise an error that the server has replied, by our own name."""
    if isinstance(reply, RedisError):
        raise named(reply) from reply
    assert not isinstance(reply, Exception)
    return reply
