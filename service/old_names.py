"""Deprecated: what hosts called on `Application` before it had services. These names will be removed in 0.4.0."""

from __future__ import annotations

import warnings
from operator import attrgetter

MOVED = {
    "register": "accounts.register",
    "authenticate": "accounts.authenticate",
    "knows": "accounts.knows",
    "player": "accounts.player",
    "rename": "accounts.rename",
    "people": "accounts.people",
    "tokens": "accounts.tokens",
    "issue_token": "accounts.issue",
    "revoke_token": "accounts.revoke",
    "forget": "erasure.forget",
    "standings": "ratings.standings",
    "open_match": "matches.open",
    "take_seat": "matches.take_seat",
    "seat_user": "matches.seat_user",
    "leave_seat": "matches.leave_seat",
    "seat_bot": "matches.seat_bot",
    "clear_seat": "matches.clear_seat",
    "start": "matches.start",
    "play": "matches.play",
    "dry_run": "matches.dry_run",
    "hint": "matches.hint",
    "abort": "matches.abort",
    "rematch": "matches.rematch",
    "what_if": "matches.what_if",
    "viewer": "queries.viewer",
    "concerned": "queries.concerned",
    "view": "queries.view",
    "view_as": "queries.view_as",
    "folded": "queries.folded",
    "feed": "queries.feed",
    "wait": "queries.wait",
    "finished": "queries.finished",
    "proofs": "queries.proofs",
    "proof": "queries.proof",
    "summary": "queries.summary",
    "told": "queries.told",
    "lobby": "queries.lobby",
    "matches_of": "queries.matches_of",
    "play_bots": "process_manager.play_bots",
    "time_out": "process_manager.time_out",
    "players": "accounts",
    "budgets": "quotas",
    "holdings": "caps",
    "operator": "corrections",
    "transparency_log": "transparency",
}
"""Each old name of `Application`, and its replacement."""

LOADING = ("blank", "codec", "current", "fold", "known")
"""Attributes of `Application.matches` when it was what is now `Application.repository`."""


def find(application: object, name: str) -> object:
    """Return the replacement of an old name of the application; raise AttributeError."""
    if name not in MOVED:
        raise AttributeError(f"'Application' object has no attribute '{name}'", name=name, obj=application)
    warnings.warn(f"Application.{name} is now Application.{MOVED[name]}", DeprecationWarning, stacklevel=3)
    return attrgetter(MOVED[name])(application)


def find_loading(repository: object, name: str) -> object:
    """Return the replacement of an old name of `application.matches`; raise AttributeError."""
    if name not in LOADING:
        raise AttributeError(f"'MatchCommands' object has no attribute '{name}'", name=name, obj=repository)
    warnings.warn(f"Application.matches.{name} is now Application.repository.{name}", DeprecationWarning, stacklevel=3)
    return getattr(repository, name)
