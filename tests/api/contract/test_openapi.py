"""The contract: complete, the same every time, and in shapes that generators of clients like."""

from __future__ import annotations

import asyncio
import hashlib
import json
import keyword
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from msgspec import defstruct

from tafelrunde.api.contract.examples import read_examples
from tafelrunde.api.contract.openapi import PROBLEM_TYPE, contract, document, ref
from tafelrunde.api.contract.schemas import Components
from tafelrunde.api.features import ALL, operations, problem_kinds
from tafelrunde.api.schema.common import Scope
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.registry import without
from tests.support.contract import shipped
from tests.support.paths import ROOT
from tools import generate_examples as examples

ALL_OPERATIONS = operations()

COMMITTED = ROOT / "openapi" / "openapi.json"
FOUND: dict[str, Any] = shipped()
SCHEMAS: dict[str, Any] = FOUND["components"]["schemas"]
OPERATIONS: dict[str, Any] = {
    operation["operationId"]: operation for methods in FOUND["paths"].values() for operation in methods.values()
}
# Reserved words in some language that clients are generated for, or names that shadow its basic types.
WORDS = {
    *(word.capitalize() for word in keyword.kwlist),
    *("Array", "Boolean", "Date", "Error", "Event", "Function", "Map", "Match", "Number", "Object", "Promise", "Record"),
    *("Set", "String", "Symbol", "Type"),
}
OF_OAUTH = {"registerApplication", "exchangeToken", "endAuthorization"}
"""Operations whose errors are in the words of OAuth."""
OF_ONE_GAME = {f"#/components/schemas/{name}" for name, schema in SCHEMAS.items() if "discriminator" in schema}
"""Unions for clients that know one game only; no operation has them."""
OPEN = {f"#/components/schemas/{name}" for name in ("ApplicationRequest", "TokenForm", "RevocationForm")}
"""What their clients send; the RFCs want unknown fields ignored."""


def nodes(part: object) -> Iterator[dict[str, Any]]:
    """Yield every object in a part of the contract, except examples."""
    if isinstance(part, dict):
        yield part
        for key, each in part.items():
            if key not in {"example", "examples", "default", "mapping"}:
                yield from nodes(each)
    elif isinstance(part, list):
        for each in part:
            yield from nodes(each)


def contents(operation: Any) -> Iterator[tuple[str, Any]]:
    """Yield media type and content of the body and of all answers."""
    for part in (operation.get("requestBody", {}), *operation["responses"].values()):
        yield from part.get("content", {}).items()


def test_contract_is_the_committed_one() -> None:
    """Changes to the API show up as changes to the contract; `make openapi` writes it."""
    assert contract() + b"\n" == COMMITTED.read_bytes()


def test_contract_has_the_same_bytes_in_every_process() -> None:
    """Nothing in it depends on the iteration order of sets: that of this process is any, and the one of the other is fixed."""
    code = "import sys; from tafelrunde.api.contract.openapi import contract; sys.stdout.buffer.write(contract())"
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    again = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert hashlib.sha256(again.stdout).digest() == hashlib.sha256(contract()).digest()


def test_contract_has_every_operation_once() -> None:
    """Each with a name, a sentence, and a known tag."""
    assert list(OPERATIONS) == [operation.name for operation in sorted_by_path()]
    tags = {tag["name"] for tag in FOUND["tags"]}
    for operation in OPERATIONS.values():
        assert re.fullmatch(r"[a-z][A-Za-z]+", operation["operationId"])
        assert operation["summary"]
        assert set(operation["tags"]) <= tags


