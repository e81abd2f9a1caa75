"""Requests and answers as values, without a connection: what the blocking and the asynchronous client share."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Generic, TypeVar

import httpx
import msgspec

from .problems import ApiError, Problem, Unreachable
from .shapes import Command, Feed, GameList, Match, MatchPage, Plain, Receipt, SignedUp, View

BASE = "/api/v1"
TRIES = 5
WORTH_ANOTHER_TRY = {429, 502, 503, 504}
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0

Shape = TypeVar("Shape")


class Call(msgspec.Struct, Generic[Shape], frozen=True):
    """One request, and the shape of its answer. One that changes something has a key, so that it can be sent again safely."""

    shape: type[Shape]
    method: str
    path: str
    parameters: Mapping[str, str | int] = {}
    body: object = None
    key: str | None = None

    def request(self, client: httpx.Client | httpx.AsyncClient, token: str | None) -> httpx.Request:
        """Return the request for a connection of this kind."""
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if self.key is not None:
            headers["Idempotency-Key"] = self.key
        content = None if self.body is None else msgspec.json.encode(self.body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        return client.build_request(self.method, BASE + self.path, params=self.parameters, headers=headers, content=content)

    def tries(self) -> Tries:
        """Return the tries of this request: one, if it would do harm twice."""
        return Tries(safe=self.method == "GET" or self.key is not None)

    def read(self, answer: httpx.Response | None) -> Shape:
        """Return what was answered; raise ApiError, or Unreachable for None."""
        if answer is None:
            raise Unreachable(f"no answer to {self.method} {self.path}")
        if answer.is_success:
            return msgspec.json.decode(answer.content, type=self.shape)
        raise ApiError(problem_of(answer))


def problem_of(answer: httpx.Response) -> Problem:
    """Return the problem of an answer that is not a success, also if something on the way to the service made it."""
    try:
        return msgspec.json.decode(answer.content, type=Problem)
    except msgspec.DecodeError:
        return Problem(type="about:blank", title=answer.reason_phrase or "not a problem document", status=answer.status_code)


class Tries:
    """How often a request was tried, and whether it is worth another try."""

    def __init__(self, safe: bool) -> None:
        self._safe = safe
        self._count = 0

    def again(self, answer: httpx.Response | None) -> float | None:
        """Return the seconds to wait before the next try, or None if this answer (None: there was none) is the last word."""
        self._count += 1
        if self._count >= TRIES or not self._safe or (answer is not None and answer.status_code not in WORTH_ANOTHER_TRY):
            return None
        asked = answer.headers.get("Retry-After", "") if answer is not None else ""
        if asked.isdigit():
            return min(float(asked), LONGEST_PAUSE)
        return min(FIRST_PAUSE * 2**self._count, LONGEST_PAUSE) * (0.5 + secrets.randbelow(500) / 1000)

    def renew(self) -> None:
        """Begin to count anew, as all is well."""
        self._count = 0


def _key() -> str:
    return secrets.token_urlsafe(16)


# What can be asked


def list_games() -> Call[GameList]:
    """All games."""
    return Call(GameList, "GET", "/games")


def sign_up(name: str | None) -> Call[SignedUp]:
    """A new player; None for a guest."""
    return Call(SignedUp, "POST", "/players", body={} if name is None else {"name": name})


def open_match(
    game: str, seats: int, bots: Mapping[int, str], options: Mapping[str, Plain], settings: Mapping[str, Plain]
) -> Call[Receipt]:
    """A new match."""
    seated = [{"seat": at, "bot": bot} for at, bot in bots.items()]
    body = {"game": game, "seats": seats, "options": options, "bots": seated, **settings}
    return Call(Receipt, "POST", "/matches", body=body, key=_key())


def list_matches(own: bool, filters: Mapping[str, str | int]) -> Call[MatchPage]:
    """Matches, newest first."""
    return Call(MatchPage, "GET", "/me/matches" if own else "/matches", filters)


def get_match(match: str) -> Call[Match]:
    """The facts of a match."""
    return Call(Match, "GET", f"/matches/{match}")


def change(match: str, what: str, body: object = None, method: str = "POST") -> Call[Receipt]:
    """Something that changes a match."""
    return Call(Receipt, method, f"/matches/{match}/{what}", body=body, key=_key())


def get_view(match: str, at: str | None) -> Call[View]:
    """The match as the asker may know it, now or at a cursor of its feed."""
    return Call(View, "GET", f"/matches/{match}/view", {} if at is None else {"at": at})


def give_command(match: str, decision: int, command: Command) -> Call[Receipt]:
    """An answer to a decision."""
    return change(match, "commands", {"decision": decision, "command": command})


def get_feed(match: str, after: str | None, wait_seconds: int) -> Call[Feed]:
    """The next items of a feed."""
    return Call(Feed, "GET", f"/matches/{match}/feed", {"wait": wait_seconds, **({} if after is None else {"after": after})})
