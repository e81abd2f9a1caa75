"""Requests that come again: made once, answered alike, in whatever process, and nothing of it can be read in the store."""

from __future__ import annotations

import asyncio
import secrets

import pytest

from tafelrunde.service.errors import KeyReused, NotFound, StoreUnavailable
from tafelrunde.service.memory_store.answers import MemoryAnswers
from tafelrunde.service.players import kept_answers
from tafelrunde.service.players.draws import fresh_bytes
from tafelrunde.service.players.kept_answers import KEEP_MS, LEASE_MS, KeptAnswers, was_there
from tafelrunde.service.ports.answers import AnswerStore
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ID_KEY = bytes(32)
NOW_MS = 1_700_000_000_000


class House:
    """A process over a store: what it has made, and a clock."""

    def __init__(self, store: AnswerStore) -> None:
        self.now_ms = NOW_MS
        self.kept = KeptAnswers(store, ID_KEY, lambda: self.now_ms)
        self.made: list[bytes] = []

    async def make(self) -> bytes:
        """Make something new, in more than one step."""
        drawn = fresh_bytes(16)
        await asyncio.sleep(0)
        self.made.append(drawn)
        return drawn

    async def ask(self, holder: str = "ann", key: str = "k", request: bytes = b"r") -> tuple[bytes, bool]:
        """Ask for it."""
        return await self.kept.once(holder, key, request, self.make)


async def test_thing_is_made_once_when_two_processes_are_asked_at_once_and_again(stores: Stores) -> None:
    """All get the same answer, and all but one hear that it is a repetition."""
    one, two = House(stores.answers), House(stores.answers)
    told = await asyncio.gather(*(house.ask() for house in (one, two) for _ in range(10)))
    told += [await one.ask(), await two.ask()]
    assert len(one.made + two.made) == 1
    assert {answer for answer, _ in told} == {*one.made, *two.made}
    assert [again for _, again in told].count(False) == 1


async def test_key_is_refused_when_it_comes_with_another_request(stores: Stores) -> None:
    """While the first is under way, and after it. Other holders and other keys have nothing to do with it."""
    house = House(stores.answers)
    waiting, go = asyncio.Event(), asyncio.Event()

    async def slowly() -> bytes:
        waiting.set()
        await go.wait()
        return b"slow"

    under_way = asyncio.create_task(house.kept.once("ann", "k", b"r", slowly))
    await waiting.wait()
    with pytest.raises(KeyReused):
        await house.ask(request=b"other")
    go.set()
    assert await under_way == (b"slow", False)
    with pytest.raises(KeyReused):
        await house.ask(request=b"other")
    for holder, key in (("ben", "k"), ("ann", "l")):
        assert not (await house.ask(holder, key, b"other"))[1]
    assert len(set(house.made)) == 2


async def test_request_is_carried_out_again_when_it_was_refused_or_failed(stores: Stores) -> None:
    """Nothing of it is kept, and the same key leads to the same ids: what was half made is made whole, and not another one."""
    house = House(stores.answers)
    drawn: list[bytes] = []

    async def fails() -> bytes:
        drawn.append(fresh_bytes(16))
        raise StoreUnavailable("lost")

    with pytest.raises(StoreUnavailable):
        await house.kept.once("ann", "k", b"r", fails)
    answer, again = await house.ask()
    assert (drawn, again) == ([answer], False)
    assert await house.ask() == (answer, True)


async def test_request_is_carried_out_by_another_process_when_the_first_was_killed() -> None:
    """Once its claim has run out, with the same ids."""
    store = MemoryAnswers()
    one, two = House(store), House(store)
    started, drawn = asyncio.Event(), list[bytes]()

    async def never() -> bytes:
        drawn.append(fresh_bytes(16))
        started.set()
        return await asyncio.Future()

    killed = asyncio.create_task(one.kept.once("ann", "k", b"r", never))
    await started.wait()
    killed.cancel()
    await asyncio.wait([killed])
    two.now_ms += LEASE_MS
    assert await two.ask() == (drawn[0], False)


async def test_answer_is_given_when_it_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repetition is carried out again, and makes the same thing."""
    store = MemoryAnswers()
    house = House(store)

    keep = store.keep

    async def fails(place: str, answer: bytes, now_ms: int, keep_ms: int) -> None:
        if place in store._kept:
            raise StoreUnavailable("full")
        await keep(place, answer, now_ms, keep_ms)

    with monkeypatch.context() as patched:
        patched.setattr(store, "keep", fails)
        answer, _ = await house.ask()
    assert await house.ask() == (answer, False)


async def test_request_is_put_off_when_the_first_is_not_over_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client may send it again, as after any 503."""
    monkeypatch.setattr(kept_answers, "LOOKS", 3)
    house, started = House(MemoryAnswers()), asyncio.Event()

    async def never() -> bytes:
        started.set()
        return await asyncio.Future()

    under_way = asyncio.create_task(house.kept.once("ann", "k", b"r", never))
    await started.wait()
    with pytest.raises(StoreUnavailable):
        await house.ask()
    under_way.cancel()
    await asyncio.wait([under_way])


