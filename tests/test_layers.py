"""The layers import one way only: api, workers, audit, research -> service -> domain; the command line imports audit.

The client, which others install, imports none of them; audit asks services by it, as any other user of it does. No modules
import each other in a circle.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.paths import ROOT

NAMESPACE = "tafelrunde"
COMPOSITION_ROOTS = {"workers/cli/__init__.py", "workers/cli/features/bots/program_arena.py"}
"""The command line, and the service in memory on which the arena measures the program of a reader."""
COMMAND_LINE = "workers/cli/"
USES_CLIENT = "audit/"

# What a layer may import of our packages; the command line may import audit too, and the composition root all.
MAY_IMPORT = {
    "domain": {"domain"},
    "service": {"service", "domain"},
    "api": {"api", "service", "domain"},
    "workers": {"workers", "service", "domain"},
    "audit": {"audit", "service", "domain"},
    "openapi": {"client"},
    "research": {"research", "service", "domain"},
    "testing": {"testing", "api", "service", "domain"},
}
LAYERS = tuple(MAY_IMPORT)

# The floors of the service, of audit and of the api, the lowest first: a package may import packages on lower floors only, and
# its own package. So there are no cycles. Modules without a floor may not be imported within their layer.
FLOORS = {
    "service": (
        {"errors", "dealing", "simulate", "strength"},
        {"extras"},
        {"ports", "settings", "tracing", "signing", "days"},
        {"players", "redis_store", "memory_store", "blob_stores", "games", "failures", "outgoing"},
        {"matches", "runtime"},
        {"views", "archiving", "slices"},
        {"hooks"},
        {"commands", "dataset", "duties", "erasure"},
        {"core"},
        {"feature"},
        {"features"},
        {"application", "environment"},
        {"deployment"},
    ),
    "api": (
        {"server", "texts", "problem_types"},
        {"problems"},
        {"schema"},
        {"http"},
        {"pages"},
        {"routes"},
        {"socket"},
        {"features"},
        {"contract"},
        {"app"},
    ),
    "audit": (
        {"log_proofs", "progress", "remote"},
        {"hand_overs", "log_ends", "lost_answers", "record_sources"},
        {"judge", "monitor", "records_folder", "witness"},
        {"exports", "known_log"},
        {"opening_command", "unproved"},
        {"tournament_share"},
        {"kept_evidence"},
        {"check_record", "verdict_text"},
        {"check_folder", "folder_report", "tournament_check"},
    ),
}
STORES = {"redis_store", "memory_store", "blob_stores"}
STORES_MAY_IMPORT = {"ports", "dealing", "errors", "extras", "settings"}

# The api touches no store. It may import the records of the ports, plain values that services return, but neither a protocol of a
# store, nor the module that has one whole, nor these.
PORTS = "tafelrunde.service.ports"
CLOSED_TO_API = (*(f"tafelrunde.service.{store}." for store in sorted(STORES)), f"{PORTS}.stores.")

# The parts of the standard library that are the same at every call: no clock, chance, environment or input.
PURE = {
    "base64",
    "__future__",
    "abc",
    "array",
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "importlib",
    "itertools",
    "math",
    "msgspec",
    "operator",
    "re",
    "string",
    "types",
    "typing",
}
IMPURE_CALLS = {"open", "print", "input", "breakpoint", "eval", "exec", "__import__"}
GENERATOR = "domain/fields.py"
"""Makes methods of the annotations of a class, by `exec`, as dataclasses do."""

# Where the frameworks may be imported: a folder or a file.
CONFINED = {
    "litestar": ("api/",),
    "redis": ("service/", "workers/"),
    "rq": ("service/runtime/job_queue.py", "workers/"),
}


class Import(NamedTuple):
    """One imported module: its absolute name, the line, and whether it was written relatively."""

    name: str
    line: int
    relative: bool


def imports(path: str, tree: ast.Module) -> Iterator[Import]:
    """Yield every import of the module at *path*, also those inside functions and under TYPE_CHECKING."""
    package = package_of(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, relative=False)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield Import(node.module or "", node.lineno, relative=False)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            for alias in node.names:
                yield Import(".".join([*base, node.module or alias.name]), node.lineno, relative=True)


def package_of(path: str) -> list[str]:
    """Return the name of the package that a module is in; the client's has not the name of its folder."""
    folders = Path(path).parent.parts
    return [NAMESPACE, *(folders[1:] if folders[0] == "openapi" else folders)]


