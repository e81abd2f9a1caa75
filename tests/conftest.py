from __future__ import annotations

import functools
import gc
import itertools
import os
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx._transports.default as transports
import pytest
import structlog
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from structlog.dev import ConsoleRenderer, plain_traceback
from xdist.scheduler import LoadGroupScheduling  # pyright: ignore[reportMissingTypeStubs] - it has none

from tools.compiled_finder import CHOICE

# Tests look into the rules and plant errors in them, which only the plain form allows. `make fast-smoke` compares both.
os.environ.setdefault(CHOICE, "")

pytest.register_assert_rewrite("tafelrunde.testing.suites")

from tafelrunde.service.memory_store import memory_stores as new_memory_stores
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.testing.suites import CASE_GROUP
from tests.support.servers import Server
from tests.support.thorough import everywhere

# Each client of httpx would read the certificates of all authorities again (22 ms), although tests ask this machine alone.
_read = transports.create_ssl_context  # pyright: ignore[reportPrivateImportUsage] - where clients take it from
transports.create_ssl_context = functools.cache(_read)  # pyright: ignore[reportPrivateImportUsage] - where clients look for it

# What fails on purpose is logged: with all variables and colours, each traceback would take a tenth of a second.
structlog.configure([*structlog.get_config()["processors"][:-1], ConsoleRenderer(exception_formatter=plain_traceback)])

# Thousands of tests and all modules live until the end: looking through them for garbage again and again finds none.
gc.disable()

# `--hypothesis-profile=thorough` searches longer, and differently each time.
# Whether an example is slow, neither a deadline nor the health check for slow ones can measure on a busy machine.
NO_CONSTANTS = Constants()
COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("ci", COMMON, max_examples=30, stateful_step_count=30, derandomize=True)
settings.register_profile("thorough", COMMON, max_examples=2_000, stateful_step_count=100)
settings.load_profile("ci")

# Hypothesis tries constants of whatever modules a process has imported, which it reads and parses for that: what is tried would
# depend on the tests that ran there before.
_of_modules = providers._get_local_constants
providers._get_local_constants = lambda: _of_modules() if settings.get_current_profile_name() == "thorough" else NO_CONSTANTS


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our own options."""
    parser.addoption("--deployments", action="store_true", help="run on every kind of server what CI runs on some of them")
    parser.addoption("--golden", action="store_true", help="rewrite the stored transcripts")


def pytest_sessionstart() -> None:
    """Choose the games and cases of the suites, now that it is known how much is tried."""
    import_module("tests.support.cases")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what stays together or is slow, which takes longest: otherwise one process would still be at it at the end."""
    if not everywhere(config):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("elsewhere")])
        items[:] = [item for item in items if not item.get_closest_marker("elsewhere")]
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    """Return when an item has its turn: the longest group, the other groups, slow tests, then all else and the cases of games."""
    mark = item.get_closest_marker("xdist_group")
    if mark is None or mark.args[0].startswith(CASE_GROUP):
        return 2 if item.get_closest_marker("slow") else 3
    return mark.args[0] != "serve"


HANDED = 10
"""How many tests that belong to no group a process gets at once."""
MANY = 500
"""With fewer groups than these before the end, tests are handed out one by one: no process should be left with many."""


class Forgetful(LoadGroupScheduling):
    """Hands out groups of tests in their order, and forgets those that are done.

    xdist goes through all groups again after each test of one, and through all tests for the number of each.
    """

    @functools.cached_property
    def _numbers(self) -> dict[str, int]:
        """The number by which each process knows a test."""
        return {name: number for number, name in enumerate(self.collection or ())}

    def _assign_work_unit(self, node: Any) -> None:
        """Hand the next group to a process, or several tests of no group: a message costs more than a short test."""
        groups = {name: self.workqueue.pop(name) for name in self._next()}
        self.assigned_work[node].update(groups)
        node.send_runtest_some([self._numbers[test] for group in groups.values() for test, done in group.items() if not done])

    def _next(self) -> Sequence[str]:
        """Return the names of the groups to be handed out next; a test of no group is one by its own name."""
        ahead = list(itertools.islice(self.workqueue, HANDED if len(self.workqueue) > MANY else 1))
        return list(itertools.takewhile(lambda name: "::" in name, ahead)) or ahead[:1]

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Note that a process has done a test."""
        super().mark_test_complete(node, item_index, duration)
        groups = self.assigned_work[node]
        group = self._split_scope(self.registered_collections[node][item_index])
        if all(groups[group].values()):
            del groups[group]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Forgetful | None:
    """Choose who hands out the tests to several processes, by our order: not the groups of most tests first."""
    config.option.loadscopereorder = False
    return Forgetful(config, log) if config.getvalue("dist") == "loadgroup" else None


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """In one of several processes, say of a test what it was: not that it begins, nor that its fixtures are made and gone."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_collection_finish() -> None:
    """Leave what has been made so far out of all collections of garbage to come, which are rarer than usual: they find little."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests (`pytestmark = pytest.mark.anyio`) run on asyncio."""
    return "asyncio"


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder with a path short enough for a socket, which pytest's own are not everywhere."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def valkey() -> Iterator[Server]:
    """One Valkey for all tests of the process."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, Server("valkey", Path(folder)) as server:
        yield server


@pytest.fixture
def valkey_url(valkey: Server) -> str:
    """The address of an empty Valkey."""
    valkey.ask("FLUSHALL")
    return valkey.url


@pytest.fixture
async def redis_stores(valkey_url: str) -> AsyncIterator[Stores]:
    """Empty stores on Valkey."""
    async with await RedisStores.connect(valkey_url) as stores:
        yield stores


@pytest.fixture
def memory_stores() -> Stores:
    """Empty stores in memory."""
    return new_memory_stores()
