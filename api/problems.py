"""What can go wrong on the wire: the one way from an error to its problem (RFC 9457), of the types in `problem_types`.

A problem says what the caller did or may do, never what is hidden: no card, no name, no trace of the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec
from litestar.exceptions import HTTPException
from msgspec import UNSET, UnsetType

from ..domain.game import AnyGame, GameId, InvalidOptions, Refusal, RuleViolation
from ..domain.match.refusals import DecisionNotOpen, MatchRefused
from ..service.errors import (
    ArchiveLost,
    ArchiveUnavailable,
    Barred,
    Forbidden,
    HistoryForked,
    KeyReused,
    NotFound,
    Sanction,
    StatementRefused,
    StoreUnavailable,
    TooManyHeld,
    Unauthenticated,
    VersionConflict,
)
from ..service.views.feeds import CursorUnknown
from .problem_types import KINDS, Kind
from .texts import Text, refusal_text

PAGES = "/problems/"
"""The pages for people, one for each type."""

TYPES = "urn:tafelrunde:problem:"
"""A type is this and a name: the same text whatever address the service has, and wherever it is mounted (RFC 9457, 3.1.1)."""

MEDIA_TYPE = b"application/problem+json"
RETRY_SECONDS = 1


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request failed. `type` is stable; `message` is meant for people; other fields occur only with some types."""

    type: str
    title: str
    status: int
    message: Text
    detail: str | UnsetType = UNSET
    field: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    arguments: dict[str, str | int] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    current: int | UnsetType | None = UNSET


class Refused(Exception):
    """The API itself refuses a request, with a problem type, its details, and when to retry.

    *message* replaces the message of the type.
    """

    def __init__(
        self,
        name: str,
        *,
        message: Text | None = None,
        detail: str | None = None,
        field: str | None = None,
        retry_seconds: int = RETRY_SECONDS,
    ) -> None:
        super().__init__(name)
        self.name = name
        self.message = message
        self.detail = detail
        self.field = field
        self.retry_seconds = retry_seconds