def test_nothing_is_deprecated_and_no_answer_says_when_it_ends() -> None:
    """As docs/contract.md says under "Deprecation"."""
    assert not [node for node in nodes(FOUND) if node.get("deprecated") is True]
    answers = (answer for each in OPERATIONS.values() for answer in each["responses"].values())
    assert not {"Deprecation", "Sunset"} & {name for answer in answers for name in answer.get("headers", {})}
    assert "Nothing of the contract is deprecated now." in (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")


def test_tags_are_those_of_operations_or_those_of_messages() -> None:
    """A generator makes one file for each tag from both parts: a tag of both would lose one of them. Each tag is described."""
    parts = [
        {tag for each in FOUND[part].values() for told in each.values() for tag in told["tags"]} for part in ("paths", "webhooks")
    ]
    assert parts[0] & parts[1] == set()
    assert parts[0] | parts[1] == {tag["name"] for tag in FOUND["tags"] if tag["description"]}


def test_tag_is_me_when_a_path_is_under_me() -> None:
    """And only there: generated clients have one class for what callers ask about themselves."""
    tags = {path: tag for path, told in FOUND["paths"].items() for operation in told.values() for tag in operation["tags"]}
    mine = {path for path in tags if path == "/me" or path.startswith("/me/")}
    assert {path for path, tag in tags.items() if tag == "me"} == mine != set()


def test_positions_have_the_same_two_names_everywhere() -> None:
    """An answer has a `cursor`, and the next request takes it as `after`: no list has words of its own."""
    asked = {each["name"] for operation in OPERATIONS.values() for each in operation.get("parameters", ())}
    assert not asked & {"cursor", "start", "offset", "page", "next", "before"}
    for name, operation in OPERATIONS.items():
        if {"after", "limit"} <= {each["name"] for each in operation.get("parameters", ())}:
            content = operation["responses"]["200"]["content"]
            shape = content.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
            assert not shape or {"cursor"} == SCHEMAS[shape]["properties"].keys() & {"cursor", "next"}, name


def sorted_by_path() -> list[Any]:
    """Return all operations, grouped by path, in the order of the paths' first occurrence."""
    order = list(dict.fromkeys(operation.path for operation in ALL_OPERATIONS))
    return sorted(ALL_OPERATIONS, key=lambda operation: order.index(operation.path))


def test_contract_lacks_messages_when_the_feature_that_sends_them_is_not_there() -> None:
    """No section of webhooks, no tag, no parameter and no shape of them is left; all others are as they were."""
    found = json.loads(json.dumps(document(GAMES, [name for name in ALL if name != "webhooks"])))
    assert FOUND["webhooks"]
    assert "webhooks" not in found
    assert {each["name"] for each in FOUND["tags"]} - {each["name"] for each in found["tags"]} == {"webhooks", "messages"}
    schemas = found["components"]["schemas"]
    assert not [name for name in schemas if name.startswith(("Webhook", "Delivery"))]
    assert all(SCHEMAS[name] == schema for name, schema in schemas.items())


def test_contract_lacks_inboxes_when_the_feature_is_not_there() -> None:
    """Features that post into inboxes leave with it: no shape of an item or a message is left."""
    found = json.loads(json.dumps(document(GAMES, [each.name for each in without("inbox")])))
    schemas = found["components"]["schemas"]
    assert not [name for name in schemas if name.startswith("Inbox") or name.endswith("Message")]
    assert all(SCHEMAS[name] == schema for name, schema in schemas.items())


def test_unions_have_a_name_a_discriminator_and_all_members() -> None:
    """Every member is mapped by the tag that it requires: a constant, and the only value for tools without constants.

    It is the default of what clients send.
    """
    unions = {name: schema for name, schema in SCHEMAS.items() if "oneOf" in schema}
    assert {"CoupCommand", "CoupEvent", "FeedEvent", "GameCommand", "GameView", "MatchEvent"} <= set(unions)
    for union in unions.values():
        mapping = union["discriminator"]["mapping"]
        assert [{"$ref": target} for target in mapping.values()] == union["oneOf"]
        for tag, target in mapping.items():
            member = SCHEMAS[target.rpartition("/")[2]]
            is_sent = member.get("additionalProperties") is False
            default = {"default": tag} if is_sent else {}
            assert member["properties"]["type"] == {"enum": [tag], "type": "string", "const": tag, **default}
            assert "type" in member["required"]


def test_unions_stand_nowhere_else() -> None:
    """No union of objects is written inline: generators would invent a name for it."""
    for name, schema in SCHEMAS.items():
        for node in nodes(schema):
            refs = [each for each in node.get("anyOf", ()) if "$ref" in each]
            assert len(refs) <= 1 or name == "GameOptions", name
            assert "oneOf" not in node or node is schema, name


def test_bodies_have_named_schemas() -> None:
    """Bodies are components, or plain text; only the contracts themselves are objects without a name."""
    for name, operation in OPERATIONS.items():
        for media, content in contents(operation):
            named = "$ref" in content["schema"]
            assert named or content["schema"]["type"] == "string" or name in {"getOpenapi", "getAsyncapi"}, (name, media)


def test_components_are_not_named_like_words_of_languages() -> None:
    """A generated class can have the name of its component."""
    assert not WORDS & set(SCHEMAS)
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9]+", name) for name in SCHEMAS)


