"""What the tests of both ways of the client share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tafelrunde.client import calls
from tests.support.served import Service, service


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between tries are short in tests."""
    monkeypatch.setattr(calls, "FIRST_PAUSE", 0.001)
