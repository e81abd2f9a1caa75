"""Bounds of everything that comes in: patterns of ids, cursors and keys, and ranges of numbers."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

END = r"$(?!\n)"
"""The end of a text. Python's `$` alone also fits before a last line break; ECMAScript's does not, so the contract says `$`."""

MATCH_ID = r"^m[a-z2-7]{24}" + END
PLAYER_ID = r"^p[0-9a-f]{26}" + END
TOKEN_ID = r"^t[0-9a-f]{26}" + END
GRANT_ID = r"^g[0-9a-f]{26}" + END
GAME_ID = r"^[a-z][a-z0-9-]{0,31}" + END
CURSOR = r"^(0|[1-9][0-9]{0,8})-[0-9a-f]{8}" + END
PAGE_CURSOR = r"^[A-Za-z0-9_-]{1,128}" + END
KEY = r"^[A-Za-z0-9._:-]{1,64}" + END
SEAT = r"^(0|[1-9][0-9]?)" + END
DAY = r"^\d{4}-\d{2}-\d{2}" + END
NUMBER = r"^(0|[1-9][0-9]{0,8})" + END
PROBLEM = r"^[a-z-]{1,40}" + END
FILE = r"^[a-z][a-z.-]{0,40}" + END
VERSION = r"^[0-9a-f]{12}" + END
FOLDER = r"^[a-z]{1,20}" + END

GameName: TypeAlias = Annotated[str, Meta(pattern=GAME_ID)]
MatchRef: TypeAlias = Annotated[str, Meta(pattern=MATCH_ID)]
PlayerRef: TypeAlias = Annotated[str, Meta(pattern=PLAYER_ID)]
TokenRef: TypeAlias = Annotated[str, Meta(pattern=TOKEN_ID)]
GrantRef: TypeAlias = Annotated[str, Meta(pattern=GRANT_ID)]
CursorText: TypeAlias = Annotated[str, Meta(pattern=CURSOR, examples=["12-9f86d081"])]
PageCursor: TypeAlias = Annotated[str, Meta(pattern=PAGE_CURSOR)]
DayRef: TypeAlias = Annotated[str, Meta(pattern=DAY, description="A day of UTC, for instance `2026-11-23`.")]
BotRef: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}" + END)]
Nonce: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}" + END)]
PUBLIC = "public"
Perspective: TypeAlias = Annotated[
    str, Meta(pattern=r"^(public|0|[1-9][0-9]?)" + END, description="`public`, or the number of a seat.")
]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
SeatCount: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
DecisionNumber: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Moment: TypeAlias = Annotated[int, Meta(ge=0, le=9_999_999_999_999)]
"""A Unix time in milliseconds; `TIMES` describes it once for all fields."""
CardText: TypeAlias = Annotated[str, Meta(max_length=64, description="A card, as the game's commitments name it.")]
Digest: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}" + END, description="32 bytes in hex.")]
DealNumber: TypeAlias = Annotated[int, Meta(ge=0, le=999_999_999)]
SmallNumber: TypeAlias = Annotated[int, Meta(ge=-2_147_483_648, le=2_147_483_647)]
ShortText: TypeAlias = Annotated[str, Meta(max_length=64)]
