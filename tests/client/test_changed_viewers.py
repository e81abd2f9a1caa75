"""The Python client follows a match while its player becomes another viewer; what it keeps belongs to the viewer that it was."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterable
from pathlib import Path
from typing import Any, cast

import anyio
import httpx
import msgspec
import pytest

from tafelrunde.audit.kept_evidence import Comparison, compare
from tafelrunde.client import AsyncClient, Client, Item, Reset
from tafelrunde.client.keeping import EvidenceFolder, path_of, read_kept
from tests.support.served import Service
from tests.support.verifying import verdicts

pytestmark = pytest.mark.xdist_group("client")

TRANSPORTS = (None, "socket")


def play_out(match: str, *clients: Client) -> None:
    """Give the first legal answers until the match is over."""
    while clients[0].view(match).status == "running":
        for client in clients:
            question = client.view(match).question
            if question is not None and question.answered is None:
                client.play(match, question.decision, question.legal[0])


def since_reset(heard: Iterable[Item | Reset]) -> tuple[int, list[Item]]:
    """Return how many resets there were, and the items since the last."""
    resets = 0
    items: list[Item] = []
    for each in heard:
        if isinstance(each, Reset):
            resets += 1
            items = []
        else:
            items.append(each)
    return resets, items


def compared(client: Client, folder: Path, match: str) -> Comparison:
    """Return how what was kept compares with the record."""
    kept = read_kept(path_of(folder, match).read_bytes())
    return compare(kept, client.record(match).splitlines(keepends=True), None)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_follower_gets_the_feed_of_its_seat_when_it_sits_down_meanwhile(served: Service, tmp_path: Path, transport: Any) -> None:
    """After a `Reset` all items come again, as the seat sees them; what was kept of them proves the record."""
    with Client(served.url) as host, Client(served.url, keep=tmp_path, transport=transport) as guest:
        host.sign_up()
        guest.sign_up()
        match = host.open_match("coup", 2, spectators="public").match
        feed = cast("Generator[Item | Reset]", guest.follow(match))
        heard = [next(feed)]
        guest.take_seat(match)
        host.start(match)
        play_out(match, host, guest)
        heard += feed
        resets, items = since_reset(heard)
        assert resets == 1
        assert items == [*guest.feed(match, limit=500).items]
        assert next(item.event["hands"] for item in items if item.event["type"] == "coup.dealt.1")[1] is not None
        found = compared(guest, tmp_path, match)
        assert (found.finding, found.unsure) == (None, "")
        assert {"nonce", "roots", "feed", "signature"} <= {*found.compared}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_async_follower_gets_the_feed_of_its_seat_when_it_sits_down_meanwhile(served: Service, transport: Any) -> None:
    """The asynchronous client does as the blocking one."""

    async def follow() -> None:
        async with AsyncClient(served.url) as host, AsyncClient(served.url, transport=transport) as guest:
            await host.sign_up()
            await guest.sign_up()
            match = (await host.open_match("coup", 2, spectators="public")).match
            feed = cast("AsyncGenerator[Item | Reset]", guest.follow(match))
            heard = [await anext(feed)]
            await guest.take_seat(match)
            await host.start(match)
            await host.abort(match)
            await guest.abort(match)
            heard += [each async for each in feed]
            resets, items = since_reset(heard)
            assert resets == 1
            assert items == [*(await guest.feed(match, limit=500)).items]

    anyio.run(follow)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_record_is_not_wrong_when_its_keeper_was_removed_and_watched_on(served: Service, tmp_path: Path, transport: Any) -> None:
    """What was kept after the removal is a spectator's feed, and is called so."""
    with (
        Client(served.url) as host,
        Client(served.url) as other,
        Client(served.url, keep=tmp_path, transport=transport) as guest,
    ):
        for client in (host, other, guest):
            client.sign_up()
        match = host.open_match("coup", 2, spectators="public").match
        guest.take_seat(match, 1)
        feed = cast("Generator[Item | Reset]", guest.follow(match))
        heard = [next(feed)]
        host.clear_seat(match, 1)
        other.take_seat(match, 1)
        host.start(match)
        play_out(match, host, other)
        heard += feed
        resets, items = since_reset(heard)
        assert resets == 1
        assert items == [*guest.feed(match, limit=500).items]
        kept = read_kept(path_of(tmp_path, match).read_bytes())
        assert kept.feed is not None
        assert (kept.feed.seat, kept.feed.n) == (None, len(items))
        found = compared(guest, tmp_path, match)
        assert (found.finding, "feed" in found.compared) == (None, True)


