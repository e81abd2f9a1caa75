"""Finds the compiled form of domain/ (tools/compiled.py) while it is that of the sources.

Each Python process of an environment in which `make fast` has run calls `install`, so this module imports little.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

DOMAIN = Path(__file__).resolve().parent.parent / "domain"
BUILT = DOMAIN.parent / "build" / "fast"
STAMP = "stamp"
CHOICE = "TAFELRUNDE_COMPILED"
"""The variable that names another build than that in `BUILT`; empty, it chooses the plain form, as the tests do."""


def digest() -> str:
    """Return the digest of the Python that runs and of all sources of domain/, which the build must have been made of."""
    from hashlib import sha256  # noqa: PLC0415 - not needed in processes without the rules

    found = sha256(f"{sys.implementation.cache_tag} {sys.platform}".encode())
    for path in sorted(DOMAIN.rglob("*.py")):
        found.update(f"{path.relative_to(DOMAIN)} {path.stat().st_size}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def fresh(built: Path) -> bool:
    """Return whether there is a build, made of exactly these sources."""
    try:
        return (built / STAMP).read_text("utf-8") == digest()
    except OSError:
        return False


class Finder:
    """Finds the package of the rules, nothing else; its modules are then found beside it."""

    @staticmethod
    def find_spec(name: str, _path: Sequence[str] | None, _target: ModuleType | None = None, /) -> ModuleSpec | None:
        """Return the compiled package, None to let other finders look."""
        if name != "tafelrunde.domain":
            return None
        choice = os.environ.get(CHOICE, str(BUILT))
        if not choice or not fresh(Path(choice)):
            return None
        from importlib.util import spec_from_file_location  # noqa: PLC0415 - only where something is compiled

        package = Path(choice) / "tafelrunde" / "domain"
        return spec_from_file_location(name, package / "__init__.py", submodule_search_locations=[str(package)])


def install() -> None:
    """Look here first."""
    sys.meta_path.insert(0, Finder)
