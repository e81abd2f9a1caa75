"""Everything that can be asked about a match, out of the contract.

An operation that the contract gains is asked too, if what it takes has a value here; otherwise the test says what is missing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, cast

from tests.support.paths import ROOT
from tests.support.wire import Answer
from tests.whole.hidden.world import Viewer, World

CONTRACT = ROOT / "openapi" / "openapi.json"
METHODS = ("get", "post", "put", "patch", "delete")


class Way(NamedTuple):
    """An operation of the contract, and the names of what it takes."""

    operation: str
    method: str
    path: str
    places: tuple[str, ...]
    query: tuple[str, ...]
    headers: tuple[str, ...]


class Question(NamedTuple):
    """A request."""

    operation: str
    method: str
    path: str
    more: dict[str, Any]


@dataclass
class Known:
    """What a viewer can make requests of: all of it is the same in both worlds."""

    world: World
    viewer: Viewer
    rng: random.Random
    deals: int = 0
    cursors: list[str] = field(default_factory=lambda: ["0-00000000"])
    tags: dict[str, str] = field(default_factory=dict[str, str])
    deliveries: list[str] = field(default_factory=lambda: ["msg_" + 26 * "0"])
    inbox: str = "0-00000000"

    @property
    def place(self) -> int:
        """Whose resources it requests: its own, or those of the first player."""
        return self.viewer.place or 0

    def learn(self, question: Question, answer: Answer) -> None:
        """Keep what further requests can be made of."""
        if (tag := answer.header("etag")) is not None:
            self.tags[question.path] = tag
        if answer.status == 200 and question.operation in {"getView", "getFeed"}:
            self.cursors.append(answer.json["cursor"])
        if answer.status == 200 and question.operation == "getInbox" and self.inbox.startswith("0-0000"):
            self.inbox = answer.json["cursor"]
        if answer.status == 200 and question.operation == "listDeliveries":
            self.deliveries += [each["id"] for each in answer.json["items"][:1]]


Value: TypeAlias = object
"""A value, or a function that makes one of what is known."""
PLACES: Mapping[str, Value] = {
    "match": lambda known: known.world.match,
    "seat": lambda known: known.rng.randrange(known.world.seats),
    "game": lambda known: known.world.game,
    "player": lambda known: known.rng.choice(known.world.players),
    "getProgram.player": lambda known: known.world.players[0],
    "getRatingHistory.player": lambda known: known.world.players[0],
    "listPlayerMatches.player": lambda known: known.world.players[0],
    "token": "t" + 26 * "0",
    "webhook": lambda known: known.world.webhooks[known.place],
    "day": "2023-11-14",
    "tournament": "c" + 24 * "a",
    "number": 1,
    "delivery": lambda known: known.deliveries[-1],
    "grant": "g" + 26 * "0",
    "act": "k" + 26 * "0",
    "deal": lambda known: known.rng.randrange(max(known.deals - 1, 0), known.deals + 2),
    "index": lambda known: known.rng.randrange(3 * known.world.seats),
}
QUERY: Mapping[str, Value] = {
    "after": lambda known: known.rng.choice(known.cursors),
    "listProofs.after": lambda known: known.deals - 1,
    "getInbox.after": lambda known: known.inbox,
    "getTalk.after": lambda known: known.rng.randrange(2),
    "listReports.after": 0,
    "player": lambda known: known.rng.choice(known.world.players),
    "room": lambda known: known.rng.choice(["table", "stands"]),
    "getTalk.room": "table",
    "growing": "true",
    "day": "2023-11-14",
    "start": 0,
    "kind": "programs",
    "getDailyRanking.limit": 2,
    "getInbox.limit": 2,
    "listLogEntries.limit": 2,
    "listMyRecords.limit": 1,
    "listRecords.limit": 1,
    "at": lambda known: known.rng.choice([*known.cursors, "1-00000000"]),
    "bots": 25,
    "cursor": "MTcwMDAwMDAwMDAwMC5t" + 24 * "A",
    "format": "json",
    "from": 0,
    "game": lambda known: known.world.game,
    "lang": "de",
    "limit": lambda known: known.rng.randint(1, 2),
    "maxheight": 300,
    "maxwidth": 300,
    "perspective": lambda known: known.rng.choice(["public", *range(known.world.seats)]),
    "seat": 0,
    "size": 1,
    "client_id": "a" + 26 * "0",
    "response_type": "code",
    "redirect_uri": "http://127.0.0.1/back",
    "scope": "read",
    "state": "x",
    "code_challenge": 43 * "a",
    "code_challenge_method": "S256",
    "status": lambda known: known.rng.choice(["open", "running", "over", "aborted"]),
    "to": 1,
    "url": lambda known: f"http://testserver/matches/{known.world.match}",
    "watchable": "true",
    "wait": None,
}
"""By name, or by operation and name where that means something else. None: not asked so, as ears do that."""
HEADERS: Mapping[str, Value] = {
    "If-None-Match": None,
    "Last-Event-ID": None,
    "Idempotency-Key": None,
}
"""Headers that are asked with elsewhere here, or by ears."""
CORRECTION = {"reason": "why not"}
BODIES: Mapping[str, Value] = {
    "takeSeat": lambda known: {"seat": known.rng.randrange(known.world.seats)},
    "leaveSeat": None,
    "seatBot": {"bot": "random"},
    "clearSeat": None,
    "startMatch": None,
    "agreeRematch": None,
    "abortMatch": None,
    "createSeatToken": None,
    "seatUser": {"user": "somebody"},
    "openWhatIf": {"decision": 1, "seat": 0},
    "askForCoaching": None,
    "giveCommand": {"decision": 0, "command": {"type": "coup.claim-tax"}},
    "answerPuzzle": lambda known: {"game": known.world.game, "day": "2023-11-14", "command": {"type": "coup.claim-tax"}},
    "say": {"phrase": "what-they-hold"},
    "reportTalk": {"room": "table", "n": 1, "reason": "other"},
    "voidMatch": CORRECTION,
    "passHost": lambda known: {"player": known.world.players[1]},
    "invitePlayer": lambda known: {"player": known.world.players[-1]},
    "withdrawInvitation": None,
    "adjudicateMatch": {**CORRECTION, "placings": [{"seat": 0, "rank": 1}]},
}
"""What is asked of a running match, to be refused."""
ACTS = frozenset({"leaveSeat", "abortMatch", "createSeatToken", "takeSeat"})
"""What would not be refused to a seat."""
ELSEWHERE = frozenset(
    {
        "createPlayer", "renameMe", "deleteMe", "createToken", "revokeToken", "openMatch", "openLesson", "openDaily",
        "createWebhook",
        "changeWebhook", "addCosignature", "deleteWebhook", "rotateWebhookSecret", "pingWebhook", "redeliver",
        "declareProgram", "revokeProgram", "mutePlayer", "unmutePlayer",
        "changeProfile", "followPlayer", "unfollowPlayer", "blockPlayer", "unblockPlayer", "declineInvitation",
        "createDeviceCode", "dropDeviceCodes", "redeemDeviceCode",
        "preparePasskey", "addPasskey", "renamePasskey", "removePasskey", "preparePasskeySignIn", "signInByPasskey",
        "registerApplication", "decideAuthorization", "exchangeToken", "endAuthorization", "revokeApplication",
        "endApplication",
        "beginVacation", "endVacation",
        "seekQuickMatch", "openTournament", "cancelTournament", "joinTournament", "leaveTournament", "startTournament",
        "chooseNotices", "setNoticeMail", "deleteNoticeMail", "confirmNoticeMail", "addNoticeBrowser", "removeNoticeBrowser",
        "createModerationAct", "liftModerationAct",
        "beginOpenidSignIn", "finishOpenidSignIn", "beginOpenidLink", "finishOpenidLink", "unlinkOpenid",
    }
)  # fmt: skip
"""What changes something that is no match, or beside it."""
SEVERAL = {"getProof": 6}
"""What is asked several times, as its values are many."""
WITH_ALL = frozenset(
    {
        "getSignedCheckpoint", "getSigningKeys", "getOpeningProof", "getDayProof", "listLogEntries", "listCosignatures",
        "askForCoaching", "getCoaching", "getDaily", "getDailyRanking", "getPuzzle", "answerPuzzle",
        "getTalkPhrases", "listMuted", "listReports", "listModerationActs", "listMyModerationActs",
    }
)  # fmt: skip
"""What is asked only when everything is: it says the same to all callers who get an answer."""
LIVE = frozenset({"streamFeed", "streamInbox", "streamTalk"})
"""What stays open: ears listen to feeds all the time; other streams have the items of their pages, which are asked for."""


def ways() -> tuple[Way, ...]:
    """Return all operations of the contract."""
    document = json.loads(CONTRACT.read_bytes())
    shared = document["components"].get("parameters", {})
    return tuple(
        _way(method.upper(), path, told, shared)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
        if method in METHODS
    )


def _way(method: str, path: str, told: Mapping[str, Any], shared: Mapping[str, Any]) -> Way:
    parameters = [shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in told.get("parameters", ())]
    names = {kind: tuple(each["name"] for each in parameters if each["in"] == kind) for kind in ("path", "query", "header")}
    return Way(told["operationId"], method, path, names["path"], names["query"], names["header"])


def gaps(all_ways: Iterable[Way]) -> list[str]:
    """Return what the contract has and nothing here knows how to ask for."""
    return [f"{way.operation}: no value for {name}" for way in all_ways for name in _missing(way)]


def _missing(way: Way) -> Iterator[str]:
    if way.operation in ELSEWHERE:
        return
    yield from (name for name in way.places if name not in PLACES)
    yield from (name for name in way.headers if name not in HEADERS)
    if way.method == "GET":
        yield from (name for name in way.query if name not in QUERY)
    elif way.operation not in BODIES:
        yield "the body, one that is refused"


WAYS = ways()
ABOUT = tuple(way for way in WAYS if way.operation not in ELSEWHERE | LIVE)


def questions(known: Known) -> Iterator[Question]:
    """Yield all requests of a viewer that change nothing, each with values of its own."""
    for way in ABOUT:
        if way.method == "GET":
            for _ in range(SEVERAL.get(way.operation, 1)):
                yield from _looks(way, known)
        elif way.operation not in ACTS or known.viewer.seat is None:
            yield _try(way, known)


def _looks(way: Way, known: Known) -> Iterator[Question]:
    """Yield a plain request, one with the entity tag that is known, and one for each parameter of the query."""
    path = _filled(way, known)
    first = f"?url={_value(QUERY['url'], known)}" if "url" in way.query else ""
    yield Question(way.operation, "GET", path + first, {})
    if path in known.tags:
        yield Question(way.operation, "GET", path, {"headers": [("If-None-Match", known.tags[path])]})
    for name in way.query:
        value = _value(QUERY.get(f"{way.operation}.{name}", QUERY[name]), known)
        if value is not None and name != "url":
            yield Question(way.operation, "GET", f"{path}{first}{'&' if first else '?'}{name}={value}", {})


def _try(way: Way, known: Known) -> Question:
    """Return a request that is refused."""
    body = _value(BODIES[way.operation], known)
    more: dict[str, Any] = {"key": "no"} if body is None else {"key": "no", "content": body}
    return Question(way.operation, way.method, _filled(way, known), more)


def _filled(way: Way, known: Known) -> str:
    values = {name: PLACES.get(f"{way.operation}.{name}", PLACES[name]) for name in way.places}
    return way.path.format(**{name: _value(value, known) for name, value in values.items()})


def _value(value: Value, known: Known) -> object:
    return cast("Callable[[Known], object]", value)(known) if callable(value) else value
