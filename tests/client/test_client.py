"""The client against a running service: matches of every game, trouble on the way, streams that break off anywhere."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest

from tafelrunde.client import ApiError, AsyncClient, Client, Item, Unreachable
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.served import Service

pytestmark = pytest.mark.xdist_group("client")

COUP = "coup"
CLOSED = "urn:tafelrunde:problem:decision-closed"


def finish(client: Client, match: str, rng: random.Random) -> int:
    """Answer with any legal command, as the stream calls for it; return how many answers that were."""
    answers = 0
    for _ in client.follow(match):
        view = client.view(match)
        if view.question is not None and view.status == "running":
            try:
                client.play(match, view.question.decision, rng.choice(view.question.legal))
                answers += 1
            except ApiError as error:
                if error.problem.type != CLOSED:
                    raise
    return answers


@pytest.mark.parametrize("game", GAMES)
def test_match_is_played_to_its_end(game: GameId, served: Service) -> None:
    """One player against bots, guided by the stream and by what is legal."""
    with Client(served.url) as client:
        client.sign_up("Ada")
        seats = next(each.min_seats for each in client.games() if each.id == game)
        bots = dict.fromkeys(range(1, seats), "random")
        match = client.open_match(game, seats, bots=bots, start=True).match
        assert finish(client, match, random.Random(1)) > 0
        view = client.view(match)
        assert view.status == "over"
        assert view.placings is not None
        assert len(view.placings) == seats


def test_match_is_played_to_its_end_without_blocking(served: Service) -> None:
    """The asynchronous client knows the same words; two players at one table."""

    async def play(client: AsyncClient, match: str) -> None:
        async for _ in client.follow(match):
            view = await client.view(match)
            if view.question is not None and view.status == "running":
                try:
                    await client.play(match, view.question.decision, view.question.legal[0])
                except ApiError as error:
                    if error.problem.type != CLOSED:
                        raise

    async def both() -> str:
        async with AsyncClient(served.url) as one, AsyncClient(served.url) as other:
            await one.sign_up()
            await other.sign_up()
            match = (await one.open_match(COUP, 2)).match
            await other.take_seat(match)
            await one.start(match)
            await asyncio.gather(play(one, match), play(other, match))
            return (await one.match(match)).status

    assert asyncio.run(both()) == "over"


class Broken(httpx.SyncByteStream):
    """A body that is cut off after a number of bytes."""

    def __init__(self, stream: Any, length: int) -> None:
        self._stream = stream
        self._left = length

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if len(chunk) > self._left:
                yield chunk[: self._left]
                raise httpx.ReadError("broken off")
            self._left -= len(chunk)
            yield chunk

    def close(self) -> None:
        """Close what is under it."""
        self._stream.close()


class Unsteady(httpx.BaseTransport):
    """A connection that cuts off the body of an answer, or drops the whole answer, on demand."""

    def __init__(self) -> None:
        self._inner = httpx.HTTPTransport()
        self.cuts: Iterator[int | None] = itertools.repeat(None)
        self.lost: Callable[[httpx.Request], bool] = lambda _: False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Hand the request on; the service has always got it."""
        answer = self._inner.handle_request(request)
        if self.lost(request):
            answer.read()
            raise httpx.ReadError("lost")
        if (cut := next(self.cuts)) is None:
            return answer
        return httpx.Response(answer.status_code, headers=answer.headers, stream=Broken(answer.stream, cut))

    def close(self) -> None:
        """Close the real connections."""
        self._inner.close()


@pytest.fixture(scope="module")
def finished(served: Service) -> tuple[str, str]:
    """A match that is over, and the token of one of its players."""
    with Client(served.url) as client:
        client.sign_up()
        match = client.open_match(COUP, 2, bots={1: "random"}, options={"first_seat": 0}, start=True).match
        finish(client, match, random.Random(3))
        assert client.token is not None
        return match, client.token


def pages(client: Client, match: str) -> list[Item]:
    """Return the whole feed, page by page."""
    found: list[Item] = []
    page = client.feed(match)
    while page.items:
        found += page.items
        page = client.feed(match, page.cursor)
    return found


def test_stream_gives_the_same_items_wherever_it_breaks_off(served: Service, finished: tuple[str, str]) -> None:
    """Also a client whose connection drops at any byte ends with the feed of one that never lost it."""
    match, token = finished
    transport = Unsteady()
    with Client(served.url, token, transport=transport) as client:
        whole = list(client.follow(match))
        assert whole
        assert all(isinstance(item, Item) for item in whole)
        assert whole == pages(client, match)
        length = sum(len(str(item)) for item in whole)
        for cut in random.Random(4).sample(range(length), 150):
            transport.cuts = itertools.chain([cut], itertools.repeat(None))
            assert list(client.follow(match)) == whole
        transport.cuts = itertools.cycle([700, 0, 900, 1])
        assert list(client.follow(match)) == whole


