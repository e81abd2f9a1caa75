"""The contract that a service serves has what the deployment offers, and nothing else."""

from __future__ import annotations

import pytest

from tafelrunde.api.features import operations
from tafelrunde.api.routes import CORE
from tafelrunde.service.features.registry import FEATURES
from tafelrunde.service.settings import Settings
from tests.support.table import PLAIN, opened

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("settings", [Settings(), PLAIN], ids=["default", "switched-on"])
async def test_served_contract_has_the_features_that_are_switched_on(settings: Settings) -> None:
    """No operation, tag or page of a feature that is switched off, in either form of the contract."""
    on = [each.name for each in FEATURES if each.on(settings)]
    off = [each.name for each in FEATURES if not each.on(settings)]
    assert on
    assert off
    offered = {each.name for each in operations(on)}
    left_out = {each.name for each in operations()} - offered
    assert {each.name for each in CORE} <= offered
    async with opened(settings) as table:
        for query in ("", "?growing=true"):
            contract = (await table.get(f"/openapi.json{query}")).json
            told = [each for methods in contract["paths"].values() for each in methods.values()]
            assert {each["operationId"] for each in told} == offered
            messages = {tag for methods in contract["webhooks"].values() for each in methods.values() for tag in each["tags"]}
            assert {each["name"] for each in contract["tags"]} == {tag for each in told for tag in each["tags"]} | messages
        page = (await table.get("/docs")).body.decode()
    assert [name for name in left_out if f'id="{name}"' in page] == []
