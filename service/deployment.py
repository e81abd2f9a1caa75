"""Opens the application of a deployment: the one place where processes and hosts connect it to a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from ..domain.game import AnyGame, GameId
from ..domain.match import MatchId
from ..domain.registry import GAMES
from .application import Application
from .errors import StartupRefused
from .ports.stores import Stores
from .redis_store import RedisStores
from .settings import Settings
from .webhooks.http_sender import Post


async def connect(settings: Settings) -> RedisStores:
    """Return the stores of the deployment's server; raise StartupRefused."""
    if settings.redis_url is None:
        raise StartupRefused("There is no server for the store: set REDIS_URL, or use `tafelrunde serve`.")
    return await RedisStores.connect(settings.redis_url, settings.durability, store_id=settings.store_id)


@asynccontextmanager
async def open_application(
    settings: Settings,
    *,
    games: Mapping[GameId, AnyGame] = GAMES,
    stores: Stores | None = None,
    now_ms: Callable[[], int] | None = None,
    on_bot_work: Callable[[MatchId], None] | None = None,
    queued: bool = False,
    post: Post | None = None,
) -> AsyncGenerator[Application]:
    """Give an application, and close what was opened for it afterwards; raise StartupRefused.

    It is connected to the server that the settings name, or works on the host's own *stores*, for instance `memory_stores()`;
    those stay open. With *queued*, bots that must act at once are put into the deployment's job queue, in place of
    *on_bot_work*. The rest is as for `Application`.
    """
    async with AsyncExitStack() as opened:
        if queued:
            on_bot_work = await opened.enter_async_context(_postbox(settings))
        if stores is None:
            stores = await opened.enter_async_context(await connect(settings))
        application = Application(stores, settings, games=games, now_ms=now_ms, on_bot_work=on_bot_work, post=post)
        opened.push_async_callback(application.post.close)
        yield application


@asynccontextmanager
async def _postbox(settings: Settings) -> AsyncGenerator[Callable[[MatchId], None]]:
    """Give what puts the bots of a match into the job queue; raise StartupRefused."""
    from .runtime.job_queue import Jobs, Postbox, client_of  # noqa: PLC0415 - RQ is slow to import, and few need a queue

    client = await asyncio.to_thread(client_of, settings)
    postbox = Postbox(Jobs(client))
    try:
        yield postbox.post
    finally:
        await asyncio.to_thread(postbox.close)
        client.close()