def complaint(path: str, found: Import) -> str | None:
    """Say what is wrong with one import of the module at *path*, or None."""
    layer = path.split("/", maxsplit=1)[0]
    top, *rest = found.name.split(".")
    if found.relative:
        if top != NAMESPACE or not rest or rest[0] not in {*MAY_IMPORT, "client"}:
            return f"{found.name} is in none of the layers"
        if rest[0] not in MAY_IMPORT[layer] and path not in COMPOSITION_ROOTS and not is_command_of_audit(path, rest[0]):
            return f"{layer} may not import {rest[0]}"
        return climb(path, rest) if rest[0] == layer and len(rest) > 1 else None
    if (path in COMPOSITION_ROOTS or path.startswith(USES_CLIENT)) and rest[:1] == ["client"]:
        return None  # not beside the layers in the tree, so type checkers do not find it relatively
    if top in {NAMESPACE, *LAYERS}:
        return f"{found.name} must be imported relatively"
    if layer == "domain" and top not in PURE:
        return f"{top} is not pure"
    if top in CONFINED and not path.startswith(CONFINED[top]):
        return f"{top} may be imported only in {', '.join(CONFINED[top])}"
    return None


def is_command_of_audit(path: str, package: str) -> bool:
    """Return whether this is the one way up: a command that runs what audit has."""
    return path.startswith(COMMAND_LINE) and package == "audit"


def climb(path: str, to: list[str]) -> str | None:
    """Say so if a module imports a package of its layer that is not below its own."""
    layer = to[0]
    own = path.split("/")[1].removesuffix(".py")
    if layer not in FLOORS or own in {to[1], "__init__"}:
        return None
    floors = {name: number for number, names in enumerate(FLOORS[layer]) for name in names}
    if own in STORES and to[1] not in STORES_MAY_IMPORT:
        return f"{own} may import only {', '.join(sorted(STORES_MAY_IMPORT))}"
    if own not in floors or to[1] not in floors:
        return f"{layer}: {own if own not in floors else to[1]} has no floor"
    return None if floors[to[1]] < floors[own] else f"{own} may not import {to[1]}, which is not below it"


def violations(path: str, source: str) -> list[str]:
    """Return what the module at *path* (relative to the repository, with slashes) does against the rules of the layers."""
    tree = ast.parse(source, filename=path)
    found = [(each.line, text) for each in imports(path, tree) if (text := complaint(path, each))]
    if path.startswith("domain/"):
        found += [
            (node.lineno, f"{node.func.id}() is not pure")
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
            if (path, node.func.id) != (GENERATOR, "exec")
        ]
    if path.startswith("api/"):
        found += reaches(path, tree)
    if path.startswith("service/features/"):
        found += [(line, "a feature may not ask what its stores stand on") for line in lines_with_backings(tree)]
    return [f"{path}:{line}: {text}" for line, text in sorted(found)]


def lines_with_backings(tree: ast.Module) -> set[int]:
    """Return where a class of backings is imported or named: the bundle of stores chooses how a feature's store is made."""
    named = {
        (node.name if isinstance(node, ast.alias) else node.attr, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.alias | ast.Attribute)
    }
    return {line for name, line in named if name.endswith("Backing") or name == "StoreKind"}


@cache
def store_protocols() -> frozenset[str]:
    """Return the full names of the protocols that stores fulfil, as the ports of the core and of features declare them."""
    service = ROOT / "service"
    files = [*(service / "ports").glob("*.py"), *(service / "features").glob("*/*port.py")]
    ports = {
        ".".join([*package_of(str(file.relative_to(ROOT))), file.stem]): ast.parse(file.read_text("utf-8")) for file in files
    }
    classes = {
        f"{name}.{node.name}": node for name, tree in ports.items() for node in tree.body if isinstance(node, ast.ClassDef)
    }
    return frozenset(name for name, node in classes.items() if any(ast.unparse(base) == "Protocol" for base in node.bases))


