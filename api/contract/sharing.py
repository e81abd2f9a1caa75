"""Parts of the contract that several operations have in common become components, and are written once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, cast

import msgspec

from .schemas import REF, Json

KINDS = ("responses", "parameters", "headers", "links", "examples")
"""What is shared, the outer parts first: what is in a shared response occurs once there."""
PARTS = ("paths", "webhooks")
CLOSED = frozenset({"schema", "examples", "headers", "links"})
"""Keys below which no kind is looked for, except what they hold themselves: field names could look like kinds."""

Replace: TypeAlias = Callable[[str, Json, Json], Json]
"""Called with the name of an entry where it is used, the entry, and the object that holds it."""


def share(document: Json) -> Json:
    """Return an equal contract in which each part of a kind that occurs more than once is a component.

    Cost: linear in the size of the contract, which is not changed.
    """
    parts: Json = {**{name: document[name] for name in PARTS if name in document}, "components": {}}
    for kind in KINDS:
        parts, shared = _share_kind(parts, kind)
        if shared:
            parts["components"][kind] = dict(sorted(shared.items()))
    return {**document, **parts, "components": {**document["components"], **parts["components"]}}


def _share_kind(parts: Json, kind: str) -> tuple[Json, Json]:
    """Return the parts with references in place of all repeated entries of a kind, and the components they lead to."""
    counts = Counter(map(_key, _entries(parts, kind)))
    names: dict[bytes, str] = {}
    components: Json = {}

    def refer(label: str, entry: Json, holder: Json) -> Json:
        key = _key(entry)
        if counts[key] < 2 or "$ref" in entry:
            return entry
        if key not in names:
            names[key] = _free_name(_name(kind, label, entry, holder), components)
            components[names[key]] = entry
        return {"$ref": f"#/components/{kind}/{names[key]}"}

    return _replace(parts, kind, refer), components


def _entries(parts: Json, kind: str) -> Iterator[Json]:
    found: list[Json] = []

    def collect(_: str, entry: Json, __: Json) -> Json:
        found.append(entry)
        return entry

    _replace(parts, kind, collect)
    yield from found


def _replace(part: Json, kind: str, replace: Replace) -> Json:
    """Return a part of the contract with each entry of a kind replaced."""
    made: Json = {}
    for key, value in part.items():
        if key == kind and isinstance(value, dict):
            entries = cast("dict[str, Json]", value)
            made[key] = {label: replace(label, entry, part) for label, entry in entries.items()}
        elif key == kind:
            made[key] = [replace("", entry, part) for entry in value]
        elif isinstance(value, dict) and key not in CLOSED:
            made[key] = _replace(cast("Json", value), kind, replace)
        else:
            made[key] = value
    return made


def _name(kind: str, label: str, entry: Json, holder: Json) -> str:
    """Return a descriptive name for a component."""
    match kind:
        case "parameters":
            return cast("str", entry["name"])
        case "links":
            return cast("str", entry["operationId"])
        case "examples" if label == "real":
            return cast("str", holder["schema"].get("$ref", "text")).removeprefix(REF)
        case "responses":
            return _name_response(label, entry)
        case _:
            return label


def _name_response(status: str, response: Json) -> str:
    """Return the problems that a response lists, or its shape, or the first words of its description."""
    description: str = response["description"]
    if status >= "400" and "`: " in description:
        return ".".join(description.split("`")[1::2])
    shape = next((content["schema"].get("$ref") for content in response.get("content", {}).values()), None)
    return shape.removeprefix(REF) if shape is not None else "-".join(re.findall(r"\w+", description.lower())[:3])


def _free_name(wanted: str, taken: Mapping[str, Json]) -> str:
    """Return a name, with a number after it if it is taken."""
    number = 1
    name = wanted
    while name in taken:
        number += 1
        name = f"{wanted}.{number}"
    return name


def _key(entry: Json) -> bytes:
    return msgspec.json.encode(entry, order="deterministic")
