"""What a feature adds to the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from .catalog import Describe
from .operation import AnyOperation

Json: TypeAlias = dict[str, Any]
BODY = "x-request-body"


class ApiFeature(msgspec.Struct, frozen=True, kw_only=True):
    """What a feature adds to the API.

    - operations: in the order of the contract.
    - tags: what its own tags of the contract are about.
    - describe: returns what it knows of a game, by fields of the game's sheet.
    - links: how answers lead to further requests, by operation and status; added to those of operations of others, too.
    """

    operations: tuple[AnyOperation, ...]
    tags: Mapping[str, str] = {}
    links: Mapping[tuple[str, int], Json] = {}
    describe: Describe | None = None


def link(operation: str, **parameters: str) -> Json:
    """Return a link whose parameters come from the answer, or (`path match`) from the path that was asked."""
    return {"operationId": operation, "parameters": {name: _source(pointer) for name, pointer in parameters.items()}}


def _source(pointer: str) -> str:
    kind, _, name = pointer.partition(" ")
    return f"$request.path.{name}" if kind == "path" else f"$response.body#/{pointer}"


OF_MATCH: Json = {
    "match": link("getMatch", match="match"),
    "view": link("getView", match="match"),
    "feed": link("getFeed", match="match"),
    "feedAfter": link("getFeed", match="match", after="cursor"),
    "viewAt": link("getView", match="match", at="cursor"),
    "proofs": link("listProofs", match="match"),
}
"""Links of every answer about a match."""
