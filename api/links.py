"""The links of the contract: how the answer of one operation leads to the next request. Clients and tests follow them."""

from __future__ import annotations

from collections.abc import Mapping

from .components import Json


def _link(operation: str, **parameters: str) -> Json:
    return {"operationId": operation, "parameters": {name: f"$response.body#/{pointer}" for name, pointer in parameters.items()}}


def _command(pointer: str) -> Json:
    body = {"decision": "$response.body#/question/decision", "command": f"$response.body#/question/{pointer}"}
    return {**_link("giveCommand", match="match"), "requestBody": body}


_OF_MATCH: Json = {
    "match": _link("getMatch", match="match"),
    "view": _link("getView", match="match"),
    "feed": _link("getFeed", match="match"),
    "feedAfter": _link("getFeed", match="match", after="cursor"),
    "viewAt": _link("getView", match="match", at="cursor"),
    "proofs": _link("listProofs", match="match"),
}

_SEAT: Json = {"view": _link("getView", match="match"), "player": _link("getPlayer", player="player")}

LINKS: Mapping[tuple[str, int], Json] = {
    ("createPlayer", 201): {"player": _link("getPlayer", player="player/id")},
    ("createToken", 201): {"revoke": _link("revokeToken", token="token/id")},  # noqa: S106 - a pointer, no secret
    ("listTokens", 200): {"revoke": _link("revokeToken", token="items/1/id")},  # noqa: S106 - a pointer, no secret
    ("listGames", 200): {"game": _link("getGame", game="items/0/id"), "rules": _link("getRules", game="items/0/id")},
    ("listMatches", 200): {"first": _link("getMatch", match="items/0/match"), "next": _link("listMatches", cursor="next")},
    ("listMyMatches", 200): {"first": _link("getView", match="items/0/match")},
    ("getMatch", 200): {
        "host": _link("getPlayer", player="host"),
        "game": _link("getGame", game="game"),
        "view": _link("getView", match="match"),
    },
    ("openMatch", 201): {
        **_OF_MATCH,
        "sit": _link("takeSeat", match="match"),
        "leave": _link("leaveSeat", match="match"),
        "bot": {**_link("seatBot", match="match"), "requestBody": {"bot": "random"}},
        "clear": _link("clearSeat", match="match"),
        "start": _link("startMatch", match="match"),
        "abort": _link("abortMatch", match="match"),
    },
    ("createSeatToken", 201): {**_SEAT, "exchange": _link("createSeatToken", match="match", seat="seat")},
    ("seatUser", 201): _SEAT,
    ("openWhatIf", 201): _OF_MATCH,
    ("getView", 200): {
        "command": _command("legal/0"),
        "again": _link("getView", match="match", at="cursor"),
        "feed": _link("getFeed", match="match", after="cursor"),
    },
    ("giveCommand", 200): _OF_MATCH,
    ("getFeed", 200): {},
    ("listProofs", 200): {
        "first": _link("getProof", match="match", deal="items/0/deal", index="items/0/cards/0/index"),
        "next": _link("listProofs", match="match", after="next"),
    },
}

for _name in ("bot", "clear"):
    LINKS["openMatch", 201][_name]["parameters"]["seat"] = "1"
