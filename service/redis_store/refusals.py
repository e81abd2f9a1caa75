"""What a server refuses, and every failure of it under our own names."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
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
from .link import Reply, Value

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
        raise translate(error) from error
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


def translate(error: RedisError, keys: Sequence[Value] = ()) -> StoreError:
    """Return an error of the server by our own name; *keys* are those of the command."""
    if (refusal := refusal_of(error)) or isinstance(error, (Disconnected, TimedOut)):
        return StoreUnavailable(str(error), refusal)
    if str(error).startswith(_REPLACED):
        return StoreReplaced()
    if str(error).startswith("WRONGTYPE"):
        return CorruptHistory(_foreign(keys))
    return StoreError(f"the server refused a command: {error}")


def _foreign(keys: Sequence[Value]) -> str:
    """Return the sentence for a key that another program has written, or that was changed by hand."""
    names = ", ".join(key.decode(errors="replace") if isinstance(key, bytes) else str(key) for key in keys)
    which = f"the key {names}" if len(keys) == 1 else f"one of the keys {names}" if names else "a key"
    return (
        f"{which} of the server holds something else than the store writes: if another program has made it, rename it (RENAME), "
        "and give each of the two a server or database number of its own; if it was changed by hand, restore it from a backup"
    )


def sound(reply: Reply | Exception, keys: Sequence[Value] = ()) -> Reply:
    """Return a reply to a command with these keys; raise an error that the server has replied, by our own name."""
    if isinstance(reply, RedisError):
        raise translate(reply, keys) from reply
    assert not isinstance(reply, Exception)
    return reply


def keys_of(command: Sequence[Value]) -> Sequence[Value]:
    """Return the keys of a command, in the place where those that the stores use have them."""
    if "STREAMS" in command:
        streams = command[command.index("STREAMS") + 1 :]
        return streams[: len(streams) // 2]
    return command[1:2]
