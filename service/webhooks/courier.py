"""The courier: sends what is due, again and again with growing pauses, and notes how it went.

It runs beside everything else: what it waits for is never in the way of a match. One turn has one webhook and a few of its
deliveries, so a receiver that hangs takes up one of the places for turns and nothing else.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import msgspec
import structlog

from ..errors import StoreUnavailable
from . import signing
from .sending import Result, Sender
from .store import (
    KEPT_ATTEMPTS,
    Attempt,
    AttemptOutcome,
    Delivery,
    DeliveryState,
    Pause,
    Turn,
    Webhook,
    WebhookId,
    WebhookStore,
    following,
)

PAUSES_MS = (5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000)
"""Between the attempts; after the last of them a delivery is given up."""
JITTER = 0.2
TURNS_AT_ONCE = 16
EACH = 4
"""Messages that one receiver gets at once, at most."""
LEASE_MS = 30_000
"""Longer than a turn can take; then somebody else sends what was under way when a courier died."""
GONE = 410
PAUSE_FAILURES = 10
PAUSE_MS = 6 * 3_600_000
"""A webhook that has failed so often in a row, and for so long, is paused; one that nobody has ever answered, at once.

So nobody can have many messages sent to somebody who does not want them.
"""
LOOK_SECONDS = 0.25
RETRY_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Courier:
    """Sends deliveries. Any number may run. `chance` gives numbers from 0 to 1 for the jitter."""

    def __init__(
        self, store: WebhookStore, sender: Sender, now_ms: Callable[[], int], chance: Callable[[], float] = random.random
    ) -> None:
        self._store = store
        self._sender = sender
        self._now_ms = now_ms
        self._chance = chance
        self._turns: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Send until cancelled; wait for a server that is away. What is under way then is sent again by another courier."""
        try:
            while True:
                pause = await self._look()
                await asyncio.sleep(pause)
        finally:
            for turn in self._turns:
                turn.cancel()
            if self._turns:
                await asyncio.wait(self._turns)

    async def _look(self) -> float:
        """Begin turns as far as there are places, and return after how many seconds to look again."""
        try:
            found = await self._begin()
        except StoreUnavailable as error:
            log.warning("the courier waits for the server", error=type(error).__name__)
            return RETRY_SECONDS
        except Exception as error:
            log.exception("the courier cannot claim webhooks", error=type(error).__name__)
            return RETRY_SECONDS
        return 0.0 if found else LOOK_SECONDS

    async def _begin(self) -> int:
        places = TURNS_AT_ONCE - len(self._turns)
        if not places:
            await asyncio.wait(self._turns, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            return 1
        claimed = await self._store.claim(self._now_ms(), LEASE_MS, places, EACH)
        for turn in claimed.turns:
            task = asyncio.create_task(self._take(turn))
            self._turns.add(task)
            task.add_done_callback(self._turns.discard)
        return len(claimed.turns)

    async def portion(self) -> int:
        """Send what is due now, and return how many messages that were: for tests and scripts."""
        claimed = await self._store.claim(self._now_ms(), LEASE_MS, TURNS_AT_ONCE, EACH)
        await asyncio.gather(*map(self._take, claimed.turns))
        return sum(len(turn.deliveries) for turn in claimed.turns)

    async def _take(self, turn: Turn) -> None:
        """Send the messages of a turn at once. What cannot be noted is sent again: at least once, with the same id."""
        webhook = turn.webhook
        try:
            results = await asyncio.gather(*(self._try(webhook, delivery) for delivery in turn.deliveries))
            await self._note(webhook.id, results)
            await self._store.release(webhook.id)
        except StoreUnavailable as error:
            log.warning("a turn waits for the server", webhook=webhook.id, error=type(error).__name__)
        except Exception as error:
            log.exception("a turn failed", webhook=webhook.id, error=type(error).__name__)

    async def _try(self, webhook: Webhook, delivery: Delivery) -> Result:
        at_ms = self._now_ms()
        result = await self._sender.send(webhook.url, signing.headers(webhook, delivery, at_ms), delivery.body)
        after = self._after(delivery, at_ms, result)
        await self._store.write(after)
        log.debug("sent a message", webhook=webhook.id, delivery=delivery.id, outcome=result.outcome.value, status=result.status)
        return result

    def _after(self, delivery: Delivery, at_ms: int, result: Result) -> Delivery:
        now = self._now_ms()
        attempt = Attempt(at_ms=at_ms, duration_ms=max(0, now - at_ms), outcome=result.outcome, status=result.status)
        tries, attempts = delivery.tries + 1, (*delivery.attempts, attempt)[-KEPT_ATTEMPTS:]
        state, next_ms = DeliveryState.PENDING, None
        if result.outcome is AttemptOutcome.DELIVERED:
            state = DeliveryState.DELIVERED
        elif tries > len(PAUSES_MS) or result.status == GONE:
            state = DeliveryState.FAILED
        else:
            next_ms = now + self._pause_ms(tries)
        return msgspec.structs.replace(delivery, state=state, next_ms=next_ms, tries=tries, attempts=attempts)

    def _pause_ms(self, tries: int) -> int:
        """Return how long to wait after so many failed tries: a fifth more or less than the table says."""
        return round(PAUSES_MS[tries - 1] * (1 + JITTER * (2 * self._chance() - 1)))

    async def _note(self, webhook: WebhookId, results: list[Result]) -> None:
        """Count failures in a row, and pause what has failed for too long. Its owner may change it meanwhile."""
        while (old := await self._store.webhook(webhook)) is not None:
            new = self._counted(old, results)
            if new is None or await self._store.put(new):
                return

    def _counted(self, webhook: Webhook, results: list[Result]) -> Webhook | None:
        """Return the webhook as it is to be written, None if nothing changes."""
        if any(result.outcome is AttemptOutcome.DELIVERED for result in results):
            news = webhook.failures or not webhook.proven
            return following(webhook, failures=0, failing_since_ms=None, proven=True) if news else None
        now, failures = self._now_ms(), webhook.failures + len(results)
        since = now if webhook.failing_since_ms is None else webhook.failing_since_ms
        pause = webhook.pause
        if any(result.status == GONE for result in results):
            pause = Pause.GONE
        elif pause is None and failures >= PAUSE_FAILURES and (not webhook.proven or now - since >= PAUSE_MS):
            pause = Pause.FAILING
        return following(webhook, failures=failures, failing_since_ms=since, pause=pause)
