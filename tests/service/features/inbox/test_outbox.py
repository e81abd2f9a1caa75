"""What messages about matches contain: public facts, for those whom the match concerns, once for each that happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Spectators, Visibility
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.features.inbox import duty as outbox
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.feature import STORE as INBOXES
from tafelrunde.service.features.inbox.messages import TYPES, AnyMessage
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks
from tafelrunde.service.features.webhooks.port import Webhook
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import MemoryAgenda, MemoryEvents
from tafelrunde.service.ports.events import shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import LimitSettings, Settings
from tafelrunde.service.views.projections import order_of
from tests.support.receiver import NOW_MS

pytestmark = pytest.mark.anyio

URL = "https://example.com/hook"
BOT = BotName("random")


class Scene:
    """A house, and who has webhooks in it."""

    def __init__(self, stores: Stores) -> None:
        self.now_ms = NOW_MS
        self.application = Application(
            stores,
            Settings(
                bot_pause_ms=0,
                limits=LimitSettings(bot_matches_per_host=1_000, bot_matches_per_minute=10_000, matches_per_player_daily=10_000),
            ),
            now_ms=lambda: self.now_ms,
        )
        self._keys = 0

    def key(self) -> str:
        """Return a fresh key."""
        self._keys += 1
        return f"key-{self._keys}"

    async def hook(self, player: str, events: Sequence[str] = TYPES, **filters: Any) -> Webhook:
        """Make a webhook."""
        found = {"game": None, "match_id": None, **filters}
        return await self.application.get(PlayerWebhooks).make(PlayerId(player), URL, events, **found)

    async def open(self, host: str, game: str = "coup", *, bots: Sequence[int] = (), **more: Any) -> MatchId:
        """Open a match."""
        new = NewMatch(game=GameId(game), seats=more.pop("seats", 2), bots={Seat(each): BOT for each in bots}, **more)
        return (await self.application.matches.open(PlayerId(host), new, self.key())).match

    async def told(self, webhook: Webhook) -> list[Any]:
        """Return all messages to a webhook, oldest first."""
        await self.application.get(Outbox).catch_up()
        found = await self.application.get(PlayerWebhooks).deliveries(webhook.player, webhook.id, None, 10_000)
        return [msgspec.json.decode(each.body) for each in reversed(found)]


@pytest.fixture
def scene(stores: Stores) -> Scene:
    """A house on each store."""
    return Scene(stores)


def types(messages: Sequence[Any]) -> list[str]:
    """Return the types of messages."""
    return [each["type"] for each in messages]


async def test_match_is_reported_from_its_opening_to_its_end(scene: Scene) -> None:
    """In the order in which it happened, with what is public."""
    hook = await scene.hook("host")
    match = await scene.open("host", bots=[0, 1], seat=None, start=True)
    await scene.application.process_manager.play_bots(match)
    messages = await scene.told(hook)
    assert types(messages)[:4] == ["match.created", "match.seat-changed", "match.seat-changed", "match.started"]
    asked = [each["data"] for each in messages if each["type"] == "match.decision-opened"]
    assert [each["decision"] for each in asked] == sorted({each["decision"] for each in asked})
    assert set(asked[0]) == {"match", "game", "decision", "seats", "deadline_ms"}
    assert messages[-1]["type"] == "match.ended"
    assert sorted(each["rank"] for each in messages[-1]["data"]["placings"]) == [1, 2]
    assert {(each["data"]["match"], each["data"]["game"]) for each in messages} == {(match, "coup")}
    assert messages[0]["timestamp"] == "2023-11-14T22:13:20.000Z"


async def test_messages_are_sent_once_no_matter_who_looks_again(scene: Scene) -> None:
    """A second outbox, or one that lost its place, adds nothing: the ids are the same."""
    hook = await scene.hook("host")
    match = await scene.open("host", bots=[1])
    first = await scene.told(hook)
    assert types(first) == ["match.created", "match.seat-changed", "match.seat-changed"]
    ids = [each.id for each in await scene.application.get(PlayerWebhooks).deliveries(hook.player, hook.id, None, 9)]
    await INBOXES.of(scene.application.stores).advance(dict.fromkeys(range(64), "0-0"))
    assert await Scene(scene.application.stores).told(hook) == first
    await scene.application.matches.start(PlayerId("host"), match, scene.key())
    assert types(await scene.told(hook))[3:] == ["match.started", "match.decision-opened"]
    assert [each.id for each in await scene.application.get(PlayerWebhooks).deliveries(hook.player, hook.id, None, 9)][2:] == ids


async def test_match_is_shown_to_host_and_seats_alone(scene: Scene) -> None:
    """A stranger receives nothing, and a player who has left nothing more, not even of a match with public spectators."""
    host, guest, stranger = [await scene.hook(name) for name in ("host", "guest", "stranger")]
    match = await scene.open("host", seats=3, spectators=Spectators.PUBLIC)
    await scene.application.matches.take_seat(PlayerId("guest"), match, None, "", scene.key())
    assert len(await scene.told(host)) == len(await scene.told(guest)) == 3
    await scene.application.matches.leave_seat(PlayerId("guest"), match, scene.key())
    await scene.application.matches.abort(PlayerId("host"), match, scene.key())
    assert types(await scene.told(host))[3:] == ["match.seat-changed", "match.aborted"]
    assert len(await scene.told(guest)) == 3
    assert await scene.told(stranger) == []


async def test_match_is_shown_to_the_application_whose_user_sits_in_it(scene: Scene) -> None:
    """Also in a match that another player has opened."""
    hook = await scene.hook("app")
    match = await scene.open("host")
    assert await scene.told(hook) == []
    await scene.application.matches.seat_user(PlayerId("app"), "user-1", None, match, None, "", scene.key())
    assert types(await scene.told(hook)) == ["match.seat-changed"]


async def test_webhook_gets_only_what_it_asked_for(scene: Scene) -> None:
    """Types, a game, a match; and nothing from before it was made."""
    before = await scene.open("host")
    scene.now_ms += 1
    ends = await scene.hook("host", ["match.aborted"])
    other_game = await scene.hook("host", game="mondkrone")
    this = await scene.hook("host", match_id=before)
    match = await scene.open("host")
    for each in (match, before):
        await scene.application.matches.abort(PlayerId("host"), each, scene.key())
    assert sorted(each["data"]["match"] for each in await scene.told(ends)) == sorted([match, before])
    assert await scene.told(other_game) == []
    assert [(each["type"], each["data"]["match"]) for each in await scene.told(this)] == [("match.aborted", before)]
    assert types(await scene.told(this)) == ["match.aborted"]


async def test_correction_and_rematch_are_reported(scene: Scene) -> None:
    """They come after the end."""
    hook = await scene.hook("host", ["match.corrected", "match.rematch-opened"])
    match = await scene.open("host", bots=[0, 1], seat=None, start=True)
    await scene.application.process_manager.play_bots(match)
    await scene.application.corrections.void(PlayerId("boss"), match, "Nobody knows.", scene.key())
    [told] = await scene.told(hook)
    assert told["data"] == {"match": match, "game": "coup", "kind": "voided", "placings": None}


@pytest.mark.parametrize("game", list(GAMES))
async def test_message_has_nothing_but_public_facts(memory_stores: Stores, game: GameId) -> None:
    """No card, choice, prompt, secret, name or nonce: of every game, every message is read by a schema that knows none."""
    scene = Scene(memory_stores)
    hook = await scene.hook("host")
    seats = GAMES[game].min_seats
    match = await scene.open(
        "host",
        game,
        seats=seats,
        bots=range(1, seats),
        nonce="a-nonce-of-mine",
        visibility=Visibility.UNLISTED,
        clock=Clock(away_seconds=0),
        start=True,
    )
    await scene.application.process_manager.play_bots(match)
    await scene.application.matches.leave_seat(PlayerId("host"), match, scene.key())
    await scene.application.process_manager.play_bots(match)
    messages = await scene.told(hook)
    assert messages[-1]["type"] == "match.ended"
    assert {"match.decision-opened", "match.seat-changed"} <= set(types(messages))
    loaded = await scene.application.repository.load_latest(match)
    assert (secret := loaded.match.facts.secret)
    for message in messages:
        msgspec.convert(message, AnyMessage, strict=True)
        text = msgspec.json.encode(message).decode()
        assert secret not in text
        assert "nonce" not in text
        assert set(message) == {"type", "timestamp", "data"}
        known = {"match", "game", "seat", "decision", "seats", "deadline_ms", "placings", "reason"}
        assert set(message["data"]) <= known


async def test_nothing_is_missed_when_the_log_was_trimmed_meanwhile(memory_stores: Stores) -> None:
    """Then all matches of the shard are searched; what was sent already has the same id."""
    agenda = MemoryAgenda()
    stores = msgspec.structs.replace(memory_stores, events=MemoryEvents(agenda, log_lines=5), agenda=agenda)
    scene = Scene(stores)
    hook = await scene.hook("host", ["match.created", "match.started", "match.aborted"])
    match = await scene.open("host", bots=[1])
    assert types(await scene.told(hook)) == ["match.created"]
    await scene.application.matches.start(PlayerId("host"), match, scene.key())
    other = await scene.open("host", bots=[0, 1], seat=None, start=True)
    while shard_of(other) != shard_of(match):
        other = await scene.open("host", bots=[0, 1], seat=None, start=True)
    await scene.application.process_manager.play_bots(other)
    [position] = [at for shard, at in (await INBOXES.of(stores).positions()).items() if shard == shard_of(match)]
    assert order_of(position) < order_of(await stores.events.oldest(shard_of(match)) or "")
    messages = await Scene(stores).told(hook)
    assert [each["type"] for each in messages if each["data"]["match"] == match] == ["match.created", "match.started"]
    assert [each["type"] for each in messages if each["data"]["match"] == other] == ["match.created", "match.started"]


async def test_nothing_is_missed_when_the_log_is_trimmed_while_an_outbox_falls_behind(
    memory_stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by one that has begun long ago: many lines at once are its sign to look."""
    monkeypatch.setattr(outbox, "BEHIND", 5)
    agenda = MemoryAgenda()
    stores = msgspec.structs.replace(memory_stores, events=MemoryEvents(agenda, log_lines=5), agenda=agenda)
    scene = Scene(stores)
    hook = await scene.hook("host", ["match.created", "match.started", "match.ended"])
    first = await scene.open("host", bots=[0, 1], seat=None, start=True)
    while shard_of(first) != shard_of(match := await scene.open("host", bots=[0, 1], seat=None, start=True)):
        await scene.told(hook)
    await scene.told(hook)
    for each in (first, match):
        await scene.application.process_manager.play_bots(each)
    [position] = [at for shard, at in (await INBOXES.of(stores).positions()).items() if shard == shard_of(match)]
    assert order_of(position) < order_of(await stores.events.oldest(shard_of(match)) or "")
    found = await scene.told(hook)
    for each in (first, match):
        messages = [message["type"] for message in found if message["data"]["match"] == each]
        assert messages == ["match.created", "match.started", "match.ended"]


async def test_outbox_works_in_portions(scene: Scene) -> None:
    """What was read is noted before more is read, so another one can go on from there."""
    hook = await scene.hook("host")
    match = await scene.open("host", bots=[0, 1], seat=None, start=True)
    await scene.application.process_manager.play_bots(match)
    assert await scene.application.get(Outbox).portion() > 0
    assert await Scene(scene.application.stores).application.get(Outbox).portion() == 0
    assert types(await scene.told(hook))[-1] == "match.ended"
