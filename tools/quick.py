"""Checks what has changed: style of the whole tree, types and tests of the change (`make quick`).

What `make test` checks besides is left out: the service as processes, browsers, suites over all games, generated clients. The
tests are found by the layout (tests lie where the code lies) and by imports, the nearest first, and stop when their time is up.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import pytest

from tests.support.paths import ROOT
from tools.commands import CommandLine

SECONDS = 75
"""How long new tests may start; with those still running then, and with types, it stays under two minutes on two cores."""

CHECKED = ("domain", "service", "api", "workers", "audit", "openapi/client", "research", "testing", "bench", "tests", "tools")
ALWAYS = ("tests/test_layers.py", "tests/test_repository.py")
SLOW = ("tests/web/", "tests/whole/", "tests/domain/registry/")
"""Browsers, processes, and every game: only what has changed itself, or is named like the module, is run of these."""

MIRRORS = {
    "domain/match": "tests/domain/match",
    "openapi/client": "tests/client",
    "openapi": "tests/api/contract",
    "api/web": "tests/web",
    "docs": "tests/docs",
}
"""Folders whose tests do not lie under the same name; the games are found by `mirror`."""

ALSO = {"service/redis_store/": "tests/service/ports", "service/memory_store/": "tests/service/ports"}
"""The suite that both stores must pass lies with the protocols."""

FEW = 3
"""This few test files do not justify a second process."""


class Sources:
    """The Python files of a tree, and which of them import which."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        files = sorted(path for folder in CHECKED for path in (root / folder).rglob("*.py"))
        self._imports = {path.relative_to(root).as_posix(): frozenset(self._imported(path)) for path in files}

    def _imported(self, path: Path) -> Iterator[str]:
        """Yield the files of the tree that a module imports, wherever in it."""
        package = path.relative_to(self.root).parent.parts
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                yield from (found for alias in node.names if (found := self._file(alias.name.split("."))))
            elif isinstance(node, ast.ImportFrom):
                base = [*package[: len(package) - node.level + 1]] if node.level else []
                base += (node.module or "").split(".") if node.module else []
                named = (self._file([*base, alias.name]) or self._file(base) for alias in node.names)
                yield from (found for found in named if found)

    def _file(self, parts: Sequence[str]) -> str | None:
        """Return the file of a module, None if it is not in the tree."""
        inside = parts[1:] if parts[:1] == ["tafelrunde"] else parts
        path = "/".join(["openapi", *inside] if inside[:1] == ["client"] else inside)
        found = (each for each in (f"{path}.py", f"{path}/__init__.py") if path and (self.root / each).is_file())
        return next(found, None)

    def importers(self, changed: Sequence[str]) -> list[str]:
        """Return the files that import one of these directly."""
        return [path for path, names in self._imports.items() if not names.isdisjoint(changed)]

    def users(self, changed: Sequence[str]) -> list[str]:
        """Return the tests that import one of these, or something in tests/ that does."""
        found: dict[str, None] = {}
        fresh = [path for path in self.importers(changed) if path.startswith("tests/")]
        while fresh:
            found.update(dict.fromkeys(fresh))
            fresh = [path for path in self.importers(fresh) if path.startswith("tests/") and path not in found]
        return [path for path in found if is_test(path)]


def is_test(path: str) -> bool:
    """Return whether pytest collects tests of a file."""
    return path.startswith("tests/") and PurePosixPath(path).match("test_*.py")


def mirror(path: str, root: Path = ROOT) -> str:
    """Return the folder where the tests of a file lie, or the nearest one above it."""
    top, *rest = PurePosixPath(path).parts
    if path.startswith("tests/"):
        folder = PurePosixPath(path).parent
    elif top == "domain" and len(rest) > 1 and (root / "tests/games" / rest[0]).is_dir():
        folder = PurePosixPath("tests/games", rest[0])
    elif not rest:
        folder = PurePosixPath("tests/docs" if path.endswith(".md") else "tests")
    else:
        known = next((each for each in MIRRORS if path.startswith(f"{each}/")), None)
        folder = PurePosixPath(MIRRORS[known] if known else PurePosixPath("tests", path).parent)
    while not (root / folder).is_dir():
        folder = folder.parent
    return folder.as_posix()


def nearest(path: str, root: Path = ROOT) -> list[str]:
    """Return the tests that are named like a file, or all in its folder if none is; browsers only for their own files."""
    folder = mirror(path, root)
    stem = PurePosixPath(path).stem
    if is_test(path):
        return [path] if (root / path).is_file() else []
    for pattern in (f"test_{stem}.py", f"test_{stem}_*.py", "test_*.py"):
        found = sorted(each.relative_to(root).as_posix() for each in (root / folder).glob(pattern))
        if found and not (pattern == "test_*.py" and (folder == "tests" or f"{folder}/" in SLOW)):
            return found
    return []


