"""What can go wrong in the service, by name. HTTP is not known here.

::

    ServiceError
    |-- NotFound              nothing of that name, or nothing that concerns the caller
    |-- Forbidden             known and concerned, but not allowed (reason)
    |-- Barred                someone in charge does not allow this player to do it for a time (sanction, reason, until)
    |-- Unauthenticated       no token, or one that is not valid
    |-- RecordWrong           a record that is not right (line, what, expected, found)
    |-- KeyReused             an idempotency key came again with another request
    |-- TooManyHeld           a holder has the maximum number of matches of a kind (kind, limit, wait)
    |-- StoreError
    |   |-- VersionConflict   another writer was first (expected, actual)
    |   |-- HistoryForked     the stored history is not the one that the writer had read
    |   |-- CorruptHistory    the stored bytes do not hash to the stored chain
    |   |   `-- ArchiveLost   the store of archives has lost the archive of a match
    |   |-- EmptyAppend       an append without events
    |   |-- ClockMoved        the writer's time is not the store's
    |   `-- StoreUnavailable  the server does not answer, or refuses writes
    |       |-- StoreReplaced the server holds another deployment's data, or nothing
    |       `-- ArchiveUnavailable  the store of archives does not answer, or refuses; other matches can be read
    `-- StartupRefused        a setting or the server's CONFIG is wrong; the sentence says what to do
        `-- StoreAway         the server of the store does not answer
"""

from __future__ import annotations

from enum import Enum


class ServiceError(Exception):
    """The root of everything the service raises deliberately."""


class NotFound(ServiceError):
    """Nothing of that name exists, or it does not concern the caller: both look the same from outside."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"no such {kind}")
        self.kind = kind


class Forbidden(ServiceError):
    """The caller is known and concerned, but may not do this; `reason` is a stable code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Sanction(Enum):
    """What someone in charge has decided about a player."""

    SILENCED = "silenced"
    SUSPENDED = "suspended"


class Barred(ServiceError):
    """A player may not do this until a time (Unix milliseconds). `reason` is empty where it concerns the player's address."""

    def __init__(self, sanction: Sanction, reason: str, until_ms: int) -> None:
        super().__init__(sanction.value)
        self.sanction = sanction
        self.reason = reason
        self.until_ms = until_ms


class StatementRefused(ServiceError):
    """What the operator of a program states about it does not hold; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unauthenticated(ServiceError):
    """There is no token, or it is not valid (any more)."""


class RecordWrong(ServiceError):
    """A record is wrong; the error has the first fault and its line."""

    def __init__(self, line: str, what: str, expected: str, found: str) -> None:
        super().__init__(f"the record is wrong at {line}: {what}; expected {expected}, found {found}")
        self.line = line
        self.what = what
        self.expected = expected
        self.found = found


class KeyReused(ServiceError):
    """An idempotency key came again with another request."""


class TooManyHeld(ServiceError):
    """A holder has the maximum number of matches of a kind; `kind` is a stable code, `wait_s` when to ask again (0: unknown)."""

    def __init__(self, kind: str, limit: int, wait_s: int = 0) -> None:
        super().__init__(f"at most {limit} of the kind {kind}")
        self.kind = kind
        self.limit = limit
        self.wait_s = wait_s


class StoreError(ServiceError):
    """The root of what a store raises."""


class VersionConflict(StoreError):
    """Another writer was first."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"expected version {expected}, found {actual}")
        self.expected = expected
        self.actual = actual


class HistoryForked(StoreError):
    """The stored history is not the one that the writer had read: same version, other chain."""


class CorruptHistory(StoreError):
    """The stored bytes do not hash to the stored chain, or do not decode."""


class ArchiveLost(CorruptHistory):
    """The archive of a match is not in the store of archives, which has those of other matches."""


class EmptyAppend(StoreError):
    """An append without events; it would confirm a version that was never written."""


class StoreUnavailable(StoreError):
    """The server does not answer in time, or refuses; then `refusal` is its own word for why (`MISCONF`), otherwise empty."""

    def __init__(self, message: str = "", refusal: str = "") -> None:
        super().__init__(message)
        self.refusal = refusal


class ClockMoved(StoreError):
    """The time of a decision is not the store's: its clock was set, or the writer took too long. Decide again."""


class StoreReplaced(StoreUnavailable):
    """The server holds another deployment's data, or none: this process continues when the former is back, or is restarted."""

    def __init__(self) -> None:
        super().__init__("the store was replaced or emptied: restart this process to accept it", "REPLACED")


class ArchiveUnavailable(StoreUnavailable):
    """The store of archives does not answer in time, refuses, or is another one. Only archived matches need it."""


class StartupRefused(ServiceError):
    """The process cannot start; the message is one clear sentence for the operator."""


class StoreAway(StartupRefused):
    """The server of the store does not answer: no setting need be wrong."""