def test_components_have_the_name_of_their_game_once() -> None:
    """`StichMeisterRoundView`, not `StichMeisterStichRoundView`."""
    assert "StichMeisterRoundView" in SCHEMAS
    assert [name for name in SCHEMAS if re.match(r"(MatchmasterMatch|MondkroneMond|StichMeisterStich|CoupCoup)[A-Z]", name)] == []


def test_types_with_the_same_name_are_refused() -> None:
    """A game whose type takes the name of another would replace it without a word."""
    one, other = (defstruct("Twin", [("field", kind)]) for kind in (int, str))
    with pytest.raises(TypeError, match="Twin"):
        Components({}, [one, other])


def test_what_clients_send_has_no_unknown_fields() -> None:
    """Bodies and commands, and all objects in them."""
    bodies = [operation["requestBody"]["content"] for operation in OPERATIONS.values() if "requestBody" in operation]
    waiting = {content["schema"]["$ref"] for body in bodies for content in body.values()}
    seen: set[str] = set()
    while waiting:
        target = waiting.pop()
        seen.add(target)
        schema = SCHEMAS[target.rpartition("/")[2]]
        if schema.get("type") == "object":
            assert (schema.get("additionalProperties") is False) == (target not in OPEN), target
        waiting |= {node["$ref"] for node in nodes(schema) if "$ref" in node} - seen


def test_bounds_of_integers_are_integers() -> None:
    """A bound is 100, not 100.0; and every number that a client sends has both."""
    for node in nodes(FOUND):
        for bound in ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"):
            if bound in node and not isinstance(node[bound], dict):
                assert type(node[bound]) is int


def test_patterns_are_anchored_and_portable() -> None:
    """The whole text must fit, in every dialect of regular expressions."""
    for node in nodes(FOUND):
        if isinstance(pattern := node.get("pattern"), str):
            assert pattern.startswith("^")
            assert pattern.endswith("$")
            assert "(?" not in pattern


def test_problems_are_all_of_one_shape() -> None:
    """Every answer from 400 on is a Problem, and every operation documents those that can happen."""
    for name, operation in OPERATIONS.items():
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                own = {"application/json": ref("OauthError")} if status == "400" and name in OF_OAUTH else {}
                told = {media: each["schema"] for media, each in answer["content"].items()}
                assert told == {**own, PROBLEM_TYPE: ref("Problem")}, name
        assert {"400", "431", "500", "503"} <= set(operation["responses"])
        if operation["security"]:
            assert {"401", "403"} <= set(operation["responses"])
        if "requestBody" in operation:
            assert {"413", "415"} <= set(operation["responses"])


def test_scopes_of_operations_are_defined() -> None:
    """Each way to show a token is one of the schemes, with one scope: the same for all ways, and one that the scheme has."""
    schemes = FOUND["components"]["securitySchemes"]
    assert {name: scheme["type"] for name, scheme in schemes.items()} == {"bearer": "http", "oauth2": "oauth2"}
    known = {"bearer": {each.value for each in Scope}, "oauth2": {*schemes["oauth2"]["flows"]["authorizationCode"]["scopes"]}}
    for name, operation in OPERATIONS.items():
        ways = {way: scopes for each in operation["security"] for way, scopes in each.items()}
        assert all(scopes == [operation["x-scope"]] and {*scopes} <= known[way] for way, scopes in ways.items()), name
    open_to_applications = {name for name, each in OPERATIONS.items() if any("oauth2" in way for way in each["security"])}
    assert {"getMe", "giveCommand", "openMatch"} <= open_to_applications
    closed = {"createToken", "createWebhook", "deleteMe", "addPasskey", "decideAuthorization", "voidMatch", "seatUser"}
    assert not closed & open_to_applications


