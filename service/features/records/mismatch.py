"""What differs in a record that is checked, as a finding: where, what was expected, and what was found."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from .record import RecordLine
from .verdict import Finding

SHOWN = 200
"""Maximum length of a value shown."""


class Mismatch(Exception):
    """A part of a record is not as it must be."""

    def __init__(self, line: str, what: str, expected: object, found: object) -> None:
        super().__init__(what)
        self.finding = Finding(line, what, _short(expected), _short(found))


@contextmanager
def unbroken(where: str, what: str) -> Generator[None]:
    """Make a finding of whatever breaks: numbers that are too large, values that are nested too deeply, facts that never were."""
    try:
        yield
    except Mismatch:
        raise
    except Exception as error:  # nothing in a record is trusted, so no list of errors would be complete
        raise Mismatch(where, what, "no error", f"{type(error).__name__}: {error}") from error


def _short(value: object) -> str:
    try:
        text = value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError):  # a number or a name that JSON does not have
        text = str(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def bytes_of(where: str, text: str) -> bytes:
    """Return what a text in base64 says; raise Mismatch unless it is written in the usual way."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Mismatch(where, "bytes in base64", str(error), text) from error
    require_same(where, "base64 in its usual form", base64.b64encode(found).decode(), text)
    return found


def require_same(where: str, what: str, expected: object, found: object) -> None:
    """Raise Mismatch unless two values are equal."""
    if expected != found:
        raise Mismatch(where, what, expected, found)


def require_alike(where: str, what: str, expected: RecordLine, found: RecordLine) -> None:
    """Compare encoded lines, because 1 equals True and 1.0 in Python; report the first field that differs."""
    if msgspec.json.encode(expected) == msgspec.json.encode(found):
        return
    require_same(where, what, type(expected).__name__, type(found).__name__)
    for name in expected.__struct_fields__:
        one, other = getattr(expected, name), getattr(found, name)
        if msgspec.json.encode(one) != msgspec.json.encode(other):
            raise Mismatch(where, name if what == where else f"{what}: {name}", one, other)


def require_shape(where: str, what: str, shape: re.Pattern[str], found: str) -> None:
    """Raise Mismatch unless a text has a shape."""
    if shape.fullmatch(found) is None:
        raise Mismatch(where, what, shape.pattern, found)
