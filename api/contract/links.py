"""The links of the contract: how the answer of one operation leads to the next request. Clients and tests follow them.

The body of the next request stands in `x-request-body`, an object with runtime expressions: OpenAPI allows it as `requestBody`
too, but the most used generator takes the whole contract for invalid then.
"""

from __future__ import annotations

from collections.abc import Mapping

from .schemas import Json

BODY = "x-request-body"


def _link(operation: str, **parameters: str) -> Json:
    """Return a link whose parameters come from the answer, or (`path match`) from the path that was asked."""
    return {"operationId": operation, "parameters": {name: _source(pointer) for name, pointer in parameters.items()}}


def _source(pointer: str) -> str:
    kind, _, name = pointer.partition(" ")
    return f"$request.path.{name}" if kind == "path" else f"$response.body#/{pointer}"


def _command(pointer: str) -> Json:
    body = {"decision": "$response.body#/question/decision", "command": f"$response.body#/question/{pointer}"}
    return {**_link("giveCommand", match="match"), BODY: body}


def _bot(seat: str) -> Json:
    return {"operationId": "seatBot", "parameters": {**_MATCH, "seat": seat}, BODY: {"bot": "random"}}


_MATCH = {"match": "$response.body#/match"}
_OF_MATCH: Json = {
    "match": _link("getMatch", match="match"),
    "view": _link("getView", match="match"),
    "feed": _link("getFeed", match="match"),
    "feedAfter": _link("getFeed", match="match", after="cursor"),
    "viewAt": _link("getView", match="match", at="cursor"),
    "proofs": _link("listProofs", match="match"),
}
_AT_THE_TABLE: Json = {
    "sit": _link("takeSeat", match="match"),
    "leave": _link("leaveSeat", match="match"),
    "bot": _bot("1"),
    "clear": {"operationId": "clearSeat", "parameters": {**_MATCH, "seat": "1"}},
    "start": _link("startMatch", match="match"),
    "abort": _link("abortMatch", match="match"),
}
_WHEN_OVER: Json = {
    "record": _link("getRecord", match="match"),
    "verification": _link("getVerification", match="match"),
    "logProofs": _link("getLogProofs", match="match"),
    "rematch": _link("agreeRematch", match="match"),
    "coaching": _link("askForCoaching", match="match"),
}
_SEAT: Json = {"view": _link("getView", match="match"), "player": _link("getPlayer", player="player")}

_OF_DELIVERY: Json = {"delivery": _link("getDelivery", webhook="webhook", delivery="id")}
LINKS: Mapping[tuple[str, int], Json] = {
    ("createPlayer", 201): {"player": _link("getPlayer", player="player/id")},
    ("getMe", 200): {"player": _link("getPlayer", player="id")},
    ("createToken", 201): {"revoke": _link("revokeToken", token="token/id")},  # noqa: S106 - a pointer, no secret
    ("listTokens", 200): {"revoke": _link("revokeToken", token="items/1/id")},  # noqa: S106 - a pointer, no secret
    ("listGames", 200): {
        "game": _link("getGame", game="items/0/id"),
        "rules": _link("getRules", game="items/0/id"),
        "lesson": _link("getLesson", game="items/0/id"),
        "leaderboard": _link("getLeaderboard", game="items/0/id"),
        "daily": _link("getDaily", game="items/0/id"),
        "puzzle": _link("getPuzzle", game="items/0/id"),
    },
    ("getLeaderboard", 200): {"next": _link("getLeaderboard", game="game", cursor="next")},
    ("listMatches", 200): {"first": _link("getMatch", match="items/0/match"), "next": _link("listMatches", cursor="next")},
    ("listMyMatches", 200): {"first": _link("getView", match="items/0/match"), "next": _link("listMyMatches", cursor="next")},
    ("getMatch", 200): {
        "host": _link("getPlayer", player="host"),
        "game": _link("getGame", game="game"),
        "view": _link("getView", match="match"),
        **_WHEN_OVER,
    },
    ("openMatch", 201): {**_OF_MATCH, **_AT_THE_TABLE},
    ("openWhatIf", 201): _OF_MATCH,
    ("getLesson", 200): {"open": _link("openLesson", game="game")},
    ("getDaily", 200): {"open": _link("openDaily", game="game"), "ranking": _link("getDailyRanking", game="game")},
    ("openDaily", 201): _OF_MATCH,
    ("getDailyRanking", 200): {"next": _link("getDailyRanking", game="game", day="day", start="next")},
    ("answerPuzzle", 200): {"match": _link("getMatch", match="yours/match")},
    ("openLesson", 201): _OF_MATCH,
    ("takeSeat", 200): _OF_MATCH,
    ("leaveSeat", 200): {"match": _OF_MATCH["match"]},
    ("seatBot", 200): _OF_MATCH,
    ("clearSeat", 200): _OF_MATCH,
    ("startMatch", 200): _OF_MATCH,
    ("abortMatch", 200): {**_OF_MATCH, **_WHEN_OVER},
    ("agreeRematch", 200): _OF_MATCH,
    ("voidMatch", 200): {"match": _OF_MATCH["match"]},
    ("adjudicateMatch", 200): {"match": _OF_MATCH["match"]},
    ("createSeatToken", 201): {**_SEAT, "exchange": _link("createSeatToken", match="match", seat="seat")},
    ("seatUser", 201): _SEAT,
    ("getView", 200): {
        "command": _command("legal/0"),
        "again": _link("getView", match="match", at="cursor"),
        "feed": _link("getFeed", match="match", after="cursor"),
        "views": _link("getViews", match="match"),
    },
    ("getViews", 200): {
        "next": _link("getViews", match="match", after="cursor"),
        "view": _link("getView", match="match", at="cursor"),
    },
    ("giveCommand", 200): _OF_MATCH,
    ("getFeed", 200): {
        "next": _link("getFeed", match="path match", after="cursor"),
        "view": _link("getView", match="path match", at="cursor"),
    },
    ("listProofs", 200): {
        "first": _link("getProof", match="match", deal="items/0/deal", index="items/0/cards/0/index"),
        "next": _link("listProofs", match="match", after="next"),
    },
    ("createWebhook", 201): {
        "webhook": _link("getWebhook", webhook="webhook/id"),
        "change": {**_link("changeWebhook", webhook="webhook/id"), BODY: {"paused": False}},
        "rotate": _link("rotateWebhookSecret", webhook="webhook/id"),
        "ping": _link("pingWebhook", webhook="webhook/id"),
        "deliveries": _link("listDeliveries", webhook="webhook/id"),
        "delete": _link("deleteWebhook", webhook="webhook/id"),
    },
    ("listWebhooks", 200): {"first": _link("getWebhook", webhook="items/0/id")},
    ("pingWebhook", 200): _OF_DELIVERY,
    ("listDeliveries", 200): {
        "first": _link("getDelivery", webhook="items/0/webhook", delivery="items/0/id"),
        "next": _link("listDeliveries", webhook="path webhook", cursor="next"),
    },
    ("getDelivery", 200): {"again": _link("redeliver", webhook="webhook", delivery="id")},
    ("redeliver", 200): _OF_DELIVERY,
    ("getCheckpoint", 200): {"consistency": _link("getLogConsistency", to="size")},
    ("getHint", 200): {
        "take": {
            **_link("giveCommand", match="match"),
            BODY: {"decision": "$response.body#/decision", "command": "$response.body#/moves/0/command"},
        }
    },
    ("askForCoaching", 202): {"coaching": _link("getCoaching", match="match", seat="seat")},
    ("getVerification", 200): {"record": _link("getRecord", match="match")},
}