def reaches(path: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield where a module of the api would touch a store: by an import, or through an object that has one."""
    package = package_of(path)
    protocols = store_protocols()
    closed = protocols | {name.rpartition(".")[0] for name in protocols}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "stores":
            yield node.lineno, "api may not touch .stores"
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            for name in [f"{base}.{alias.name}" for alias in node.names]:
                if name in closed or f"{name}.".startswith(CLOSED_TO_API):
                    yield node.lineno, f"api may not touch a store: {name}"


def modules(layer: str) -> list[Path]:
    """Return the files of all modules of a layer; the programs of the generated clients belong to none."""
    return sorted(file for file in (ROOT / layer).rglob("*.py") if ROOT / "openapi" / "clients" not in file.parents)


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_imports_only_what_it_may(layer: str) -> None:
    """A layer knows the layers below it, and its own libraries."""
    found = [
        text
        for file in modules(layer)
        for text in violations(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_has_modules(layer: str) -> None:
    """The check of the layers has something to check, and every folder with modules is a package."""
    files = modules(layer)
    assert files
    bare = sorted({str(file.parent.relative_to(ROOT)) for file in files if not (file.parent / "__init__.py").exists()})
    assert not bare, f"without __init__.py, so not in the wheel: {bare}"


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        pytest.param("domain/a.py", "import random", "random is not pure", id="domain-chance"),
        pytest.param("domain/a.py", "from time import time", "time is not pure", id="domain-clock"),
        pytest.param("domain/a.py", "import redis", "redis is not pure", id="domain-library"),
        pytest.param("domain/a.py", "def f():\n    import os", "os is not pure", id="domain-in-function"),
        pytest.param("domain/a.py", "open('x')", "open() is not pure", id="domain-call"),
        pytest.param("domain/a.py", "exec('x')", "exec() is not pure", id="domain-code"),
        pytest.param("domain/fields.py", "eval('x')", "eval() is not pure", id="domain-fields"),
        pytest.param("domain/a.py", "from ..service import store", "domain may not import service", id="domain-up"),
        pytest.param("domain/coup/a.py", "from ...service.store import X", "domain may not import", id="domain-sub-up"),
        pytest.param("domain/a.py", "from .. import api", "domain may not import api", id="bare-parent"),
        pytest.param("domain/a.py", "from ...service import x", "in none of the layers", id="above-the-top"),
        pytest.param("service/a.py", "from ..api import app", "service may not import api", id="service-api"),
        pytest.param("service/a.py", "from ..workers import jobs", "service may not import workers", id="service-jobs"),
        pytest.param("service/a.py", "import rq", "rq may be imported only in", id="service-rq"),
        pytest.param("service/a.py", "from litestar import get", "litestar may be imported only", id="service-litestar"),
        pytest.param("api/a.py", "from ..workers import jobs", "api may not import workers", id="api-workers"),
        pytest.param("api/a.py", "import redis.asyncio", "redis may be imported only in", id="api-redis"),
        pytest.param("workers/a.py", "from ..api import app", "workers may not import api", id="workers-api"),
        pytest.param(
            "workers/a.py", "from tafelrunde.client import Client", "must be imported relatively", id="client-elsewhere"
        ),
        pytest.param(
            "workers/cli/a.py", "from tafelrunde.client import Client", "must be imported relatively", id="client-in-command"
        ),
        pytest.param("workers/a.py", "from ..audit import judge", "workers may not import audit", id="workers-audit"),
        pytest.param("service/a.py", "from ..audit import judge", "service may not import audit", id="service-audit"),
        pytest.param("audit/remote.py", "from .known_log import ServedLog", "may not import known_log", id="floor-audit"),
        pytest.param("audit/a.py", "from ..workers import jobs", "audit may not import workers", id="audit-workers"),
        pytest.param("audit/a.py", "from ..api.app import create_app", "audit may not import api", id="audit-api"),
        pytest.param("audit/a.py", "import redis.asyncio", "redis may be imported only in", id="audit-redis"),
        pytest.param("workers/cli/__init__.py", "import litestar", "litestar may be imported only in", id="cli-litestar"),
        pytest.param("research/a.py", "from ..api import app", "research may not import api", id="research-api"),
        pytest.param("openapi/client/a.py", "from ..domain import game", "openapi may not import domain", id="client-domain"),
        pytest.param("service/dealing/a.py", "from ..ports.rows import Row", "may not import ports", id="floor-up"),
        pytest.param("service/views/a.py", "from ..archiving import archiver", "may not import archiving", id="floor-same"),
        pytest.param("service/redis_store/a.py", "from ..players.quotas import X", "may import only", id="store-service"),
        pytest.param("service/matches/a.py", "from .. import application", "may not import application", id="floor-bare"),
        pytest.param("service/matches/a.py", "from ..cellar import x", "has no floor", id="floor-unknown"),
        pytest.param("api/routes/a.py", "from ..contract.openapi import document", "may not import contract", id="floor-api"),
        pytest.param("api/a.py", "def f(a):\n    return a.stores.rows", "may not touch .stores", id="api-attribute"),
        pytest.param("api/a.py", "from ..service.ports.rows import RowStore", "may not touch a store", id="api-protocol"),
        pytest.param("api/a.py", "from ..service.ports import rows", "may not touch a store", id="api-port"),
        pytest.param(
            "api/a.py", "from ..service.features.webhooks.port import WebhookStore", "may not touch a store", id="api-feature"
        ),
        pytest.param("api/a.py", "from ..service.ports.stores import Stores", "may not touch a store", id="api-stores"),
        pytest.param("api/http/a.py", "from ...service.redis_store import X", "may not touch a store", id="api-redis-store"),
        pytest.param("api/a.py", "from ..service.redis_store.client import X", "may not touch a store", id="api-store-module"),
        pytest.param("api/a.py", "from ..service import memory_store", "may not touch a store", id="api-memory-store"),
        pytest.param(
            "service/features/a/feature.py",
            "from ...redis_store.backing import RedisBacking\n\n\ndef f(b):\n    return isinstance(b, RedisBacking)",
            "may not ask what its stores stand on",
            id="feature-backing",
        ),
        pytest.param("api/a.py", "import tafelrunde.domain", "must be imported relatively", id="absolute"),
        pytest.param("api/a.py", "from domain.coup import GAME", "must be imported relatively", id="plain"),
    ],
)
def test_checker_finds_planted_violation(path: str, source: str, expected: str) -> None:
    """Each rule of the layers is one that the checker can see broken."""
    found = violations(path, source)
    assert len(found) == 1
    assert expected in found[0]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        pytest.param(
            "domain/coup/a.py",
            "import msgspec\nfrom collections.abc import Mapping\nfrom ..game import Seat",
            id="domain",
        ),
        pytest.param("service/a.py", "import time\nimport redis\nfrom ..domain.game import Seat", id="service"),
        pytest.param("service/runtime/job_queue.py", "import rq\nfrom . import store", id="queue"),
        pytest.param("api/a.py", "from litestar import get\nfrom ..service import store", id="api"),
        pytest.param("api/a.py", "from ..service.ports.rows import Listing", id="api-record"),
        pytest.param("workers/a.py", "import rq\nfrom ..service.store import Store", id="workers"),
        pytest.param("workers/cli/a.py", "from ...audit.judge import judgement_of", id="command-of-audit"),
        pytest.param("audit/a.py", "from tafelrunde.client import Client\nfrom ..service.views import queries", id="audit"),
        pytest.param("workers/cli/__init__.py", "from ...api.app import create_app\nfrom .. import jobs", id="composition-root"),
        pytest.param("workers/cli/__init__.py", "from tafelrunde.client import Client", id="composition-root-client"),
    ],
)
def test_checker_accepts_what_is_allowed(path: str, source: str) -> None:
    """Imports that follow the arrows are not complained about."""
    assert violations(path, source) == []


def arrows(sources: Mapping[str, str]) -> Mapping[str, set[str]]:
    """Return which modules each module imports, also for the type checker only; modules are paths with their sources."""
    paths = {".".join([*package_of(path), Path(path).stem]).removesuffix(".__init__"): path for path in sources}
    found: dict[str, set[str]] = {}
    for path, source in sources.items():
        package = package_of(path)
        names: set[str] = set()
        for node in ast.walk(ast.parse(source, filename=path)):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                whole = ".".join([*base, *filter(None, [node.module])])
                parts = [f"{whole}.{alias.name}" for alias in node.names]
                names |= {part if part in paths else whole for part in parts}
        found[path] = {paths[name] for name in names if name in paths} - {path}
    return found


def circle(sources: Mapping[str, str]) -> list[str]:
    """Return a circle of modules that import each other, empty if there is none."""
    try:
        TopologicalSorter(arrows(sources)).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also where an import is only for the type checker: who reads one module of a circle has to read all of them."""
    files = [file for layer in LAYERS for file in modules(layer)]
    sources = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    assert sum(map(len, arrows(sources).values())) > len(sources)
    assert circle(sources) == []


@pytest.mark.parametrize("back", ["from .a import A", "if TYPE_CHECKING:\n    from . import a", "from ..x.a import A"])
def test_planted_circle_is_found(back: str) -> None:
    """However the second module imports the first."""
    assert set(circle({"api/x/a.py": "from .b import B", "api/x/b.py": back, "api/x/c.py": "from .a import A"})) >= {"api/x/a.py"}
