"""Talk and the inbox over the socket: what HTTP would say, to whom it would, as soon as it is there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tafelrunde.api.features.talk import stream
from tafelrunde.api.socket.sessions import Sessions
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.features.inbox.messages import moment
from tafelrunde.service.features.inbox.service import Inboxes
from tafelrunde.service.features.people.messages import InvitationData, PlayerInvited
from tafelrunde.service.features.registry import without
from tafelrunde.service.features.talk.feature import LINES
from tafelrunde.service.features.talk.port import Kind, Line, Lines, MatchRoom, Room
from tafelrunde.service.features.talk.texts import LONGEST
from tafelrunde.service.runtime.connections import ROOM_BYTES
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.sockets import Socket, connected
from tests.support.table import API, PLAIN, Table, opened

pytestmark = pytest.mark.anyio
Match = tuple[str, str, str]


def limited(**limits: Any) -> Settings:
    """Return settings with limits."""
    return Settings(bot_pause_ms=0, limits=LimitSettings(**limits))


@pytest.fixture
async def match(table: Table) -> Match:
    """A running match of Duel that anyone may watch, and the tokens of its players."""
    (_, one), (_, other) = await table.player("Anna"), await table.player("Bert")
    return await table.begin(one, other, options={"first_seat": 0}, spectators="public"), one, other


async def say(table: Table, match: str, token: str, text: str) -> Any:
    """Say something over HTTP; return the line."""
    return (await table.post(f"/matches/{match}/talk", token, {"text": text})).json


async def texts(socket: Socket, count: int) -> list[str]:
    """Return the next lines that are heard."""
    heard: list[str] = []
    while len(heard) < count:
        heard += [line["text"] for line in (await socket.until("talk"))["items"]]
    return heard


async def test_line_comes_over_the_socket_as_over_http(table: Table, match: Match) -> None:
    """Byte for byte, whichever way it was said; who has said it over the socket hears it, too."""
    name, one, other = match
    async with connected(table.app, one) as mine, connected(table.app, other) as theirs:
        for socket in (mine, theirs):
            answer = await socket.ask(type="listen", match=name)
            assert (answer["type"], answer["room"], answer["cursor"]) == ("listening", "table", 0)
        said = await mine.ask(type="say", match=name, key=table.key(), text="one")
        assert (said["type"], said["replayed"]) == ("said", False)
        await say(table, name, other, "two")
        assert await texts(mine, 2) == await texts(theirs, 2) == ["one", "two"]
        page = (await table.get(f"/matches/{name}/talk", other)).json
        assert [line for frame in theirs.heard if frame["type"] == "talk" for line in frame["items"]] == page["items"]
        assert said["line"] == page["items"][0]
        last = [frame for frame in theirs.heard if frame["type"] == "talk"][-1]
        assert last["cursor"] == page["cursor"]


async def test_line_is_said_once_when_its_key_comes_again(table: Table, match: Match) -> None:
    """Over the socket and over HTTP: both ways share the keys."""
    name, one, _ = match
    async with connected(table.app, one) as socket:
        frame = {"type": "say", "match": name, "key": "once", "text": "one"}
        first, again = await socket.ask(**frame), await socket.ask(**frame)
        assert (first["replayed"], again["replayed"], again["line"]) == (False, True, first["line"])
        assert (await table.post(f"/matches/{name}/talk", one, {"text": "one"}, key="once")).json == first["line"]
    assert len((await table.get(f"/matches/{name}/talk", one)).json["items"]) == 1


async def test_what_cannot_be_said_is_refused_as_over_http(table: Table, match: Match) -> None:
    """Nothing, too much, without a token; nor can a room be heard that is another's."""
    name, one, _ = match
    async with connected(table.app, one) as socket, connected(table.app) as stranger:
        two = await socket.ask(type="say", match=name, key="k", text="one", phrase="hello")
        assert two["problem"] == (await table.post(f"/matches/{name}/talk", one, {"text": "one", "phrase": "hello"})).json
        apart = await socket.ask(type="listen", match=name, room="stands")
        assert apart["problem"] == (await table.get(f"/matches/{name}/talk?room=stands", one)).json
        silent = await stranger.ask(type="say", match=name, key="k", text="one")
        assert silent["problem"]["type"] == "urn:tafelrunde:problem:unauthenticated"
        closed = await stranger.ask(type="listen", match=name, room="table")
        assert closed["problem"]["type"] == "urn:tafelrunde:problem:talk-apart"


