"""Blobs in a bucket of an object store that speaks S3 (extra `s3`)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from ..errors import ArchiveUnavailable, StartupRefused

ANSWER_SECONDS = 10
CONNECT_SECONDS = 3
RETRIES = 2
RETRY_SECONDS = 5
if TYPE_CHECKING:
    from obstore.store import S3Config

CHECK = "check"
"""The key that is written to find out whether any can be."""
OPTIONS = {"endpoint", "region"}


class ObjectBlobs:
    """Blobs under a prefix of a bucket. Credentials come from `AWS_ACCESS_KEY_ID` and the like, as for other S3 clients.

    The bucket must answer a read with what was written before it, as S3 itself does. Raises StartupRefused for a wrong address.
    """

    def __init__(self, url: str, variable: str) -> None:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query))
        if not parts.netloc or "@" in parts.netloc or not options.keys() <= OPTIONS:
            raise StartupRefused(
                f"{variable} is no address of a bucket: use s3://bucket/prefix?endpoint=...&region=..., and give the credentials "
                "in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
            )
        config: S3Config = {**options}  # pyright: ignore[reportAssignmentType] - only the two options that were checked
        try:
            self._store = S3Store(
                parts.netloc,
                config=config,
                prefix=parts.path.strip("/") or None,
                client_options={
                    "allow_http": options.get("endpoint", "").startswith("http://"),
                    "timeout": timedelta(seconds=ANSWER_SECONDS),
                    "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
                },
                retry_config={"max_retries": RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS)},
            )
        except BaseError as error:
            raise StartupRefused(f"{variable} is no address of a bucket that can be used.") from error

    async def make(self) -> None:
        """Make nothing: a bucket is made by its owner."""

    async def check(self) -> None:
        """Raise ArchiveUnavailable unless an object can be written and deleted."""
        with _failures():
            await obstore.put_async(self._store, CHECK, b"", use_multipart=False)
        await self.delete([CHECK])

    async def put(self, key: str, blob: bytes) -> None:
        """Keep a blob, unless the key has one."""
        if await self.get(key) is None:
            with _failures():
                await obstore.put_async(self._store, key, blob, use_multipart=False)

    async def get(self, key: str) -> bytes | None:
        with _failures():
            try:
                found = await obstore.get_async(self._store, key)
                return bytes(await found.bytes_async())
            except FileNotFoundError:
                return None

    async def delete(self, keys: Sequence[str]) -> None:
        with _failures():
            for key in keys:
                try:
                    await obstore.delete_async(self._store, key)
                except FileNotFoundError:
                    continue

    async def close(self) -> None:
        """Close nothing: the library closes idle connections."""


@contextmanager
def _failures() -> Generator[None]:
    """Let every failure be one of the store. Its message, which may have an address in it, is left out."""
    try:
        yield
    except PermissionError as error:
        raise ArchiveUnavailable("the bucket of the archives refuses the credentials", "PermissionError") from error
    except FileNotFoundError as error:
        raise ArchiveUnavailable("the bucket of the archives is not there", "FileNotFoundError") from error
    except (BaseError, OSError) as error:
        raise ArchiveUnavailable("the bucket of the archives does not answer", "") from error
