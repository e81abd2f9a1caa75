"""A feed that is followed while its reader becomes another viewer: it starts over as that viewer's, over both transports."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import pytest

from tafelrunde.api.http import sse
from tafelrunde.api.socket import session
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.accounts import REMEMBER_MS
from tests.support.following import SOCKET, TRANSPORTS, FeedReader, following
from tests.support.sockets import command_of, connected, feed_of, items_of
from tests.support.table import API, Table, opened

pytestmark = pytest.mark.anyio

FOLLOWED_BY = ("the process that writes", "another process")


class Scene:
    """An open match of Coup, its host on seat 0, and a guest who may follow it before sitting down.

    `table` is the process that all requests go to, `followed` the one that streams are open at.
    """

    def __init__(self, table: Table, followed: Table, transport: str, stack: AsyncExitStack) -> None:
        self.table = table
        self.followed = followed
        self.transport = transport
        self._stack = stack
        self.match = ""

    async def open(self, **wishes: Any) -> None:
        """Make the players, and open the match."""
        self.host_id, self.host = await self.table.player("Hanna")
        self.guest_id, self.guest = await self.table.player("Gesa")
        self.match = await self.table.open(self.host, seat=0, **{"game": "coup", "spectators": "public", **wishes})

    async def follow(self, token: str | None, **more: Any) -> FeedReader:
        """Follow the match until the test ends."""
        found = following(self.transport, self.followed, self.match, token, **more)
        return await self._stack.enter_async_context(found)

    async def ask(self, method: str, path: str, token: str, content: object = None) -> Any:
        """Ask for something about the match, which is granted."""
        address = f"{API}/matches/{self.match}/{path}"
        answer = await self.table.ask(method, address, token=token, key=self.table.key(), content=content)
        assert answer.status < 300, answer
        return answer.json if answer.body else None

    async def sit(self, token: str, seat: int = 1) -> None:
        """Take a seat."""
        await self.ask("POST", "seats", token, {"seat": seat})

    async def start(self) -> None:
        """Start the match."""
        await self.ask("POST", "start", self.host)

    async def agrees(self, reader: FeedReader, token: str | None, resets: int) -> None:
        """Wait until a reader has exactly the feed that its holder is given by a request, after that many resets."""
        await reader.has(await feed_of(self.table, self.match, token))
        assert reader.resets == resets
        assert reader.end == ""


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    """Server-sent events, and the socket."""
    return request.param


@pytest.fixture(params=FOLLOWED_BY)
async def scene(request: pytest.FixtureRequest, transport: str) -> AsyncIterator[Scene]:
    """A scene with one process, and with two."""
    stores = memory_stores()
    async with opened(stores=stores) as table, opened(stores=stores) as other, AsyncExitStack() as stack:
        yield Scene(table, table if request.param == FOLLOWED_BY[0] else other, transport, stack)


def own_hand(items: list[Any], seat: int) -> Any:
    """Return the hand that a feed shows of a seat at the deal; None if it hides it."""
    return next(item["event"]["hands"][seat] for item in items if item["event"]["type"] == "coup.dealt.1")


async def test_feed_starts_over_when_its_spectator_takes_a_seat(scene: Scene) -> None:
    """What follows is the seat's feed, its own cards among it."""
    await scene.open()
    reader = await scene.follow(scene.guest)
    await scene.agrees(reader, scene.guest, 0)
    await scene.sit(scene.guest)
    await scene.agrees(reader, scene.guest, 1)
    await scene.start()
    await scene.agrees(reader, scene.guest, 1)
    assert own_hand(reader.items, 1) is not None
    assert own_hand(reader.items, 0) is None


async def test_feed_continues_for_others_when_a_spectator_takes_a_seat(scene: Scene) -> None:
    """Spectators, with a token or without one, and the host read on without a reset."""
    await scene.open()
    _, watching = await scene.table.player()
    tokens = (watching, None, scene.host)
    readers = [await scene.follow(token) for token in tokens]
    guest = await scene.follow(scene.guest)
    await scene.sit(scene.guest)
    await scene.agrees(guest, scene.guest, 1)
    await scene.start()
    for reader, token in zip(readers, tokens, strict=True):
        await scene.agrees(reader, token, 0)
    assert own_hand(readers[0].items, 1) is None


