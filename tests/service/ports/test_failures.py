from __future__ import annotations

import msgspec
import pytest

from tafelrunde.service.ports.failures import Failure
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio

ONE = Failure(job="work", task="m1", errors=("KeyError at a.py:1",), count=1, since_ms=1, last_ms=1, rest_until_ms=2)


async def test_failure_is_kept_until_it_is_removed(stores: Stores) -> None:
    """Each job and task has one, the last that was written."""
    store = stores.failures
    later = msgspec.structs.replace(ONE, count=2, last_ms=5)
    other = msgspec.structs.replace(ONE, task="m2")
    for each in (ONE, other, later):
        await store.put(each, 10)
    assert await store.find("work", "m1") == later
    assert sorted(await store.all(), key=lambda each: each.task) == [later, other]
    await store.remove("work", "m1")
    await store.remove("work", "m1")
    assert (await store.find("work", "m1"), await store.all()) == (None, [other])


async def test_only_so_many_failures_are_kept(stores: Stores) -> None:
    """One that is known is still written."""
    store = stores.failures
    known = msgspec.structs.replace(ONE, count=2)
    for each in (ONE, msgspec.structs.replace(ONE, task="m2"), known):
        await store.put(each, 1)
    assert await store.all() == [known]
