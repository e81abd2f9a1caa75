"""Ready: the store takes commands, and sweepers and workers are running; checked once a second for any number of callers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.runtime.readiness import ANSWER_SECONDS, FRESH_SECONDS, Readiness
from tests.support.clockwork import run


class Store:
    """A store that counts how often it is asked, and says what the test wants."""

    def __init__(self) -> None:
        self.asked = 0
        self.error: Exception | None = None

    async def require_writable(self) -> None:
        """Take commands, or not."""
        self.asked += 1
        await asyncio.sleep(0.1)
        if self.error is not None:
            raise self.error


def attendance(*missing: str) -> Callable[[], Awaitable[str]]:
    """Return what says who is missing."""

    async def told() -> str:
        return " ".join(missing)

    return told


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        pytest.param(None, "", id="nothing"),
        pytest.param(StoreUnavailable("x", "OOM"), "The store refuses writes: OOM.", id="refused"),
        pytest.param(StoreUnavailable("x"), "The store does not answer.", id="away"),
    ],
)
def test_store_is_named_when_it_takes_no_commands(error: Exception | None, sentence: str) -> None:
    """With the server's own word, if it said one."""
    store = Store()
    store.error = error
    assert run(Readiness(store.require_writable).missing()) == sentence


def test_store_that_hangs_is_not_waited_for() -> None:
    """The question does not hang with it."""

    async def main() -> str:
        async with asyncio.timeout(ANSWER_SECONDS + 1):
            return await Readiness(asyncio.Event().wait).missing()  # type: ignore[arg-type]  # what it returns is not used

    assert run(main()) == "The store does not answer."


def test_store_is_asked_once_a_second_when_thousands_want_to_know() -> None:
    """Asking for readiness is no lever: at once, and one after the other."""

    async def main() -> int:
        store = Store()
        readiness = Readiness(store.require_writable)
        assert set(await asyncio.gather(*(readiness.missing() for _ in range(1_000)))) == {""}
        assert {await readiness.missing() for _ in range(1_000)} == {""}
        assert store.asked == 1
        store.error = StoreUnavailable("x")
        await asyncio.sleep(FRESH_SECONDS)
        assert await readiness.missing() != ""
        return store.asked

    assert run(main()) == 2


def test_answer_that_something_is_missing_is_not_kept_for_long() -> None:
    """`serve` says that it is ready when one of its processes is: another one, asked a moment ago, says so then as well."""

    async def main() -> list[str]:
        store = Store()
        store.error = StoreUnavailable("x")
        readiness = Readiness(store.require_writable)
        found = [await readiness.missing() for _ in range(1_000)]
        assert store.asked == 1
        store.error = None
        await asyncio.sleep(FRESH_SECONDS / 4)
        return [found[-1], await readiness.missing()]

    assert run(main()) == ["The store does not answer.", ""]


def test_caller_that_gives_up_does_not_stop_the_others() -> None:
    """They wait for the same answer."""

    async def main() -> None:
        readiness = Readiness(Store().require_writable)
        first, second = (asyncio.create_task(readiness.missing()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert await second == ""

    run(main())


def test_others_are_needed_unless_this_process_does_the_work() -> None:
    """A host that tends the application itself needs no other process, until the last of its tasks that tend has ended."""

    async def main() -> None:
        readiness = Readiness(Store().require_writable, attendance("No sweeper."))
        assert await readiness.missing() == "No sweeper."
        first, second = readiness.attended_here(), readiness.attended_here()
        for step, missing in (
            (first.__enter__, ""),
            (second.__enter__, ""),
            (lambda: first.__exit__(None, None, None), ""),
            (lambda: second.__exit__(None, None, None), "No sweeper."),
        ):
            step()
            await asyncio.sleep(FRESH_SECONDS)
            assert await readiness.missing() == missing

    run(main())
