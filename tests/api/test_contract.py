"""Schemathesis against a running service: what the contract promises is what comes, whoever asks for whatever."""

from __future__ import annotations

import pytest

from tests.api.roles import ROLES, world
from tests.fuzzed import cases, fuzz
from tests.served import service

BRIEFLY = ("--max-examples", "6", "--phases", "fuzzing,stateful")
WHOLLY = ("--max-examples", "20")


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_running_service_keeps_its_contract(role: str) -> None:
    """All checks, links followed; as one of them also every example and every bound. Streams apart, which do not end."""
    wholly = role == "operator"
    with service() as running:
        told = fuzz(running.url, role, world(running), 1, WHOLLY if wholly else BRIEFLY)
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful") if wholly else ("Fuzzing", "Stateful"):
        assert f"✅ {phase}" in told, told[-3_000:]
    assert cases(told) > (2_000 if wholly else 150)
