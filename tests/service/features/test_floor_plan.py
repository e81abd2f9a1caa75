"""All features have one floor plan: a duty that several have is in the file of that name, in the service and in the API."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tafelrunde.service.features import FOLDERS
from tests.support.paths import ROOT

SERVICE = {
    "coaching": "coach",
    "daily": "deals",
    "ratings": "leaderboards",
    "records": "export",
    "transparency": "log",
    "webhooks": "player_webhooks",
}
"""Where the service of a feature has a module that hosts import by its name, as docs/embedding.md lists it."""


def role_of(node: ast.stmt, service: str) -> tuple[str, ...]:
    """Return the files in which a top-level statement may stand, none if it may stand in any."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {each.id for each in targets if isinstance(each, ast.Name)}
        return ("feature",) if names & {"FEATURE", "API"} or _is_store(node.value) else ()
    if not isinstance(node, ast.ClassDef):
        return ()
    bases = {ast.unparse(each) for each in node.bases}
    if node.name.endswith("Settings"):
        return ("settings",)
    if node.name.endswith("Store") and "Protocol" in bases:
        return ("port",)
    if node.name.startswith(("Redis", "Memory")):
        return ("redis",) if node.name.startswith("Redis") else ("memory",)
    if "Message" in bases:
        return ("messages",)
    if any(isinstance(each, ast.AsyncFunctionDef) and each.name == "step" for each in node.body):
        return ("duty", service)
    return ()


def _is_store(value: ast.expr | None) -> bool:
    return value is not None and ast.unparse(value).startswith("FeatureStore[")


def misplaced(folder: Path, service: str = "service") -> list[str]:
    """Return the deviations of a feature's files in the service."""
    trees = {path.stem: ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py")}
    found = [
        f"{file}.py: {ast.unparse(node).splitlines()[0]} belongs into {' or '.join(f'{each}.py' for each in roles)}"
        for file, tree in trees.items()
        for node in tree.body
        if (roles := role_of(node, service)) and file not in roles
    ]
    due = {"feature", service} | ({"port", "redis", "memory"} if trees.keys() & {"port", "redis", "memory"} else set())
    found += [f"{file}.py is missing" for file in due - trees.keys()]
    if "rules" in trees and any(isinstance(node, ast.AsyncFunctionDef) for node in ast.walk(trees["rules"])):
        found.append("rules.py waits for something")
    return sorted(found)


def misplaced_in_api(folder: Path) -> list[str]:
    """Return the deviations of a feature's files in the API."""
    trees = {path.stem: ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py")}
    found = [
        f"{file}.py: API belongs into feature.py"
        for file, tree in trees.items()
        for node in tree.body
        if role_of(node, "service") == ("feature",) and file != "feature"
    ]
    return sorted(found + [f"{file}.py is missing" for file in {"feature", "routes", "schema"} - trees.keys()])


@pytest.mark.parametrize("name", FOLDERS)
def test_feature_has_its_duties_where_all_features_have_them(name: str) -> None:
    """Its files have the fixed names of their roles; further files are named after what only this feature has."""
    assert misplaced(ROOT / "service" / "features" / name, SERVICE.get(name, "service")) == []
    assert misplaced_in_api(ROOT / "api" / "features" / name) == []


def test_service_has_another_name_only_where_hosts_import_it() -> None:
    """So no feature adds a name of its own."""
    page = (ROOT / "docs" / "embedding.md").read_text("utf-8")
    assert [name for name, file in SERVICE.items() if f"`tafelrunde.service.features.{name}.{file}`" not in page] == []


def test_duty_in_another_file_is_found(tmp_path: Path) -> None:
    """Each role, planted in a file with another name, is reported."""
    sources = {
        "feature": "STORE = FeatureStore[CakeStore]('cakes', redis=RedisCakes, memory=MemoryCakes)\nFEATURE = 1\n",
        "settings": "class CakeSettings: ...\n",
        "port": "class CakeStore(Protocol): ...\n",
        "redis": "class RedisCakes: ...\n",
        "memory": "class MemoryCakes: ...\n",
        "service": "class Cakes: ...\n",
        "messages": "class CakeBaked(Message): ...\n",
        "duty": "class Oven:\n    async def step(self) -> float: ...\n",
        "rules": "def divide(): ...\n",
    }
    for file, source in sources.items():
        (tmp_path / f"{file}.py").write_text(source, encoding="utf-8")
    assert misplaced(tmp_path) == []
    (tmp_path / "kitchen.py").write_text("".join(sources.values()), encoding="utf-8")
    assert len(misplaced(tmp_path)) == 8
    (tmp_path / "kitchen.py").unlink()
    (tmp_path / "service.py").unlink()
    (tmp_path / "memory.py").unlink()
    (tmp_path / "rules.py").write_text("async def divide(): ...\n", encoding="utf-8")
    assert misplaced(tmp_path) == ["memory.py is missing", "rules.py waits for something", "service.py is missing"]
    assert misplaced_in_api(tmp_path) == ["routes.py is missing", "schema.py is missing"]
