"""Changed requests find what is planted behind them, and say what it was."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any, cast

from litestar.types import ASGIApp, Receive, Scope, Send

from tools.fuzz import Recorder
from tools.mutations import Request, mutated, scope_of, worth_asking

KNOWN = [
    Request(
        "POST", "/api/v1/matches/m1/commands", "", ((b"idempotency-key", b"a"),), b'{"decision": 1, "command": {"type": "x"}}'
    ),
    Request("GET", "/api/v1/matches/m2/feed", "after=1-00000000&limit=5", (), b""),
]


def asked(fault: Exception | None, status: int = 200) -> Recorder:
    """Ask changed requests of something that does one thing wrong where a decision is no number."""

    async def app(_: Scope, receive: Receive, send: Send) -> None:
        try:
            content: Any = json.loads(cast("bytes", cast("Any", await receive())["body"]))
        except ValueError:
            content = None
        wrong = isinstance(content, dict) and not isinstance(cast("dict[str, Any]", content).get("decision", 0), int)
        if wrong and fault is not None:
            raise fault
        await send(cast("Any", {"type": "http.response.start", "status": status if wrong else 200, "headers": []}))
        await send(cast("Any", {"type": "http.response.body", "body": b"", "more_body": False}))

    recorder = Recorder()
    recorder.asked += KNOWN
    asyncio.run(recorder.mutate(recorder.around(cast("ASGIApp", app)), 320, random.Random(1)))
    return recorder


def test_all_is_well_when_everything_is_answered() -> None:
    """Only what is answered is counted."""
    recorder = asked(None)
    assert recorder.faults == []
    assert recorder.statuses.total() == len(recorder.asked) > 300


def test_fault_is_found_when_it_is_planted_behind_a_changed_body() -> None:
    """An exception that nothing catches, and an error of the service, are noted with the request."""
    assert any("KeyError" in fault and "decision" in fault for fault in asked(KeyError("planted")).faults)
    assert any(fault.startswith("500") and "decision" in fault for fault in asked(None, 500).faults)


def test_changes_are_many_and_never_end_what_all_requests_need() -> None:
    """No two seeds ask the same; the token of the role stays, and nothing waits."""
    rng = random.Random(2)
    made = {mutated(rng, KNOWN) for _ in range(500)}
    assert len(made) > 300
    assert {scope_of(each)["type"] for each in made} == {"http"}
    ending = [Request("DELETE", "/api/v1/me", "", (), b""), Request("DELETE", "/api/v1/me/tokens/t1", "", (), b"")]
    waiting = [Request("GET", "/x/feed", "wait=30", (), b""), Request("GET", "/x/stream", "", (), b"")]
    assert not any(map(worth_asking, ending + waiting))