async def test_feed_starts_over_each_time_when_a_seat_is_left_and_regained(scene: Scene) -> None:
    """Also when another seat is taken than before."""
    await scene.open(seats=3)
    await scene.sit(scene.guest)
    reader = await scene.follow(scene.guest)
    await scene.agrees(reader, scene.guest, 0)
    for resets, seat in ((1, 1), (3, 2)):
        await scene.ask("DELETE", "seats/me", scene.guest)
        await scene.agrees(reader, scene.guest, resets)
        await scene.sit(scene.guest, seat)
        await scene.agrees(reader, scene.guest, resets + 1)
    await scene.ask("PUT", "seats/1/bot", scene.host, {"bot": "random"})
    await scene.start()
    await scene.agrees(reader, scene.guest, 4)
    assert own_hand(reader.items, 2) is not None


async def test_feed_is_a_spectators_when_the_host_removes_its_player(scene: Scene) -> None:
    """The cards of the next player on that seat are hidden from it."""
    await scene.open()
    await scene.sit(scene.guest)
    reader = await scene.follow(scene.guest)
    await scene.ask("DELETE", "seats/1", scene.host)
    await scene.agrees(reader, scene.guest, 1)
    _, other = await scene.table.player()
    await scene.sit(other)
    await scene.start()
    await scene.agrees(reader, scene.guest, 1)
    assert own_hand(reader.items, 1) is None


