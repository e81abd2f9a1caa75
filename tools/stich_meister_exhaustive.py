"""Every set of four rule cards, with three, four and five seats: each plays a whole match to its end with random legal play.

`python -m tools.stich_meister_exhaustive`, or `make stich-meister-exhaustive`. Progress is kept, so that a stopped run goes on
where it was. The first set that fails ends the run with an exit code and a line that repeats it (`--rules 1 2 3 4 --seats 3`). On
a share of the sets the auditor judges every event and every legal set.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.messages import StichOptions
from tests.games.stich_meister.audit import Audit
from tests.games.stich_meister.play import Outcome, play
from tests.support.paths import ROOT
from tools.commands import CommandLine

Rules = tuple[int, int, int, int]

REPORT = ROOT / "docs" / "stich-meister-exhaustive.md"
ENGINE = (
    "card_knowledge",
    "cards",
    "events",
    "messages",
    "move_codec",
    "moves",
    "rule_cards",
    "rules",
    "scoring",
    "table",
    "trick",
    "trump",
)
"""The modules of the game that a run depends on: progress made with others does not count."""
PROGRESS = ".tafelrunde/stich-meister-exhaustive-{}.jsonl"
SEATS = (3, 4, 5)
CHUNK = 500
PROCESSES = 2
AUDITED = 50
"""One set in this many is judged by the auditor."""


@functools.cache
def engine() -> str:
    """Return the digest of the engine's sources."""
    sources = ((ROOT / "domain" / "stich_meister" / f"{name}.py").read_bytes() for name in ENGINE)
    return hashlib.sha256(b"".join(sources)).hexdigest()[:16]


def all_sets() -> Iterator[Rules]:
    """Yield the 487,635 sets of four rules, in order."""
    return itertools.combinations(range(1, 61), 4)


class Chunk(NamedTuple):
    """The outcome of some consecutive sets."""

    number: int
    sets: int
    matches: int
    audited: int
    decisions: int
    tricks: int
    seconds: float
    digest: str


class FailedSetError(Exception):
    """A set that could not be played; its text says how to reproduce it."""


def play_set(rules: Sequence[int], seats: int, audited: bool) -> Outcome:
    """Play the match of a set: seeded by the set, so always the same."""
    audit = Audit(seats) if audited else None
    options = StichOptions(rules=tuple(rules))
    outcome = play(options, seats, f"{'-'.join(map(str, rules))}/{seats}", audit=audit)
    if audit is not None:
        assert audit.over
        assert (tuple(audit.scores), audit.tricks) == (outcome.scores, outcome.tricks)
    return outcome


def run_chunk(number: int) -> Chunk | str:
    """Play all matches of a chunk; return the failure if there is one."""
    began, digest = time.process_time(), hashlib.sha256()
    matches = audited = decisions = tricks = sets = 0
    for place, rules in enumerate(itertools.islice(all_sets(), number * CHUNK, (number + 1) * CHUNK)):
        judged = place % AUDITED == 0
        for seats in SEATS:
            try:
                outcome = play_set(rules, seats, judged)
            except Exception as error:
                return f"{how_to_repeat(rules, seats)}\n{type(error).__name__}: {error}"
            digest.update(json.dumps([rules, seats, *outcome]).encode())
            decisions += outcome.decisions
            tricks += outcome.tricks
        sets += 1
        matches += len(SEATS)
        audited += judged * len(SEATS)
    spent = round(time.process_time() - began, 3)
    return Chunk(number, sets, matches, audited, decisions, tricks, spent, digest.hexdigest())


def how_to_repeat(rules: Sequence[int], seats: int) -> str:
    """Return the command that plays one match again."""
    return f"python -m tools.stich_meister_exhaustive --rules {' '.join(map(str, rules))} --seats {seats}"


