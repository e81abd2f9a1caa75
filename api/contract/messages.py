"""The part of the contract on what is sent to webhooks, and how they should respond."""

from __future__ import annotations

import msgspec

from ..http.feature import Messages
from .schemas import Components, Json, camel, ref, tag_of


def messages_of(sent: Messages, components: Components, examples: Json) -> Json:
    """Return all messages as webhooks of OpenAPI 3.1, by their type."""
    return {tag_of(kind): {"post": _message(sent, kind, components, examples)} for kind in sent.kinds}


def _message(sent: Messages, kind: type[msgspec.Struct], components: Components, examples: Json) -> Json:
    tag = tag_of(kind)
    content: Json = {"schema": ref(components.names[kind])}
    if tag in examples:
        content["examples"] = {"real": {"value": examples[tag]}}
    summary, _, rest = " ".join((kind.__doc__ or "").split()).partition(". ")
    return {
        "operationId": f"on{camel(tag)}",
        "summary": summary.rstrip("."),
        **({"description": rest} if rest else {}),
        "tags": [sent.tag],
        "security": [],
        "parameters": [_header(name, text) for name, text in sent.headers.items()],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {status: {"description": text} for status, text in sent.answers.items()},
    }


def _header(name: str, text: str) -> Json:
    return {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
