"""The contract with every reference resolved but those to shapes: each operation is complete in itself, as the code makes it."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

Json: TypeAlias = dict[str, Any]

SHAPES = "#/components/schemas/"


def inline(document: Json) -> Json:
    """Return an equal contract whose responses, parameters, headers, links and examples stand where they are used."""
    components = document["components"]
    parts = {name: _resolve(document[name], components) for name in ("paths", "webhooks") if name in document}
    kept = {kind: entries for kind, entries in components.items() if kind in {"schemas", "securitySchemes"}}
    return {**document, **parts, "components": kept}


def _resolve(node: object, components: Json) -> Any:
    if isinstance(node, list):
        return [_resolve(each, components) for each in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    part = cast("Json", node)
    target = part.get("$ref")
    if isinstance(target, str) and target.startswith("#/components/") and not target.startswith(SHAPES):
        _, _, kind, name = target.split("/")
        return _resolve(components[kind][name], components)
    return {key: each if key == "value" else _resolve(each, components) for key, each in part.items()}
