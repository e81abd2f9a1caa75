"""The links of the contract: how the answer of one operation leads to the next request. Clients and tests follow them."""

from __future__ import annotations

from collections.abc import Mapping

from ..http.feature import BODY, OF_MATCH, link
from .schemas import Json


def _command(pointer: str) -> Json:
    body = {"decision": "$response.body#/question/decision", "command": f"$response.body#/question/{pointer}"}
    return {**link("giveCommand", match="match"), BODY: body}


def _bot(seat: str) -> Json:
    return {"operationId": "seatBot", "parameters": {**_MATCH, "seat": seat}, BODY: {"bot": "random"}}


_MATCH = {"match": "$response.body#/match"}
_AT_THE_TABLE: Json = {
    "sit": link("takeSeat", match="match"),
    "leave": link("leaveSeat", match="match"),
    "bot": _bot("1"),
    "clear": {"operationId": "clearSeat", "parameters": {**_MATCH, "seat": "1"}},
    "start": link("startMatch", match="match"),
    "abort": link("abortMatch", match="match"),
}
_WHEN_OVER: Json = {
    "rematch": link("agreeRematch", match="match"),
}
_SEAT: Json = {"view": link("getView", match="match"), "player": link("getPlayer", player="player")}
LINKS: Mapping[tuple[str, int], Json] = {
    ("createPlayer", 201): {"player": link("getPlayer", player="player/id")},
    ("getMe", 200): {"player": link("getPlayer", player="id")},
    ("createToken", 201): {"revoke": link("revokeToken", token="token/id")},  # noqa: S106 - a pointer, no secret
    ("listTokens", 200): {"revoke": link("revokeToken", token="items/1/id")},  # noqa: S106 - a pointer, no secret
    ("listGames", 200): {
        "game": link("getGame", game="items/0/id"),
        "rules": link("getRules", game="items/0/id"),
    },
    ("listMatches", 200): {"first": link("getMatch", match="items/0/match"), "next": link("listMatches", after="cursor")},
    ("listMyMatches", 200): {"first": link("getView", match="items/0/match"), "next": link("listMyMatches", after="cursor")},
    ("listMyTurns", 200): {"first": link("getView", match="items/0/match")},
    ("getMatch", 200): {
        "host": link("getPlayer", player="host"),
        "game": link("getGame", game="game"),
        "view": link("getView", match="match"),
        **_WHEN_OVER,
    },
    ("openMatch", 201): {**OF_MATCH, **_AT_THE_TABLE},
    ("openWhatIf", 201): OF_MATCH,
    ("takeSeat", 200): OF_MATCH,
    ("leaveSeat", 200): {"match": OF_MATCH["match"]},
    ("seatBot", 200): OF_MATCH,
    ("clearSeat", 200): OF_MATCH,
    ("passHost", 200): OF_MATCH,
    ("startMatch", 200): OF_MATCH,
    ("abortMatch", 200): {**OF_MATCH, **_WHEN_OVER},
    ("agreeRematch", 200): OF_MATCH,
    ("voidMatch", 200): {"match": OF_MATCH["match"]},
    ("adjudicateMatch", 200): {"match": OF_MATCH["match"]},
    ("createSeatToken", 201): {**_SEAT, "exchange": link("createSeatToken", match="match", seat="seat")},
    ("seatUser", 201): _SEAT,
    ("getView", 200): {
        "command": _command("legal/0"),
        "again": link("getView", match="match", at="cursor"),
        "feed": link("getFeed", match="match", after="cursor"),
        "views": link("getViews", match="match"),
    },
    ("getViews", 200): {
        "next": link("getViews", match="match", after="cursor"),
        "view": link("getView", match="match", at="cursor"),
    },
    ("giveCommand", 200): OF_MATCH,
    ("getFeed", 200): {
        "next": link("getFeed", match="path match", after="cursor"),
        "view": link("getView", match="path match", at="cursor"),
    },
    ("listProofs", 200): {
        "match": link("getMatch", match="match"),
        "first": link("getProof", match="match", deal="items/0/deal", index="items/0/cards/0/index"),
        "next": link("listProofs", match="match", after="cursor"),
    },
}
