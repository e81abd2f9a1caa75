"""No client breaks: the contract is compared with that of the newest release, and planted changes test the comparison itself."""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.api.contract.compatible import Break, breaks, released, untold
from tests.support.paths import ROOT
from tests.support.references import inline

WRITTEN = (ROOT / "openapi" / "openapi.json").read_bytes()
CONTRACT: dict[str, Any] = inline(msgspec.json.decode(WRITTEN))
Edit = Callable[[Any], object]


def changed(edit: Edit) -> Any:
    """Return the contract with an edit."""
    new = inline(msgspec.json.decode(WRITTEN))
    edit(new)
    return new


def about(contract: Any, name: str) -> Any:
    """Return the contract with the path of one operation alone."""
    [path] = [path for path, methods in CONTRACT["paths"].items() if name in {each["operationId"] for each in methods.values()}]
    return {**contract, "paths": {path: contract["paths"][path]}}


def operation(contract: Any, name: str) -> Any:
    """Return an operation by its name."""
    return next(each for methods in contract["paths"].values() for each in methods.values() if each["operationId"] == name)


def schema(contract: Any, name: str) -> Any:
    """Return a schema by its name."""
    return contract["components"]["schemas"][name]


def drop_path(contract: Any) -> None:
    """Remove an operation."""
    del contract["paths"]["/me"]["patch"]


def rename(contract: Any) -> None:
    """Rename an operation."""
    operation(contract, "getMe")["operationId"] = "whoAmI"


def need_token(contract: Any) -> None:
    """Require a token for every request."""
    operation(contract, "getView")["security"] = [{"bearer": []}]


def need_scope(contract: Any) -> None:
    """Require another scope."""
    operation(contract, "giveCommand")["x-scope"] = "create"


def drop_scope(contract: Any) -> None:
    """Remove a scope."""
    schema(contract, "Scope")["enum"].remove("play")


def drop_parameter(contract: Any) -> None:
    """Remove a parameter."""
    asked = operation(contract, "getFeed")["parameters"]
    asked[:] = [each for each in asked if each["name"] != "wait"]


def need_parameter(contract: Any) -> None:
    """Require an optional parameter."""
    for each in operation(contract, "getFeed")["parameters"]:
        each["required"] = True


def narrow_parameter(contract: Any) -> None:
    """Narrow the range of a number."""
    [limit] = [each for each in operation(contract, "listMatches")["parameters"] if each["name"] == "limit"]
    limit["schema"]["maximum"] -= 1


def add_needed_field(contract: Any) -> None:
    """Require one more field in a body."""
    body = schema(contract, "CommandRequest")
    body["properties"]["mood"] = {"type": "string"}
    body["required"].append("mood")


def drop_asked_field(contract: Any) -> None:
    """Remove a field from a body, so that it is refused."""
    del schema(contract, "MatchRequest")["properties"]["bots"]


def narrow_enum(contract: Any) -> None:
    """Remove values from an enum in a request."""
    schema(contract, "Visibility")["enum"].remove("unlisted")


def drop_command(contract: Any) -> None:
    """Remove a command from the union of all commands."""
    schema(contract, "GameCommand")["oneOf"].pop()


def need_body(contract: Any) -> None:
    """Require an optional body."""
    operation(contract, "openWhatIf")["requestBody"]["required"] = True
    operation(contract, "takeSeat")["requestBody"]["required"] = True


def drop_field(contract: Any) -> None:
    """Remove a field from an answer."""
    view = schema(contract, "View")
    del view["properties"]["cursor"]
    view["required"].remove("cursor")


def unsure_field(contract: Any) -> None:
    """Make a field of an answer optional."""
    schema(contract, "View")["required"].remove("seat")


def nullable_field(contract: Any) -> None:
    """Make a field of an answer nullable."""
    fields = schema(contract, "View")["properties"]
    fields["cursor"] = {"anyOf": [fields["cursor"], {"type": "null"}]}


def other_type(contract: Any) -> None:
    """Answer a string where there was a number."""
    schema(contract, "Placing")["properties"]["rank"] = {"type": "string"}


def widen_enum(contract: Any) -> None:
    """Add an unknown value to a closed enum in an answer."""
    schema(contract, "Status")["enum"].append("paused")


def widen_number(contract: Any) -> None:
    """Answer larger numbers than promised."""
    schema(contract, "View")["properties"]["seat"]["anyOf"][0]["maximum"] += 1


def other_format(contract: Any) -> None:
    """Answer numbers too large for the type in a compiled client."""
    schema(contract, "View")["properties"]["seat"]["anyOf"][0]["format"] = "int64"


def rename_options(contract: Any) -> None:
    """Rename the options of a game, and drop one."""
    schemas = contract["components"]["schemas"]
    schemas["Wishes"] = copy.deepcopy(schemas["CoupOptions"])
    del schemas["Wishes"]["properties"]["duel_coins"]
    options = schemas["GameOptions"]["anyOf"]
    options[options.index({"$ref": "#/components/schemas/CoupOptions"})] = {"$ref": "#/components/schemas/Wishes"}


def new_answer(contract: Any) -> None:
    """Change the status of a success."""
    answers = operation(contract, "giveCommand")["responses"]
    answers["202"] = answers.pop("200")


def drop_header(contract: Any) -> None:
    """Remove a header."""
    del operation(contract, "openMatch")["responses"]["201"]["headers"]["Location"]


