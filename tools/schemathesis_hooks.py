"""What schemathesis learns of bodies of links (`api/contract/links.py`), and of what is not made with its player."""

from __future__ import annotations

from typing import Any

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.openapi.checks import EnsureResourceAvailability

BODY = "x-request-body"
LATER = "GET /players/{player}/program"
"""There is none before an operator states one, even if the player was made just now."""


@schemathesis.hook
def before_load_schema(_: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Move the bodies of links to where OpenAPI has a place for them."""
    components = raw_schema["components"]
    operations = [operation for methods in raw_schema["paths"].values() for operation in methods.values()]
    answers = [answer for each in (*operations, components) for answer in each.get("responses", {}).values()]
    links = [*(link for answer in answers for link in answer.get("links", {}).values()), *components.get("links", {}).values()]
    for link in links:
        if BODY in link:
            link["requestBody"] = link.pop(BODY)


@schemathesis.hook
def filter_failure(_: schemathesis.HookContext, failure: Failure, __: object, ___: object) -> bool:
    """Return whether a failure counts: what is stated later may be missing after its player was made."""
    return not (isinstance(failure, EnsureResourceAvailability) and failure.not_available_with == LATER)
