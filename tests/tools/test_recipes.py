"""The recipes for generated clients: complete on their page, with the versions that CI locks, and judged by what they print."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tafelrunde.api.features import operations
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.planted import EVENT, later
from tools.generate_clients import unnamed, unplayed
from tools.recipes import Recipe, recipes

CLIENTS = ROOT / "openapi" / "clients"
PRINTED = "".join(f"{game}: 231 events, 3 unknown, places [2, 1]\n" for game in GAMES)


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.title)
def test_recipe_is_complete_when_it_is_pasted(recipe: Recipe) -> None:
    """It has its program beside it, asks the service for the contract, and ends by playing."""
    assert [name for name in recipe.files if name.lower().startswith("play.")]
    assert re.match(r"curl -sS 'http://127\.0\.0\.1:8000/api/v1/(openapi|asyncapi)\.json", recipe.script)
    assert recipe.script.splitlines()[-1].endswith(" http://127.0.0.1:8000")


def test_recipe_takes_the_growing_contract_when_its_client_checks_unions() -> None:
    """Types of TypeScript check nothing at run time, and Go looks a tag up: all others need unions that are open."""
    closed = {recipe.title for recipe in recipes() if "growing=true" not in recipe.script}
    assert closed == {"TypeScript", "TypeScript, over the socket", "Go"}


def test_recipes_have_the_versions_that_are_locked() -> None:
    """What the page tells people to install is what CI has tried."""
    packages = json.loads((CLIENTS / "typescript" / "package.json").read_bytes())
    locked = {**packages["dependencies"], **packages["devDependencies"]}
    for lock in (CLIENTS / "requirements.lock", CLIENTS / "go" / "requirements.lock"):
        locked |= dict(re.findall(r"^([\w-]+)==([\w.]+)", lock.read_text(), re.MULTILINE))
    named = [found for recipe in recipes() for found in re.findall(r"([\w@/-]+)(?:\[\w+\])?(?:==|@)(\d[\w.]*)", recipe.script)]
    known = [(name, version) for name, version in named if name in locked]
    assert len(known) >= 7
    assert all(locked[name].startswith(version) for name, version in known), known


def test_clients_of_the_usual_languages_keep_a_file() -> None:
    """Java and C# check the commitment alone."""
    assert {recipe.title for recipe in recipes() if recipe.keeps} == {"Python", "TypeScript", "Go"}


def test_client_has_played_when_it_prints_all_games_and_each_planted_event() -> None:
    """One planted event stands on each page of a feed; a client that cannot tell leaves the number out."""
    assert [*unplayed(PRINTED)] == []
    assert [*unplayed(PRINTED.replace(", 3 unknown", ""))] == []
    for wrong in (PRINTED.partition("\n")[2], PRINTED.replace("3 unknown", "0 unknown"), PRINTED.replace("231", "0"), ""):
        assert [*unplayed(wrong)] != []


def test_client_lacks_an_operation_when_its_sources_do_not_name_it(tmp_path: Path) -> None:
    """In whatever way its language writes names; packages beside the client do not count."""
    names = [str(operation.name) for operation in operations()]
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "other.ts").write_text(" ".join(names))
    (tmp_path / "client.ts").write_text(" ".join(name for name in names if name not in {"createWebhook", "openMatch"}))
    (tmp_path / "open_match.py").write_text("def sync(): ...")
    assert unnamed(tmp_path, (ROOT / "openapi" / "openapi.json").read_bytes()) == ["createWebhook"]


def test_one_program_calls_an_operation_on_webhooks() -> None:
    """By a generator that makes one class for each tag, where callbacks could take the place of operations."""
    assert any("WebhooksApi" in text for recipe in recipes() for text in recipe.files.values())


def test_later_service_has_an_event_that_no_contract_names() -> None:
    """It stands after the last item of a page; pages without items, and the contract itself, have none."""
    contract = (ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8")
    assert EVENT["type"] not in contract
    page = {"items": [{"cursor": "1-0", "event": {"type": "coup.won.1"}}], "cursor": "1-0"}
    assert [item["event"]["type"] for item in later(page)["items"]] == ["coup.won.1", EVENT["type"]]
    assert later({"items": []})["items"] == []
    assert later({"openapi": "3.1.0"}) == {"openapi": "3.1.0"}
