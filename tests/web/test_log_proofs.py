"""The web client's check of the log's proofs, in Node.js: right for every small size, and wrong where anything is another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tafelrunde.service.dealing import merkle
from tests.support.paths import ROOT
from tests.support.verifying import asked

PROGRAM = ROOT / "tests" / "support" / "proving.mjs"
LEAVES = [merkle.leaf_hash(bytes([number])) for number in range(20)]
OTHER = "00" * 32


def root_of(size: int) -> str:
    """Return the root of the first leaves."""
    return merkle.root(LEAVES[:size]).hex()


def verdicts(tmp_path: Path, inclusions: list[Any], consistencies: list[Any]) -> tuple[list[bool], list[bool]]:
    """Return what the client says of proofs."""
    path = tmp_path / "proofs.json"
    path.write_text(json.dumps({"inclusions": inclusions, "consistencies": consistencies}))
    included, continued = asked(PROGRAM, str(path))
    return included, continued


def included() -> list[dict[str, Any]]:
    """Return the proof of each leaf in each log."""
    return [
        {
            "leaf": LEAVES[index].hex(),
            "index": index,
            "size": size,
            "path": [each.hex() for each in merkle.inclusion(LEAVES[:size], index)],
            "root": root_of(size),
        }
        for size in range(1, len(LEAVES) + 1)
        for index in range(size)
    ]


def continued() -> list[dict[str, Any]]:
    """Return the proof that each log goes on from each smaller one."""
    return [
        {
            "earlier": {"size": earlier, "root": root_of(earlier)},
            "later": {"size": later, "root": root_of(later)},
            "path": [each.hex() for each in merkle.consistency(LEAVES[:later], earlier)],
        }
        for later in range(1, len(LEAVES) + 1)
        for earlier in range(1, later + 1)
    ]


def test_every_proof_of_the_service_is_right(tmp_path: Path) -> None:
    """Of all logs up to 20 leaves."""
    found = verdicts(tmp_path, included(), continued())
    assert found == ([True] * 210, [True] * 210)


def test_proof_with_anything_else_in_it_is_wrong(tmp_path: Path) -> None:
    """Another leaf, place, root or sibling, a path that is too short or too long."""
    inclusions, consistencies = list[Any](), list[Any]()
    for each in included():
        inclusions += [
            {**each, "leaf": OTHER},
            {**each, "root": OTHER},
            {**each, "index": each["size"]},
            {**each, "path": [*each["path"], OTHER]},
        ]
        if each["path"]:
            inclusions += [{**each, "path": each["path"][1:]}, {**each, "path": [OTHER, *each["path"][1:]]}]
    for each in continued():
        earlier, later, path = each["earlier"], each["later"], each["path"]
        consistencies += [
            {**each, "earlier": {**earlier, "root": OTHER}},
            {**each, "later": {**later, "root": OTHER}},
            {**each, "earlier": {**earlier, "size": 0}},
            {**each, "earlier": later, "later": earlier, "path": [*path, OTHER]},
            {**each, "path": [*path, OTHER]},
        ]
        if path:
            consistencies += [{**each, "path": path[:-1]}, {**each, "path": [*path[:-1], OTHER]}]
    found = verdicts(tmp_path, inclusions, consistencies)
    assert (any(found[0]), any(found[1])) == (False, False)
    assert min(map(len, found)) > 1_000
