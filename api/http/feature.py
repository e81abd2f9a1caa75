"""What a feature adds to the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from .operation import AnyOperation

Json: TypeAlias = dict[str, Any]


class ApiFeature(msgspec.Struct, frozen=True, kw_only=True):
    """What a feature adds to the API.

    - operations: in the order of the contract.
    - tags: what its own tags of the contract are about.
    - links: how answers lead to further requests, by operation and status; added to those of operations of others, too.
    """

    operations: tuple[AnyOperation, ...]
    tags: Mapping[str, str] = {}
    links: Mapping[tuple[str, int], Json] = {}


def link(operation: str, **parameters: str) -> Json:
    """Return a link whose parameters come from the answer, or (`path match`) from the path that was asked."""
    return {"operationId": operation, "parameters": {name: _source(pointer) for name, pointer in parameters.items()}}


def _source(pointer: str) -> str:
    kind, _, name = pointer.partition(" ")
    return f"$request.path.{name}" if kind == "path" else f"$response.body#/{pointer}"
