"""How the contracts describe themselves."""

from __future__ import annotations

from .schemas import Json

VERSION = "1.0.0"
TIMES = "Fields that end in `_ms` are Unix times in milliseconds, except `duration_ms`."
SIMPLE = (
    "A simple client needs seven operations: `createPlayer`, `openMatch`, `takeSeat`, `startMatch`, `getView`, `giveCommand` and "
    "`getFeed`."
)
ABOUT = (
    "Card games with hidden information: every match is a log of immutable events, and every seat has its own view and feed. "
    "No response reveals what the caller may not know. Commands name the decision they answer and carry an Idempotency-Key, "
    "so a request whose response was lost can be retried safely. Every response has an X-Request-Id: quote it to report a fault. "
    f"{TIMES} {SIMPLE} `core.json`, beside this contract in the repository, has only what is needed to play."
)
INFO: Json = {
    "title": "Tafelrunde",
    "version": VERSION,
    "summary": ABOUT.partition(":")[0] + ".",
    "description": ABOUT,
    "contact": {"name": "The Tafelrunde authors"},
    "license": {"name": "MIT", "identifier": "MIT"},
}
# In the order in which the author of a client needs them.
TAGS = {
    "games": "What can be played.",
    "players": "Players, as everyone sees them.",
    "matches": "Open, find, start and end matches; manage their seats.",
    "play": "See the table, send commands, follow the feed.",
    "me": "Your own player: its name, tokens, matches, records and inbox.",
    "embedding": "Show tables on other web pages.",
    "operations": "Health, metrics and this contract.",
}
