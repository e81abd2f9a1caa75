"""The forms for issues, and the pages that a newcomer to the project looks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT

FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
KINDS = {"textarea", "input", "dropdown", "checkboxes"}


def form(path: Path) -> dict[str, Any]:
    """Return a form."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_form_for_issues_is_one_that_the_host_reads(path: Path) -> None:
    """It has a name, a description, and fields with ids of their own, known kinds and labels; one at least is required."""
    read = form(path)
    assert {"name", "description", "body"} <= read.keys()
    assert {field["type"] for field in read["body"]} <= KINDS
    ids = [field["id"] for field in read["body"]]
    assert len(set(ids)) == len(ids)
    assert all(field["attributes"]["label"] for field in read["body"])
    assert any(field.get("validations", {}).get("required") for field in read["body"])


def test_form_for_rules_names_every_game() -> None:
    """A new game can be chosen there."""
    fields = {field["id"]: field for field in form(ROOT / ".github" / "ISSUE_TEMPLATE" / "rules.yml")["body"]}
    assert fields["game"]["attributes"]["options"] == sorted(game.messages[game.id].en for game in GAMES.values())


def test_leak_is_reported_in_private() -> None:
    """There is no blank issue, and the first link leads to the private form."""
    config = form(ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml")
    assert config["blank_issues_enabled"] is False
    assert config["contact_links"][0]["url"].endswith("/security/advisories/new")


def test_german_page_leads_to_every_rule_sheet() -> None:
    """Each game stands there with its number of seats and its sheet."""
    page = (ROOT / "docs" / "de" / "index.md").read_text(encoding="utf-8")
    for game in GAMES.values():
        folder = game.id.replace("-", "_")
        row = next(line for line in page.splitlines() if f"/{folder}/guide/rules.de.md" in line)
        assert row.startswith(f"| [{game.messages[game.id].de}](")
        assert row.endswith(f"| {game.min_seats} bis {game.max_seats} |")
