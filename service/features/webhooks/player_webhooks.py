"""The webhook manager: where owners make, change and look at their webhooks. Nothing here waits for a receiver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from ....domain.match import MatchId, PlayerId
from ...errors import Forbidden, NotFound, ServiceError, StoreUnavailable
from ...outgoing.http_sender import Post
from ...players.accounts import opaque
from ...players.draws import fresh_bytes
from ..inbox.messages import Dropped
from .messages import delivery, ping
from .port import (
    ROOM,
    Delivery,
    DeliveryId,
    DeliveryState,
    Pause,
    QueueLimits,
    Webhook,
    WebhookId,
    WebhookStore,
    following,
)
from .signing import SECRET_BYTES

MOST_WEBHOOKS = 20
ROTATION_MS = 24 * 3_600_000
TRIES = 20


class UrlRefused(ServiceError):
    """A URL that no message will be sent to; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WebhookSpec(msgspec.Struct, frozen=True, kw_only=True):
    """The changes an owner wants."""

    url: str | UnsetType = UNSET
    events: tuple[str, ...] | UnsetType = UNSET
    game: str | UnsetType | None = UNSET
    match: MatchId | UnsetType | None = UNSET
    paused: bool | UnsetType = UNSET


class PlayerWebhooks:
    """Webhooks of players, each seen by its owner alone."""

    def __init__(self, store: WebhookStore, post: Post, now_ms: Callable[[], int], room: QueueLimits = ROOM) -> None:
        self._store = store
        self._post = post
        self._now_ms = now_ms
        self._room = room

    async def make(
        self, player: PlayerId, url: str, events: Sequence[str], game: str | None, match_id: MatchId | None
    ) -> Webhook:
        """Make a webhook with a fresh secret; raise UrlRefused, Forbidden("too-many-webhooks").

        A request that is carried out again draws the same one, and gets what is stored: it was made at another time.
        """
        self._require(url)
        webhook = Webhook(
            id=WebhookId(opaque("w")),
            player=player,
            url=url,
            events=tuple(dict.fromkeys(events)),
            game=game,
            match=match_id,
            secret=fresh_bytes(SECRET_BYTES),
            created_ms=self._now_ms(),
        )
        if await self._store.put(webhook, MOST_WEBHOOKS):
            return webhook
        stored = await self._store.webhook(webhook.id)
        if stored is None or (stored.player, stored.secret) != (player, webhook.secret):
            raise Forbidden("too-many-webhooks")
        return stored

    def _require(self, url: str) -> None:
        if (reason := self._post.why_not_new(url)) is not None:
            raise UrlRefused(reason)

    async def all(self, player: PlayerId) -> Sequence[Webhook]:
        """Return a player's webhooks, oldest first."""
        return await self._store.of([player])

    async def one(self, player: PlayerId, webhook: WebhookId) -> Webhook:
        """Return a webhook; raise NotFound."""
        found = await self._store.webhook(webhook)
        if found is None or found.player != player:
            raise NotFound("webhook")
        return found

    async def change(self, player: PlayerId, webhook: WebhookId, wish: WebhookSpec) -> Webhook:
        """Change a webhook; raise NotFound, UrlRefused. The URL that it has is not refused.

        After a pause failures are counted from the start.
        """
        if isinstance(wish.url, str) and wish.url != (await self.one(player, webhook)).url:
            self._require(wish.url)
        return await self._alter(player, webhook, lambda old: _change(old, wish))

    async def rotate(self, player: PlayerId, webhook: WebhookId) -> Webhook:
        """Give a webhook a fresh secret; the one before it signs as well for a day. Raises NotFound."""
        fresh = fresh_bytes(SECRET_BYTES)
        until_ms = self._now_ms() + ROTATION_MS

        def rotated(old: Webhook) -> Webhook:
            if fresh in {old.secret, old.previous}:  # the same request, carried out again, perhaps after another rotation
                return old
            return following(old, secret=fresh, previous=old.secret, previous_until_ms=until_ms)

        return await self._alter(player, webhook, rotated)

    async def _alter(self, player: PlayerId, webhook: WebhookId, change: Callable[[Webhook], Webhook]) -> Webhook:
        for _ in range(TRIES):
            old = await self.one(player, webhook)
            new = change(old)
            if new is old or await self._store.put(new):
                return new
        raise StoreUnavailable("the webhook keeps being changed by others")

    async def remove(self, player: PlayerId, webhook: WebhookId) -> None:
        """Remove a webhook and its deliveries; raise NotFound."""
        await self._store.remove(await self.one(player, webhook))

    async def forget(self, player: PlayerId) -> None:
        """Remove all webhooks of a player."""
        for webhook in await self._store.of([player]):
            await self._store.remove(webhook)

    async def export(self, player: PlayerId) -> object:
        """Return what is kept of a player's webhooks, without their secrets, as plain data."""
        return [
            {"id": each.id, "url": each.url, "events": each.events, "created_ms": each.created_ms}
            for each in await self._store.of([player])
        ]

    async def ping(self, player: PlayerId, webhook: WebhookId) -> Delivery:
        """Send a message that says nothing; raise NotFound, Forbidden("webhook-paused")."""
        found = await self._awake(player, webhook)
        now = self._now_ms()
        made = delivery(found, DeliveryId(opaque("msg_")), None, ping(found, now), now)
        await self._store.add([made], now, self._room)
        return made

    async def again(self, player: PlayerId, webhook: WebhookId, delivery: DeliveryId) -> Delivery:
        """Send a delivery again, with the same id; raise NotFound, Forbidden("webhook-paused" or "delivery-pending")."""
        await self._awake(player, webhook)
        old = await self.delivery(player, webhook, delivery)
        if old.state is DeliveryState.PENDING:
            raise Forbidden("delivery-pending")
        now = self._now_ms()
        new = msgspec.structs.replace(old, state=DeliveryState.PENDING, next_ms=now, since_ms=now, tries=0)
        await self._store.write(new)
        return new

    async def read_dropped(self, webhooks: Sequence[Webhook]) -> Mapping[WebhookId, Dropped]:
        """Return what was dropped, for those webhooks of which something was."""
        return await self._store.read_dropped([webhook.id for webhook in webhooks])

    async def _awake(self, player: PlayerId, webhook: WebhookId) -> Webhook:
        found = await self.one(player, webhook)
        if found.pause is not None:
            raise Forbidden("webhook-paused")
        return found

    async def delivery(self, player: PlayerId, webhook: WebhookId, delivery: DeliveryId) -> Delivery:
        """Return a delivery; raise NotFound."""
        await self.one(player, webhook)
        found = await self._store.delivery(webhook, delivery)
        if found is None or not self._may_show(found):
            raise NotFound("delivery")
        return found

    async def deliveries(self, player: PlayerId, webhook: WebhookId, below: DeliveryId | None, limit: int) -> Sequence[Delivery]:
        """Return a page of the log, newest first; raise NotFound."""
        await self.one(player, webhook)
        found: list[Delivery] = []
        while len(found) < limit:
            page = await self._store.deliveries(webhook, below, limit)
            found += filter(self._may_show, page)
            if len(page) < limit:
                break
            below = page[-1].id
        return found[:limit]

    def _may_show(self, delivery: Delivery) -> bool:
        """Return whether a delivery may be known of: what a spectator hears late is made at once, and dated at its time."""
        return delivery.created_ms <= self._now_ms()


def _change(old: Webhook, wish: WebhookSpec) -> Webhook:
    new = following(
        old,
        url=old.url if wish.url is UNSET else wish.url,
        events=old.events if wish.events is UNSET else tuple(dict.fromkeys(wish.events)),
        game=old.game if wish.game is UNSET else wish.game,
        match=old.match if wish.match is UNSET else wish.match,
        proven=old.proven and wish.url in {UNSET, old.url},
    )
    if wish.paused is UNSET:
        return new
    if wish.paused:
        return msgspec.structs.replace(new, pause=old.pause or Pause.OWNER)
    return msgspec.structs.replace(new, pause=None, failures=0, failing_since_ms=None)
