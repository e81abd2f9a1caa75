"""The part of the contract that a client needs to play: it can be read whole, and a client made from it plays every game."""

from __future__ import annotations

from collections.abc import Mapping

from ...domain.game import AnyGame, GameId
from ...domain.registry import GAMES
from .about import INFO, SIMPLE, TIMES
from .openapi import document, pretty
from .schemas import Json, reachable
from .sharing import share

OPERATIONS = frozenset(
    (
        *("listGames", "getGame", "getRules"),
        *("createPlayer", "getPlayer", "getMe", "renameMe"),
        *("openMatch", "listMatches", "listMyMatches", "listMyTurns", "getMatch"),
        *("takeSeat", "leaveSeat", "seatBot", "clearSeat", "passHost", "startMatch", "agreeRematch", "abortMatch"),
        *("getView", "getViews", "giveCommand", "getFeed", "streamFeed"),
    )
)
"""What players do from the choice of a game to a rematch.

Left out are features, tokens for other devices and seats, programs, practice matches, proofs, embedding, and what operators do.
"""


TITLE = "Tafelrunde: playing"
ABOUT = (
    "What a client needs to play, from the choice of a game to a rematch. `openapi.json` beside it is the whole contract: it "
    f"also has the features, the shape of each event, and an example of each problem. {SIMPLE} {TIMES}"
)
EVENT: Json = {
    "description": "An event of any game, or of the match around it. What it changes shows in the view.",
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": True,
}
"""Any event: to play, a client reads views, and the feed tells when. Shapes of all events would be two fifths of this part."""


def core_contract(games: Mapping[GameId, AnyGame] = GAMES) -> bytes:
    """Return the core contract, the same bytes for the same code."""
    return pretty(share(core_document(games))).encode()


def core_document(games: Mapping[GameId, AnyGame] = GAMES) -> Json:
    """Return the operations of the core contract and the shapes that they need, as plain data."""
    found = document(games, ())
    paths = {path: kept for path, methods in found["paths"].items() if (kept := _keep(methods))}
    used = {tag for methods in paths.values() for operation in methods.values() for tag in operation["tags"]}
    schemas = {**found["components"]["schemas"], "FeedEvent": EVENT}
    components = {**found["components"], "schemas": reachable(paths, schemas, unions=False)}
    rest = {key: value for key, value in found.items() if key != "x-messages"}  # they name shapes of single games
    tags = [tag for tag in found["tags"] if tag["name"] in used]
    info = {**INFO, "title": TITLE, "summary": ABOUT.partition(". ")[0] + ".", "description": ABOUT}
    return {**rest, "info": info, "tags": tags, "paths": paths, "components": components}


def _keep(methods: Json) -> Json:
    return {method: _close(operation) for method, operation in methods.items() if operation["operationId"] in OPERATIONS}


def _close(operation: Json) -> Json:
    """Return an operation without examples of problems, whose links lead to operations of this part only."""
    return {**operation, "responses": {status: _answer(status, answer) for status, answer in operation["responses"].items()}}


def _answer(status: str, answer: Json) -> Json:
    links = {name: link for name, link in answer.get("links", {}).items() if link["operationId"] in OPERATIONS}
    rest = {key: value for key, value in answer.items() if key != "links"}
    if status >= "400":
        rest["content"] = {media: {"schema": content["schema"]} for media, content in answer["content"].items()}
    return {**rest, **({"links": links} if links else {})}