def test_stream_keeps_text_whole_when_it_has_separators_of_lines() -> None:
    """In JSON U+2028 and U+0085 may stand as they are; an event ends at a line feed only."""
    name = "Anna\u2028Berta\x85"
    item = {"cursor": "7-abc", "n": 7, "at_ms": 1, "event": {"type": "match.seat-taken.1", "name": name}}
    body = f"event: item\ndata: {json.dumps(item, ensure_ascii=False)}\n\nevent: end\ndata: {{}}\n\n".encode()
    answer = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=body)
    with Client("http://x", transport=httpx.MockTransport(lambda _: answer)) as client:
        (heard,) = client.follow("m1")
    assert isinstance(heard, Item)
    assert heard.event["name"] == name


def test_stream_ends_with_an_error_when_there_is_none(served: Service, finished: tuple[str, str]) -> None:
    """Five failures in a row are the end; so is an answer that will not change."""
    transport = Unsteady()
    with Client(served.url, finished[1], transport=transport) as client:
        transport.cuts = itertools.repeat(0)
        with pytest.raises(Unreachable):
            list(client.follow(finished[0]))
        transport.cuts = itertools.repeat(None)
        with pytest.raises(ApiError) as refusal:
            list(client.follow("m" + "a" * 24))
        assert refusal.value.problem.type == "urn:tafelrunde:problem:not-found"


def test_command_is_given_once_when_its_answer_is_lost(served: Service) -> None:
    """The client tries again with the same key: the receipt comes, and nothing has happened twice."""
    transport = Unsteady()
    with Client(served.url, transport=transport) as client:
        client.sign_up()
        match = client.open_match(COUP, 2, options={"first_seat": 0}).match
        with Client(served.url) as other:
            other.sign_up()
            other.take_seat(match)
        client.start(match)
        losses = iter([True, True])
        transport.lost = lambda request: request.url.path.endswith("/commands") and next(losses, False)
        receipt = client.play(match, 1, {"type": "coup.take-income"})
        taken = [item for item in pages(client, match) if item.event["type"] == "coup.coins-taken.1"]
        assert len(taken) == 1
        assert taken[0] in receipt.items


def test_problem_is_reported_with_code_and_text(served: Service) -> None:
    """What the service refuses is an error with its problem, at once."""
    with Client(served.url) as client:
        client.sign_up()
        with pytest.raises(ApiError) as refusal:
            client.open_match(COUP, 9)
        assert (refusal.value.problem.status, refusal.value.problem.field) == (422, "/seats")
        match = client.open_match(COUP, 2).match
        with pytest.raises(ApiError) as refusal:
            client.play(match, 1, {"type": "coup.take-income"})
        assert refusal.value.problem.status == 409
        assert refusal.value.problem.message is not None


@pytest.mark.parametrize("match", ["../../me", "..", ".", "me?at=1#", "a/b", "m%2e%2e", "ä", "\n"])
def test_id_leads_to_no_other_place_whatever_is_in_it(match: str, served: Service) -> None:
    """It is sent as one part of the path, so the service knows no such match."""
    with Client(served.url) as client:
        client.sign_up()
        for ask in (client.match, client.view, client.record):
            with pytest.raises(ApiError) as refusal:
                ask(match)
            assert refusal.value.problem.status == 404


def test_answer_of_something_else_is_an_error_of_the_client(served: Service) -> None:
    """Without an id the list answers; so may anything between client and service. What it did is unknown."""
    with Client(served.url) as client, pytest.raises(Unreachable, match="GET /matches/ is not such a service"):
        client.match("")


def test_empty_token_is_none(served: Service) -> None:
    """So a variable that is set to nothing is one that is not set."""
    with Client(served.url, "") as client:
        assert client.games()
        client.sign_up()
        assert client.player().id


def test_service_that_is_not_there_is_unreachable() -> None:
    """Without a server: one error type of the client's own."""
    with Client("http://127.0.0.1:1") as client, pytest.raises(Unreachable):
        client.games()


@pytest.mark.anyio
async def test_asynchronous_service_that_is_not_there_is_unreachable() -> None:
    """The same without blocking."""
    async with AsyncClient("http://127.0.0.1:1") as client:
        with pytest.raises(Unreachable):
            await client.games()
        with pytest.raises(Unreachable):
            await anext(aiter_of(client))


def aiter_of(client: AsyncClient) -> AsyncIterator[object]:
    """Return a stream of no match."""
    return client.follow("m" + "a" * 24)