def of_feature(path: str, root: Path = ROOT) -> list[str]:
    """Return the tests of a feature in all layers, for a file of one: what the service does shows in the operations."""
    _, *rest = PurePosixPath(path).parts
    if rest[:1] != ["features"] or len(rest) < 3:
        return []
    return sorted(each.relative_to(root).as_posix() for each in root.glob(f"tests/*/features/{rest[1]}/test_*.py"))


def related(changed: Sequence[str], sources: Sources) -> list[str]:
    """Return the files of tests for a change, the nearest first."""
    near = [each for path in sorted(changed, key=is_test, reverse=True) for each in nearest(path, sources.root)]
    near += [test for path in changed for test in of_feature(path, sources.root)]
    near += [suite for folder, suite in ALSO.items() if any(path.startswith(folder) for path in changed)]
    users = [each for each in sources.users(changed) if not each.startswith(SLOW)]
    return list(dict.fromkeys([*near, *ALWAYS, *users]))


def typed(changed: Sequence[str], sources: Sources) -> list[str]:
    """Return the files whose types a change can break: its own, and those that import them."""
    own = [path for path in changed if path.endswith(".py") and (sources.root / path).is_file()]
    paths = dict.fromkeys([*own, *sources.importers(own)])
    return [path for path in paths if path.startswith(tuple(f"{each}/" for each in CHECKED))]


def changes(since: str | None = None, root: Path = ROOT) -> list[str]:
    """Return what differs from a commit: from where main was left, or if nothing does, from the last but one."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
        return done.stdout.splitlines() if done.returncode == 0 else []

    fork = [since] if since else git("merge-base", "HEAD", "main") or ["HEAD"]
    fresh = git("ls-files", "--others", "--exclude-standard")
    return sorted({*git("diff", "--name-only", fork[0]), *fresh}) or git("diff", "--name-only", "HEAD~1")


class Results:
    """Counts tests: those chosen, those that have ended, and those that failed, in this process and in those that it starts."""

    def __init__(self) -> None:
        self.chosen = 0
        self.ended = 0
        self.failed = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count what this process runs by itself."""
        self.chosen = max(self.chosen, len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Count what the other processes run: each of them collects all tests."""
        self.chosen = len(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one report of pytest."""
        self.failed += report.failed
        self.ended += report.when == "teardown"


class Unfinished(Exception):
    """The time of a run was up before its last test; none had failed until then."""


def run_tests(files: Sequence[str], seconds: float) -> bool:
    """Run tests; return whether none has failed. Raises Unfinished."""
    results = Results()
    began = time.monotonic()
    processes = "0" if len(files) <= FEW + len(ALWAYS) else "2"
    words = ["-q", "-n", processes, "--dist", "loadgroup", f"--session-timeout={seconds}", *files]
    code = pytest.main(words, plugins=[results])
    if code and not results.failed and time.monotonic() - began >= seconds:
        raise Unfinished(f"{results.ended} of {results.chosen} tests")
    return code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}


def main() -> None:
    """Check style, types and tests; end with an error if one of them finds something."""
    parser = CommandLine(__doc__)
    parser.add_argument("--since", help="check what differs from this commit")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long tests may begin")
    parser.add_argument("--list", action="store_true", help="only print which tests are chosen")
    asked = parser.parse_args()
    changed = changes(asked.since)
    sources = Sources()
    files = related(changed, sources)
    sys.stdout.write("".join(f"{path}\n" for path in files) if asked.list else f"{len(changed)} files have changed.\n")
    if asked.list or not changed:
        return
    module = [sys.executable, "-m"]
    paths = typed(changed, sources)
    with subprocess.Popen([*module, "pyright", *paths] if paths else ["true"], cwd=ROOT, stdout=subprocess.PIPE) as types:
        unfinished = ""
        found = {
            "lint": subprocess.run([*module, "ruff", "check", "--quiet"], cwd=ROOT, check=False).returncode == 0,
            "format": subprocess.run([*module, "ruff", "format", "--check", "--quiet"], cwd=ROOT, check=False).returncode == 0,
            "tests": True,
        }
        try:
            found["tests"] = run_tests(files, asked.seconds)
        except Unfinished as end:
            unfinished = str(end)
        said, _ = types.communicate()
    sys.stdout.write(said.decode())
    failed = [name for name, fine in {**found, "types": types.returncode == 0}.items() if not fine]
    if failed:
        sys.exit(f"FAILED: {' '.join(failed)}")
    if unfinished:
        sys.exit(f"Not finished: {unfinished} in {asked.seconds:g} s, none of them failed. `make unit` runs them all.")
    sys.stdout.write("Passed. `make test` checks the rest.\n")


if __name__ == "__main__":
    main()
