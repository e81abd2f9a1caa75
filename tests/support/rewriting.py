"""Records with changed entries that are chained, counted and summed again, as by a service that lies, but not decided again."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tafelrunde.service.ports.events import GENESIS, chain_over
from tests.service.features.records.test_mutants import TOLD, said, with_sum

EVENT, COMMAND, DIGEST = 4, 5, 6


def rechain(lines: Sequence[bytes], change: Callable[[list[Any]], object]) -> list[bytes]:
    """Return a record after a change of the list of its entries; the lines of its deals stay as they are."""
    head, *rows, _ = map(json.loads, lines)
    envelopes = [msgspec.msgpack.decode(base64.b64decode(row["bytes"])) for row in rows if row["line"] == "entry"]
    change(envelopes)
    chain = GENESIS
    entries = list[dict[str, Any]]()
    for version, content in enumerate(map(msgspec.msgpack.encode, envelopes), start=1):
        chain = chain_over(chain, (content,))
        told = dict(zip(TOLD, said(content), strict=True))
        entries.append(
            {"line": "entry", "version": version, "bytes": base64.b64encode(content).decode(), "chain": chain.hex(), **told}
        )
    kinds = {each[EVENT]["type"] for each in envelopes}
    schemas = {kind: schema for kind, schema in head["schemas"].items() if kind in kinds}
    *deals, end = (row for row in rows if row["line"] != "entry")
    changed_head = {**head, "entries": len(entries), "schemas": schemas}
    changed_end = {**end, "chain": chain.hex(), "state": envelopes[-1][DIGEST].hex()}
    return with_sum(msgspec.json.encode(row) + b"\n" for row in (changed_head, *entries, *deals, changed_end))


def find_place(envelopes: Sequence[Any], kind: str) -> int:
    """Return the place of the first event of a kind."""
    return next(place for place, each in enumerate(envelopes) if each[EVENT]["type"] == kind)


def with_other_root(envelopes: list[Any]) -> None:
    """Commit to other cards than those that were dealt."""
    envelopes[find_place(envelopes, "match.cards-committed.1")][EVENT]["root"] = "cd" * 32


def without_commitment(envelopes: list[Any]) -> None:
    """Leave out the commitment to the cards."""
    del envelopes[find_place(envelopes, "match.cards-committed.1")]


def with_other_label(envelopes: list[Any]) -> None:
    """Announce another draw than the one that is made."""
    envelopes[find_place(envelopes, "match.drawn.1")][EVENT]["labels"][0] = "another-seat"


def without_labels(envelopes: list[Any]) -> None:
    """Draw without an announcement."""
    del envelopes[find_place(envelopes, "match.drawn.1")]


def cut_off_command(envelopes: list[Any]) -> None:
    """End inside a command: its last event has the digest of one after which more events come."""
    envelopes[-1][DIGEST] = b"\0"


def end_before_commitment(envelopes: list[Any]) -> None:
    """Let the match end first, and its cards be dealt by the last event, after which their commitment is missing."""
    end = envelopes[-1]
    deal = envelopes[find_place(envelopes, "coup.dealt.1")]
    envelopes[find_place(envelopes, "match.drawn.1") :] = [
        [*end[:COMMAND], b"", b""],
        [*envelopes[find_place(envelopes, "match.drawn.1")][:COMMAND], b"", b""],
        [*deal[:COMMAND], b"", end[DIGEST]],
    ]
