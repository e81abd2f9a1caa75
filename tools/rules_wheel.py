"""Builds the wheel of today's rules: `make rules-wheel`. Later releases verify by it what was played by these rules.

It has all of domain/ and those modules of service/ that a verification imports, as plain Python, and nothing that listens or
stores. The same sources give the same bytes; the name of the file has their digest.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tafelrunde.service.records.apart import digest_of, name_of
from tafelrunde.service.records.record import software
from tests.support.paths import ROOT
from tools.commands import CommandLine

USED = (
    "",
    *(
        "dealing",
        "dealing.commitments",
        "dealing.day_deals",
        "dealing.dealer",
        "dealing.keyed_random",
        "dealing.lesson_deals",
        "dealing.merkle",
        "errors",
        "matches",
    ),
    *("matches.bot_answers", "matches.codec", "matches.pacing", "matches.recent", "matches.repository", "ports", "ports.events"),
    *(
        "records",
        "records.apart",
        "records.bot_check",
        "records.otherwise",
        "records.record",
        "records.verdict",
        "records.verify",
        "settings",
    ),
    *("views", "views.card_proofs"),
)
"""The modules of service/ that a verification imports. A test builds a wheel and verifies records with nothing else."""
NEVER = (1980, 1, 1, 0, 0, 0)
"""The time of each file in the wheel."""
WHEEL = "Wheel-Version: 1.0\nGenerator: tafelrunde\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def modules(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the modules of a tree that verifying needs: all rules, and what the verifier imports."""
    used = {f"service.{name}" if name else "service" for name in USED}
    for path in sorted([*root.glob("domain/**/*.py"), *root.glob("service/**/*.py")]):
        name = path.relative_to(root)
        dotted = ".".join((name.parent if path.name == "__init__.py" else name.with_suffix("")).parts)
        if name.parts[0] == "domain" or dotted in used:
            yield f"tafelrunde/{name.as_posix()}", path.read_bytes()


def build(folder: Path, root: Path = ROOT) -> Path:
    """Write the wheel of a tree's rules into a folder; return its path."""
    found, release = list(modules(root)), software().partition(" ")[2] or "0"
    digest = digest_of(found)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name_of(release, digest)
    info = f"tafelrunde_rules-{release}+{digest[:16]}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: tafelrunde-rules\nVersion: {release}+{digest[:16]}\nRequires-Dist: msgspec\n"
    record = "".join(f"{name},,\n" for name, _ in found)
    more = [(f"{info}/METADATA", metadata.encode()), (f"{info}/WHEEL", WHEEL.encode()), (f"{info}/RECORD", record.encode())]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (*found, *more):
            file.writestr(zipfile.ZipInfo(name, NEVER), content, zipfile.ZIP_DEFLATED, 9)
    return path


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("folder", type=Path, help="where to write it")
    sys.stdout.write(f"{build(command.parse_args().folder)}\n")
