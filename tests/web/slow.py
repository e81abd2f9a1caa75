"""A browser on a slow machine behind a slow line, which shows what a test reads before it is drawn.

`TAFELRUNDE_SLOW_BROWSER=6` makes the processor of every page six times slower and lets answers take unevenly long.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from typing import cast

from litestar.types import ASGIApp, Receive, Scope, Send
from playwright.sync_api import Page

SLOWER = float(os.environ.get("TAFELRUNDE_SLOW_BROWSER", "1"))
LATE_SECONDS = (0.05, 0.4, 0.15)


def slowed(page: Page) -> None:
    """Slow a page down, if that is wanted."""
    if SLOWER > 1:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def late(app: ASGIApp) -> ASGIApp:
    """Let browsers wait for the answers of an app, if that is wanted; clients over the API do not wait."""
    delays = itertools.cycle(LATE_SECONDS)

    async def delayed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and dict(scope["headers"]).get(b"user-agent", b"").startswith(b"Mozilla"):
            await asyncio.sleep(next(delays))
        await app(scope, receive, send)

    return cast("ASGIApp", delayed) if SLOWER > 1 else app
