"""Opens the application of a deployment: the one place where processes and hosts connect it to a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from .application import Application
from .blob_stores import blobs_at, settle
from .blob_stores.place import PlacedBlobs
from .errors import StartupRefused, StoreUnavailable
from .feature import Feature
from .features.registry import FEATURES
from .games import Games
from .outgoing.http_sender import Post
from .ports.stores import Stores
from .redis_store import RedisStores
from .runtime.long_jobs import PostJob
from .runtime.outage import Outage
from .runtime.readiness import Attendance
from .settings import Settings


async def connect(settings: Settings, *, patient: bool = False, anywhere: bool = False) -> RedisStores:
    """Return the stores of the deployment's server, *patient* for as long as it is down; raise StartupRefused.

    They close the store of archives with themselves. That has to have what was archived outside, unless *anywhere*: then it is
    taken as it is.
    """
    if settings.redis_url is None:
        raise StartupRefused("There is no server for the store: set REDIS_URL, or use `tafelrunde serve`.")
    found = blobs_at(settings.archive_url)
    blobs = PlacedBlobs(found) if found is not None and not anywhere else None
    try:
        stores = await RedisStores.connect(
            settings.redis_url, settings.durability, store_id=settings.store_id, patient=patient, blobs=blobs or found
        )
    except BaseException:
        if found is not None:
            await found.close()
        raise
    try:
        if not anywhere:
            await settle(blobs, stores.stores, settings.archive_url, patient=patient)
    except BaseException:
        await stores.close()
        raise
    return stores


@asynccontextmanager
async def open_application(  # noqa: PLR0913 - each is said by name, and few callers say more than one
    settings: Settings,
    *,
    games: Games | None = None,
    stores: Stores | None = None,
    now_ms: Callable[[], int] | None = None,
    post_job: PostJob | None = None,
    queued: bool = False,
    patient: bool = False,
    post: Post | None = None,
    features: Sequence[Feature] = FEATURES,
) -> AsyncGenerator[Application]:
    """Yield an application, and close afterwards what was opened for it; raise StartupRefused.

    It is connected to the server that the settings name, or works on the host's own *stores*, for instance `memory_stores()`;
    those stay open. With *queued*, jobs are put into the deployment's queues, in place of *post_job*. With *patient*, it waits
    for a server that is down, for as long as it takes. The rest is as for `Application`.
    """
    attendance: Attendance | None = None
    async with AsyncExitStack() as opened:
        if queued:
            post_job, attendance = await opened.enter_async_context(_queues(settings, patient=patient))
        if stores is None:
            stores = await opened.enter_async_context(await connect(settings, patient=patient))
        application = Application(
            stores,
            settings,
            games=games,
            now_ms=now_ms,
            post_job=post_job,
            attendance=attendance,
            post=post,
            features=features,
        )
        opened.push_async_callback(application.close)
        yield application


@asynccontextmanager
async def _queues(settings: Settings, *, patient: bool) -> AsyncGenerator[tuple[PostJob, Attendance]]:
    """Give what puts jobs into the queues, and what says who is missing there; raise StartupRefused."""
    from .runtime import job_queue  # noqa: PLC0415 - RQ is slow to import, and few need a queue

    url, variable = job_queue.address_of(settings)
    client = job_queue.unchecked_client(url, variable=variable)
    outage = Outage(job_queue.SERVER)
    while True:
        try:
            await asyncio.to_thread(job_queue.require_usable, client, variable)
            break
        except StoreUnavailable as error:
            if not patient:
                job_queue.require_passing(error, variable)
            outage.note(error)
            await asyncio.sleep(job_queue.LOOK_SECONDS)
    outage.over()

    async def attendance() -> str:
        return await asyncio.to_thread(job_queue.missing, client)

    postbox = job_queue.Postbox(job_queue.Jobs(client))
    try:
        yield postbox.post, attendance
    finally:
        await asyncio.to_thread(postbox.close)
        client.close()
