"""No client breaks: the contract of now beside the one that was released, and the check itself, with planted changes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.contract.compatible import Break, breaks, untold
from tests.support.paths import ROOT

RELEASED: dict[str, Any] = json.loads((ROOT / "openapi" / "released.json").read_bytes())
Edit = Callable[[Any], object]


def changed(edit: Edit) -> Any:
    """Return the released contract with an edit."""
    new = copy.deepcopy(RELEASED)
    edit(new)
    return new


def operation(contract: Any, name: str) -> Any:
    """Return an operation by its name."""
    return next(each for methods in contract["paths"].values() for each in methods.values() if each["operationId"] == name)


def schema(contract: Any, name: str) -> Any:
    """Return a schema by its name."""
    return contract["components"]["schemas"][name]


def drop_path(contract: Any) -> None:
    """Take an operation away."""
    del contract["paths"]["/me"]["patch"]


def rename(contract: Any) -> None:
    """Give an operation another name."""
    operation(contract, "getMe")["operationId"] = "whoAmI"


def need_token(contract: Any) -> None:
    """Let nobody ask without a token any more."""
    operation(contract, "getView")["security"] = [{"bearer": []}]


def need_scope(contract: Any) -> None:
    """Ask for another scope."""
    operation(contract, "giveCommand")["x-scope"] = "create"


def drop_scope(contract: Any) -> None:
    """Take a scope away."""
    schema(contract, "Scope")["enum"].remove("play")


def drop_parameter(contract: Any) -> None:
    """Take a parameter away."""
    asked = operation(contract, "getFeed")["parameters"]
    asked[:] = [each for each in asked if each["name"] != "wait"]


def need_parameter(contract: Any) -> None:
    """Ask for what could be left out."""
    for each in operation(contract, "getFeed")["parameters"]:
        each["required"] = True


def narrow_parameter(contract: Any) -> None:
    """Take less of a number than before."""
    [limit] = [each for each in operation(contract, "listMatches")["parameters"] if each["name"] == "limit"]
    limit["schema"]["maximum"] -= 1


def add_needed_field(contract: Any) -> None:
    """Ask for one more field in a body."""
    body = schema(contract, "CommandRequest")
    body["properties"]["mood"] = {"type": "string"}
    body["required"].append("mood")


def drop_asked_field(contract: Any) -> None:
    """Take a field of a body away, which is refused from now on."""
    del schema(contract, "MatchRequest")["properties"]["bots"]


def narrow_enum(contract: Any) -> None:
    """Take fewer words than before."""
    schema(contract, "Visibility")["enum"].remove("unlisted")


def drop_command(contract: Any) -> None:
    """Take a command out of the union of all."""
    schema(contract, "GameCommand")["oneOf"].pop()


def need_body(contract: Any) -> None:
    """Ask for a body that could be left out."""
    operation(contract, "openWhatIf")["requestBody"]["required"] = True
    operation(contract, "takeSeat")["requestBody"]["required"] = True


def drop_field(contract: Any) -> None:
    """Answer without a field."""
    view = schema(contract, "View")
    del view["properties"]["cursor"]
    view["required"].remove("cursor")


def unsure_field(contract: Any) -> None:
    """Leave a field out at times."""
    schema(contract, "View")["required"].remove("seat")


def nullable_field(contract: Any) -> None:
    """Answer null where there was none."""
    fields = schema(contract, "View")["properties"]
    fields["cursor"] = {"anyOf": [fields["cursor"], {"type": "null"}]}


def other_type(contract: Any) -> None:
    """Answer a text where a number was."""
    schema(contract, "Placing")["properties"]["rank"] = {"type": "string"}


def widen_enum(contract: Any) -> None:
    """Answer a word that clients do not know."""
    schema(contract, "Status")["enum"].append("paused")


def widen_number(contract: Any) -> None:
    """Answer larger numbers than was promised."""
    schema(contract, "View")["properties"]["seat"]["anyOf"][0]["maximum"] += 1


def other_format(contract: Any) -> None:
    """Answer larger numbers than a compiled client has room for."""
    schema(contract, "View")["properties"]["seat"]["anyOf"][0]["format"] = "int64"


def rename_options(contract: Any) -> None:
    """Name the options of a game otherwise, and leave one out."""
    schemas = contract["components"]["schemas"]
    schemas["Wishes"] = copy.deepcopy(schemas["CoupOptions"])
    del schemas["Wishes"]["properties"]["duel_coins"]
    options = schemas["GameOptions"]["anyOf"]
    options[options.index({"$ref": "#/components/schemas/CoupOptions"})] = {"$ref": "#/components/schemas/Wishes"}


def new_answer(contract: Any) -> None:
    """Answer well, but otherwise."""
    answers = operation(contract, "giveCommand")["responses"]
    answers["202"] = answers.pop("200")


def drop_header(contract: Any) -> None:
    """Answer without a header."""
    del operation(contract, "openMatch")["responses"]["201"]["headers"]["Location"]


def drop_link(contract: Any) -> None:
    """Answer without a link."""
    del operation(contract, "openMatch")["responses"]["201"]["links"]["view"]


def drop_media(contract: Any) -> None:
    """Give another kind of body."""
    content = operation(contract, "streamFeed")["responses"]["200"]["content"]
    content["application/x-ndjson"] = content.pop("text/event-stream")


BREAKING: list[tuple[Edit, str]] = [
    (drop_path, "renameMe"),
    (rename, "getMe"),
    (need_token, "getView"),
    (need_scope, "giveCommand"),
    (drop_scope, "createToken"),
    (drop_parameter, "getFeed"),
    (need_parameter, "getFeed"),
    (narrow_parameter, "listMatches"),
    (add_needed_field, "giveCommand"),
    (drop_asked_field, "openMatch"),
    (narrow_enum, "openMatch"),
    (drop_command, "giveCommand"),
    (need_body, "takeSeat"),
    (drop_field, "getView"),
    (unsure_field, "getView"),
    (nullable_field, "getView"),
    (other_type, "getView"),
    (widen_enum, "getMatch"),
    (widen_number, "getView"),
    (other_format, "getView"),
    (rename_options, "getMatch"),
    (new_answer, "giveCommand"),
    (drop_header, "openMatch"),
    (drop_link, "openMatch"),
    (drop_media, "streamFeed"),
]


def add_operation(contract: Any) -> None:
    """Offer one more operation."""
    contract["paths"]["/mood"] = {"get": {**operation(contract, "getMe"), "operationId": "getMood"}}


def add_field(contract: Any) -> None:
    """Answer one more field."""
    schema(contract, "View")["properties"]["mood"] = {"type": "string"}


def add_asked_field(contract: Any) -> None:
    """Take one more field, which may be left out."""
    schema(contract, "MatchRequest")["properties"]["mood"] = {"type": "string"}


def add_parameter(contract: Any) -> None:
    """Take one more parameter, which may be left out."""
    mood = {"name": "mood", "in": "query", "required": False, "description": "Mood.", "schema": {"type": "string"}}
    operation(contract, "getFeed")["parameters"].append(mood)


def add_event(contract: Any) -> None:
    """Tell of something new in a union that is marked as growing."""
    schemas = contract["components"]["schemas"]
    schemas["Mood"] = {"type": "object", "properties": {"type": {"type": "string", "const": "mood"}}, "required": ["type"]}
    schemas["FeedEvent"]["oneOf"].append({"$ref": "#/components/schemas/Mood"})


def add_options(contract: Any) -> None:
    """Know the options of one more game, which have no tag."""
    schemas = contract["components"]["schemas"]
    schemas["Mood"] = {"type": "object", "properties": {"mood": {"type": "string"}}, "additionalProperties": False}
    schemas["GameOptions"]["anyOf"].insert(0, {"$ref": "#/components/schemas/Mood"})


def add_scope(contract: Any) -> None:
    """Know one more scope, in an enum that is marked as growing."""
    schema(contract, "Scope")["enum"].append("mood")


def add_problem(contract: Any) -> None:
    """Refuse for one more reason, as a problem like all."""
    answers = operation(contract, "getMe")["responses"]
    answers["410"] = answers["403"]


def widen_parameter(contract: Any) -> None:
    """Take more of a number than before."""
    [limit] = [each for each in operation(contract, "listMatches")["parameters"] if each["name"] == "limit"]
    limit["schema"]["maximum"] += 1


def surer_field(contract: Any) -> None:
    """Answer what could be null, and no longer is."""
    fields = schema(contract, "View")["properties"]
    fields["seat"] = fields["seat"]["anyOf"][0]


def other_words(contract: Any) -> None:
    """Describe it better, and name a schema anew."""
    schemas = contract["components"]["schemas"]
    schemas["Look"] = {**schemas["View"], "description": "What is seen."}
    operation(contract, "getView")["responses"]["200"]["content"]["application/json"]["schema"] = {
        "$ref": "#/components/schemas/Look"
    }


HARMLESS: list[Edit] = [
    add_operation,
    add_field,
    add_asked_field,
    add_parameter,
    add_event,
    add_options,
    add_scope,
    add_problem,
    widen_parameter,
    surer_field,
    other_words,
]


def test_contract_breaks_no_client_of_the_released_one() -> None:
    """Unless the paths have a new version and the changelog names the operation under Breaking: see docs/contract.md."""
    new = json.loads((ROOT / "openapi" / "openapi.json").read_bytes())
    assert untold(RELEASED, new, (ROOT / "CHANGELOG.md").read_text()) == []


@pytest.mark.parametrize(("edit", "name"), BREAKING, ids=[edit.__name__ for edit, _ in BREAKING])
def test_change_breaks_when_a_client_that_was_right_is_wrong(edit: Edit, name: str) -> None:
    """The change is found, in the operation that it was made in."""
    assert name in {each.operation for each in breaks(RELEASED, changed(edit))}


@pytest.mark.parametrize("edit", HARMLESS, ids=[edit.__name__ for edit in HARMLESS])
def test_change_is_harmless_when_old_clients_stay_right(edit: Edit) -> None:
    """Nothing is found, and there was a change."""
    new = changed(edit)
    assert new != RELEASED
    assert breaks(RELEASED, new) == []


def test_union_that_is_not_marked_may_not_grow() -> None:
    """A client may have matched its members without a default."""
    old = changed(lambda contract: schema(contract, "FeedEvent").pop("x-extensible"))
    new = copy.deepcopy(old)
    add_event(new)
    assert Break("getFeed", "FeedEvent", "`mood` is new") in breaks(old, new)


def test_breaking_change_needs_both_a_new_version_and_a_line() -> None:
    """One of them alone is not enough, nor a line about another operation."""

    def moved(contract: Any) -> None:
        drop_path(contract)
        contract["servers"][0]["url"] = "/api/v2"

    told = "## [Unreleased]\n\n### Breaking\n\n- `renameMe` is gone.\n\n### Added\n"
    assert untold(RELEASED, changed(moved), told) == []
    assert untold(RELEASED, changed(drop_path), told) == ["renameMe, PATCH /me: the operation is gone"]
    for line in ("", told.replace("renameMe", "getMe"), told.replace("Breaking", "Changed"), told.replace("Unreleased", "0.1.0")):
        assert untold(RELEASED, changed(moved), line) == ["renameMe, PATCH /me: the operation is gone"]
