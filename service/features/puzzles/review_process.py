"""The process that reviews one seat of a match of bots for a puzzle: `python -m` this module, with a request as its input.

No one waits for it, so it takes at most a tenth of one core and lets every other process have the core at once. A process of
its own, as a thread that yields its core while it has the interpreter would hold up all other duties of the process.
"""

from __future__ import annotations

import asyncio
import math
import os
import subprocess
import sys
import time
from contextlib import suppress

import msgspec

from ....domain.game import GameId, Seat
from ....domain.match import MatchId
from ....domain.match.state import Match
from ...errors import StartupRefused
from ...games import Games, load_game
from ...matches.codec import Codec
from ...matches.repository import Loaded
from ...ports.events import Version
from ...runtime.threads import work_sparingly
from ..coaching.coach import find_further
from ..coaching.findings import Findings, pack, unpack

SHARE = 0.1
"""The share of one core that a review takes, its start included."""
SLICE_SECONDS = 0.01
"""How much processor time it takes before it rests."""


class ReviewFailed(RuntimeError):
    """The process of a review ended without findings."""


class _Request(msgspec.Struct, frozen=True, array_like=True):
    parent: int
    game: GameId
    match: MatchId
    seat: Seat
    entries: list[bytes]
    findings: bytes


def can_review(game: GameId, games: Games) -> bool:
    """True if a process of its own has the same rules of a game as this one."""
    with suppress(StartupRefused):
        return bool(sys.executable) and load_game(game) is games[game]
    return False


async def review(match_id: MatchId, loaded: Loaded, seat: Seat, findings: Findings) -> Findings:
    """Return findings with all that was missing, from a process of its own. Raises ReviewFailed, OSError. It takes minutes.

    The process ends if this is cancelled.
    """
    entries = loaded.entries[: loaded.version]
    request = _Request(os.getpid(), loaded.match.settings.game, match_id, seat, entries, pack(findings))
    process = subprocess.Popen(  # noqa: ASYNC220, S603 - it is started in a moment; our own command, without a shell
        [sys.executable, "-P", "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        answer, _ = await asyncio.to_thread(process.communicate, msgspec.msgpack.encode(request))
    finally:
        if process.poll() is None:
            process.kill()
    if process.returncode:
        raise ReviewFailed(f"exit code {process.returncode}")
    return unpack(answer)


def yield_to_all() -> None:
    """Let every other process go first.

    Niceness would not do: where the kernel groups processes by session (autogroup), it counts inside of a session only.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    """Review what the input asks for, and write what is found."""
    yield_to_all()
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Request)
    work_sparingly(SHARE, SLICE_SECONDS, lambda seconds: _rest(seconds, request.parent))
    games = {request.game: load_game(request.game)}
    loaded = Loaded(Match(games), Version(len(request.entries)), b"", request.entries)
    found = find_further(request.match, loaded, Codec(games), request.seat, unpack(request.findings), math.inf)
    sys.stdout.buffer.write(pack(found))


def _rest(seconds: float, parent: int) -> None:
    """Rest, and end if the process that asked is gone."""
    time.sleep(seconds)
    if os.getppid() != parent:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
