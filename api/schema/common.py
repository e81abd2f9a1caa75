"""What all shapes of the API share.

Requests refuse unknown fields; answers are built field by field, never from stored events whole.
"""

from __future__ import annotations

from enum import Enum

import msgspec
from msgspec import UNSET, Meta, UnsetType

UNION = "x-union"


def union(name: str) -> Meta:
    """Return what makes the contract say the union of that name, whatever the type in Python is (see `components.py`)."""
    return Meta(extra_json_schema={UNION: name})


class Scope(Enum):
    """What a token allows: to read; to take seats and play; to open matches and manage the player; to operate the service.

    `embed` is for applications that seat their own users, who need no account here.
    """

    READ = "read"
    PLAY = "play"
    CREATE = "create"
    ADMIN = "admin"
    EMBED = "embed"


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A body that a client sends."""


class Nothing(Request, frozen=True):
    """No body, or no parameters."""


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Health of the service. `detail` says what cannot be done although commands are accepted."""

    status: str
    detail: str | UnsetType = UNSET
