"""Verifiers of other releases: each from a wheel of rules, in a process of its own that has nothing of this release."""

from __future__ import annotations

import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from ..errors import StartupRefused
from ..matches.bot_answers import code_digest
from .apart import DIGITS, Opinion, digest_of

DOMAIN, MATCHES = "tafelrunde/domain", "tafelrunde/service/matches"
PATIENCE_SECONDS = 600
"""The longest time that another release's verifier may take for one record."""
LOOK_SECONDS = 0.05
"""How often a wheel that is closed looks for a process which a thread has only just started."""
RUN = """
import io, sys
from types import ModuleType, SimpleNamespace
wheel, packages = sys.argv[1:]
sys.path = [wheel, *sys.path, packages]
sys.modules["tafelrunde"] = ModuleType("tafelrunde")
sys.modules["tafelrunde"].__path__ = [wheel + "/tafelrunde"]
from tafelrunde.service.records import apart
assert apart.__file__.startswith(wheel), "the wheel's own modules"
records, opinions = sys.stdin.buffer, sys.stdout.buffer
while asked := records.readline():
    every_bot, size = map(int, asked.split())
    sys.stdin, sys.stdout = SimpleNamespace(buffer=io.BytesIO(records.read(size))), SimpleNamespace(buffer=io.BytesIO())
    apart.main(every_bot)
    opinions.write(sys.stdout.buffer.getvalue() + bytes([10]))
    opinions.flush()
"""
"""Runs without site-packages but for the folder of msgspec, behind the wheel: nothing of this release is found first, and the
wheel is not unpacked. Answers record by record, until there are no more."""


class Wheel:
    """A wheel of rules, and the process that runs its verifier: started by the first question, and kept for further ones.

    `rules` are the digests of its games, as records name them (`record.rules_digest`); `bots` are those of the code of their
    bots, by the folder of the game. Safe to ask from several threads.
    """

    def __init__(self, path: Path) -> None:
        """Raises StartupRefused for one that cannot be read, or that its name does not fit: none of it runs before."""
        self.path, self.name = path, path.name
        try:
            modules = modules_of(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise StartupRefused(f"{path.name} cannot be read: {error}.") from error
        except ValueError as error:
            raise StartupRefused(f"{path.name} {error}.") from error
        digest = digest_of(modules)[:DIGITS]
        if f"+{digest}-" not in path.name:
            raise StartupRefused(f"{path.name}: its modules have the digest {digest}.")
        folders = _folders(modules)
        self.rules = frozenset(digest_of([*found.items()]) for found in folders.values())
        shared, matches = folders.get(DOMAIN, {}), folders.get(MATCHES, {})
        self.bots = {folder: code_digest(found, shared, matches) for folder, found in folders.items()}
        self.process: subprocess.Popen[bytes] | None = None
        self._one = threading.Lock()
        self._closed = False

    def opinion(self, lines: Sequence[bytes], every_bot: int = 0) -> Opinion | None:
        """Return what its verifier says of a record; None if it does not know the game, breaks, or is closed.

        Cost: a verification, and of the first question a second for the start of the process.
        """
        try:
            with self._one:
                if self._closed:
                    return None
                opinion = msgspec.json.decode(self._answer(b"".join(lines), every_bot), type=Opinion)
        except (OSError, msgspec.DecodeError):
            return None
        unknown = opinion.finding is not None and opinion.finding.line in {"head", "line 1"}
        return None if unknown else opinion

    def _answer(self, record: bytes, every_bot: int) -> bytes:
        """Return the line that the process answers; one that breaks or takes too long ends, and its line is no answer."""
        process = self._running()
        assert process.stdin is not None, "a pipe"
        assert process.stdout is not None, "a pipe"
        late = threading.Timer(PATIENCE_SECONDS, process.kill)
        late.start()
        try:
            process.stdin.write(b"%d %d\n%b" % (every_bot, len(record), record))
            process.stdin.flush()
            line = process.stdout.readline()
        finally:
            late.cancel()
        if not line.endswith(b"\n"):
            self._end()
        return line

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process, started unless it runs already."""
        if self.process is None or self.process.poll() is not None:
            self._end()
            packages = str(Path(msgspec.__file__).parents[1])
            command = [sys.executable, "-I", "-S", "-c", RUN, str(self.path), packages]
            pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)  # noqa: S603 - the command is our own, and the wheel is the caller's
        return self.process

    def close(self) -> None:
        """End the process, if it runs, also while a thread waits for its answer or is about to; no further one is started.

        It also ends when this process does.
        """
        self._closed = True
        while not self._one.acquire(timeout=LOOK_SECONDS):
            if (process := self.process) is not None:
                process.kill()
        try:
            self._end()
        finally:
            self._one.release()

    def _end(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.communicate()


def modules_of(wheel: Path) -> list[tuple[str, bytes]]:
    """Return the modules of a wheel, each with its path and its content.

    Raises ValueError for one that has anything else to run: Python takes a compiled module before its source.
    """
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if not name.partition("/")[0].endswith(".dist-info")]
        if more := [name for name in names if not name.endswith((".py", "/"))]:
            raise ValueError(f"has more than modules: {more[0]}")
        return [(name, file.read(name)) for name in names if name.endswith(".py")]


def _folders(modules: Iterable[tuple[str, bytes]]) -> Mapping[str, Mapping[str, bytes]]:
    """Return the modules of each package."""
    folders: dict[str, dict[str, bytes]] = {}
    for path, content in modules:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[name] = content
    return folders


def wheels_in(folder: Path) -> list[Wheel]:
    """Return the wheels of rules in a folder; raise StartupRefused for one that its name does not fit, before any of it runs."""
    if not folder.is_dir():
        raise StartupRefused(f"{folder}: no such folder.")
    return [Wheel(path) for path in sorted(folder.glob("tafelrunde_rules-*.whl"))]
