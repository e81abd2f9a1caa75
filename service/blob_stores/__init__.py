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
from ..ports.blobs import BlobStore

VARIABLE = "TAFELRUNDE_ARCHIVE_URL"
IN_STORE = "store:"
FILE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")
S3 = "s3://"

log = structlog.get_logger(__name__)


async def open_blobs(url: str | None, variable: str = VARIABLE, *, patient: bool = False) -> BlobStore | None:
    """Return the blob store at *url*, None for none or `store:`; raise StartupRefused, StoreAway, never with the address.

    With *patient* it may be unavailable for now: only archives need it, and they wait.
    """
    if not url or url == IN_STORE:
        return None
    blobs = _made(url, variable)
    try:
        await blobs.check()
    except ArchiveUnavailable as error:
        if not patient:
            await blobs.close()
            refused = StartupRefused if error.refusal else StoreAway
            raise refused(f"The store of archives ({variable}) does not work: {str(error).rstrip('.')}.") from error
        log.warning("store of archives unavailable", reason=error.refusal or "no answer")
    except BaseException:
        await blobs.close()
        raise
    return blobs


@contextmanager
def _installed(variable: str, extra: str) -> Generator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        raise StartupRefused(
            f"{variable} needs the package {missing.name}: run pip install '.[{extra}]' in a checkout."
        ) from missing


def _made(url: str, variable: str) -> BlobStore:
    if url.startswith(FILE) and len(url) > len(FILE):
        from .sqlite import SqliteBlobs  # noqa: PLC0415 - only the one that is used is imported

        return SqliteBlobs(unquote(url.removeprefix(FILE)))
    if url.startswith(POSTGRES):
        with _installed(variable, "postgres"):
            from .postgres import PostgresBlobs  # noqa: PLC0415 - only the one that is used is imported

        return PostgresBlobs(url)
    if url.startswith(S3):
        with _installed(variable, "s3"):
            from .objects import ObjectBlobs  # noqa: PLC0415 - only the one that is used is imported

        return ObjectBlobs(url, variable)
    raise StartupRefused(
        f"{variable} is no address of a store of archives: use sqlite:///path, postgresql://..., s3://bucket/prefix or store:."
    )
