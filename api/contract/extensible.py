"""The contract for clients that check what they read: unions and enums that may grow are open in it.

A generated client that validates takes an event of a new kind for a mistake, and with it the whole page that it is on. Here
every union that the contract marks with `x-extensible` has a last member that any object with a `type` fits, and no
discriminator, which only closed unions have; every such enum is a text. What is right by the contract is right by this one.
"""

from __future__ import annotations

from typing import cast

from .schemas import Json, ref

OTHER = "UnknownKind"
SHAPE: Json = {
    "description": "A member that this version of the contract does not know: pass over it.",
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": True,
}


def open_up(contract: Json) -> Json:
    """Return a contract whose growing unions and enums take what is not known yet; the given one stays as it is."""
    components = contract["components"]
    schemas = {name: _open(schema) if schema.get("x-extensible") else schema for name, schema in components["schemas"].items()}
    return {**contract, "components": {**components, "schemas": {**schemas, OTHER: SHAPE}}}


def _open(schema: Json) -> Json:
    if "enum" in schema:
        known = ", ".join(f"`{value}`" for value in schema["enum"])
        rest = {key: value for key, value in schema.items() if key != "enum"}
        return {**rest, "description": f"{schema.get('description', '')} Known: {known}.".strip()}
    if "oneOf" not in schema:
        return schema
    members = cast("list[Json]", schema["oneOf"])
    rest = {key: value for key, value in schema.items() if key not in {"oneOf", "discriminator"}}
    return {**rest, "anyOf": [*members, ref(OTHER)]}
