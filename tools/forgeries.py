"""Makes forged records, and shows which of them a player's device finds, and by what (`make forgeries`).

The device is the web client's check, in Node.js: the record alone, then what the player has kept, then the end in the log. The
same seed makes the same forgeries. With --out they are written for authors of other verifiers: lines of JSON, packed if the name
ends in .xz. Each game begins with a line that has its right record, what its player has kept, and where the log has its end; then
comes a line for each forgery, with `found_by`: `record`, `kept` or `log`, the least that it takes to find it. Exit code 1 if one
is not found.
"""

from __future__ import annotations

import base64
import json
import lzma
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

import msgspec

from tafelrunde.domain.registry import GAMES
from tests.support.forging import Forgery, Found, evidence, forged, judged, kind_of, original
from tools.commands import CommandLine

FORMAT = "tafelrunde.forgeries.1"
EVERY = 500
"""After how many forgeries the progress is said."""


def written(record: bytes) -> dict[str, str]:
    """Return a record for a line of JSON: as the text that it is, or in base64 if it is none."""
    try:
        return {"record": record.decode()}
    except UnicodeDecodeError:
        return {"record_base64": base64.b64encode(record).decode()}


def read(line: dict[str, Any]) -> bytes:
    """Return the record of such a line."""
    return line["record"].encode() if "record" in line else base64.b64decode(line["record_base64"])


def opened(path: Path) -> TextIO:
    """Return a file for text, packed if its name says so."""
    return lzma.open(path, "wt", encoding="utf-8") if path.suffix == ".xz" else path.open("w", encoding="utf-8")


def results(game: str, count: int, seed: int, out: TextIO | None) -> Iterator[tuple[Forgery, Found]]:
    """Yield the forgeries of a game with who finds them, and write them."""
    if out is not None:
        right = {"format": FORMAT, "game": game, "seed": seed, **written(b"".join(original(game))), **evidence(game)}
        out.write(json.dumps(right, ensure_ascii=False) + "\n")
    for forgery, found in judged(forged(game, count, seed), (game,)):
        if out is not None:
            kinds = {"kinds": msgspec.to_builtins(forgery.kinds)} if forgery.kinds is not None else {}
            what = {"game": game, "family": forgery.family, "found_by": found.by, "wrong": found.wrong}
            line = {**what, **kinds, **written(forgery.record)}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
        yield forgery, found


def table(title: str, counts: Counter[tuple[str, ...]]) -> str:
    """Return counts as lines, the largest first."""
    return "\n".join([title, *(f"{count:>8}  {'  |  '.join(what)}" for what, count in counts.most_common())])


def said(counts: Counter[tuple[str, str, str]]) -> Iterator[str]:
    """Yield what came of all forgeries: who finds each family, and by what."""
    families, finders, findings = (Counter[tuple[str, ...]]() for _ in range(3))
    for (family, by, wrong), count in counts.items():
        families[family, by] += count
        finders[(by,)] += count
        findings[by, wrong] += count
    yield table("found by:", finders)
    yield table("family, and what it takes to find it:", families)
    yield table("what is said:", findings)


def main(words: Iterable[str]) -> None:
    """Make forgeries, let them be checked, and count."""
    parser = CommandLine(__doc__)
    parser.add_argument("--forgeries", type=int, default=20_000, help="how many, in equal parts for all games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file to write them to")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    given = parser.parse_args([*words])
    counts = Counter[tuple[str, str, str]]()
    began = time.monotonic()
    done = 0
    with opened(given.out) if given.out else nullcontext() as out:
        for game in given.games:
            for forgery, found in results(game, given.forgeries // len(given.games), given.seed, out):
                counts[forgery.family, found.by or "none", kind_of(found.wrong)] += 1
                done += 1
                if done % EVERY == 0:
                    sys.stderr.write(f"{done} after {time.monotonic() - began:.0f} s, in {game}\n")
    missed = sum(count for (_, by, _), count in counts.items() if by == "none")
    sys.stdout.write("\n\n".join([f"{done} forgeries, {done - missed} found, {missed} not", *said(counts)]) + "\n")
    sys.exit(1 if missed or not done else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