async def test_spectator_hears_the_stands_and_nothing_of_the_table(table: Table, match: Match) -> None:
    """Nor that something was said there; and players hear nothing of the stands."""
    name, one, _ = match
    _, third = await table.player("Cleo")
    async with connected(table.app, one) as player, connected(table.app) as spectator:
        await player.ask(type="listen", match=name)
        assert (await spectator.ask(type="listen", match=name))["room"] == "stands"
        await say(table, name, one, "secret")
        await say(table, name, third, "open")
        assert await texts(spectator, 1) == ["open"]
        assert await texts(player, 1) == ["secret"]


async def test_muted_player_is_not_heard_over_the_socket(table: Table, match: Match) -> None:
    """From the moment at which it is muted."""
    name, one, other = match
    async with connected(table.app, one) as socket:
        await socket.ask(type="listen", match=name)
        noise = (await say(table, name, other, "first"))["author"]["player"]
        assert await texts(socket, 1) == ["first"]
        await table.ask("PUT", f"{API}/me/muted/{noise}", token=one)
        await say(table, name, other, "unheard")
        await say(table, name, one, "mine")
        assert await texts(socket, 1) == ["mine"]


async def test_talk_goes_on_behind_the_line_that_the_client_has(table: Table, match: Match) -> None:
    """After a lost connection; a place that is gone starts over."""
    name, one, other = match
    for number in range(3):
        await say(table, name, other, str(number))
    async with connected(table.app, one) as socket:
        assert (await socket.ask(type="listen", match=name, after=2))["cursor"] == 2
        assert await texts(socket, 1) == ["2"]
        assert (await socket.ask(type="listen", match=name, after=9))["cursor"] == 9
        assert (await socket.until("talk-reset"))["room"] == "table"
        assert await texts(socket, 3) == ["0", "1", "2"]