async def test_no_card_is_sent_when_a_seat_is_lost_and_dealt_to_before_the_reader_is_woken(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat is lost, given to another player and dealt cards, all before the process looks at the match again."""
    await scene.open()
    await scene.sit(scene.guest)
    reader = await scene.follow(scene.guest)
    await scene.agrees(reader, scene.guest, 0)
    _, other = await scene.table.player()
    with asleep(scene.followed, monkeypatch):
        await scene.ask("DELETE", "seats/1", scene.host)
        await scene.sit(other)
        await scene.start()
    scene.followed.application.notifier.wake_all()
    await scene.agrees(reader, scene.guest, 1)
    assert own_hand(reader.items, 1) is None
    assert "coup.dealt.1" not in str(reader.past)


@contextmanager
def asleep(table: Table, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Wake no reader at a process during the block, whatever is written."""
    notifier = type(table.application.notifier)
    with monkeypatch.context() as patch:
        patch.setattr(notifier, "on_written", lambda *_: None)
        patch.setattr(notifier, "on_line", lambda *_: None)
        yield


async def test_feed_continues_when_its_player_is_made_host(scene: Scene) -> None:
    """A host is the viewer that its seat is; without a seat it is a spectator."""
    await scene.open()
    await scene.sit(scene.guest)
    readers = [await scene.follow(token) for token in (scene.guest, scene.host)]
    await scene.ask("PUT", "host", scene.host, {"player": scene.guest_id})
    for reader, token in zip(readers, (scene.guest, scene.host), strict=True):
        await scene.agrees(reader, token, 0)
    await scene.ask("DELETE", "seats/0", scene.guest)
    await scene.agrees(readers[1], scene.host, 1)
    await scene.agrees(readers[0], scene.guest, 0)


async def test_feed_is_a_spectators_when_its_host_leaves_the_seat(scene: Scene) -> None:
    """The guest becomes host by that, and stays on its seat."""
    await scene.open()
    await scene.sit(scene.guest)
    readers = [await scene.follow(token) for token in (scene.guest, scene.host)]
    await scene.ask("DELETE", "seats/me", scene.host)
    await scene.agrees(readers[1], scene.host, 1)
    await scene.agrees(readers[0], scene.guest, 0)


async def test_feed_continues_when_its_player_is_blocked_and_unblocked(scene: Scene) -> None:
    """A block keeps players from meeting; it changes nothing that can be seen of a match, for either of them."""
    await scene.open()
    reader = await scene.follow(scene.guest)
    for method in ("PUT", "DELETE"):
        answer = await scene.table.ask(method, f"{API}/me/blocked/{scene.guest_id}", token=scene.host)
        assert answer.status < 300
        await scene.sit(scene.guest)
        await scene.agrees(reader, scene.guest, 1 if method == "PUT" else 3)
        await scene.ask("DELETE", "seats/me", scene.guest)
        await scene.agrees(reader, scene.guest, 2 if method == "PUT" else 4)


async def test_feed_continues_when_a_bot_stands_in_and_its_player_comes_back(scene: Scene) -> None:
    """The seat stays the player's, and so does its feed."""
    await scene.open()
    await scene.sit(scene.guest)
    reader = await scene.follow(scene.guest)
    await scene.start()
    await scene.ask("DELETE", "seats/me", scene.guest)
    await scene.agrees(reader, scene.guest, 0)
    late = await scene.follow(scene.guest)
    await scene.ask("POST", "seats", scene.guest, {})
    for each in (reader, late):
        await scene.agrees(each, scene.guest, 0)
        assert own_hand(each.items, 1) is not None


@pytest.mark.parametrize("visibility", ["listed", "unlisted"])
async def test_feed_ends_when_a_match_without_spectators_starts(scene: Scene, visibility: str) -> None:
    """A player at the table reads on. The answer to the next subscription says why; a hidden match is not found."""
    await scene.open(spectators="off", visibility=visibility)
    _, other = await scene.table.player()
    watching = await scene.follow(scene.guest)
    playing = await scene.follow(other)
    await scene.sit(other)
    await scene.start()
    await watching.until(lambda: bool(watching.end))
    assert (watching.end, watching.resets) == ("bye", 0)
    assert "coup.dealt.1" not in str(watching.items)
    await scene.agrees(playing, other, 1)
    answer = await scene.table.get(f"/matches/{scene.match}/feed", scene.guest)
    assert answer.json["type"] == f"urn:tafelrunde:problem:{'not-found' if visibility == 'unlisted' else 'spectators-off'}"


async def test_feed_without_delay_follows_when_a_delayed_spectator_takes_a_seat(scene: Scene) -> None:
    """It is the seat's as soon as that is taken, and nothing in it is late."""
    await scene.open(spectators="delayed")
    reader = await scene.follow(scene.guest)
    watching = await scene.follow(None)
    await scene.sit(scene.guest)
    await scene.agrees(reader, scene.guest, 1)
    await scene.start()
    await scene.agrees(reader, scene.guest, 1)
    await scene.agrees(watching, None, 0)
    assert own_hand(reader.items, 1) is not None
    assert "coup.dealt.1" not in str(watching.items)


async def test_feed_starts_over_when_a_reserved_seat_is_taken(scene: Scene) -> None:
    """In a rematch with delayed spectators, who waits with a reserved seat sees it without delay, and then as the seat."""
    await rematch(scene)
    reader = await scene.follow(scene.guest)
    await scene.agrees(reader, scene.guest, 0)
    await scene.ask("POST", "seats", scene.guest)
    await scene.agrees(reader, scene.guest, 1)
    await scene.ask("POST", "seats", scene.host)
    await scene.agrees(reader, scene.guest, 1)
    assert own_hand(reader.items, 1) is not None


async def test_feed_ends_when_a_reservation_in_a_rematch_ends_that_is_not_public_yet(scene: Scene) -> None:
    """For a minute only players with a seat or a reservation can see that a rematch exists."""
    await rematch(scene)
    reader = await scene.follow(scene.guest)
    await scene.ask("POST", "seats", scene.host)
    await scene.ask("DELETE", "seats/1", scene.host)
    await reader.until(lambda: bool(reader.end))
    assert (reader.end, reader.items) == ("bye", [])


async def rematch(scene: Scene) -> None:
    """Play a match with delayed spectators to its end, and make the scene that of its rematch."""
    await scene.open(spectators="delayed")
    await scene.sit(scene.guest)
    await scene.start()
    await scene.table.finish(scene.match, scene.host, scene.guest)
    scene.match = await scene.table.agree_rematch(scene.match, scene.host, scene.guest)


async def test_feed_of_a_private_match_starts_over_when_an_invited_player_joins(scene: Scene) -> None:
    """The invitation itself changes no feed."""
    await scene.open(visibility="unlisted", spectators="off")
    reader = await scene.follow(scene.guest)
    await scene.ask("POST", "invitations", scene.host, {"player": scene.guest_id})
    await scene.agrees(reader, scene.guest, 0)
    await scene.sit(scene.guest)
    await scene.agrees(reader, scene.guest, 1)
    await scene.start()
    await scene.agrees(reader, scene.guest, 1)


async def test_feed_ends_when_its_token_is_revoked_after_a_seat_was_taken(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token is looked at again with each ping, whichever viewer it stands for by then."""
    monkeypatch.setattr(sse, "PING_SECONDS", 0.05)
    monkeypatch.setattr(session, "PING_SECONDS", 0.05)
    monkeypatch.setattr(session, "PATIENT_TICKS", 10_000)
    await scene.open()
    made = (await scene.table.post("/me/tokens", scene.guest, {})).json
    reader = await scene.follow(made["text"])
    await scene.sit(scene.guest)
    await scene.agrees(reader, scene.guest, 1)
    await scene.table.ask("DELETE", f"{API}/me/tokens/{made['token']['id']}", token=scene.guest)
    scene.followed.now_ms += REMEMBER_MS  # another process remembers the token until then
    await reader.until(lambda: bool(reader.end))
    assert reader.end == "bye"


async def test_feed_is_whole_when_it_is_resumed_with_the_cursor_of_another_viewer(scene: Scene) -> None:
    """The cursor that a spectator had after the deal is unknown in the feed of the seat, so everything comes again."""
    await scene.open()
    await scene.sit(scene.guest)
    await scene.start()
    cursor = (await feed_of(scene.table, scene.match, None))[-1]["cursor"]
    reader = await scene.follow(scene.guest, after=cursor)
    await scene.agrees(reader, scene.guest, 1)


async def test_command_over_the_socket_brings_the_seats_feed_when_its_subscription_is_still_a_spectators(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the receipt come `reset` and all items before it, and nothing comes twice."""
    async with AsyncExitStack() as stack:
        scene = Scene(table, table, SOCKET, stack)
        await scene.open(game="duel", options={"first_seat": 1})
        async with connected(table.app, scene.guest) as socket:
            assert (await socket.ask(type="subscribe", match=scene.match))["type"] == "subscribed"
            await socket.until("items")
            with asleep(table, monkeypatch):
                await scene.sit(scene.guest)
                await scene.start()
                name = socket.say(**await command_of(table, scene.match, scene.guest))
                await socket.until("receipt", name)
            heard = items_of(socket.heard[[frame["type"] for frame in socket.heard].index("reset") :])
            assert heard == await feed_of(table, scene.match, scene.guest)


@pytest.mark.parametrize(("path", "event"), [("seats", "match.seat-taken.1"), ("seats/me", "match.seat-left.1")])
async def test_long_poll_returns_what_happens_when_its_viewer_changes(table: Table, path: str, event: str) -> None:
    """A spectator who sits down, and a player who leaves a seat: the page is of the viewer that it is by then."""
    async with AsyncExitStack() as stack:
        scene = Scene(table, table, "", stack)
        await scene.open()
        if path == "seats/me":
            await scene.sit(scene.guest)
        last = (await feed_of(table, scene.match, scene.guest))[-1]["cursor"]
        address = f"/matches/{scene.match}/feed?after={last}"
        async with table.listen(f"{API}{address}&wait=30", token=scene.guest) as poll:
            await scene.ask("POST" if path == "seats" else "DELETE", path, scene.guest)
            assert (await poll.begin()).status == 200
            page = await poll.hear()
        assert event.encode() in page
        assert page == (await table.get(address, scene.guest)).body
