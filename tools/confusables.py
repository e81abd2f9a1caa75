"""Write which characters look alike, `service/players/confusables.txt`, from Unicode's own `confusables.txt` (UTS 39).

That file is published with each version of Unicode, under `security` in its folder of data files.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tools.commands import CommandLine

TARGET = Path("service/players/confusables.txt")
HEADER = """\
# Characters that look alike, by Unicode Technical Standard 39: what each stands for, then all that look like it.
# Made by tools/confusables.py from confusables.txt of Unicode {version}; modified: code points only, grouped.
# Copyright (c) 1991-2025 Unicode, Inc. The licence is in confusables.LICENSE.txt.
"""


def read(source: str) -> tuple[str, dict[str, list[str]]]:
    """Return the version of Unicode, and the code points of each prototype with all that look like it."""
    version = ""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for line in source.removeprefix("\ufeff").splitlines():
        if line.startswith("# Version:"):
            version = line.removeprefix("# Version:").strip()
        fields = line.partition("#")[0].split(";")
        if len(fields) > 1:
            alike[fields[1].strip()].append(fields[0].strip())
    return version, alike


def main() -> None:
    """Read Unicode's file and write ours."""
    command_line = CommandLine(__doc__)
    command_line.add_argument("source", type=Path, help="confusables.txt of a version of Unicode")
    version, alike = read(command_line.parse_args().source.read_text("utf-8"))
    lines = [f"{prototype}: {' '.join(sorted(sources))}\n" for prototype, sources in sorted(alike.items())]
    TARGET.write_text(HEADER.format(version=version) + "".join(lines), "utf-8")


if __name__ == "__main__":
    main()