def kept(path: Path) -> dict[int, Chunk]:
    """Return the chunks that were done before; a truncated last line is left out."""
    done: dict[int, Chunk] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            chunk = Chunk(*json.loads(line))
        except (ValueError, TypeError):
            continue
        done[chunk.number] = chunk
    return done


def run(chunks: Iterable[int], path: Path, total: int) -> dict[int, Chunk]:
    """Play the chunks that are not done yet, on both cores; raise FailedSetError at the first failure."""
    done = kept(path)
    missing = [number for number in chunks if number not in done]
    path.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool, path.open("a", encoding="utf-8") as progress:
        progress.write("\n")  # after a truncated line
        for count, result in enumerate(pool.imap_unordered(run_chunk, missing), start=1):
            if isinstance(result, str):
                raise FailedSetError(result)
            done[result.number] = result
            progress.write(json.dumps(result) + "\n")
            progress.flush()
            tell(len(done), total, (time.monotonic() - began) / count * (len(missing) - count))
    return done


def tell(done: int, total: int, seconds_left: float) -> None:
    """Report progress."""
    say(f"\r{done}/{total} chunks, {100 * done / total:.1f} %, about {seconds_left / 60:.0f} min left ")


def say(text: str) -> None:
    """Write to the terminal at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def report(done: Sequence[Chunk]) -> str:
    """Return the summary file."""
    digest = hashlib.sha256("".join(chunk.digest for chunk in done).encode()).hexdigest()
    rows = {
        "sets of four rules": sum(chunk.sets for chunk in done),
        "numbers of seats": ", ".join(map(str, SEATS)),
        "whole matches": sum(chunk.matches for chunk in done),
        "matches judged by the auditor": sum(chunk.audited for chunk in done),
        "decisions": sum(chunk.decisions for chunk in done),
        "tricks played": sum(chunk.tricks for chunk in done),
        "failures": 0,
        "processor time in seconds": round(sum(chunk.seconds for chunk in done)),
        "rules version": GAME.rules_version,
        "digest of the engine's sources": f"`{engine()}`",
        "digest": f"`{digest}`",
    }
    lines = [f"| {name} | {value:,} |" if isinstance(value, int) else f"| {name} | {value} |" for name, value in rows.items()]
    return HEAD + "\n".join(lines) + "\n"


HEAD = """# Stich-Meister: every set of four rules

Written by `make stich-meister-exhaustive`. Each set of four of the sixty rule cards was forced (option `rules`) on whole matches
with each number of seats. Seats answered at random among their legal commands; each match is seeded by its set and its number of
seats. Every match came to its end: no dead end, no seat without a legal card, no card lost or doubled. On a share of the matches
the auditor of `tests/games/stich_meister/audit.py`, which knows the rulings and nothing of the engine, judged every event, every
legal set of cards and every score. The digest is a SHA-256 over the sets with their decisions, tricks and final scores, chunk by
chunk: the same engine gives it again.

| what | figure |
|---|---|
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play all sets, or one; return the exit code."""
    parser = CommandLine(__doc__)
    parser.add_argument("--rules", type=int, nargs=4, help="play this set only, judged by the auditor")
    parser.add_argument("--seats", type=int, choices=SEATS, default=4, help="the number of seats (4)")
    parser.add_argument("--chunks", type=int, help="stop after this many chunks, and write no summary")
    given = parser.parse_args(arguments)
    if given.rules:
        say(f"{play_set(given.rules, given.seats, audited=True)}\n")
        return 0
    total = -(-sum(1 for _ in all_sets()) // CHUNK)
    wanted = range(min(total, given.chunks or total))
    try:
        done = run(wanted, ROOT / PROGRESS.format(engine()), len(wanted))
    except FailedSetError as failure:
        say(f"\nfailed: {failure}\n")
        return 1
    say("\n")
    if len(wanted) == total:
        REPORT.write_text(report([done[number] for number in wanted]), encoding="utf-8")
        say(f"written: {REPORT.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
