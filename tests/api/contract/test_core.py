"""The core contract: what a client needs to play, as the whole contract has it, and small enough to be read."""

from __future__ import annotations

import json
import re
from typing import Any

from tafelrunde.api.contract.core import EVENT, OPERATIONS, core_contract
from tests.support.contract import shipped
from tests.support.paths import ROOT
from tests.support.references import inline

COMMITTED = ROOT / "openapi" / "core.json"
WRITTEN: dict[str, Any] = json.loads(COMMITTED.read_bytes())
CORE = inline(WRITTEN)
SIMPLE = ("createPlayer", "openMatch", "takeSeat", "startMatch", "getView", "giveCommand", "getFeed")
"""The operations of a simple client."""
BYTES = 150_000
"""How large it may be without white space."""


def operations(contract: Any) -> dict[str, Any]:
    """Return the operations of a contract by their names."""
    return {each["operationId"]: each for methods in contract["paths"].values() for each in methods.values()}


def plain(operation: Any) -> Any:
    """Return an operation without what the core contract leaves out: some links, ways to sign in and examples of problems."""
    found = json.loads(json.dumps(operation))
    found["security"] = [each for each in found["security"] if "oauth2" not in each]
    for status, answer in found["responses"].items():
        links = {name: link for name, link in answer.pop("links", {}).items() if link["operationId"] in OPERATIONS}
        found["responses"][status] = {**answer, "links": links}
        for content in answer["content"].values() if status >= "400" else ():
            content.pop("examples", None)
    return found


def test_core_contract_is_the_committed_one() -> None:
    """`make openapi` writes it."""
    assert core_contract() + b"\n" == COMMITTED.read_bytes()


def test_core_contract_is_small() -> None:
    """Without white space."""
    assert len(json.dumps(WRITTEN, separators=(",", ":"))) < BYTES


def test_core_operations_are_those_of_the_whole_contract() -> None:
    """Every operation of the list exists, and is described as in the whole contract."""
    core = operations(CORE)
    whole = operations(shipped())
    assert core.keys() == OPERATIONS
    assert [name for name, told in core.items() if plain(told) != plain(whole[name])] == []


def test_core_shapes_are_those_of_the_whole_contract() -> None:
    """But for events, which are any objects with a type."""
    whole = shipped()["components"]["schemas"]
    shapes = CORE["components"]["schemas"]
    assert [name for name, shape in shapes.items() if shape != whole[name]] == ["FeedEvent"]
    assert shapes["FeedEvent"] == EVENT


def test_core_contract_has_no_component_that_nothing_uses() -> None:
    """Its references lead to its components, and to each of them, and its tags are those of its operations."""
    targets = {*re.findall(r'"\$ref": "(#/[^"]+)"', json.dumps(WRITTEN))}
    kinds = WRITTEN["components"].keys() - {"securitySchemes"}
    assert targets == {f"#/components/{kind}/{name}" for kind in kinds for name in WRITTEN["components"][kind]}
    assert {each["name"] for each in WRITTEN["tags"]} == {tag for each in operations(CORE).values() for tag in each["tags"]}
    assert {link["operationId"] for each in operations(CORE).values() for link in links(each)} <= OPERATIONS


def links(operation: Any) -> list[Any]:
    """Return all links of an operation's answers."""
    return [link for answer in operation["responses"].values() for link in answer.get("links", {}).values()]


def test_both_contracts_name_the_operations_of_a_simple_client() -> None:
    """In the description, where a client author reads first."""
    for contract in (CORE, shipped()):
        names = re.findall(r"`([a-z]+[A-Z]\w+)`", contract["info"]["description"])
        assert names == [*SIMPLE]
        assert {*SIMPLE} <= operations(contract).keys()