def drop_link(contract: Any) -> None:
    """Remove a link."""
    del operation(contract, "openMatch")["responses"]["201"]["links"]["view"]


def drop_media(contract: Any) -> None:
    """Change the media type of a body."""
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
    """Add an operation."""
    contract["paths"]["/mood"] = {"get": {**operation(contract, "getMe"), "operationId": "getMood"}}


def add_field(contract: Any) -> None:
    """Add a field to an answer."""
    schema(contract, "View")["properties"]["mood"] = {"type": "string"}


def add_asked_field(contract: Any) -> None:
    """Accept one more optional field."""
    schema(contract, "MatchRequest")["properties"]["mood"] = {"type": "string"}


def add_parameter(contract: Any) -> None:
    """Accept one more optional parameter."""
    mood = {"name": "mood", "in": "query", "required": False, "description": "Mood.", "schema": {"type": "string"}}
    operation(contract, "getFeed")["parameters"].append(mood)


def add_event(contract: Any) -> None:
    """Add a variant to an extensible union."""
    schemas = contract["components"]["schemas"]
    schemas["Mood"] = {"type": "object", "properties": {"type": {"type": "string", "const": "mood"}}, "required": ["type"]}
    schemas["FeedEvent"]["oneOf"].append({"$ref": "#/components/schemas/Mood"})


def add_options(contract: Any) -> None:
    """Add the options of another game, which have no tag."""
    schemas = contract["components"]["schemas"]
    schemas["Mood"] = {"type": "object", "properties": {"mood": {"type": "string"}}, "additionalProperties": False}
    schemas["GameOptions"]["anyOf"].insert(0, {"$ref": "#/components/schemas/Mood"})


def add_scope(contract: Any) -> None:
    """Add a scope to an extensible enum."""
    schema(contract, "Scope")["enum"].append("mood")


def add_problem(contract: Any) -> None:
    """Refuse for another reason, with a problem document."""
    answers = operation(contract, "getMe")["responses"]
    answers["410"] = answers["403"]


def widen_parameter(contract: Any) -> None:
    """Widen the range of a number."""
    [limit] = [each for each in operation(contract, "listMatches")["parameters"] if each["name"] == "limit"]
    limit["schema"]["maximum"] += 1


def surer_field(contract: Any) -> None:
    """Make a nullable field of an answer non-null."""
    fields = schema(contract, "View")["properties"]
    fields["seat"] = fields["seat"]["anyOf"][0]


def other_words(contract: Any) -> None:
    """Improve a description, and rename a schema."""
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
    assert untold(released(ROOT) or CONTRACT, CONTRACT, (ROOT / "CHANGELOG.md").read_text()) == []


def test_released_contract_is_that_of_the_newest_tag(tmp_path: Path) -> None:
    """Versions are compared as numbers, other tags are no releases, and before the first one nothing was promised."""

    def git(*arguments: str) -> None:
        person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *person, *arguments], cwd=tmp_path, check=True, capture_output=True)

    assert released(tmp_path) is None
    git("init")
    (tmp_path / "openapi").mkdir()
    for tag in ("v0.9.0", "v0.10.0", "nightly"):
        (tmp_path / "openapi" / "openapi.json").write_text(json.dumps({"info": {"title": tag}}))
        git("add", ".")
        git("commit", "-m", tag)
        assert tag != "v0.9.0" or released(tmp_path) is None
        git("tag", tag)
    assert released(tmp_path) == {"info": {"title": "v0.10.0"}}


@pytest.mark.parametrize(("edit", "name"), BREAKING, ids=[edit.__name__ for edit, _ in BREAKING])
def test_change_breaks_when_a_client_that_was_right_is_wrong(edit: Edit, name: str) -> None:
    """The change is found, in the operation where it was made."""
    assert name in {each.operation for each in breaks(about(CONTRACT, name), about(changed(edit), name))}


@pytest.mark.parametrize("edit", HARMLESS, ids=[edit.__name__ for edit in HARMLESS])
def test_change_is_harmless_when_old_clients_stay_right(edit: Edit) -> None:
    """Something changed, and nothing is reported."""
    new = changed(edit)
    assert new != CONTRACT
    assert breaks(CONTRACT, new) == []


def test_union_that_is_not_marked_may_not_grow() -> None:
    """A client may have matched the members without a default."""
    old = changed(lambda contract: schema(contract, "FeedEvent").pop("x-extensible"))
    new = copy.deepcopy(old)
    add_event(new)
    assert Break("getFeed", "FeedEvent", "`mood` is new") in breaks(old, new)


def test_breaking_change_needs_both_a_new_version_and_a_line() -> None:
    """Either of them alone is not enough, nor is a line about another operation."""

    def moved(contract: Any) -> None:
        drop_path(contract)
        contract["servers"][0]["url"] = "/api/v2"

    told = "## [Unreleased]\n\n### Breaking\n\n- `renameMe` is gone.\n\n### Added\n"
    assert untold(CONTRACT, changed(moved), told) == []
    assert untold(CONTRACT, changed(drop_path), told) == ["renameMe, PATCH /me: the operation is gone"]
    for line in ("", told.replace("renameMe", "getMe"), told.replace("Breaking", "Changed"), told.replace("Unreleased", "0.1.0")):
        assert untold(CONTRACT, changed(moved), line) == ["renameMe, PATCH /me: the operation is gone"]
