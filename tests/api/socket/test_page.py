"""The page about the socket: its example is played, and its tables are those of the code."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tafelrunde.api.contract.asyncapi import asked_with, sent_with
from tafelrunde.api.socket import frames
from tests.support.blocks import blocks
from tests.support.sockets import connected
from tests.support.table import Table
from tools.generate_docs import DOCS

pytestmark = pytest.mark.anyio

PAGE = DOCS / "socket.md"


async def test_example_of_the_page_works_as_printed(table: Table) -> None:
    """Each frame that the page prints gets the answer that it prints, with the same fields."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, options={"first_seat": 0})
    [example] = blocks(PAGE, "frames")
    lines = [(line[0], json.loads(line[2:])) for line in example.splitlines()]
    async with connected(table.app) as socket:
        for mark, printed in lines:
            if mark == ">":
                said: dict[str, Any] = {name: {"match": match, "token": one}.get(name, value) for name, value in printed.items()}
                socket.say(**said)
            else:
                heard = await socket.hear()
                assert (heard["type"], heard.keys()) == (printed["type"], printed.keys())
                assert heard.get("id") == printed.get("id")
    assert {printed["type"] for _, printed in lines if _ == ">"} == {each.__struct_config__.tag for each in asked_with()}


def test_page_has_every_code_and_every_frame() -> None:
    """A new one needs a line there."""
    text = PAGE.read_text(encoding="utf-8")
    assert set(map(int, re.findall(r"(?m)^\| (\d{4}) \|", text))) == set(frames.CLOSES)
    tags = {each.__struct_config__.tag for each in (*asked_with(), *sent_with())}
    assert {tag for tag in tags if f"`{tag}`" not in text} == set()
