"""The parts of the client that are made: they are those of the contract, and read what an older or newer service sends."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tafelrunde.client import ApiError, Client, Item, shapes
from tools import python_client

CHAIR = {"seat": 1, "player": None, "bot": "random"}
PAGE: dict[str, Any] = {"items": [{"cursor": "1-a", "n": 1, "at_ms": 1, "event": {"type": "x.1"}}], "cursor": "1-a"}


def test_made_parts_are_current(tmp_path: Path) -> None:
    """Made again from the contract and from the asynchronous client, they are what is in the tree: else `make client`."""
    client = tmp_path / "client"
    shutil.copytree(
        python_client.CLIENT, client, ignore=shutil.ignore_patterns("blocking", "requests.py", "shapes.py", "__pycache__")
    )
    python_client.write(client)
    assert contents(client) == contents(python_client.CLIENT)


def contents(folder: Path) -> dict[str, str]:
    """Return the text of each module of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


def test_field_is_ignored_when_a_newer_service_adds_it() -> None:
    """So are the members that an enumeration or a union gets: they are text and plain data."""
    chair = msgspec.convert({**CHAIR, "mood": {"good": True}}, shapes.Chair)
    assert chair.bot == "random"
    rows = [{"mood": 1}, {"type": "of-a-new-kind"}]
    assert msgspec.convert({**PAGE["items"][0], "event": rows[1]}, Item).event == rows[1]
    assert msgspec.convert({"kind": "forgiven", "reason": "", "at_ms": 1}, shapes.Correction).kind == "forgiven"


def test_field_is_empty_when_an_older_service_has_none() -> None:
    """Null, false, and nothing of a list or a table; a text, a number and a shape have to be there."""
    chair = msgspec.convert(CHAIR, shapes.Chair)
    assert (chair.name, chair.guest, chair.reserved) == (None, False, None)
    assert msgspec.convert({"id": "p", "name": "Anna", "created_ms": 1}, shapes.Player).ratings == ()
    with pytest.raises(msgspec.ValidationError, match="created_ms"):
        msgspec.convert({"id": "p", "name": "Anna"}, shapes.Player)


def test_shape_has_a_field_that_must_be_there() -> None:
    """Otherwise whatever answers would pass for such a service."""
    made = [each for each in vars(shapes).values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    assert len(made) > 50
    assert [each.__name__ for each in made if all(not field.required for field in msgspec.structs.fields(each))] == []


def test_body_has_whatever_the_caller_names_where_it_is_open() -> None:
    """A setting that only a newer service knows passes."""
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        return httpx.Response(422, json={"type": "urn:tafelrunde:problem:invalid-request", "title": "", "status": 422})

    with Client("http://localhost", transport=httpx.MockTransport(answer)) as client:
        for ask in (lambda: client.open_match("coup", 2, mood="good"), lambda: client.change_webhook("w1", mood="good")):
            with pytest.raises(ApiError):
                ask()
    assert [msgspec.json.decode(each)["mood"] for each in sent] == ["good", "good"]
