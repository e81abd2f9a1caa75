"""What a deployment signs: checkpoints of its log, and marks of each viewer's feed. Pure functions.

Both are texts of lines that each end with a line feed. A checkpoint is that of C2SP's tlog-checkpoint: origin, size, and root in
base64. A mark of a feed is `tafelrunde.feed.1`, origin, match, viewer, number of items, and the chain over them in 64 hex digits.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import NewType, TypeAlias

import msgspec

from ...domain.game import Seat
from ...domain.match import MatchId
from .notes import BadNote

Origin = NewType("Origin", str)
"""The name of a deployment: of its log and of its keys."""
FEED = "tafelrunde.feed.1"
SPECTATOR = "spectator"
_CHECKPOINT = re.compile(r"([^\s+]{1,200})\n(0|[1-9]\d{0,8})\n([A-Za-z0-9+/=]{44})\n")
_MARK = re.compile(
    rf"{re.escape(FEED)}\n([^\s+]{{1,200}})\n(m[a-z2-7]{{24}})\n(spectator|seat \d{{1,2}})\n(\d{{1,9}})\n([0-9a-f]{{64}})\n"
)


class TreeHead(msgspec.Struct, frozen=True, kw_only=True):
    """What a checkpoint says: whose log had how many leaves under which root."""

    origin: Origin
    size: int
    root: bytes


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What a viewer was sent: the chain over the first `n` items of its feed. `seat` None: a spectator, or what all were sent."""

    match: MatchId
    seat: Seat | None
    n: int
    chain: bytes


class FeedMark(msgspec.Struct, frozen=True, kw_only=True):
    """A mark, and the deployment that made it."""

    origin: Origin
    mark: Mark


Statement: TypeAlias = TreeHead | FeedMark


def checkpoint_text(origin: Origin, size: int, root: bytes) -> str:
    """Return the text of a checkpoint."""
    return f"{origin}\n{size}\n{base64.b64encode(root).decode()}\n"


def mark_text(origin: Origin, mark: Mark) -> str:
    """Return the text of a mark."""
    viewer = SPECTATOR if mark.seat is None else f"seat {mark.seat}"
    return f"{FEED}\n{origin}\n{mark.match}\n{viewer}\n{mark.n}\n{mark.chain.hex()}\n"


def read_statement(text: str) -> Statement:
    """Return what a text says; raise BadNote if it is of another form."""
    if (found := _MARK.fullmatch(text)) is not None:
        seat = None if found[3] == SPECTATOR else Seat(int(found[3].removeprefix("seat ")))
        mark = Mark(match=MatchId(found[2]), seat=seat, n=int(found[4]), chain=bytes.fromhex(found[5]))
        statement: Statement = FeedMark(origin=Origin(found[1]), mark=mark)
    elif (found := _CHECKPOINT.fullmatch(text)) is not None:
        statement = TreeHead(origin=Origin(found[1]), size=int(found[2]), root=_root(found[3]))
    else:
        raise BadNote("neither a checkpoint nor the mark of a feed")
    if text_of(statement) != text:
        raise BadNote("a number or a root is not written in its one form")
    return statement


def text_of(statement: Statement) -> str:
    """Return the text of a statement."""
    match statement:
        case TreeHead():
            return checkpoint_text(statement.origin, statement.size, statement.root)
        case FeedMark():
            return mark_text(statement.origin, statement.mark)


def _root(coded: str) -> bytes:
    try:
        return base64.b64decode(coded, validate=True)
    except binascii.Error as error:
        raise BadNote("the root is not written in base64") from error
