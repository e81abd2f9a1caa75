"""Running services: asked over HTTP, by the client that others use as well."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from ..service.errors import NotFound, StartupRefused

if TYPE_CHECKING:
    from tafelrunde.client import Client

ADDRESS = re.compile(r"(https?://.+?)/(?:api/v1/matches|(?:#/)?match|embed)/(m[a-z2-7]{24})(?:[/?#].*)?")

BUSY = 429
FAILED = 500
"""From here on a status says that a service could not answer: that is no answer, while a smaller one is a refusal."""


GONE = (404, 410)
HIDDEN = (401, 403)
TO_SEATS = "the service shows its record to those who sat there: give the token of your seat in TAFELRUNDE_TOKEN"
NOT_NOW = "the service does not give its record now"


class NotShown(NotFound):
    """A service has something and does not show it, to this asker or now; `why` says which."""

    def __init__(self, what: str, status: int) -> None:
        super().__init__(what)
        self.why = TO_SEATS if status in HIDDEN else NOT_NOW


class RemoteMatch(NamedTuple):
    """A match of a service that runs somewhere."""

    service: str
    match: str


def is_address(source: str) -> bool:
    """Return whether this is meant to be the address of something, not an id or a file."""
    return source.startswith(("http://", "https://"))


def place_of(address: str) -> RemoteMatch:
    """Return which match an address names, in the API, in the web client or in a frame; raise StartupRefused if it names none."""
    if (found := ADDRESS.fullmatch(address)) is None:
        raise StartupRefused(f"{address} is not the address of a match, like http://127.0.0.1:8000/api/v1/matches/m...")
    return RemoteMatch(found[1], found[2])


@contextmanager
def asking(url: str) -> Generator[Client]:
    """Give a client of a service; raise NotFound for a problem, and StartupRefused for no answer."""
    from tafelrunde.client import ApiError, Client, Unreachable

    if not is_address(url):
        raise StartupRefused(f"{url} is not the address of a service, like https://cards.example.org")
    try:
        with Client(url.rstrip("/")) as client:
            yield client
    except ApiError as error:
        raise NotFound(f"log of {url} ({error})") from error
    except Unreachable as error:
        raise StartupRefused(f"{url} does not answer.") from error


def proofs_at(address: str, token: str | None, size: int | None) -> bytes:
    """Return the proofs that a match is in its service's transparency log. Raises as `record_at` does."""
    from tafelrunde.client import ApiError, Client, Unreachable

    place = place_of(address)
    try:
        with Client(place.service, token) as client:
            return msgspec.json.encode(client.log_proofs(place.match, size))
    except ApiError as error:
        raise NotFound(f"match in the log of {place.service} ({error})") from error
    except Unreachable as error:
        raise StartupRefused(f"{place.service} does not answer.") from error


def record_at(address: str, token: str | None) -> bytes:
    """Return the record behind an address, as lines.

    Raises NotFound if the service has none, NotShown if it says anything else, and StartupRefused for no answer.
    """
    from tafelrunde.client import ApiError, Client, Unreachable

    place = place_of(address)
    try:
        with Client(place.service, token) as client:
            return client.record(place.match)
    except ApiError as error:
        what, status = f"record at {address} ({error})", error.problem.status
        raise (NotFound(what) if status in GONE else NotShown(what, status)) from error
    except Unreachable as error:
        raise StartupRefused(f"{place.service} does not answer.") from error


class RemoteLog(NamedTuple):
    """The transparency log of a service as it is: its size, its root in hex, and the service's time."""

    size: int
    root: str
    time_ms: int


class RemoteRecords:
    """The records and the log of a service, as the holder of a token sees them; to be used as a context.

    Every method raises NotFound for a problem, and StartupRefused for no answer.
    """

    def __init__(self, service: str, token: str | None) -> None:
        from tafelrunde.client import Client

        self._service = service
        self._client = Client(service, token)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._client.close()

    @contextmanager
    def _asked(self) -> Generator[None]:
        from tafelrunde.client import ApiError, Unreachable

        try:
            yield
        except ApiError as error:
            raise NotFound(f"records at {self._service} ({error})") from error
        except Unreachable as error:
            raise StartupRefused(f"{self._service} does not answer. Run the same command again: it resumes.") from error

    def page(self, cursor: str | None, limit: int, *, own: bool) -> bytes | None:
        """Return a page of records as lines; None if the budget of requests is used up for now."""
        from tafelrunde.client import ApiError

        with self._asked():
            try:
                return self._client.records(cursor, own=own, limit=limit)
            except ApiError as error:
                if error.problem.status == BUSY:
                    return None
                raise

    def log(self) -> RemoteLog:
        """Return the newest checkpoint."""
        with self._asked():
            found = self._client.checkpoint()
        return RemoteLog(found.size, found.root, found.time_ms)

    def leaves(self, first: int, limit: int) -> tuple[str, ...]:
        """Return hashes of leaves, from a number on."""
        with self._asked():
            return self._client.log_leaves(first, limit=limit).hashes
