"""Journeys at a service of real processes: it is stopped and started again while people play."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.journeys.conftest import newcomers
from tests.support.processes import Serve

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("journeys-processes")]


def test_service_restarts_in_the_middle_of_a_match(browser: Browser, tmp_path: Path) -> None:
    """Ada and Ben play, the service stops and starts again: nothing is lost, and the answer given meanwhile counts."""
    with ExitStack() as stack:
        serve = stack.enter_context(Serve(tmp_path, bot_pause_ms=0))
        serve.settings["port"] = serve.url.rpartition(":")[2].strip("/")
        meet = newcomers(browser, serve.url, stack.callback)
        ada, ben = meet(fresh=True), meet(phone=True, fresh=True)
        match = ada.opens_a_table_for_friends("Coup", 2, "Ada")
        ben.opens(f"/match/{match}")
        ben.sees("Ada invites you to Coup")
        ben.taps("Join")
        ada.taps("Start")
        for each in (ada, ben):
            each.sees_the_table()
        asked, other = (ada, ben) if ada.page.locator(".status.mine").count() else (ben, ada)
        decision = asked.is_asked()
        serve.stop()
        for each in (ada, ben):
            each.sees("Connection lost")
        asked.tries_to_answer()
        serve.start()
        for each in (ada, ben):
            each.sees_no("Connection lost")
        asked.has_answered(decision)
        other.sees_the_table()
        for each in (ada, ben):
            each.visitor.complaints.clear()  # browsers note each request that found no service
