"""The dispatcher sends due deliveries, retries with growing pauses, and records the attempts.

It never blocks a match. A webhook is held by one dispatcher at a time, which sends its receiver a few messages at once: more
after successes, fewer after failures. So a receiver that hangs occupies few connections and nothing else.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import structlog

from ...errors import StoreUnavailable
from ...failures import Failures
from ...memory_store.failures import MemoryFailures
from ...outgoing.http_sender import AttemptOutcome, Result, Sender
from ...runtime.activity import REST_SECONDS, Activity, PollPacer
from ...runtime.consumer import SHORT_REST_SECONDS, Consumer, run_together
from ...runtime.outage import Outage
from . import signing
from .messages import telling
from .port import (
    KEPT_ATTEMPTS,
    Attempt,
    Delivery,
    DeliveryId,
    DeliveryState,
    DispatcherId,
    Pause,
    Tried,
    Turn,
    Webhook,
    WebhookId,
    WebhookStore,
    following,
)

PAUSES_MS = (5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000)
"""Delays between attempts; after the last attempt a delivery is given up."""
JITTER = 0.2
PLACES = 1_000
"""Messages under way at once, to all receivers together."""
EACH = 4
"""Number of concurrent messages to one receiver at first; one that has failed lately gets one."""
MOST_EACH = 32
"""Maximum number of messages that one receiver gets at once: one more after each success, half as many after a failure."""
LEASE_MS = 6_000
"""After this time another process sends what was in flight when a dispatcher died."""
RENEW_SECONDS = 1.5
KEPT_MS = 72 * 3_600_000
"""Maximum age of a waiting message: only a paused webhook, or a service that stood still, has older ones."""
EXPIRE_SECONDS = 60.0
GONE = 410
PAUSE_FAILURES = 10
PAUSE_MS = 6 * 3_600_000
"""Paused after this many failures in a row over this time; immediately if it never succeeded.