async def test_answer_is_forgotten_after_a_day() -> None:
    """Then the key is as good as new."""
    house = House(MemoryAnswers())
    await house.ask()
    house.now_ms += KEEP_MS - 1
    assert (await house.ask())[1]
    house.now_ms += 1
    assert not (await house.ask())[1]


async def test_another_thing_is_made_when_the_key_comes_again_after_a_day() -> None:
    """What was revoked or deleted meanwhile stays so. Within the day it is the same thing, also where no answer was kept."""
    house, drawn = House(MemoryAnswers()), list[bytes]()

    async def fails() -> bytes:
        drawn.append(fresh_bytes(16))
        raise StoreUnavailable("lost")

    for wait_ms in (0, KEEP_MS - 1, 1):
        house.now_ms += wait_ms
        with pytest.raises(StoreUnavailable):
            await house.kept.once("ann", "k", b"r", fails)
    assert drawn[0] == drawn[1] != drawn[2]
    first, _ = await house.ask()
    house.now_ms += KEEP_MS
    second, again = await house.ask()
    assert (first, again) == (drawn[2], False)
    assert second not in {*drawn}


async def test_another_thing_is_made_when_the_key_was_free_and_another_request_takes_it() -> None:
    """What a request draws follows from the request, too."""
    house, drawn = House(MemoryAnswers()), list[bytes]()

    async def fails() -> bytes:
        drawn.append(fresh_bytes(16))
        raise StoreUnavailable("lost")

    with pytest.raises(StoreUnavailable):
        await house.kept.once("ann", "k", b"r", fails)
    assert (await house.ask(request=b"other"))[0] != drawn[0]


async def test_nothing_was_there_when_the_key_was_free_and_another_request_takes_it(stores: Stores) -> None:
    """Only the request that has found something, and ended it perhaps, is known to have done so when it comes again."""
    house = House(stores.answers)

    async def ends(now: bool) -> bytes:
        if not await was_there(now):
            return b"none"
        if now:
            raise StoreUnavailable("lost")
        return b"ended"

    with pytest.raises(StoreUnavailable):
        await house.kept.once("ann", "k", b"r", lambda: ends(True))
    assert await house.kept.once("ann", "k", b"other", lambda: ends(False)) == (b"none", False)
    with pytest.raises(StoreUnavailable):
        await house.kept.once("ann", "l", b"r", lambda: ends(True))
    assert await house.kept.once("ann", "l", b"r", lambda: ends(False)) == (b"ended", False)


async def test_store_holds_nothing_that_can_be_read_when_an_answer_is_kept() -> None:
    """Neither what was answered, nor the key, the holder or the request; and a place of another deployment is another one."""
    store = MemoryAnswers()
    texts = [secrets.token_bytes(24).hex() for _ in range(4)]
    answer, holder, key, request = texts

    async def make() -> bytes:
        return answer.encode()

    await KeptAnswers(store, ID_KEY, lambda: NOW_MS).once(holder, key, request.encode(), make)
    await KeptAnswers(store, bytes([1]) * 32, lambda: NOW_MS).once(holder, key, request.encode(), make)
    kept = store._kept
    assert len(kept) == 4, "an answer and a salt each"
    for text in texts:
        assert not any(text in place or text.encode() in stored for place, (_, stored) in kept.items())


async def test_ids_are_drawn_afresh_when_no_key_is_given() -> None:
    """Also right after a request with one."""
    house = House(MemoryAnswers())
    first = (await house.ask())[0]
    assert len({first, await house.make(), await house.make(), fresh_bytes(16)}) == 4


async def test_nothing_is_left_when_a_request_is_refused_before_it_draws_anything() -> None:
    """Callers without a token may send any number of them, each with another key."""
    store = MemoryAnswers()
    house = House(store)

    async def refuse() -> bytes:
        raise NotFound("code")

    for number in range(3):
        with pytest.raises(NotFound):
            await house.kept.once("ann", f"k{number}", b"r", refuse)
    assert store._kept == {}


async def test_salt_stays_when_a_repetition_is_refused(stores: Stores) -> None:
    """What an earlier attempt has drawn is drawn alike by a later one."""
    house = House(stores.answers)
    drawn = list[bytes]()

    async def fail() -> bytes:
        drawn.append(fresh_bytes(16))
        raise StoreUnavailable("lost")

    async def refuse() -> bytes:
        raise NotFound("code")

    for make, error in ((fail, StoreUnavailable), (refuse, NotFound)):
        with pytest.raises(error):
            await house.kept.once("ann", "k", b"r", make)
    assert drawn == [(await house.ask())[0]]