async def test_room_ends_for_those_who_sit_down(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are at the table from then on, and listen there."""
    monkeypatch.setattr(stream, "PING_SECONDS", 0.02)
    (_, host), (_, guest) = await table.player("Anna"), await table.player("Bert")
    name = await table.open(host, spectators="public")
    async with connected(table.app, guest) as socket:
        assert (await socket.ask(type="listen", match=name))["room"] == "stands"
        assert (await table.post(f"/matches/{name}/seats", guest)).status == 200
        assert (await socket.until("talk-bye"))["room"] == "stands"
        assert (await socket.ask(type="listen", match=name))["room"] == "table"


async def test_nothing_more_comes_after_unlisten(table: Table, match: Match) -> None:
    """Of that match; of others it does."""
    name, one, other = match
    second = await table.begin(one, other)
    async with connected(table.app, one) as socket:
        for each in (name, second):
            await socket.ask(type="listen", match=each)
        assert (await socket.ask(type="unlisten", match=name))["type"] == "unlistened"
        await say(table, name, other, "unheard")
        await say(table, second, other, "heard")
        assert await texts(socket, 1) == ["heard"]


async def test_rooms_and_inbox_count_as_what_a_connection_follows() -> None:
    """Together with its matches; one that is heard already may be heard from elsewhere."""
    async with opened(limited(max_subscriptions=2)) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        first, second = [await table.begin(one, other) for _ in range(2)]
        async with connected(table.app, one) as socket:
            assert (await socket.ask(type="subscribe", match=first))["type"] == "subscribed"
            assert (await socket.ask(type="listen", match=first))["type"] == "listening"
            for frame in ({"type": "listen", "match": second}, {"type": "subscribe", "match": second}, {"type": "open-inbox"}):
                assert (await socket.ask(**frame))["problem"]["type"] == "urn:tafelrunde:problem:too-many-streams", frame
            assert (await socket.ask(type="listen", match=first, after=0))["type"] == "listening"
            assert (await socket.ask(type="unlisten", match=first))["type"] == "unlistened"
            assert (await socket.ask(type="open-inbox"))["type"] == "inbox-opened"


async def test_room_counts_again_when_it_is_heard_again_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ended has given up its place: what took it is not followed beside it."""
    async with opened(limited(max_subscriptions=1)) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        first, second = [await table.begin(one, other) for _ in range(2)]
        store = LINES.of(table.application.stores)

        async def down(*_: object) -> None:
            raise StoreUnavailable("down")

        async with connected(table.app, one) as socket:
            with monkeypatch.context() as patch:
                patch.setattr(store, "read", down)
                await socket.ask(type="listen", match=first)
                await socket.until("talk-bye")
            assert (await socket.ask(type="listen", match=second))["type"] == "listening"
            assert (await socket.ask(type="listen", match=first))["problem"]["type"] == "urn:tafelrunde:problem:too-many-streams"


async def test_inbox_comes_over_the_socket_as_over_http(table: Table) -> None:
    """From where it was opened, or from a cursor; one that is gone is a reset, and what follows begins at another one."""
    player, token = await table.player("Anna")
    async with connected(table.app, token) as socket:
        start = (await socket.ask(type="open-inbox"))["cursor"]
        await post(table, player, "m" + "a" * 24)
        (item,) = (await socket.until("inbox"))["items"]
        page = (await table.get(f"/me/inbox?after={start}", token)).json
        assert page["items"] == [item]
        assert (await socket.ask(type="open-inbox", after=start))["cursor"] == start
        again = await socket.until("inbox")
        assert (again["items"], again["cursor"]) == ([item], page["cursor"])
        await socket.ask(type="open-inbox", after="1-00000000")
        assert (await socket.until("inbox-reset"))["cursor"] == page["cursor"]
        assert (await socket.ask(type="close-inbox"))["type"] == "inbox-closed"
    async with connected(table.app) as stranger:
        assert (await stranger.ask(type="open-inbox"))["problem"]["type"] == "urn:tafelrunde:problem:unauthenticated"


async def post(table: Table, player: str, match: str) -> None:
    """Post a message into an inbox."""
    data = InvitationData(match=MatchId(match), game=next(iter(table.application.games)), by=PlayerId("p" + "0" * 26))
    await table.application.get(Inboxes).post(PlayerId(player), PlayerInvited(timestamp=moment(table.now_ms), data=data))


async def test_heard_room_ends_while_the_store_is_down(table: Table, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection stays, and everything else on it goes on."""
    name, one, _ = match
    store = LINES.of(table.application.stores)

    async def down(*_: object) -> None:
        raise StoreUnavailable("down")

    with monkeypatch.context() as patch:
        patch.setattr(store, "read", down)
        async with connected(table.app, one) as socket:
            await socket.ask(type="listen", match=name)
            assert (await socket.until("talk-bye"))["match"] == name
            assert (await socket.ask(type="view", match=name))["type"] == "view"


async def test_little_is_sent_to_who_takes_nothing_of_many_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    """What there is room for and one page, however many rooms: a client could fill the memory with many connections.

    Nothing more is read for it either, and each page is read once, when the client has taken those before.
    """
    async with opened(PLAIN) as table:
        (_, one), (player, other) = await table.player("Anna"), await table.player("Bert")
        rooms = [MatchRoom(MatchId(await table.begin(one, other)), Room.TABLE) for _ in range(10)]
        store, page_bytes = LINES.of(table.application.stores), stream.PAGE * 1_500
        for room in rooms:
            for n in range(100):
                line = Line(id=str(n), at_ms=1, player=PlayerId(player), seat=None, kind=Kind.TEXT, said="\U0001f0a1" * LONGEST)
                await store.add(room, line)
        reads, read = 0, store.read

        async def counted(room: MatchRoom, after: int, limit: int) -> Lines:
            nonlocal reads
            reads += 1
            return await read(room, after, limit)

        monkeypatch.setattr(store, "read", counted)
        async with connected(table.app, one, room=1) as socket:
            await socket.hear()
            for room in rooms:
                socket.say(type="listen", match=room.match)
            [mine] = table.app.state.running.part(Sessions)._open
            async with asyncio.timeout(PATIENCE_SECONDS):
                while mine._transport.unsent <= ROOM_BYTES:  # noqa: ASYNC110 - nothing sets an event for a test
                    await asyncio.sleep(0.001)
            for _ in range(1_000):
                await asyncio.sleep(0)
            assert mine._transport.unsent < ROOM_BYTES + page_bytes < 100_000
            assert reads <= ROOM_BYTES // (page_bytes // 2) + 1
            heard: dict[str, list[int]] = {room.match: [] for room in rooms}
            while sum(map(len, heard.values())) < len(rooms) * 100:
                frame = await socket.until("talk")
                heard[frame["match"]] += [line["n"] for line in frame["items"]]
                assert mine._transport.unsent < ROOM_BYTES + page_bytes
            assert [*heard.values()] == [[*range(1, 101)]] * len(rooms)
            assert reads <= len(rooms) * (100 // stream.PAGE + 1)


async def test_frames_of_a_feature_are_unknown_where_it_is_left_out() -> None:
    """As any type that is not there."""
    async with opened(PLAIN, features=without("talk")) as table:
        _, token = await table.player()
        async with connected(table.app, token) as socket:
            answer = await socket.ask(type="listen", match="m" + "a" * 24)
            assert answer["problem"]["type"] == "urn:tafelrunde:problem:invalid-request"
