"""The part of the contract on webhooks: what is sent to them, and how they should respond."""

from __future__ import annotations

from ...service.webhooks.messages import MESSAGES, Message, tag_of
from .schemas import Components, Json, camel, ref

TAG = "messages"
"""The tag of messages only: generators make a file for each tag, once of the paths and once of the webhooks."""
HEADERS = {
    "webhook-id": "Identifies the message. The same for all attempts: ignore an id you have already seen.",
    "webhook-timestamp": "When this attempt was made, in Unix seconds. Reject it if it is more than a few minutes old.",
    "webhook-signature": (
        "One or more signatures, separated by spaces: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. The key is "
        "the base64-decoded text behind `whsec_`. One valid signature is enough."
    ),
}
ANSWERS = {
    "2XX": "Received. Respond within ten seconds; the response body is ignored.",
    "3XX": "Redirects are not followed: the attempt counts as failed.",
    "410": "The receiver is permanently gone: the webhook is paused.",
    "default": "The attempt failed and is retried with increasing delays.",
}


def messages(components: Components, examples: Json) -> Json:
    """Return all messages as webhooks of OpenAPI 3.1, by their type."""
    return {tag_of(kind): {"post": _message(kind, components, examples)} for kind in MESSAGES}


def _message(kind: type[Message], components: Components, examples: Json) -> Json:
    tag = tag_of(kind)
    content: Json = {"schema": ref(components.names[kind])}
    if tag in examples:
        content["examples"] = {"real": {"value": examples[tag]}}
    about = " ".join((kind.__doc__ or "").split())
    return {
        "operationId": f"on{camel(tag)}",
        "summary": about.partition(". ")[0].rstrip("."),
        "description": about,
        "tags": [TAG],
        "security": [],
        "parameters": [_header(name, text) for name, text in HEADERS.items()],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {status: {"description": text} for status, text in ANSWERS.items()},
    }


def _header(name: str, text: str) -> Json:
    return {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
