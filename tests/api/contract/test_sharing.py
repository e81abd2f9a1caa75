"""What several operations have in common is written once, and nothing is lost by it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tafelrunde.api.contract.openapi import document
from tafelrunde.api.contract.sharing import KINDS, share
from tafelrunde.api.features import ALL
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.references import inline

WRITTEN: dict[str, Any] = json.loads((ROOT / "openapi" / "openapi.json").read_bytes())
BYTES = 600_000
"""How large the contract may be without white space: a person or a language model reads it whole."""


def entries(part: object, kind: str) -> Iterator[tuple[str, Any]]:
    """Yield all entries of a kind in a part of the contract, with what they are called there."""
    if isinstance(part, list):
        for each in part:
            yield from entries(each, kind)
    elif isinstance(part, dict):
        for key, each in part.items():
            if key == kind:
                yield from each.items() if isinstance(each, dict) else (("", entry) for entry in each)
            if key not in {"schema", "schemas", "value"} and not (kind == "parameters" and key == "links"):
                yield from entries(each, kind)


def text_of(value: object) -> str:
    """Return a value as JSON without white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def test_contract_is_small() -> None:
    """Without white space."""
    assert len(json.dumps(WRITTEN, separators=(",", ":"))) < BYTES


@pytest.mark.parametrize("features", [ALL, (), ("webhooks",)], ids=["all", "core", "webhooks"])
def test_sharing_loses_nothing(features: tuple[str, ...]) -> None:
    """With all references resolved, a contract is what it was before, and the one that is given stays unchanged."""
    complete = json.loads(json.dumps(document(GAMES, features)))
    before = text_of(complete)
    shared = share(complete)
    assert text_of(complete) == before
    assert text_of(shared) != before
    assert text_of(inline(shared)) == before


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written_twice(kind: str) -> None:
    """Whatever occurs more than once is a component, and every component is used more than once."""
    written = [entry for part in ("paths", "webhooks", "components") for _, entry in entries(WRITTEN[part], kind)]
    counts = Counter(text_of(entry) for entry in written if "$ref" not in entry)
    assert [text for text, count in counts.items() if count > 1] == []
    used = Counter(entry["$ref"].rpartition("/")[2] for entry in written if "$ref" in entry)
    shared = WRITTEN["components"][kind]
    assert shared
    assert [name for name in shared if used[name] < 2] == []


def test_one_shape_has_one_example() -> None:
    """Answers of the same shape show the same one: that of the operation that gets it, or of the first one that returns it."""
    shown: dict[str, set[str]] = {}
    for methods in inline(WRITTEN)["paths"].values():
        for operation in methods.values():
            for status in {"200", "201"} & operation["responses"].keys():
                content = operation["responses"][status].get("content", {}).get("application/json", {})
                for example in content.get("examples", {}).values():
                    shown.setdefault(content["schema"].get("$ref", operation["operationId"]), set()).add(text_of(example))
    assert len(shown) > 50
    assert [name for name, examples in shown.items() if len(examples) > 1] == []