@pytest.mark.parametrize("nonce", [None, ""], ids=["own-nonce", "no-nonce"])
def test_kept_feed_is_that_of_the_seat_when_it_is_left_and_taken_again_unread(
    served: Service, tmp_path: Path, nonce: str | None
) -> None:
    """The reader is behind: what it still reads of the time before belongs to a seat that was given up since."""
    with (
        Client(served.url) as host,
        Client(served.url) as other,
        Client(served.url, keep=tmp_path) as guest,
    ):
        for client in (host, other, guest):
            client.sign_up()
        match = host.open_match("coup", 3, spectators="public").match
        guest.take_seat(match, 1)
        guest.feed(match, limit=500)
        other.take_seat(match, 2)
        for _ in range(2):
            guest.leave(match)
            guest.take_seat(match, 1, nonce=nonce)
        host.start(match)
        play_out(match, host, guest, other)
        for _ in guest.follow(match):
            pass
        kept = read_kept(path_of(tmp_path, match).read_bytes())
        assert (kept.seat, kept.feed.seat if kept.feed is not None else None) == (1, 1)
        found = compared(guest, tmp_path, match)
        assert found.finding is None
        assert "feed" in found.compared
        assert ("nonce" in found.compared) is (nonce is None)


def test_kept_feed_is_that_of_the_seat_when_its_item_comes_before_the_receipt(
    served: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream may be faster than the answer to the request."""
    with Client(served.url) as host, Client(served.url, keep=tmp_path) as guest:
        host.sign_up()
        guest.sign_up()
        match = host.open_match("coup", 2, spectators="public").match
        guest.take_seat(match)  # so that something is kept of the match before
        guest.leave(match)
        feed = guest.follow(match)
        later = EvidenceFolder.sat

        def overtaken(evidence: EvidenceFolder, match: str, items: Iterable[Item], nonce: str) -> None:
            for item in feed:
                if isinstance(item, Item) and item.event.get("nonce") == nonce:
                    break
            later(evidence, match, items, nonce)

        with monkeypatch.context() as patch:
            patch.setattr(EvidenceFolder, "sat", overtaken)
            guest.take_seat(match)
        host.start(match)
        play_out(match, host, guest)
        for _ in feed:
            pass
        found = compared(guest, tmp_path, match)
        assert (found.finding, found.unsure) == (None, "")
        assert {"nonce", "roots", "feed", "signature"} <= {*found.compared}


def test_record_is_not_wrong_when_its_keeper_sat_down_with_another_device(served: Service, tmp_path: Path) -> None:
    """The device that only watches gets the feed of the seat, too, and does not know of the seat."""
    with Client(served.url, keep=tmp_path) as first, Client(served.url) as second, Client(served.url) as guest:
        first.sign_up()
        guest.sign_up()
        second.token = first.token
        match = first.open_match("coup", 2, seat=None, spectators="public").match
        feed = first.follow(match)
        next(feed)
        second.take_seat(match)
        guest.take_seat(match)
        second.start(match)
        play_out(match, second, guest)
        for _ in feed:
            pass
        kept = read_kept(path_of(tmp_path, match).read_bytes())
        assert kept.feed is not None
        assert (kept.seat, kept.feed.seat) == (None, None)
        record = first.record(match)
        found = compare(kept, record.splitlines(keepends=True), None)
        assert (found.finding, "viewer" in found.open, found.unsure) == (None, True, "not all of it is proved")
        [beside] = verdicts([record], msgspec.to_builtins(kept))
        assert (beside["conclusion"], "viewer" in beside["open"]) == ("undecided", True)
        changed = msgspec.structs.replace(kept, feed=msgspec.structs.replace(kept.feed, chain="ab" * 32))
        assert compare(changed, record.splitlines(keepends=True), None).finding is not None
        [beside] = verdicts([record], msgspec.to_builtins(changed))
        assert beside["wrong"] == "kept: your feed"


def test_record_is_not_wrong_when_its_keeper_sat_down_without_a_nonce(served: Service, tmp_path: Path) -> None:
    """The feed that is kept is that of the seat."""
    with Client(served.url, keep=tmp_path) as client:
        client.sign_up()
        match = client.open_match("coup", 2, bots={1: "random"}, start=True, nonce="").match
        play_out(match, client)
        client.feed(match, limit=500)
        kept = read_kept(path_of(tmp_path, match).read_bytes())
        assert (kept.seat, kept.feed.seat if kept.feed is not None else None) == (0, 0)
        found = compared(client, tmp_path, match)
        assert found.finding is None
        assert "feed" in found.compared


@pytest.mark.parametrize(("kind", "wrong"), [(Client, httpx.AsyncHTTPTransport()), (AsyncClient, httpx.HTTPTransport())])
def test_transport_is_refused_at_once_when_it_is_none(kind: Any, wrong: object) -> None:
    """A name other than "socket", and a transport of the other client's kind, are a TypeError that says what to pass."""
    for transport in ("http", "", wrong):
        with pytest.raises(TypeError, match=r'pass "socket", a \w+Transport of httpx, or nothing for HTTP'):
            kind("http://127.0.0.1:9", transport=transport)
