"""Running services at the command line: asked over HTTP, by the client that others use as well."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from ...service.errors import NotFound, StartupRefused

ADDRESS = re.compile(r"(https?://.+?)/(?:api/v1/matches|(?:#/)?match|embed)/(m[a-z2-7]{24})(?:[/?#].*)?")


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
    """Return the record behind an address, as lines. Raises NotFound for a problem, and StartupRefused for no answer."""
    from tafelrunde.client import ApiError, Client, Unreachable

    place = place_of(address)
    try:
        with Client(place.service, token) as client:
            return client.record(place.match)
    except ApiError as error:
        raise NotFound(f"record at {address} ({error})") from error
    except Unreachable as error:
        raise StartupRefused(f"{place.service} does not answer.") from error
