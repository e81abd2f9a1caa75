"""What can go wrong between a client and the service."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from .shapes import Text


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why the service refused (RFC 9457): `type` is stable, `message` is for people; the rest belongs to some types only."""

    type: str
    title: str
    status: int
    message: Text | None = None
    detail: str | None = None
    field: str | None = None
    code: str | None = None
    arguments: Mapping[str, str | int] = {}
    rule: str | None = None
    current: int | None = None


class ClientError(Exception):
    """The root of everything that this client raises on purpose."""


class ApiError(ClientError):
    """The service answered with a problem. Nothing has changed there."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.status} {problem.type}: {problem.detail or problem.title}")
        self.problem = problem


class Unreachable(ClientError):
    """No answer came, also not at the last try, or one that is not of such a service.

    A request that changes something may or may not have been carried out.
    """
