"""Codes and refresh tokens that come twice at the same time, to two processes on one store."""

from __future__ import annotations

import asyncio
from typing import NoReturn

import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.ports.stores import Stores
from tests.support.oauth import BACK, App, app_of
from tests.support.table import opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
GONE = (400, "invalid_grant")


def wrong(answer: Answer) -> tuple[int, str]:
    """Return the status of an answer, and what is wrong in OAuth's words."""
    return answer.status, answer.json.get("error", "")


async def test_one_wins_at_most_when_a_code_is_shown_to_two_processes(stores: Stores) -> None:
    """And nothing is left of it: that it came twice is a sign that someone else has it, whichever of the two was first."""
    async with opened(stores=stores) as one, opened(stores=stores) as other:
        _, token = await one.player("Anna")
        app = await app_of(one)
        again = App(other, app.client, BACK)
        for _ in range(4):
            code = await app.code(token)
            answers = await asyncio.gather(app.exchange(code), again.exchange(code), app.exchange(code), again.exchange(code))
            given = [each.json for each in answers if each.status == 200]
            assert len(given) <= 1
            assert {wrong(each) for each in answers if each.status != 200} == {GONE}
            assert [wrong(await app.refresh(each["refresh_token"])) for each in given] == [GONE] * len(given)
        assert (await other.get("/me/applications", token)).json["items"] == []
        assert len((await other.get("/me/tokens", token)).json["items"]) == 1


async def test_refresh_token_gives_one_answer_when_it_is_shown_to_two_processes(stores: Stores) -> None:
    """The same tokens twice, and no others are left."""
    async with opened(stores=stores) as one, opened(stores=stores) as other:
        _, token = await one.player("Anna")
        app = await app_of(one)
        again = App(other, app.client, BACK)
        refresh = (await app.tokens(token))["refresh_token"]
        answers = await asyncio.gather(app.refresh(refresh), again.refresh(refresh))
        assert [each.status for each in answers] == [200, 200]
        assert len({each.json["refresh_token"] for each in answers}) == 1
        assert len((await other.get("/me/applications", token)).json["items"]) == 1
        assert len((await other.get("/me/tokens", token)).json["items"]) == 2


@pytest.mark.parametrize("again", ["revocation", "page", "refresh"])
async def test_access_token_ends_when_what_ends_its_grant_comes_again(again: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store may be away after the grant is deleted, and before its tokens are."""
    async with opened() as table:
        _, token = await table.player("Anna")
        app = await app_of(table)
        given = await app.tokens(token)
        [grant] = (await table.get("/me/applications", token)).json["items"]

        async def away(_: PlayerId) -> NoReturn:
            raise StoreUnavailable("away")

        with monkeypatch.context() as cut:
            cut.setattr(table.application.accounts, "tokens", away)
            assert (await app.fill_in("revocation", token=given["refresh_token"], client_id=app.client)).status == 503
        if again == "revocation":
            assert (await app.fill_in("revocation", token=given["refresh_token"], client_id=app.client)).status == 200
        elif again == "page":
            path = f"/api/v1/me/applications/{grant['id']}"
            assert [(await table.ask("DELETE", path, token=token)).status for _ in range(2)] == [204, 404]
        else:
            assert wrong(await app.refresh(given["refresh_token"])) == GONE
        assert (await table.get("/me", given["access_token"])).status == 401