def test_problems_are_all_reported_somewhere() -> None:
    """No problem type is missing from the contract, except two that belong to no operation."""
    texts = (answer["description"] for each in OPERATIONS.values() for answer in each["responses"].values())
    told = set(re.findall(r"`([a-z-]+)`: ", " ".join(texts)))
    assert problem_kinds().keys() - told == examples.OUTSIDE


def test_stream_says_what_its_items_are() -> None:
    """text/event-stream is a text as a whole, with the shape of the data of its events."""
    content = OPERATIONS["streamFeed"]["responses"]["200"]["content"]
    assert list(content) == ["text/event-stream"]
    assert content["text/event-stream"]["schema"]["type"] == "string"
    assert content["text/event-stream"]["schema"]["contentSchema"] == ref("FeedEntry")


def test_links_lead_to_operations_and_their_parameters() -> None:
    """Every link names an operation and parameters that it has."""
    for operation in OPERATIONS.values():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                target = OPERATIONS[link["operationId"]]
                assert set(link["parameters"]) <= {each["name"] for each in target["parameters"]}
                assert ("x-request-body" in link) <= ("requestBody" in target)


def test_links_have_no_bodies_that_are_objects() -> None:
    """OpenAPI Generator rejects a contract whose links have a body that is more than a string."""
    answers = [answer for operation in OPERATIONS.values() for answer in operation["responses"].values()]
    links = [link for answer in answers for link in answer.get("links", {}).values()]
    assert len(links) > 50
    assert [link for link in links if not isinstance(link.get("requestBody", ""), str)] == []


def test_lists_have_items_of_one_type() -> None:
    """Client generators know no tuples: a pair is a struct with named fields."""
    lists = [node for node in nodes(FOUND["components"]["schemas"]) if node.get("type") == "array"]
    assert len(lists) > 50
    assert [each for each in lists if "prefixItems" in each or not isinstance(each.get("items"), dict)] == []


def test_no_union_has_a_list_beside_something_else() -> None:
    """OpenAPI Generator turns such a union into Java that does not compile: it makes no class for the list."""
    unions = [node[key] for node in nodes(FOUND) for key in ("anyOf", "oneOf") if isinstance(node.get(key), list)]
    assert len(unions) > 50
    assert [union for union in unions if any(each.get("type") == "array" for each in union) and len(others(union)) > 1] == []


def others(union: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the members of a union except null."""
    return [each for each in union if each != {"type": "null"}]


def test_references_lead_to_components() -> None:
    """Every reference has a target, and every component is used."""
    written: dict[str, Any] = json.loads(COMMITTED.read_bytes())
    targets = {*re.findall(r'"\$ref": "(#/[^"]+)"', json.dumps(written)), *OF_ONE_GAME}
    kinds = written["components"].keys() - {"securitySchemes"}
    assert targets == {f"#/components/{kind}/{name}" for kind in kinds for name in written["components"][kind]}


def test_examples_are_those_of_a_real_run() -> None:
    """A changed response needs a new example; `python -m tools.generate_examples` writes them."""
    assert read_examples() == asyncio.run(examples.examples())


def test_examples_fit_their_schemas() -> None:
    """Each is valid against the schema beside it, with its formats. No public rule set checks this as well."""
    seen = 0
    judges: dict[str, jsonschema_rs.Validator] = {}  # each reads all components, and hundreds of examples share a schema
    for operation in OPERATIONS.values():
        for _, content in contents(operation):
            for example in content.get("examples", {}).values():
                schema = json.dumps(content["schema"])
                if schema not in judges:
                    judged = {**content["schema"], "components": FOUND["components"]}
                    judges[schema] = jsonschema_rs.validator_for(judged, validate_formats=True)
                judges[schema].validate(example["value"])
                seen += 1
    assert seen > 20


def test_examples_hide_what_the_caller_may_not_know() -> None:
    """An example is an answer to one caller, too: no hand but the caller's, and no secret of a running match."""
    view = read_examples()["getView"]["response"]
    assert len(view["table"]["hand"]) == 2
    feed = read_examples()["getFeed"]["response"]["items"]
    opened = read_examples()["openMatch"]["response"]["items"][0]["event"]
    assert opened["secret"] is None
    assert all(item["event"].get("secret") is None for item in feed)