So a webhook cannot be used to flood an address that does not want the messages.
"""
WEBHOOK = "messages of a webhook"
LOOK_SECONDS = 0.25
RETRY_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Sent(NamedTuple):
    """A delivery after an attempt, and how that ended."""

    delivery: Delivery
    result: Result


class Dispatcher:
    """Sends deliveries. Any number may run. `chance` gives numbers from 0 to 1 for the jitter."""

    name = "webhook sender"

    def __init__(
        self,
        store: WebhookStore,
        sender: Sender,
        now_ms: Callable[[], int],
        chance: Callable[[], float] = random.random,
        places: int = PLACES,
        activity: Activity | None = None,
        failures: Failures | None = None,
    ) -> None:
        self._failures = failures or Failures(MemoryFailures(), now_ms)
        self._store = store
        self._sender = sender
        self._now_ms = now_ms
        self._chance = chance
        self._places = places
        self._pacer = PollPacer(activity or Activity(), frozenset, LOOK_SECONDS)
        self._id = DispatcherId(uuid.uuid4().hex)
        self._rounds: dict[WebhookId, asyncio.Task[None]] = {}
        self._sending = 0
        self._outage = Outage(f"{self.name}: round: store")

    async def run(self) -> None:
        """Send until cancelled. Messages in flight then are sent again by another process."""
        consumers = (
            Consumer(self.name, self._begin),
            Consumer(f"{self.name}: lease renewal", self._renew, rest_seconds=SHORT_REST_SECONDS),
            Consumer(f"{self.name}: expiry", self._expire),
        )
        for consumer in consumers:
            consumer.report_to(self._failures)
        try:
            await run_together(consumers)
        finally:
            rounds = list(self._rounds.values())
            for task in rounds:
                task.cancel()
            await asyncio.gather(*rounds, return_exceptions=True)

    async def _begin(self) -> float:
        """Start rounds while there are free slots, and return after how many seconds to look again."""
        return await self._pacer.poll(self._start)

    async def _start(self, _: object) -> float:
        turns = await self._claim()
        for turn in turns:
            task = asyncio.create_task(self._round(turn))
            self._rounds[turn.webhook.id] = task
            task.add_done_callback(lambda _, webhook=turn.webhook.id: self._rounds.pop(webhook))
        return 0.0 if turns else REST_SECONDS

    async def _renew(self) -> float:
        """Renew the leases; return after how many seconds to do so again."""
        await self._store.renew(self._id, list(self._rounds), self._now_ms() + LEASE_MS)
        return RENEW_SECONDS

    async def _expire(self) -> float:
        """Drop messages that are too old; return after how many seconds to look for more."""
        now = self._now_ms()
        await self._store.expire(now - KEPT_MS, now)
        return EXPIRE_SECONDS

    async def _claim(self) -> Sequence[Turn]:
        """Claim webhooks. One that this dispatcher still holds, and was too late to renew, goes on as it is."""
        webhooks = (self._places - self._sending) // EACH
        if webhooks < 1:
            return ()
        claimed = await self._store.claim(self._id, self._now_ms(), LEASE_MS, webhooks, EACH)
        return [turn for turn in claimed.turns if turn.webhook.id not in self._rounds]

    async def portion(self) -> int:
        """Send what is due now, once to each receiver, and return how many messages that were: for tests and scripts."""
        turns = await self._claim()
        await asyncio.gather(*(self._round(turn, 0) for turn in turns))
        return sum(len(turn.deliveries) for turn in turns)

    async def _round(self, turn: Turn, most: int = MOST_EACH) -> None:
        """Send what is due for a webhook until nothing is. An attempt that cannot be recorded is repeated, with the same id."""
        sending: dict[DeliveryId, asyncio.Task[Sent]] = {}
        if await self._failures.rests(WEBHOOK, turn.webhook.id):
            return
        try:
            await self._go_on(turn, sending, most)
        except Exception as error:
            await self._failures.note(WEBHOOK, turn.webhook.id, error, LEASE_MS)
        else:
            await self._failures.clear(WEBHOOK, turn.webhook.id)
        finally:
            for task in sending.values():
                task.cancel()
            if sending:
                await asyncio.wait(sending.values())

    async def _go_on(self, turn: Turn, sending: dict[DeliveryId, asyncio.Task[Sent]], most: int) -> None:
        done: asyncio.Queue[asyncio.Task[Sent]] = asyncio.Queue()
        webhook = turn.webhook
        window = len(turn.deliveries)
        further = turn
        while True:
            for delivery in await self._deliveries_of(further) if further is not None else ():
                task = sending[delivery.id] = asyncio.create_task(self._try(webhook, delivery))
                task.add_done_callback(done.put_nowait)
            if not sending:
                return
            tried = [each.result() for each in await _wait_for_ended(done)]
            for each in tried:
                del sending[each.delivery.id]
                window = min(window + 1, MOST_EACH) if _is_taken(each) else max(window // 2, 1)
            await self._note(webhook, [each.result for each in tried])
            more = max(0, min(window, most, self._share()) - len(sending))
            further = await self._exchange(webhook.id, Tried([each.delivery for each in tried], list(sending)), more)
            webhook = further.webhook if further is not None else webhook

    def _share(self) -> int:
        """Return how many messages one receiver may get at once now, so that there is always room for other receivers."""
        return max(1, self._places // (len(self._rounds) + 1))

    async def _deliveries_of(self, turn: Turn) -> Sequence[Delivery]:
        """Return the deliveries of a turn; those that were never sent report drops that no message has reported yet.

        That is written first, so every attempt has the same bytes.
        """
        if turn.untold is None:
            return turn.deliveries
        untold = turn.untold
        found = [each if each.attempts or each.tells else telling(each, untold) for each in turn.deliveries]
        await asyncio.gather(*(self._store.write(new) for new, old in zip(found, turn.deliveries, strict=True) if new != old))
        return found

    async def _try(self, webhook: Webhook, delivery: Delivery) -> Sent:
        at_ms = self._now_ms()
        self._sending += 1
        try:
            result = await self._sender.send(webhook.url, signing.headers(webhook, delivery, at_ms), delivery.body)
        finally:
            self._sending -= 1
        log.debug(
            "webhook sender: attempt finished",
            webhook=webhook.id,
            delivery=delivery.id,
            outcome=result.outcome.value,
            status=result.status,
        )
        return Sent(self._after(delivery, at_ms, result), result)

    async def _exchange(self, webhook: WebhookId, tried: Tried, more: int) -> Turn | None:
        """Record the attempts, and return the next deliveries; wait while the store is unavailable."""
        while True:
            try:
                turn = await self._store.exchange(self._id, webhook, tried, self._now_ms(), more)
                self._outage.over()
                return turn
            except StoreUnavailable as error:
                self._outage.note(error)
                await asyncio.sleep(RETRY_SECONDS)

    def _after(self, delivery: Delivery, at_ms: int, result: Result) -> Delivery:
        now = self._now_ms()
        attempt = Attempt(at_ms=at_ms, duration_ms=max(0, now - at_ms), outcome=result.outcome, status=result.status)
        tries = delivery.tries + 1
        attempts = (*delivery.attempts, attempt)[-KEPT_ATTEMPTS:]
        state = DeliveryState.PENDING
        next_ms = None
        if result.outcome is AttemptOutcome.DELIVERED:
            state = DeliveryState.DELIVERED
        elif tries > len(PAUSES_MS) or result.status == GONE:
            state = DeliveryState.FAILED
        else:
            next_ms = now + self._pause_ms(tries)
        return msgspec.structs.replace(delivery, state=state, next_ms=next_ms, tries=tries, attempts=attempts)

    def _pause_ms(self, tries: int) -> int:
        """Return the delay after a number of failed tries: the table's value, a fifth more or less."""
        return round(PAUSES_MS[tries - 1] * (1 + JITTER * (2 * self._chance() - 1)))

    async def _note(self, known: Webhook, results: Sequence[Result]) -> None:
        """Count failures in a row, and pause what has failed for too long; they do not count while the server is down."""
        if self._count_failures(known, results) is None:
            return
        try:
            await self._count(known.id, results)
        except StoreUnavailable as error:
            self._outage.note(error)

    async def _count(self, webhook: WebhookId, results: Sequence[Result]) -> None:
        """Write the webhook with its failures. Its owner may change it meanwhile."""
        while (old := await self._store.webhook(webhook)) is not None:
            new = self._count_failures(old, results)
            if new is None or await self._store.put(new):
                return

    def _count_failures(self, webhook: Webhook, results: Sequence[Result]) -> Webhook | None:
        """Return the webhook to be written, None if nothing changes."""
        if any(result.outcome is AttemptOutcome.DELIVERED for result in results):
            changed = webhook.failures or not webhook.proven
            return following(webhook, failures=0, failing_since_ms=None, proven=True) if changed else None
        now = self._now_ms()
        failures = webhook.failures + len(results)
        since = now if webhook.failing_since_ms is None else webhook.failing_since_ms
        pause = webhook.pause
        if any(result.status == GONE for result in results):
            pause = Pause.GONE
        elif pause is None and failures >= PAUSE_FAILURES and (not webhook.proven or now - since >= PAUSE_MS):
            pause = Pause.FAILING
        return following(webhook, failures=failures, failing_since_ms=since, pause=pause)


def _is_taken(sent: Sent) -> bool:
    return sent.result.outcome is AttemptOutcome.DELIVERED


async def _wait_for_ended(done: asyncio.Queue[asyncio.Task[Sent]]) -> Sequence[asyncio.Task[Sent]]:
    """Return all attempts that have ended, at least one."""
    found = [await done.get()]
    while not done.empty():
        found.append(done.get_nowait())
    return found
