"""What must not be in the repository: registry hosts, paths of a machine, credentials, exceptions without a reason."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.programs import required

LOCKS = ROOT / "requirements"

# Written so that this file does not contain what it forbids.
FORBIDDEN = {
    "host of a registry": r"\b(?:pyp[i]|pythonhoste[d]|npmj[s]|deb[.]debia[n])[.]org\b",
    "path of a machine": r"(?<![\w.])/(?:wor[k]/|roo[t]/|hom[e]/\w|User[s]/\w|tm[p]/\w)",
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KE[Y]-----",
    "access key": (
        r"\b(?:AKI[A][0-9A-Z]{16}|gh[pousr]_[0-9A-Za-z]{30,}|github_pa[t]_\w{20,}"
        r"|xox[abprs]-[0-9A-Za-z-]{10,}|sk-[0-9A-Za-z]{20,})"
    ),
    "password in an address": r"\b[a-z][a-z0-9+]*://[^\s/:@'\"<>{}]*:(?!\*+@|<|\$|\{|password@)[^\s/:@'\"]+@",
}
EXCEPTION = re.compile(
    r"""\bnoqa\b(?:\s*:\s*[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?
      | \btype:\s*ignore\b(?:\[[^\]]*\])?
      | \bpyright:\s*ignore\b(?:\[[^\]]*\])?
      | \bpragma:\s*no\s*(?:cover|branch)\b
    """,
    re.VERBOSE,
)
WORDS_OF_A_REASON = 2
ELSEWHERE = re.compile(r"[-#]\s*(?:as above|the same)\s*$")
"""A reason that stands in another line, which may go or move."""


def listed_files() -> list[Path]:
    """Return the files that git tracks or would add; skip outside of a checkout, where nothing tells them apart."""
    required(".git" if (ROOT / ".git").exists() else None, "not a git checkout: which files belong to the repository is unknown")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    paths = [ROOT / name for name in sorted(set(listed.split("\0"))) if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def forbidden(text: str) -> Iterator[tuple[int, str]]:
    """Yield line number and kind of everything in *text* that may not be in the repository."""
    for kind, pattern in FORBIDDEN.items():
        for found in re.finditer(pattern, text):
            yield text.count("\n", 0, found.start()) + 1, kind


def unexplained(source: str) -> Iterator[tuple[int, str]]:
    """Yield line number and comment of every exception from a check in a Python source that gives no reason."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and EXCEPTION.search(token.string):
            words = re.findall(r"[^\W\d_]{2,}", EXCEPTION.sub("", token.string))
            if len(words) < WORDS_OF_A_REASON or ELSEWHERE.search(token.string):
                yield token.start[0], token.string


def test_repository_has_no_host_path_or_credential() -> None:
    """No file names a registry, a place on a developer's disk, or a secret."""
    found: list[str] = []
    for path in listed_files():
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # pictures and golden bytes; what another process has made and taken away meanwhile
        found += [f"{path.relative_to(ROOT)}:{line}: {kind}" for line, kind in forbidden(text)]
    assert not found, "\n".join(found)


