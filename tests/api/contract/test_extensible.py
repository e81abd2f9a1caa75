"""The contract with open unions: a validating client reads variants it does not know yet, and everything else as before."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema_rs
import pytest
from typer.testing import CliRunner

from tafelrunde.api.contract.examples import read_examples
from tafelrunde.api.contract.extensible import OTHER, open_up
from tafelrunde.api.contract.openapi import document, ref
from tafelrunde.domain.registry import GAMES
from tafelrunde.workers.cli import app
from tests.support.contract import shipped
from tests.support.references import inline

CLOSED = json.loads(json.dumps(shipped()))
OPEN = open_up(CLOSED)
PAGE: dict[str, Any] = read_examples()["getFeed"]["response"]


def reads(contract: dict[str, Any], name: str, value: object) -> bool:
    """Return whether a value is valid for a component of a contract."""
    schema = {**ref(name), "components": contract["components"]}
    return bool(jsonschema_rs.validator_for(schema).is_valid(value))


def planted() -> dict[str, Any]:
    """Return a page of a feed with an event of an unknown type."""
    page = copy.deepcopy(PAGE)
    page["items"][-1]["event"] = {"type": "coup.new-thing.1", "seat": 0, "omen": ["crow"]}
    return page


def test_page_with_an_unknown_event_is_read_when_the_contract_is_open() -> None:
    """A new event type makes a page unreadable with closed unions, but not with open ones."""
    assert reads(CLOSED, "Feed", PAGE)
    assert not reads(CLOSED, "Feed", planted())
    assert reads(OPEN, "Feed", PAGE)
    assert reads(OPEN, "Feed", planted())


def test_event_without_a_type_is_still_wrong() -> None:
    """Open means another type, not anything."""
    page = planted()
    del page["items"][-1]["event"]["type"]
    assert not reads(OPEN, "Feed", page)


@pytest.mark.parametrize("name", [name for name, schema in CLOSED["components"]["schemas"].items() if schema.get("x-extensible")])
def test_whatever_grows_is_open(name: str) -> None:
    """Every union and enum that may grow is open; a match's options have no tag, and stay closed."""
    schema = OPEN["components"]["schemas"][name]
    assert "enum" not in schema
    assert "oneOf" not in schema
    assert name == "GameOptions" or schema.get("type") == "string" or schema["anyOf"][-1] == ref(OTHER)


def test_contract_itself_is_left_as_it_is() -> None:
    """The open contract is a copy, which the command prints."""
    assert json.loads(json.dumps(document(GAMES))) == CLOSED
    done = CliRunner().invoke(app, ["openapi", "--growing"])
    assert inline(json.loads(done.stdout)) == OPEN
    assert inline(json.loads(CliRunner().invoke(app, ["openapi"]).stdout)) == CLOSED
