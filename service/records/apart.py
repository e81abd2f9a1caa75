"""Verifying a record by the rules of another release: its own verifier, from a wheel of rules, in a process of its own.

A wheel of rules has the games and what verifying needs, as they were in one release (`make rules-wheel`). Its name has the digest
of its modules. `main` is what runs in it: a record comes in, a verdict goes out, and nothing else is agreed between releases.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from ...domain.registry import GAMES
from ..errors import StartupRefused
from .verdict import Finding, Verdict
from .verify import verify

PATIENCE_SECONDS = 600
"""The longest time that another release's verifier may take for one record."""
DIGITS = 16
"""How many digits of its digest are in the name of a wheel."""
RUN = """
import sys
sys.path = [sys.argv[1], *sys.path, sys.argv[2]]
from tafelrunde.service.records import apart
assert apart.__file__.startswith(sys.argv[1]), "the wheel's own modules"
apart.main(0)
"""
"""Runs without site-packages but for the folder of msgspec, behind the unpacked wheel: nothing of this release is found first."""


class Opinion(msgspec.Struct, frozen=True, kw_only=True):
    """What a verifier of another release says: whether it knew the rules, and the first error, if any."""

    decided: bool
    finding: Finding | None


def digest_of(modules: Sequence[tuple[str, bytes]]) -> str:
    """Return the sha256, in hex, over modules by name."""
    return hashlib.sha256(msgspec.msgpack.encode(sorted(modules))).hexdigest()


def modules_of(wheel: Path) -> list[tuple[str, bytes]]:
    """Return the modules of a wheel, each with its path and its content."""
    with zipfile.ZipFile(wheel) as file:
        return [(name, file.read(name)) for name in file.namelist() if name.endswith(".py")]


def name_of(release: str, digest: str) -> str:
    """Return the name of the file of a wheel of rules."""
    return f"tafelrunde_rules-{release}+{digest[:DIGITS]}-py3-none-any.whl"


def wheels_in(folder: Path) -> list[Path]:
    """Return the wheels of rules in a folder; raise StartupRefused for one that its name does not fit, before any of it runs."""
    if not folder.is_dir():
        raise StartupRefused(f"{folder}: no such folder.")
    found = sorted(folder.glob("tafelrunde_rules-*.whl"))
    for wheel in found:
        try:
            digest = digest_of(modules_of(wheel))
        except (OSError, zipfile.BadZipFile) as error:
            raise StartupRefused(f"{wheel.name} cannot be read: {error}.") from error
        if f"+{digest[:DIGITS]}-" not in wheel.name:
            raise StartupRefused(f"{wheel.name}: its modules have the digest {digest[:DIGITS]}.")
    return found


def decided_by(lines: Sequence[bytes], verdict: Verdict, folder: Path) -> Verdict:
    """Return the verdict on a record of other rules, decided by the first wheel of a folder that knows them; else the same.

    Raises StartupRefused for a folder that cannot be used. Cost: a process, and a verification, for each wheel tried.
    """
    for wheel in _likely(lines, wheels_in(folder)):
        opinion = opinion_of(wheel, lines)
        if opinion is not None and (opinion.decided or opinion.finding is not None):
            return msgspec.structs.replace(verdict, decided=opinion.decided, by=wheel.name, finding=opinion.finding)
    return verdict


def _likely(lines: Sequence[bytes], wheels: Sequence[Path]) -> Iterator[Path]:
    """Yield the wheels, first those whose code is that of the record's game."""
    rules = msgspec.json.decode(lines[0], type=dict[str, object]).get("rules")
    yield from sorted(wheels, key=lambda wheel: rules not in _rules_in(wheel))


def _rules_in(wheel: Path) -> set[str]:
    """Return the digests of the games in a wheel, as records name them (`record.rules_digest`)."""
    folders: dict[str, list[tuple[str, bytes]]] = {}
    for path, content in modules_of(wheel):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append((name, content))
    return {digest_of(modules) for modules in folders.values()}


def opinion_of(wheel: Path, lines: Sequence[bytes]) -> Opinion | None:
    """Return what the verifier in a wheel says of a record; None if it does not know the game, or breaks."""
    with tempfile.TemporaryDirectory(prefix="tr-rules-") as folder:
        try:
            with zipfile.ZipFile(wheel) as file:
                file.extractall(folder)
            command = [sys.executable, "-I", "-S", "-c", RUN, folder, str(Path(msgspec.__file__).parents[1])]
            done = subprocess.run(command, input=b"".join(lines), capture_output=True, timeout=PATIENCE_SECONDS, check=True)  # noqa: S603 - the command is our own, and the wheel is the caller's
            opinion = msgspec.json.decode(done.stdout, type=Opinion)
        except (OSError, zipfile.BadZipFile, subprocess.SubprocessError, msgspec.DecodeError):
            return None
    unknown = opinion.finding is not None and opinion.finding.line in {"head", "line 1"}
    return None if unknown else opinion


def main(every_bot: int) -> None:
    """Read a record from the standard input, and write what is found as JSON. Stays as it is: every later release calls it."""
    verdict = verify(sys.stdin.buffer.readlines(), GAMES, every_bot=every_bot)
    sys.stdout.buffer.write(msgspec.json.encode(Opinion(decided=verdict.decided, finding=verdict.finding)))
