"""`tafelrunde`, and `python -m tafelrunde.workers`: the command line, if what it needs is installed."""

from __future__ import annotations

import sys

from ..service.extras import missing_package


def main() -> None:
    """Run the command line; where a package is missing, say in one sentence what to install, with exit code 2."""
    try:
        from .cli import main as run

        run()
    except ModuleNotFoundError as missing:
        command = " ".join(["tafelrunde", *(name for name in sys.argv[1:2] if not name.startswith("-"))])
        sys.stderr.write(f"{missing_package(command, missing)}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
