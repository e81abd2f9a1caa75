"""The contract leaves nothing out: successes, refusals, examples, headers and links of every operation."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tafelrunde.api.features import operations
from tafelrunde.api.http.operation import Access, AnyOperation, Key
from tafelrunde.api.http.rate_limits import Cost
from tests.support.contract import shipped

ALL_OPERATIONS = operations()

FOUND: dict[str, Any] = shipped()
SCHEMAS: dict[str, Any] = FOUND["components"]["schemas"]
TOLD: dict[str, Any] = {each["operationId"]: each for methods in FOUND["paths"].values() for each in methods.values()}
WITHOUT_EXAMPLE = {
    "getGame": "its answer holds schemas, whose references tools take for those of the contract",
    "getMetrics": "its figures are other ones every time",
    "getOpenapi": "it is this document",
    "getAsyncapi": "it is the document of the socket, with examples of its own",
    "getDocs": "it is a page for people",
}
each_operation = pytest.mark.parametrize("operation", ALL_OPERATIONS, ids=[operation.name for operation in ALL_OPERATIONS])


def good(operation: AnyOperation) -> dict[str, Any]:
    """Return the contract's successful answers of an operation."""
    return {status: answer for status, answer in TOLD[operation.name]["responses"].items() if status < "400"}


def parameters(operation: AnyOperation) -> dict[str, Any]:
    """Return the contract's parameters of an operation."""
    return {each["name"]: each for each in TOLD[operation.name].get("parameters", ())}


def body(answer: Any) -> Any:
    """Return the schema of an answer as JSON, if it has one."""
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return SCHEMAS.get(schema.get("$ref", "").rpartition("/")[2], schema)


@each_operation
def test_operation_has_a_success(operation: AnyOperation) -> None:
    """With a description, and a body unless the status has none."""
    answers = good(operation)
    assert {"200", "201", "204"} & answers.keys()
    for status, answer in answers.items():
        assert answer["description"]
        assert ("content" in answer) == (status not in {"204", "304"})


@each_operation
def test_operation_has_examples(operation: AnyOperation) -> None:
    """For its body and its answer, unless there is a reason; for every problem it can answer."""
    told = TOLD[operation.name]
    if "requestBody" in told:
        assert all(each["examples"] for each in told["requestBody"]["content"].values())
    contents = [content for answer in good(operation).values() for content in answer.get("content", {}).values()]
    assert not contents or any("examples" in each for each in contents) == (operation.name not in WITHOUT_EXAMPLE)
    for status, answer in told["responses"].items():
        if status >= "400":
            names = set(re.findall(r"`([a-z-]+)`: ", answer["description"])) - {"seat-left"}  # which needs a race
            assert set(answer["content"]["application/problem+json"].get("examples", ())) == names


@each_operation
def test_operation_tells_its_limits(operation: AnyOperation) -> None:
    """Rate-limited operations report the caller's quota, in every success that pays and when it is used up."""
    pays = operation.about.cost is not Cost.PROOF
    answers = [*(good(operation).values() if pays else ()), TOLD[operation.name]["responses"].get("429", {})]
    paid = operation.about.cost is not Cost.NOTHING
    assert ("429" in TOLD[operation.name]["responses"]) == paid
    for answer in answers:
        assert ({"RateLimit", "RateLimit-Policy"} <= answer.get("headers", {}).keys()) == paid
    for status in {"429", "503"} & TOLD[operation.name]["responses"].keys():
        assert "Retry-After" in TOLD[operation.name]["responses"][status]["headers"]


@each_operation
def test_operation_takes_a_key_when_it_must_not_happen_twice(operation: AnyOperation) -> None:
    """And a header marks a repeated answer. Operations that are harmless to repeat take no key."""
    key = parameters(operation).get("Idempotency-Key")
    assert (key is not None) == (operation.about.key is not Key.NONE)
    if key is not None:
        assert key["required"] == (operation.about.key is Key.REQUIRED)
        carried_out = [answer for status, answer in good(operation).items() if status in {"200", "201"}]
        repeats = operation.name != "seatUser"  # whose seat is the same, but every answer has a fresh token
        assert all(("Idempotency-Replayed" in answer["headers"]) == repeats for answer in carried_out)


@each_operation
def test_operation_tells_its_etag_when_it_can_say_that_nothing_is_new(operation: AnyOperation) -> None:
    """304 requires If-None-Match, and an ETag to send in it."""
    answers = good(operation)
    assert (
        ("304" in answers) == ("If-None-Match" in parameters(operation)) == ("ETag" in answers.get("200", {}).get("headers", {}))
    )


@each_operation
def test_operation_names_its_scope_when_it_takes_a_token(operation: AnyOperation) -> None:
    """And how it rejects tokens."""
    told = TOLD[operation.name]
    public = operation.about.access is Access.PUBLIC
    ways = [] if public else ["bearer", *(["oauth2"] if operation.about.lent else [])]
    open_to_all = [{}] if operation.about.access is Access.ANYBODY else []
    assert told["security"] == [*({way: [operation.about.scope.value]} for way in ways), *open_to_all]
    assert told.get("x-scope") == (None if public else operation.about.scope.value)
    assert ({"401", "403"} <= told["responses"].keys()) == (not public)


@each_operation
def test_operation_leads_on_when_its_answer_can(operation: AnyOperation) -> None:
    """An answer with a match id links to the match or its view, one with a cursor to the next items, a page to the next page."""
    for answer in (each for each in good(operation).values() if "content" in each):
        fields = body(answer).get("properties", {})
        targets = {link["operationId"] for link in answer.get("links", {}).values()}
        if {"match", "cursor"} <= fields.keys():
            assert targets & {"getMatch", "getView"}
        if "after" in parameters(operation) and "cursor" in fields:
            assert operation.name in targets
        if operation.name in {"openMatch", "giveCommand", "getView"}:
            assert "getFeed" in targets


def test_links_reach_every_step_of_a_match() -> None:
    """Link by link from opening a match: to look, sit, start, play, follow, and check it when it is over."""
    seen = set[str]()
    waiting = ["listGames", "openMatch"]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += [
                link["operationId"] for each in TOLD[name]["responses"].values() for link in each.get("links", {}).values()
            ]
    assert seen >= {"getGame", "getRules", "getMatch", "getView", "takeSeat", "startMatch", "giveCommand", "getFeed"}
    assert seen >= {"listProofs", "getProof", "getRecord", "getVerification", "getLogProofs", "agreeRematch", "getPlayer"}


def test_links_take_what_is_there() -> None:
    """A pointer into an answer starts at a field of its schema, one into the path at one of its parameters."""
    for name, told in TOLD.items():
        for answer in told["responses"].values():
            for link in answer.get("links", {}).values():
                for source in link["parameters"].values():
                    kind, _, place = source.partition("#/")
                    if kind == "$response.body":
                        assert place.split("/")[0] in body(answer)["properties"], (name, source)
                    elif kind.startswith("$request.path."):
                        assert kind.rpartition(".")[2] in {each["name"] for each in told["parameters"]}, (name, source)


def test_creations_tell_where_the_new_thing_is() -> None:
    """201 has a Location if the new resource has an address."""
    without = {
        name
        for name, told in TOLD.items()
        if "201" in told["responses"] and "Location" not in told["responses"]["201"]["headers"]
    }
    unseen = "tokens of a seat are not looked at again, they only end; an application keeps what it has registered"
    assert without == {"createSeatToken", "seatUser", "registerApplication"}, unseen
