"""People with browsers at one running service, for the journeys of this folder."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser

from tests.journeys.person import Person
from tests.support.served import Service
from tests.web.conftest import STARTED, Visitor, browser, same_matches, same_service, served

__all__ = ["browser", "same_matches", "same_service", "served"]

HERE = Path(__file__).parent
PHONE = (360, 640)
LAPTOP = (1280, 800)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None]:
    """Stop the browser before a test from elsewhere, or one that is asynchronous: as long as it runs, no other event loop can."""
    try:
        yield
    finally:
        if nextitem is None or not nextitem.path.is_relative_to(HERE) or nextitem.get_closest_marker("anyio"):
            STARTED.close()


class Meet(Protocol):
    """Gives another person with a browser of their own."""

    def __call__(self, *, phone: bool = False, german: bool = False, fresh: bool = False) -> Person: ...


@pytest.fixture
def meet(browser: Browser, served: Service) -> Iterator[Meet]:
    """Bring people in: each has a browser in which nothing is stored, on a laptop or a phone; nothing may go wrong in it."""
    with ExitStack() as stack:
        yield newcomers(browser, served.url, stack.callback)


def newcomers(browser: Browser, url: str, later: Callable[[Callable[[], None]], object]) -> Meet:
    """Return what brings people in who leave in the end."""

    def meet(*, phone: bool = False, german: bool = False, fresh: bool = False) -> Person:
        width, height = PHONE if phone else LAPTOP
        language = "de-DE" if german else "en-GB"
        visitor = Visitor(browser, url, width=width, height=height, language=language, fresh=fresh)
        later(visitor.close)
        return Person(visitor)

    return meet
