"""The client over a socket: matches of every game, connections that are lost, and what ends them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from tafelrunde.api.server.websocket import WebSocket
from tafelrunde.client import ApiError, AsyncClient, Client, InboxItem, Item, Reset, Unreachable
from tafelrunde.client.concurrent.socket import AsyncSocketConnection
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve
from tests.support.served import Service

pytestmark = pytest.mark.xdist_group("client")

COUP = "coup"
CLOSED = "urn:tafelrunde:problem:decision-closed"


def asked_over_http(served: Service, match: str) -> list[str]:
    """Return what was asked of a match beside the socket."""
    return [each for each in served.asked if each.endswith((f"{match}/commands", f"{match}/view", f"{match}/stream"))]


def finish(client: Client, match: str, rng: random.Random) -> list[Item]:
    """Answer with any legal command, as the feed calls for it; return the feed."""
    heard: list[Item] = []
    for item in client.follow(match):
        assert isinstance(item, Item)
        heard.append(item)
        act(client, match, rng)
    return heard


def act(client: Client, match: str, rng: random.Random) -> None:
    """Answer with any legal command, if a decision is open."""
    view = client.view(match)
    if view.question is not None and view.status == "running":
        try:
            client.play(match, view.question.decision, rng.choice(view.question.legal))
        except ApiError as error:
            if error.problem.type != CLOSED:
                raise


@pytest.mark.parametrize("game", GAMES)
def test_match_is_played_to_its_end_over_a_socket(game: GameId, served: Service) -> None:
    """Each item comes once and in order, those of its own receipts too; nothing of it is asked over HTTP."""
    with Client(served.url, transport="socket") as client:
        client.sign_up("Ada")
        seats = next(each.min_seats for each in client.games() if each.id == game)
        match = client.open_match(game, seats, bots=dict.fromkeys(range(1, seats), "random"), start=True).match
        heard = finish(client, match, random.Random(1))
        assert client.view(match).status == "over"
        assert [item.n for item in heard] == list(range(1, len(heard) + 1))
        assert asked_over_http(served, match) == []
        page = client.feed(match)
        assert heard[: len(page.items)] == list(page.items)


def test_two_players_play_over_sockets_without_blocking(served: Service) -> None:
    """The asynchronous client has the same way; what one does the other hears."""

    async def play(client: AsyncClient, match: str) -> list[int]:
        heard: list[int] = []
        async for item in client.follow(match):
            assert isinstance(item, Item)
            heard.append(item.n)
            view = await client.view(match)
            if view.question is not None and view.status == "running":
                try:
                    await client.play(match, view.question.decision, view.question.legal[0])
                except ApiError as error:
                    if error.problem.type != CLOSED:
                        raise
        return heard

    async def both() -> tuple[list[int], list[int]]:
        async with AsyncClient(served.url, transport="socket") as one, AsyncClient(served.url, transport="socket") as other:
            await one.sign_up()
            await other.sign_up()
            match = (await one.open_match(COUP, 2)).match
            await other.take_seat(match)
            await one.start(match)
            return await asyncio.gather(play(one, match), play(other, match))

    for heard in asyncio.run(both()):
        assert heard == list(range(1, len(heard) + 1))


def begun(client: Client) -> str:
    """Sign up, and begin a match against a bot that follows."""
    client.sign_up()
    return client.open_match(COUP, 2, bots={1: "random"}, start=True).match


def hang_up(served: Service) -> int:
    """End all sockets of the service at once, without a word; return how many there were."""
    assert served.server is not None
    assert served.loop is not None
    sockets = [each for each in served.server.server_state.connections if isinstance(each, WebSocket)]
    for each in sockets:
        served.loop.call_soon_threadsafe(each.transport.abort)
    return len(sockets)


def test_match_goes_on_when_connections_are_lost_all_the_time(served: Service) -> None:
    """The client connects again, follows from its cursor, and sends a command without an answer once more with its key."""
    rng = random.Random(3)
    with Client(served.url, transport="socket") as client:
        match = begun(client)
        numbers: list[int] = []
        lost = 0
        for item in client.follow(match):
            assert isinstance(item, Item)
            numbers.append(item.n)
            if rng.random() < 0.3:
                lost += hang_up(served)
            act(client, match, rng)
        assert numbers == list(range(1, len(numbers) + 1))
        assert client.view(match).status == "over"
        assert lost > 3


def test_talk_and_inbox_go_over_the_socket(served: Service) -> None:
    """A line is said, and what is for a player alone is heard, from where it has left off; nothing of it is asked over HTTP."""
    with Client(served.url, transport="socket") as host, Client(served.url, transport="socket") as guest:
        host.sign_up("Ada")
        player = guest.sign_up("Bea")
        start = guest.inbox().cursor
        matches = [host.open_match(COUP, 2).match for _ in range(2)]
        assert host.say(matches[0], phrase="hello").phrase == "hello"
        with pytest.raises(ApiError) as caught:
            host.say(matches[0], phrase="hello", text="hello")
        assert caught.value.problem.type == "urn:tafelrunde:problem:talk-refused"
        host.invite_player(matches[0], player.id)
        first = next(guest.follow_inbox(start))
        assert isinstance(first, InboxItem)
        host.invite_player(matches[1], player.id)
        second = next(guest.follow_inbox(first.cursor))
        assert isinstance(second, InboxItem)
        assert [each.match for each in (first, second)] == matches
        news = guest.follow_inbox("1-00000000")
        assert isinstance(next(news), Reset)
    assert not [each for each in served.asked if each.endswith(("/inbox/stream", f"{matches[0]}/talk"))]


def test_follower_gets_the_problem_when_its_token_is_revoked(served: Service) -> None:
    """The connection ends, and the next one is refused: ApiError, and no try after it."""
    with Client(served.url, transport="socket") as client, Client(served.url) as owner:
        match = begun(client)
        owner.token = client.token
        spare = owner.create_token("spare", ["play", "read"])
        client.token = spare.text
        feed = client.follow(match)
        next(feed)
        owner.revoke_token(spare.token.id)
        with pytest.raises(ApiError) as refused:
            client.view(match)
        assert refused.value.problem.status == 401
        with pytest.raises(ApiError) as ended:
            list(feed)
        assert ended.value.problem.status == 401


def number(feed: Iterator[Item | Reset]) -> int:
    """Return the number of the next item."""
    item = next(feed)
    assert isinstance(item, Item)
    return item.n


def test_follower_that_stops_ends_its_subscription(served: Service) -> None:
    """The same client can follow the match again, and a second follower at the same time goes over HTTP."""
    with Client(served.url, transport="socket") as client:
        match = begun(client)
        first = client.follow(match)
        assert number(first) == 1
        second = client.follow(match)
        assert number(second) == 1
        assert [each.rpartition("/")[2] for each in asked_over_http(served, match)] == ["stream"]
        cast("Generator[Item | Reset]", first).close()
        third = client.follow(match)
        assert number(third) == 1
        assert len(asked_over_http(served, match)) == 1


def test_second_follower_goes_over_http_when_both_begin_at_once(served: Service) -> None:
    """One subscribes before the service has answered the other: each hears all of the match."""

    async def both() -> str:
        async with AsyncClient(served.url, transport="socket") as client:
            await client.sign_up()
            match = (await client.open_match(COUP, 2, bots={1: "random"}, start=True)).match
            feeds = client.follow(match), client.follow(match)
            async with asyncio.timeout(PATIENCE_SECONDS):
                for item in await asyncio.gather(*(anext(feed) for feed in feeds)):
                    assert isinstance(item, Item)
                    assert item.n == 1
            return match

    match = asyncio.run(both())
    assert [each.rpartition("/")[2] for each in asked_over_http(served, match)] == ["stream"]


def test_follower_goes_over_the_socket_when_one_before_was_cancelled_as_it_subscribed(served: Service) -> None:
    """Before the service had answered it, and when its answer had just come; and so does one after one that was closed."""

    async def stop(turns: int) -> str:
        async with AsyncClient(served.url, transport="socket") as client:
            await client.sign_up()
            match = (await client.open_match(COUP, 2, bots={1: "random"}, start=True)).match
            await client.view(match)
            first = cast("AsyncGenerator[Item | Reset]", client.follow(match))
            asking = asyncio.ensure_future(anext(first))
            for _ in range(turns):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
            await first.aclose()
            async with asyncio.timeout(PATIENCE_SECONDS):
                for _ in range(2):
                    feed = cast("AsyncGenerator[Item | Reset]", client.follow(match))
                    item = await anext(feed)
                    assert isinstance(item, Item)
                    assert item.n == 1
                    await feed.aclose()
            return match

    for turns in range(1, 9):
        assert asked_over_http(served, asyncio.run(stop(turns))) == []


def test_answer_is_dropped_when_it_is_not_awaited(served: Service) -> None:
    """Neither the answer to the end of a subscription is kept, nor that to an ask that was cancelled."""

    async def stop() -> Mapping[str, object]:
        async with AsyncClient(served.url, transport="socket") as client:
            await client.sign_up()
            match = (await client.open_match(COUP, 2, bots={1: "random"}, start=True)).match
            feed = cast("AsyncGenerator[Item | Reset]", client.follow(match))
            await anext(feed)
            await feed.aclose()
            connection = cast("AsyncSocketConnection", client._connection)
            talk = connection._talk
            assert talk is not None
            async with asyncio.timeout(PATIENCE_SECONDS):
                await client.view(match)
                asking = asyncio.create_task(client.view(match))
                await asyncio.sleep(0)  # it has sent its frame, and waits
                assert talk._answers
                asking.cancel()
                await asyncio.wait([asking])
                await client.view(match)
            return talk._answers

    assert asyncio.run(stop()) == {}


def test_dry_run_is_answered_over_the_socket_when_it_is_accepted_or_refused(served: Service) -> None:
    """Nothing is asked over HTTP for it, and nothing happens."""
    with Client(served.url, transport="socket") as client:
        match = begun(client)
        before = client.feed(match).cursor
        question = client.view(match).question
        if question is not None:
            client.try_out(match, question.decision, question.legal[0])
        with pytest.raises(ApiError):
            client.try_out(match, 99, {"type": "coup.income"})
        assert asked_over_http(served, match) == []
        assert client.feed(match).items[: int(before.partition("-")[0])]


def test_service_that_is_not_there_is_unreachable_by_a_socket() -> None:
    """As over HTTP, after five tries."""
    with Client("http://127.0.0.1:9", "token", transport="socket") as client, pytest.raises(Unreachable):
        client.view("m" + "a" * 24)


def test_match_goes_on_when_the_api_is_killed_and_started_again(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was shown is missing or comes twice, whichever process answers."""
    monkeypatch.undo()  # a process takes a while to start
    rng = random.Random(5)
    with Serve(short_path) as serve, Client(serve.url, transport="socket") as client:
        match = begun(client)
        numbers: list[int] = []
        for item in client.follow(match):
            assert isinstance(item, Item)
            numbers.append(item.n)
            if item.n in {12, 40}:
                serve.kill("api")
            act(client, match, rng)
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > 12
        assert client.view(match).status == "over"
