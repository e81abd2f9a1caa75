"""The examples of the contract, taken from a real run: `tools/generate_examples.py` writes them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import msgspec

from ..http.operation import AnyOperation
from .schemas import Components, Json

CREATED = frozenset({200, 201})
"""The statuses of an answer that has an example."""


def read_examples() -> Json:
    """Return requests and answers of real runs, by operation."""
    text = (files(__package__ or "") / "examples.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Json])


def examples_of_shapes(offered: Sequence[AnyOperation], components: Components, examples: Json) -> Json:
    """Return one example of each shape that an operation returns: of the operation that gets it, or else of the first."""
    found: Json = {}
    for operation in sorted(offered, key=lambda each: each.method != "GET"):
        recorded: Json = examples.get(operation.name, {})
        for answer in operation.about.answers:
            shape = components.name_of(answer.body)
            if shape is not None and answer.status in CREATED and "response" in recorded:
                found.setdefault(shape, recorded["response"])
    return found
