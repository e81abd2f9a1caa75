"""Where archives may be outside the event store, chosen by an address.

`sqlite:///relative/path` or `sqlite:////absolute/path`, `postgresql://...`, `s3://bucket/prefix?endpoint=...&region=...`,
or `store:` for the event store itself.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import unquote

import structlog

from ..errors import ArchiveUnavailable, StartupRefused, StoreAway
from ..extras import missing_package
from ..ports.blobs import BlobStore
from ..ports.stores import Stores
from .place import ELSEWHERE, MISSING, PlacedBlobs, outside

VARIABLE = "TAFELRUNDE_ARCHIVE_URL"
IN_STORE = "store:"
FILE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")
S3 = "s3://"

log = structlog.get_logger(__name__)


async def open_blobs(url: str | None, variable: str = VARIABLE) -> BlobStore | None:
    """Return the blob store at *url*, made if need be, None for none or `store:`; raise StartupRefused, StoreAway."""
    blobs = blobs_at(url, variable)
    if blobs is not None:
        try:
            await blobs.make()
            await blobs.check()
        except ArchiveUnavailable as error:
            await blobs.close()
            raise unusable(error, url, variable) from error
        except BaseException:
            await blobs.close()
            raise
    return blobs


def unusable(error: ArchiveUnavailable, url: str | None, variable: str = VARIABLE) -> StartupRefused:
    """Return why a process cannot start, with no address but the path of a file: others may have a password in them."""
    refused = StartupRefused if error.refusal else StoreAway
    place = _file_of(url)
    return refused(f"The store of archives{f' {place}' if place else ''} ({variable}) does not work: {str(error).rstrip('.')}.")


async def settle(blobs: PlacedBlobs | None, stores: Stores, url: str | None, *, patient: bool = False) -> None:
    """Raise StartupRefused, StoreAway unless the archives of a deployment are where *url* leads, and more can be put there.

    With *patient* they may be unavailable for now: only archived matches need them, and those wait.
    """
    try:
        if blobs is None:
            await _require_inside(stores)
        else:
            await blobs.settle(stores.archives, stores.events)
            await blobs.check()
    except ArchiveUnavailable as error:
        if not patient:
            raise (_archives_missing(url) if error.refusal in {ELSEWHERE, MISSING} else unusable(error, url)) from error
        log.warning("store of archives unavailable", reason=error.refusal or "no answer")


async def _require_inside(stores: Stores) -> None:
    if await stores.archives.place() is not None:
        async for _ in outside(stores.archives, stores.events):
            raise ArchiveUnavailable("the archives are in another store", ELSEWHERE)


def _archives_missing(url: str | None) -> StartupRefused:
    """Return the sentence for a place without the archives."""
    place = _file_of(url) or f"where {VARIABLE} leads"
    return StartupRefused(
        f"The archives of finished matches are not {place}: put them back (a backup has them), let {VARIABLE} name the place "
        "where they are, or, if they are lost for good, run `tafelrunde archive --lost` to go on without them."
    )


def _file_of(url: str | None) -> str:
    """Return in which file archives are, empty if they are in none."""
    return f"in the file {unquote(url.removeprefix(FILE))}" if url and url.startswith(FILE) else ""


@contextmanager
def _require_installed(variable: str) -> Generator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        raise missing_package(variable, missing) from missing


def blobs_at(url: str | None, variable: str = VARIABLE) -> BlobStore | None:
    """Return the blob store at *url*, of which nothing is opened yet, None for none or `store:`; raise StartupRefused."""
    if not url or url == IN_STORE:
        return None
    if url.startswith(FILE) and len(url) > len(FILE):
        from .sqlite import SqliteBlobs  # noqa: PLC0415 - only the one that is used is imported

        return SqliteBlobs(unquote(url.removeprefix(FILE)))
    if url.startswith(POSTGRES):
        with _require_installed(variable):
            from .postgres import PostgresBlobs  # noqa: PLC0415 - only the one that is used is imported

        return PostgresBlobs(url)
    if url.startswith(S3):
        with _require_installed(variable):
            from .objects import ObjectBlobs  # noqa: PLC0415 - only the one that is used is imported

        return ObjectBlobs(url, variable)
    raise StartupRefused(
        f"{variable} is no address of a store of archives: use sqlite:///path, postgresql://..., s3://bucket/prefix or store:."
    )