class GameRefused(Exception):
    """A game refuses a command; errors of the domain do not know their game."""

    def __init__(self, game: AnyGame, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.game = game
        self.refusal = refusal


def problem_of(error: Exception, kinds: Mapping[str, Kind] = KINDS) -> Problem:
    """Return the problem of an error, of one of these *kinds*; an unforeseen one reveals nothing."""
    match error:
        case Refused():
            found = _plain(error.name, detail=error.detail, field=error.field, kinds=kinds)
            return found if error.message is None else msgspec.structs.replace(found, message=error.message)
        case GameRefused():
            return _refusal(error.game.id, error.refusal, error.game)
        case DecisionNotOpen():
            return msgspec.structs.replace(_plain("decision-closed"), current=error.current)
        case MatchRefused():
            return _refusal("match", error.refusal, None)
        case TooManyHeld():
            name, what = _HELD[error.kind]
            return _plain(name, detail=f"at most {error.limit} {what}")
        case Barred():
            return _barred(error)
        case InvalidOptions():
            return _plain("invalid-options", detail=error.reason, field=_pointer_of_option(error.field))
        case HTTPException():
            return _of_framework(error)
        case _:
            return _plain(_name_of(error, kinds), detail=_detail_of(error), kinds=kinds)


def retry_seconds_of(error: Exception) -> int:
    """Return after how many seconds a request that met an error may be tried again."""
    match error:
        case Refused():
            return error.retry_seconds
        case TooManyHeld():
            return error.wait_s or RETRY_SECONDS
        case _:
            return RETRY_SECONDS


def _name_of(error: Exception, kinds: Mapping[str, Kind]) -> str:
    match error:
        case Unauthenticated():
            return "unauthenticated"
        case NotFound():
            return "not-found"
        case Forbidden():
            return error.reason if error.reason in kinds else "scope-missing"
        case KeyReused():
            return "key-reused"
        case StatementRefused():
            return "statement-refused"
        case CursorUnknown():
            return "cursor-unknown"
        case StoreUnavailable() | VersionConflict() | HistoryForked() | ArchiveLost():
            return "unavailable"
        case OverflowError() | RecursionError():
            return "invalid-request"
        case _:
            return "internal"


def _detail_of(error: Exception) -> str | None:
    match error:
        case StatementRefused():
            return error.reason
        case ArchiveUnavailable():
            return "This match is archived, and the store of archives cannot be read."
        case ArchiveLost():
            return "This match is archived, and its archive is missing."
        case _:
            return None


def _barred(error: Barred) -> Problem:
    """Return the problem of a player who may not do something until a time, with the reason if it is for the player to know."""
    until = datetime.fromtimestamp(error.until_ms / 1000, UTC)
    plain = _plain(error.sanction.value)
    german, english = _BARRED[error.sanction]
    own = error.reason != ""
    return msgspec.structs.replace(
        plain,
        message=Text(
            de=german.format(day=f"{until.day}.{until.month}.{until.year}", time=f"{until:%H:%M}")
            + (f" Grund: {error.reason}" if own else " Das betrifft neue Spieler von deiner Adresse."),
            en=english.format(day=f"{until:%Y-%m-%d}", time=f"{until:%H:%M}")
            + (f" Reason: {error.reason}" if own else " This concerns new players from your address."),
        ),
        arguments={"until_ms": error.until_ms, **({"reason": error.reason} if own else {})},
    )


_BARRED = {
    Sanction.SUSPENDED: (
        "Du bist bis zum {day}, {time} Uhr (UTC) gesperrt.",
        "You are suspended until {day}, {time} (UTC).",
    ),
    Sanction.SILENCED: (
        "Du darfst bis zum {day}, {time} Uhr (UTC) nichts schreiben.",
        "You may not write until {day}, {time} (UTC).",
    ),
}
_HELD = {
    "seats": ("too-many-seats", "seats in open matches per player"),
    "open-at": ("too-many-requests", "concurrent open matches per address"),
    "bots": ("too-many-bot-matches", "running matches without players, bot-only or left by all, per host"),
    "bots-begun": ("too-many-bot-matches", "bot-only matches a minute per host"),
    "bots-at": ("too-many-bot-matches", "running matches without players, bot-only or left by all, per address"),
    "daily": ("too-many-requests", "new matches a day per player"),
    "daily-at": ("too-many-requests", "new matches a day per address"),
    "practice": ("too-many-requests", "concurrent practice matches per player"),
    "kept-at": ("too-many-requests", "kept seats per address that are not taken yet"),
    "practice-at": ("too-many-requests", "concurrent practice matches per address"),
}
"""The problem for too many held matches of a kind, and what is counted."""

_OF_STATUS = {404: "not-found", 405: "method-not-allowed", 413: "too-large"}


def _of_framework(error: HTTPException) -> Problem:
    """Return the problem of what Litestar refuses: paths, methods, sizes, malformed requests."""
    if error.status_code in _OF_STATUS:
        return _plain(_OF_STATUS[error.status_code])
    return _plain("invalid-request" if 400 <= error.status_code < 500 else "internal")


def _plain(name: str, *, detail: str | None = None, field: str | None = None, kinds: Mapping[str, Kind] = KINDS) -> Problem:
    kind = kinds[name]
    return Problem(
        type=TYPES + name,
        title=kind.en,
        status=kind.status,
        message=Text(de=kind.de, en=kind.en),
        detail=UNSET if detail is None else detail,
        field=UNSET if field is None else field,
    )


def _refusal(scope: GameId | str, refusal: Refusal, game: AnyGame | None) -> Problem:
    shown = refusal_text(refusal, game)
    return Problem(
        type=TYPES + "refused",
        title=KINDS["refused"].en,
        status=409,
        message=shown.text,
        code=f"{scope}.{refusal.code}",
        arguments=dict(refusal.arguments) or UNSET,
        rule=shown.rule or UNSET,
    )


def _pointer_of_option(field: str) -> str:
    """Return where in the body an option stands; three names are not options but stand beside them."""
    return f"/{field}" if field in {"game", "seats", "options"} else f"/options/{field}"


_PLACE = re.compile(r" - at `(?:key in )?\$(.*)`$")
_NAMED = re.compile(r"(?:unknown|required) field `([^`]*)`")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\.\.\.|\d+)\]")


def misread(error: msgspec.MsgspecError, within: str = "") -> Refused:
    """Return the refusal of a body that could not be read, with a JSON pointer to the first wrong place."""
    text = str(error)
    found = _PLACE.search(text)
    steps = [name or index for name, index in _STEP.findall(found[1])] if found is not None else []
    if (named := _NAMED.search(text)) is not None:
        steps.append(named[1])
    return Refused("invalid-request", detail=_PLACE.sub("", text), field=within + "".join(f"/{step}" for step in steps))


def violation(error: RuleViolation, game: AnyGame) -> Exception:
    """Return a domain's refusal as one that knows its game."""
    return error if isinstance(error, (MatchRefused, DecisionNotOpen)) else GameRefused(game, error.refusal)
