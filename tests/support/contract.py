"""The contract as a judge: every answer that a test gets must be one that the contract promises."""

from __future__ import annotations

import functools
import gzip
import json
import re
from typing import Any

import jsonschema_rs
import msgspec

from tafelrunde.api.contract import openapi
from tafelrunde.domain.registry import GAMES as REGISTERED
from tests.support.own import GAMES as OWN
from tests.support.paths import ROOT
from tests.support.references import inline
from tests.support.wire import Answer

PREFIX = "/api/v1"
ALWAYS = {"ETag", "Location", "Retry-After"}
"""Headers that are there whenever they are promised. Those of limits are not, where limits are turned off."""
JSON_TYPES = {"application/json", "application/problem+json"}


@functools.cache
def document() -> dict[str, Any]:
    """Return the contract of the service that the tests run."""
    return json.loads(json.dumps(openapi.document({**REGISTERED, **OWN})))


@functools.cache
def shipped() -> dict[str, Any]:
    """Return the contract with the registered games only, each operation complete in itself. It must not be changed.

    It is the committed one, which tests/api/contract/test_openapi.py compares with what the code makes: every process needs it to
    know its tests, and reads it in a tenth of the time.
    """
    return inline(json.loads((ROOT / "openapi" / "openapi.json").read_bytes()))


@functools.cache
def validator(name: str) -> jsonschema_rs.Validator:
    """Return what checks a component of the contract."""
    return jsonschema_rs.validator_for({**openapi.ref(name), "components": document()["components"]})


@functools.cache
def paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Return the paths of the contract as patterns; those without parameters first."""
    found = sorted(document()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$"), methods) for path, methods in found]


def promised(method: str, path: str) -> dict[str, Any] | None:
    """Return the operation of a request, if the contract has it."""
    inner = path.partition("?")[0].removeprefix(PREFIX)
    methods = next((methods for pattern, methods in paths() if pattern.match(inner)), {})
    return methods.get({"HEAD": "get"}.get(method, method.lower()))


def check(method: str, path: str, answer: Answer) -> None:
    """Fail unless the answer is one that the contract promises: status, media type, headers and body."""
    operation = promised(method, path) if path.startswith(PREFIX) else None
    if operation is None or answer.status == 405 or b"lifespan-not-run" in answer.body:
        return
    promise = operation["responses"].get(str(answer.status))
    assert promise is not None, f"{method} {path} answers {answer.status}, which the contract does not know"
    for name in ALWAYS & promise.get("headers", {}).keys():
        assert answer.header(name) is not None, f"{method} {path} answers without {name}"
    for name in (*ALWAYS, "Idempotency-Replayed"):
        assert answer.header(name) is None or name in promise.get("headers", {}), f"{method} {path} answers with {name}"
    if method == "HEAD" or not promise.get("content"):
        return
    media = (answer.header("content-type") or "").partition(";")[0]
    assert media in promise["content"]
    content = promise["content"][media]
    if media in JSON_TYPES and (name := content["schema"].get("$ref")) is not None:
        packed = answer.header("content-encoding") == "gzip"
        validator(name.rpartition("/")[2]).validate(msgspec.json.decode(gzip.decompress(answer.body) if packed else answer.body))
