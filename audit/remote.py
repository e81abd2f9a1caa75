"""Running services: asked over HTTP, by the client that others use as well."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ..service.errors import NotFound, StartupRefused

if TYPE_CHECKING:
    from tafelrunde.client import Client
    from tafelrunde.client.shapes import LeafProofs, LogEntry

ADDRESS = re.compile(r"(https?://.+?)/(?:api/v1/matches|(?:#/)?match|embed)/(m[a-z2-7]{24})(?:[/?#].*)?")

BUSY = 429
FAILED = 500
"""From here on a status says that a service could not answer: that is no answer, while a smaller one is a refusal."""
GONE = (404, 410)
HIDDEN = (401, 403)
TO_SEATS = "the service shows its record to those who sat there: give the token of your seat in TAFELRUNDE_TOKEN"
NOT_NOW = "the service does not give its record now"

PAGE = 1_000
"""How many leaves of a log are asked for at once."""


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


def parse_address(address: str) -> RemoteMatch:
    """Return which match an address names, in the API, in the web client or in a frame; raise StartupRefused if it names none."""
    if (found := ADDRESS.fullmatch(address)) is None:
        raise StartupRefused(f"{address} is not the address of a match, like http://127.0.0.1:8000/api/v1/matches/m...")
    return RemoteMatch(found[1], found[2])


@contextmanager
def connect(service: str, token: str | None, what: str, advice: str = "") -> Generator[Client]:
    """Yield a client of a service, as the holder of a token.

    Raises NotFound for a problem, which names *what* was asked for, and StartupRefused with some *advice* for no answer.
    """
    from tafelrunde.client import ApiError, Client, Unreachable

    try:
        with Client(service, token) as client:
            yield client
    except ApiError as error:
        raise NotFound(f"{what} ({error})") from error
    except Unreachable as error:
        raise StartupRefused(f"{service} does not answer.{advice}") from error


@contextmanager
def connect_to_log(url: str) -> Generator[Client]:
    """Yield a client of the service at a URL, as anyone; raise NotFound for a problem, and StartupRefused for no answer."""
    if not is_address(url):
        raise StartupRefused(f"{url} is not the address of a service, like https://cards.example.org")
    with connect(url, None, f"log of {url}") as client:
        yield client


def download_proofs(address: str, token: str | None, size: int | None) -> LeafProofs:
    """Return the proofs that a match is in its service's transparency log. Raises as `download_record` does."""
    place = parse_address(address)
    with connect(place.service, token, f"match in the log of {place.service}") as client:
        return client.log_proofs(place.match, size)


def download_record(address: str, token: str | None) -> bytes:
    """Return the record behind an address, as lines.

    Raises NotFound if the service has none, NotShown if it says anything else, and StartupRefused for no answer.
    """
    from tafelrunde.client import ApiError

    place = parse_address(address)
    what = f"record at {address}"
    with connect(place.service, token, what) as client:
        try:
            return client.record(place.match)
        except ApiError as error:
            if error.problem.status in GONE:
                raise
            raise NotShown(f"{what} ({error})", error.problem.status) from error


def read_hashes(client: Client, first: int, size: int) -> Iterator[str]:
    """Yield the hashes of a log's leaves up to a size, from a number on; fewer if the service has no more."""
    while first < size and (page := client.log_leaves(first, limit=min(PAGE, size - first)).hashes):
        yield from page
        first += len(page)


def read_entries(client: Client, first: int, size: int) -> Iterator[LogEntry]:
    """Yield a log's leaves up to a size, from a number on, as everyone may see them; fewer if the service has no more."""
    while first < size and (page := client.log_entries(first, limit=min(PAGE, size - first)).entries):
        yield from page
        first += len(page)
