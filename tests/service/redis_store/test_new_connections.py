"""What a new connection costs: each process opens dozens, and each test that starts a server as well."""

from __future__ import annotations

from typing import Any

import pytest
from redis import utils

from tafelrunde.service.redis_store.client import Client
from tafelrunde.service.runtime.job_queue import unchecked


def test_version_of_the_library_is_looked_up_once_when_many_connections_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection still says which library it is, but does not search the installed packages for its version."""

    def searched() -> str:
        raise AssertionError("a connection has searched the installed packages")

    monkeypatch.setattr(utils, "get_lib_version", searched)
    client = Client("redis://nowhere:1")
    clients: list[Any] = [client._requests, client._blocking, unchecked("redis://nowhere:1")]
    for each in clients:
        said = each.connection_pool.make_connection().driver_info
        assert said.formatted_name == "redis-py"
        assert said.lib_version[0].isdigit()