def test_exceptions_from_checks_have_reason() -> None:
    """A suppressed check has its reason in the same comment."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {comment}"
        for path in listed_files()
        if path.suffix == ".py" and EXCEPTION.search(source := path.read_text(encoding="utf-8"))
        for line, comment in unexplained(source)
    ]
    assert not found, "\n".join(found)


SKIP = re.compile(
    r"\b(?:(?:skipif|importorskip|xfail|pytest[.]skip)\((?!\s*(?:not )?(?:sys[.]platform|FORKS)\b)|mark[.](?:skip|xfail)\b)"
)


def test_only_missing_programs_and_other_systems_skip_tests() -> None:
    """Nothing is skipped in CI, which runs on Linux and has all programs: `required` fails there instead."""
    found = [path.relative_to(ROOT) for path in (ROOT / "tests").rglob("*.py") if SKIP.search(path.read_text(encoding="utf-8"))]
    plugin = Path("tests/support/broken_endpoints.py")  # it leaves out tests of an inner run, whose fault has been found
    assert sorted(found) == [plugin, Path("tests/support/programs.py")]


@pytest.mark.parametrize("name", ["run.lock", "image.lock", "dev.lock"])
def test_lock_names_versions_and_hashes_only(name: str) -> None:
    """A lock holds for every index: it has exact versions and hashes, and no option and no address."""
    lines = [line.strip() for line in (LOCKS / name).read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in lines if "://" in line or (line.startswith("-") and not line.startswith("--hash="))] == []
    packages = [line for line in lines if not line.startswith("--hash=")]
    assert packages
    assert [line for line in packages if not re.match(r"[a-z0-9-]+==[\w.]+( ; .+)? \\$", line)] == []


def test_dev_lock_holds_versions_of_run_time_locks() -> None:
    """What is tested is what is run, and the image has all that the service itself has, and what each store of archives needs."""

    def versions(name: str) -> set[str]:
        return set(re.findall(r"^[a-z0-9-]+==[\w.]+", (LOCKS / name).read_text(encoding="utf-8"), re.MULTILINE))

    assert versions("run.lock") <= versions("image.lock") <= versions("dev.lock")
    more = {version.partition("==")[0] for version in versions("image.lock") - versions("run.lock")}
    assert more >= {"asyncpg", "obstore"}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("see https://" + "pypi" + ".org/simple", id="host"),
        pytest.param("cd " + "/" + "work/tree", id="work-path"),
        pytest.param("open('" + "/" + "home/someone/x')", id="home-path"),
        pytest.param("-----BEGIN RSA PRIVATE " + "KEY-----", id="private-key"),
        pytest.param("ghp" + "_" + "a" * 36, id="access-key"),
        pytest.param("redis://user:" + "hunter2@db:6379", id="password"),
    ],
)
def test_forbidden_text_is_found_when_planted(line: str) -> None:
    """Each kind of forbidden text is one that the check can see."""
    assert len(list(forbidden(line))) == 1


@pytest.mark.parametrize("line", ["redis://redis:6379/0", "redis://user:<password>@db", "redis://:***@db", "/api/v1/me"])
def test_forbidden_text_is_not_seen_in_plain_text(line: str) -> None:
    """Addresses without a password, placeholders and paths of the API are fine."""
    assert list(forbidden(line)) == []


def test_hint_to_install_something_needs_no_checkout() -> None:
    """Those who installed a wheel see it, too, and have no folder for which `.[extra]` stands."""
    layers = ("service", "workers", "api", "audit", "openapi", "research")
    hint = re.compile(r"pip install '\.\[")
    found = [path for layer in layers for path in (ROOT / layer).rglob("*.py") if hint.search(path.read_text())]
    assert found == []


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# noqa: S311",
        "# noqa: S311, S603",
        "# type: ignore",
        "# type: ignore[arg-type]",
        "# pyright: ignore[reportPrivateUsage]",
        "# pyright: ignore[reportPrivateUsage]  # why",
        "# pragma: no cover",
        "# noqa: S311 - as above",
        "# type: ignore[arg-type]  # the same",
    ],
)
def test_exception_is_found_when_reason_is_missing(comment: str) -> None:
    """A bare code, one word, or one that stands elsewhere, is no reason."""
    assert list(unexplained(f"x = 1  {comment}\n")) == [(1, comment)]


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: S311 - seeded by the caller",
        "# noqa: S311, S603 - seeded by the caller",
        "# type: ignore[arg-type]  # the stub is wrong",
        "# pyright: ignore[reportPrivateUsage]  # the library offers no other way",
        "# noqa: S311  # pyright: ignore[reportPrivateUsage]  # the library offers no other way",
        "# pragma: no cover - only on Windows",
        "# a comment about something else",
    ],
)
def test_exception_is_accepted_when_reason_is_given(comment: str) -> None:
    """A reason of a few words after the code is enough."""
    assert list(unexplained(f"x = 1  {comment}\n")) == []
