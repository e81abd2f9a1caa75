"""The requests of the API about matches: one function for each operation. Those about a service are in `asked_service`."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType

from .advice import Coaching, Hint
from .calls import Call, fresh_key
from .inbox import Inbox
from .shapes import Command, Feed, Match, MatchPage, Plain, Receipt, View, ViewPage

# Matches


def open_match(
    game: str, seats: int, bots: Mapping[int, str], options: Mapping[str, Plain], settings: Mapping[str, Plain]
) -> Call[Receipt]:
    """Open a match."""
    seated = [{"seat": at, "bot": bot} for at, bot in bots.items()]
    body = {"game": game, "seats": seats, "options": options, "bots": seated, **settings}
    return Call(Receipt, "POST", "/matches", body=body, key=fresh_key())


def what_if(match: str, decision: int, seat: int, bot: str | None, nonce: str) -> Call[Receipt]:
    """Open a practice match from a decision of a finished match."""
    body = {"decision": decision, "seat": seat, "bot": bot, "nonce": nonce}
    return Call(Receipt, "POST", f"/matches/{match}/what-if", body=body, key=fresh_key())


def open_lesson(game: str) -> Call[Receipt]:
    """Open a game's lesson."""
    return Call(Receipt, "POST", f"/games/{game}/lesson", key=fresh_key())


def open_daily(game: str) -> Call[Receipt]:
    """Play a game's deal of today."""
    return Call(Receipt, "POST", f"/daily/{game}")


def list_matches(own: bool, filters: Mapping[str, str | int]) -> Call[MatchPage]:
    """Matches, newest first."""
    return Call(MatchPage, "GET", "/me/matches" if own else "/matches", filters)


def get_match(match: str) -> Call[Match]:
    """The facts of a match."""
    return Call(Match, "GET", f"/matches/{match}")


def change(match: str, what: str, body: object = None, method: str = "POST") -> Call[Receipt]:
    """Change a match."""
    return Call(Receipt, method, f"/matches/{match}/{what}", body=body, key=fresh_key())


# Play


def get_view(match: str, at: str | None, perspective: str | None = None) -> Call[View]:
    """A match as the caller may see it, now or at a cursor of its feed; once it is over, also from other perspectives."""
    return Call(View, "GET", f"/matches/{match}/view", {"at": at, "perspective": perspective})


def get_views(match: str, after: str | None, limit: int, perspective: str | None) -> Call[ViewPage]:
    """The views at successive items of the caller's feed."""
    query = {"after": after, "limit": limit, "perspective": perspective}
    return Call(ViewPage, "GET", f"/matches/{match}/views", query)


def give_command(match: str, decision: int, command: Command, signed: bool) -> Call[Receipt]:
    """Answer a decision; with *signed* the receipt is signed."""
    body, parameters = {"decision": decision, "command": command}, {"signed": "true"} if signed else {}
    return Call(Receipt, "POST", f"/matches/{match}/commands", parameters, body, fresh_key())


def try_command(match: str, decision: int, command: Command) -> Call[None]:
    """Check whether an answer to a decision would be refused."""
    body = {"decision": decision, "command": command}
    return Call(NoneType, "POST", f"/matches/{match}/commands", {"dry_run": "true"}, body, fresh_key())


def get_feed(match: str, after: str | None, wait_seconds: int) -> Call[Feed]:
    """The next items of a feed."""
    return Call(Feed, "GET", f"/matches/{match}/feed", {"wait": wait_seconds, "after": after})


# Inbox


def get_inbox(after: str | None, limit: int, wait_seconds: int) -> Call[Inbox]:
    """A page of the caller's inbox."""
    return Call(Inbox, "GET", "/me/inbox", {"after": after, "limit": limit, "wait": wait_seconds})


# Advice


def get_hint(match: str) -> Call[Hint]:
    """A hint for the caller's open decision."""
    return Call(Hint, "GET", f"/matches/{match}/hint")


def ask_for_coaching(match: str, seat: int | None) -> Call[Coaching]:
    """What a seat of a finished match could have done better, asked for."""
    return Call(Coaching, "POST", f"/matches/{match}/coaching", {"seat": seat})


def get_coaching(match: str, seat: int | None) -> Call[Coaching]:
    """What a seat of a finished match could have done better."""
    return Call(Coaching, "GET", f"/matches/{match}/coaching", {"seat": seat})
