"""What schemathesis learns about links: their bodies are in an extension that it does not know (`api/contract/links.py`)."""

from __future__ import annotations

from typing import Any

import schemathesis

BODY = "x-request-body"


@schemathesis.hook
def before_load_schema(_: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Move the bodies of links to where OpenAPI has a place for them."""
    answers = (
        answer for methods in raw_schema["paths"].values() for each in methods.values() for answer in each["responses"].values()
    )
    for link in (link for answer in answers for link in answer.get("links", {}).values()):
        if BODY in link:
            link["requestBody"] = link.pop(BODY)
