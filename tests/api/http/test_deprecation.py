"""A deprecated operation says so in the contract and in each of its answers; what the page promises has a check."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any

import pytest
from msgspec import Meta

from tafelrunde.api import app
from tafelrunde.api.contract import openapi
from tafelrunde.api.features import operations
from tafelrunde.api.http import response
from tafelrunde.api.http.deprecation import FIELD, NOTICE, Deprecated
from tafelrunde.api.http.operation import Access, Answer, AnyOperation, Call, operation
from tafelrunde.api.http.response import Reply
from tafelrunde.api.schema.common import Nothing, Request
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tests.support.paths import ROOT
from tests.support.table import PLAIN
from tests.support.wire import Wire

pytestmark = pytest.mark.anyio
SINCE = date(2027, 1, 1)
ENDS = date(2027, 12, 31)
INSTEAD = "Use `listGames`."
PAGE = (ROOT / "docs" / "deprecation.md").read_text(encoding="utf-8")


class OldQuery(Request, frozen=True):
    """A parameter that is deprecated, and one that is not."""

    old: Annotated[int, FIELD, Meta(ge=0, description="Without effect. Leave it out.")] = 0
    new: int = 0


def old(deprecated: Deprecated | None) -> AnyOperation:
    """Return an operation that no service has."""

    @operation(
        "GET",
        "/old",
        "getOld",
        tag="games",
        access=Access.PUBLIC,
        query=OldQuery,
        deprecated=deprecated,
        answers=(Answer(200, dict, "It."),),
    )
    async def get_old(call: Call[Nothing, OldQuery]) -> Reply:
        """Get what is old."""
        return response.json({"new": call.query.new})

    return get_old


def with_old(monkeypatch: pytest.MonkeyPatch, deprecated: Deprecated | None) -> None:
    """Let the service have that operation."""
    for module in (app, openapi):
        monkeypatch.setattr(module, "operations", lambda *features: (*operations(*features), old(deprecated)))


def told() -> Any:
    """Return what the contract says of it."""
    return openapi.document(memory_games())["paths"]["/old"]["get"]


def memory_games() -> Any:
    """Return the games of a service."""
    return Application(memory_stores(), PLAIN).games


@pytest.mark.parametrize("ends", [None, ENDS])
async def test_every_answer_says_it_when_its_operation_is_deprecated(ends: date | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a refusal. `Sunset` is there once a day is set; the headers are those that the page shows."""
    with_old(monkeypatch, Deprecated(since=SINCE, instead=INSTEAD, ends=ends))
    wire = Wire(app.create_app(PLAIN, application=Application(memory_stores(), PLAIN)))
    async with app.running(wire.app):
        for query, status in (("", 200), ("?new=x", 400)):
            answer = await wire.ask("GET", f"/api/v1/old{query}")
            assert answer.status == status
            assert answer.header("deprecation") == "@1798761600"
            assert answer.header("sunset") == (None if ends is None else "Fri, 31 Dec 2027 00:00:00 GMT")
        other = await wire.ask("GET", "/api/v1/games")
    assert (other.header("deprecation"), other.header("sunset")) == (None, None)
    for line in ("Deprecation: @1798761600", "Sunset: Fri, 31 Dec 2027 00:00:00 GMT"):
        assert line in PAGE


@pytest.mark.parametrize("ends", [None, ENDS])
def test_contract_says_it_when_an_operation_is_deprecated(ends: date | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the keyword, in words with what to use, and with the headers of every answer."""
    with_old(monkeypatch, Deprecated(since=SINCE, instead=INSTEAD, ends=ends))
    found = told()
    assert found["deprecated"] is True
    end = " It ends on 2027-12-31." if ends is not None else ""
    assert found["description"] == f"Deprecated since 2027-01-01. {INSTEAD}{end}"
    headers = {"Deprecation", "Sunset"} if ends is not None else {"Deprecation"}
    for answer in found["responses"].values():
        assert {"Deprecation", "Sunset"} & answer["headers"].keys() == headers


def test_contract_says_nothing_when_an_operation_is_not_deprecated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parameters can be by themselves."""
    with_old(monkeypatch, None)
    found = told()
    assert "deprecated" not in found
    assert {each["name"]: each.get("deprecated", False) for each in found["parameters"]} == {"old": True, "new": False}
    assert all("deprecated" not in each["schema"] for each in found["parameters"])
    assert not any({"Deprecation", "Sunset"} & answer.get("headers", {}).keys() for answer in found["responses"].values())


def test_operation_cannot_end_soon_after_its_deprecation() -> None:
    """The page says after how many days at the earliest."""
    assert Deprecated(since=SINCE, instead=INSTEAD, ends=SINCE + NOTICE).ends is not None
    with pytest.raises(ValueError, match="180 days"):
        Deprecated(since=SINCE, instead=INSTEAD, ends=SINCE + NOTICE - timedelta(days=1))
    assert f"{NOTICE.days} days" in PAGE
