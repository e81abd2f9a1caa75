"""The memory it takes to export, verify, or view a finished match: `python -m bench.peak WHAT FILE`, one at a time.

The file has the match's id and its entries. It counts the bytes that Python has allocated beyond those entries.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.view import view
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.record import Recorder, encode_lines
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.matches.codec import Codec
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tafelrunde.service.views.feeds import Feed
from tools.commands import CommandLine

CODEC = Codec(GAMES)


class Log(msgspec.Struct):
    """A finished match as a store has it."""

    match: MatchId
    entries: list[bytes]


class Peak(msgspec.Struct, frozen=True):
    """The peak number of bytes in use, and those in use afterwards."""

    most: int
    after: int


def folded(log: Log) -> Loaded:
    """Return a match as the service has it in memory."""
    match = Match(GAMES)
    for entry in log.entries:
        match.fold(CODEC.decode(entry)[1])
    return Loaded(match, Version(len(log.entries)), chain_over(GENESIS, log.entries), log.entries)


def export(log: Log) -> object:
    """Write the record line by line, as the service streams it: no line is kept."""
    for _ in encode_lines(Recorder(CODEC).lines(log.match, folded(log))):
        pass
    return None


def check(log: Log) -> object:
    """Verify the record, whose lines are in memory."""
    verdict = verify(encode_lines(Recorder(CODEC).lines(log.match, folded(log))), GAMES, CODEC)
    assert verdict.right, verdict.finding
    return verdict


def look(log: Log) -> object:
    """View as a seat, at the end and in the middle: fold, build the seat's feed, make both views."""
    loaded = folded(log)
    feed = Feed(Seat(0), log.entries)
    feed.extend(loaded, CODEC)
    middle = folded(Log(log.match, log.entries[: loaded.version // 2])).match
    return loaded, feed, view(loaded.match, Seat(0)), view(middle, Seat(0))


ACTIONS: Mapping[str, Callable[[Log], object]] = {"export": export, "verify": check, "view": look}


def main() -> None:
    """Run one job and print its peak."""
    command = CommandLine(__doc__)
    command.add_argument("what", choices=ACTIONS)
    command.add_argument("file", type=Path)
    given = command.parse_args()
    what = given.what
    log = msgspec.msgpack.decode(given.file.read_bytes(), type=Log)
    ACTIONS[what](Log(log.match, log.entries))  # what is made once for all matches is not counted
    tracemalloc.start()
    kept = ACTIONS[what](log)
    after, most = tracemalloc.get_traced_memory()
    assert kept is not log
    sys.stdout.write(msgspec.json.encode(Peak(most, after)).decode())


if __name__ == "__main__":
    main()
