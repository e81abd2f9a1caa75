"""The application that docs/tutorial-an-embed.md writes is served, and its user plays."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import httpx
import pytest

from tafelrunde.client import Client
from tests.support.blocks import blocks
from tests.support.patience import PATIENCE_SECONDS
from tests.whole.test_hosts import same_logging, serving, written
from tools.generate_docs import DOCS

__all__ = ["same_logging", "written"]  # fixtures

pytestmark = pytest.mark.xdist_group("hosts")
PAGE = DOCS / "tutorial-an-embed.md"


def test_user_of_the_application_plays_at_a_table_of_its_own(written: Callable[[str, str], ModuleType]) -> None:
    """The page loads the element; its button opens a running match with the user on seat 0, whose token answers."""
    shop = written("shop", "\n".join(blocks(PAGE, "python"))).shop
    with serving(shop) as url, httpx.Client(base_url=url, timeout=PATIENCE_SECONDS) as browser:
        assert '<script type="module" src="/tafel/web/game-table.js">' in browser.get("/").text
        assert browser.get("/tafel/web/game-table.js").status_code == 200
        table = browser.post("/tables").json()
        with Client(f"{url}/tafel", table["token"]) as player:
            view = player.view(table["match"])
            assert (view.status, view.seat, len(view.chairs)) == ("running", 0, 3)
            heard = player.follow(table["match"])
            while (question := player.view(table["match"]).question) is None:
                next(heard)
            assert player.play(table["match"], question.decision, question.legal[0]).match == table["match"]
