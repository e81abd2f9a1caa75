"""Programs of the machine that some tests need."""

from __future__ import annotations

import os

import pytest


def required(found: str | None, how_to_get: str, *, exists: bool = True) -> str:
    """Return the path of a program; without it skip the test, or fail it in CI.

    *exists*: whether there is such a program for this machine, so that CI must have it.
    """
    if found is not None:
        return found
    if exists and os.environ.get("CI") == "true":
        pytest.fail(how_to_get)
    pytest.skip(how_to_get)
