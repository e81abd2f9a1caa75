"""A service over simulated days: its clock is moved by a test, its mail and push messages arrive on this machine."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from email.utils import formatdate
from typing import cast

import uvicorn
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.application import Application, unix_ms
from tafelrunde.service.environment import read_settings
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.notices.duty import Postman
from tafelrunde.service.features.notices.presence import Presence
from tafelrunde.service.memory_store import memory_stores
from tests.support.notices import Browser, Mailbox, Shown, mail_server, push_service
from tests.support.processes import until
from tests.support.served import Service, serving

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DELAY_MS = 20_000
"""How long after a decision a notice is sent."""


class Days(Service):
    """The service, its mailbox, and the push service of one browser."""

    mailbox: Mailbox
    browser: Browser

    def __init__(self, around: Callable[[ASGIApp], ASGIApp]) -> None:
        super().__init__("", 0, lambda app: around(dated(app, self.now_ms)))
        self.ahead_ms = 0

    def now_ms(self) -> int:
        """Return what time it is for the service (Unix milliseconds)."""
        return unix_ms() + self.ahead_ms

    async def make(self, stack: AsyncExitStack) -> Application:
        """Make the application, with mail and push messages of its own."""
        self.mailbox = await stack.enter_async_context(mail_server())
        self.browser = await stack.enter_async_context(push_service())
        settings = read_settings(
            {
                "TAFELRUNDE_SMTP_HOST": "127.0.0.1",
                "TAFELRUNDE_SMTP_PORT": str(self.mailbox.port),
                "TAFELRUNDE_SMTP_TLS": "none",
                "TAFELRUNDE_MAIL_FROM": "table@cards.example",
                "TAFELRUNDE_PUBLIC_URL": self.url,
                "TAFELRUNDE_WEBHOOK_NETWORKS": "127.0.0.0/8",
                "TAFELRUNDE_WEBHOOK_HTTP": "true",
                "TAFELRUNDE_WEBHOOK_PORTS": "*",
                "TAFELRUNDE_RATE_LIMITS": "false",
                "TAFELRUNDE_BOT_PAUSE_MS": "0",
                "TAFELRUNDE_DRAIN_SECONDS": "1",
            }
        )
        return Application(memory_stores(), settings, now_ms=self.now_ms)

    def served(self, config: uvicorn.Config) -> uvicorn.Config:
        """Leave the date of answers to the app, which has the clock."""
        config.date_header = False
        return config

    def pass_ms(self, ms: int) -> None:
        """Let some time pass, and send what is due then."""
        self.do(self._pass(ms))

    async def _pass(self, ms: int) -> None:
        application = self.known
        await application.get(Outbox).catch_up()
        await application.get(Presence).note()
        self.ahead_ms += ms
        application.activity.wake()
        for mail in (False, True):
            while await application.get(Postman).portion(mail=mail):
                pass

    def gone(self, player: str) -> None:
        """Wait until a player has no page open."""
        connected = self.known.hooks.connected
        until("the last page of a player is closed", lambda: not any(PlayerId(player) in each() for each in connected))

    def shown(self) -> list[Shown]:
        """Return the push messages so far, as the browser reads them."""
        return [self.browser.read(each) for each in self.browser.service.got]


def dated(app: ASGIApp, now_ms: Callable[[], int]) -> ASGIApp:
    """Say in every answer what time it is for the service."""

    async def say(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = formatdate(now_ms() / 1_000, usegmt=True).encode()
                message["headers"] = [*message["headers"], (b"date", date)]
            await send(message)

        await app(scope, receive, sent)

    return cast("ASGIApp", say)


@contextmanager
def days(around: Callable[[ASGIApp], ASGIApp]) -> Generator[Days]:
    """Run such a service for the duration of the block."""
    with serving(Days(around)) as running:
        yield running
