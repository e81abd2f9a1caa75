"""The contract of the socket: complete, made of the shapes of the OpenAPI contract, and true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from tafelrunde.api.contract.asyncapi import answers_with, asked_with, contract, document, sent_with, served, unasked_with
from tafelrunde.api.features import ALL
from tafelrunde.api.socket import frames
from tafelrunde.domain.registry import GAMES
from tests.support.contract import shipped
from tests.support.paths import ROOT

COMMITTED = ROOT / "openapi" / "asyncapi.json"
FOUND: dict[str, Any] = json.loads(COMMITTED.read_bytes())
SCHEMAS: dict[str, Any] = FOUND["components"]["schemas"]
MESSAGES: dict[str, Any] = FOUND["components"]["messages"]
SOCKET: dict[str, Any] = FOUND["channels"]["socket"]
RECEIVED = [each for each in FOUND["operations"].values() if each["action"] == "receive"]
OF_CLIENTS = {each["messages"][0]["$ref"].rpartition("/")[2] for each in RECEIVED}


def references(part: object) -> Iterator[str]:
    """Yield the targets of all references in a part of the document."""
    if isinstance(part, dict):
        for key, each in part.items():
            yield from [each] if key == "$ref" else references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)


def at(pointer: str) -> Any:
    """Return the part of the document that a reference leads to."""
    found: Any = FOUND
    for name in pointer.removeprefix("#/").split("/"):
        found = found[name]
    return found


def test_asyncapi_is_the_committed_one() -> None:
    """Changes to the socket show up as changes to its contract; `make openapi` writes it."""
    assert contract() + b"\n" == COMMITTED.read_bytes()


def test_shapes_are_those_of_the_openapi_contract_when_both_have_them() -> None:
    """Only frames are new, and a union has no discriminator: AsyncAPI means something else by the word."""
    shared = json.loads(json.dumps(shipped()["components"]["schemas"]))
    new = {name for name in SCHEMAS if name not in shared}
    assert new == {"ClientFrame", "ServiceFrame", *(kind.__name__ for kind in (*asked_with(), *sent_with()))}
    for name in SCHEMAS.keys() - new:
        assert SCHEMAS[name] == {key: each for key, each in shared[name].items() if key != "discriminator"}
    assert {"GameCommand", "Receipt", "View", "FeedEntry", "Problem"} <= SCHEMAS.keys()


def test_references_lead_somewhere_and_no_shape_is_left_over() -> None:
    """Every reference has a target; every component is the target of one."""
    targets = set(references(FOUND))
    assert all(at(target) for target in targets)
    assert {f"#/components/schemas/{name}" for name in SCHEMAS} <= targets


def test_each_frame_is_a_message_and_has_an_operation() -> None:
    """What a client sends is answered; what is sent without being asked for stands by itself."""
    kinds = {each["title"] for each in MESSAGES.values()}
    assert kinds == {kind.__name__ for kind in (*asked_with(), *sent_with())}
    for features in ((), ALL):
        answers = answers_with(features)
        assert set(answers) == set(asked_with(features))
        assert {*unasked_with(features), *(kind for kinds in answers.values() for kind in kinds)} == set(sent_with(features))
    told = {pointer for each in FOUND["operations"].values() for pointer in references([each["messages"], each.get("reply")])}
    assert {f"#/channels/socket/messages/{name}" for name in MESSAGES} <= told


def test_each_answer_repeats_the_id_of_its_frame() -> None:
    """Except `welcome`, which is the first of a connection. Without one a problem is about the connection."""
    for kind, answers in answers_with().items():
        if kind is not frames.HelloFrame:
            assert all("id" in each.__struct_fields__ for each in (kind, *answers))


@pytest.mark.parametrize("name", MESSAGES)
def test_example_fits_its_frame(name: str) -> None:
    """And no frame of the other side."""
    message = MESSAGES[name]
    side, other = ("ClientFrame", "ServiceFrame") if name in OF_CLIENTS else ("ServiceFrame", "ClientFrame")
    for schema, fits in ((message["payload"]["$ref"].rpartition("/")[2], True), (side, True), (other, False)):
        checked = jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{schema}", "components": FOUND["components"]})
        assert checked.is_valid(message["examples"][0]["payload"]) == fits, schema


def test_scope_is_that_of_the_operation_that_a_frame_stands_for() -> None:
    """As the contract of HTTP has it."""
    told = {each["operationId"]: each for methods in shipped()["paths"].values() for each in methods.values()}
    asked = [each for each in RECEIVED if "x-operation" in each]
    assert {each["x-operation"] for each in asked} == {"streamFeed", "giveCommand", "getView", "streamTalk", "say", "streamInbox"}
    for each in asked:
        assert each["x-scope"] == told[each["x-operation"]]["x-scope"]
        assert each["x-anybody"] == ({} in told[each["x-operation"]]["security"])


def test_codes_are_those_with_which_the_service_closes() -> None:
    """A client can look them up."""
    assert SOCKET["x-close-codes"] == {str(code): text for code, text in frames.CLOSES.items()}
    protocol = SOCKET["bindings"]["ws"]["headers"]["properties"]["Sec-WebSocket-Protocol"]
    assert protocol["const"] == frames.PROTOCOL


@pytest.mark.parametrize(
    ("base", "host", "protocol", "path"),
    [
        ("", "{host}", "ws", "/api/v1"),
        ("/games", "{host}", "ws", "/games/api/v1"),
        ("https://cards.test/games", "cards.test", "wss", "/games/api/v1"),
        ("http://cards.test:8000", "cards.test:8000", "ws", "/api/v1"),
    ],
)
def test_server_is_where_the_service_is(base: str, host: str, protocol: str, path: str) -> None:
    """Behind a proxy or in a host it is at another path."""
    server = document(GAMES, base=base)["servers"]["service"]
    assert (server["host"], server["protocol"], server["pathname"]) == (host, protocol, path)
    assert ("variables" in server) == (host == "{host}")


def test_document_lacks_what_a_deployment_lacks() -> None:
    """A service with one game describes commands and events of that game alone."""
    one = {name: game for name, game in GAMES.items() if name == "coup"}
    commands = document(one)["components"]["schemas"]["GameCommand"]["oneOf"]
    assert commands
    assert all("/Coup" in each["$ref"] for each in commands)
    core = document(GAMES, [])
    assert core["operations"].items() < FOUND["operations"].items()
    assert {*core["components"]["messages"]}.isdisjoint({"listen", "say", "openInbox"})
    assert "TalkLine" not in core["components"]["schemas"]


def test_growing_form_takes_unknown_frames() -> None:
    """A client that validates does not refuse what a later version sends."""
    found = json.loads(served(tuple(GAMES.values()), "", growing=True))
    schema = {"$ref": "#/components/schemas/ServiceFrame", "components": found["components"]}
    assert jsonschema_rs.validator_for(schema).is_valid({"type": "news"})
    assert not jsonschema_rs.validator_for({**schema, "components": FOUND["components"]}).is_valid({"type": "news"})
