"""What a feature adds to the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from ..problem_types import Kind
from .asking import Asking
from .catalog import Describe
from .operation import AnyOperation

Json: TypeAlias = dict[str, Any]
INBOX = "InboxMessage"
"""The union of all that comes into inboxes: the `notices` of all features."""
BODY = "x-request-body"
"""The body of the next request in a link, an object with runtime expressions.

OpenAPI allows it as `requestBody` too, but the most used generator takes the whole contract for invalid then.
"""


class Messages(msgspec.Struct, frozen=True, kw_only=True):
    """What a feature sends to addresses that users name: the section `webhooks` of the contract.

    - union, about: the name of the union of all kinds, and what it says of itself.
    - kinds: the shapes, each with its type as its tag.
    - tag: of these operations alone: generators make a file for each tag, once of the paths and once of the webhooks.
    - headers, answers: what comes with a message, and how receivers should respond, by status.
    """

    union: str
    about: str
    kinds: tuple[type[msgspec.Struct], ...]
    tag: str
    headers: Mapping[str, str]
    answers: Mapping[str, str]


class ApiFeature(msgspec.Struct, frozen=True, kw_only=True):
    """What a feature adds to the API.

    - operations: in the order of the contract.
    - pages: what it serves beside the contract.
    - tags: what its own tags of the contract are about.
    - problems: its own types of problems, by name.
    - describe: returns what it knows of a game, by fields of the game's sheet.
    - parameters: the pattern and the meaning of parameters in its paths.
    - messages: what it sends to others, if it does.
    - notices: the shapes of what it posts into inboxes, each with its type as its tag.
    - schemes: returns its own ways to get a token that operations are lent to, by name; its argument is prepended to addresses.
    - asking: the frames that its clients send over the socket.
    - links: how answers lead to further requests, by operation and status; added to those of operations of others, too.
    """

    operations: tuple[AnyOperation, ...]
    pages: tuple[AnyOperation, ...] = ()
    tags: Mapping[str, str] = {}
    problems: Mapping[str, Kind] = {}
    parameters: Mapping[str, tuple[str, str]] = {}
    messages: Messages | None = None
    notices: tuple[type[msgspec.Struct], ...] = ()
    asking: tuple[Asking, ...] = ()
    links: Mapping[tuple[str, int], Json] = {}
    describe: Describe | None = None
    schemes: Callable[[str], Json] = lambda _: {}


def link(operation: str, **parameters: str) -> Json:
    """Return a link whose parameters come from the answer, or (`path match`) from the path that was asked."""
    return {"operationId": operation, "parameters": {name: _source(pointer) for name, pointer in parameters.items()}}


def _source(pointer: str) -> str:
    kind, _, name = pointer.partition(" ")
    return f"$request.path.{name}" if kind == "path" else f"$response.body#/{pointer}"


OF_MATCH: Json = {
    "match": link("getMatch", match="match"),
    "view": link("getView", match="match"),
    "feed": link("getFeed", match="match"),
    "feedAfter": link("getFeed", match="match", after="cursor"),
    "viewAt": link("getView", match="match", at="cursor"),
    "proofs": link("listProofs", match="match"),
}
"""Links of every answer about a match."""
