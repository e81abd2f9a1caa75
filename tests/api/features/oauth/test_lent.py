"""What is lent to applications of others: what ends with what the player has allowed, and nothing that manages the player."""

from __future__ import annotations

import msgspec
import pytest

from tafelrunde.api.features import operations
from tafelrunde.api.features.oauth.schema import TokenAnswer
from tafelrunde.api.features.people.schema import DeviceCodeIssued
from tafelrunde.api.http.operation import Access
from tafelrunde.api.routes.players import ME
from tafelrunde.api.schema.players import PlayerIssued, SeatToken, TokenFacts, TokenIssued
from tafelrunde.service.features.oauth.feature import STORE
from tafelrunde.service.features.oauth.settings import OauthSettings
from tafelrunde.service.settings import Settings
from tests.support.oauth import app_of
from tests.support.table import API, opened
from tests.support.wire import told

pytestmark = pytest.mark.anyio

GIVING = (DeviceCodeIssued, PlayerIssued, SeatToken, TokenAnswer, TokenFacts, TokenIssued)
"""What gives a token, or what one is had for."""
LENT = [each for each in operations() if each.about.lent and each.about.access is not Access.PUBLIC]


def test_nothing_is_lent_that_gives_a_token() -> None:
    """Not even one for a seat: it would have scopes that were not allowed, and take the place of the player's own."""
    answers = {each.name: [answer.body for answer in each.about.answers] for each in LENT}
    assert len(answers) > 50
    assert [name for name, bodies in answers.items() if {*GIVING} & {*bodies}] == []
    issued = {body for each in operations() for body in (answer.body for answer in each.about.answers) if _has_text(body)}
    assert issued <= {*GIVING}


def _has_text(body: object) -> bool:
    return isinstance(body, type) and issubclass(body, msgspec.Struct) and {"text", "token"} <= {*body.__struct_fields__}


def test_nothing_is_lent_that_changes_what_a_player_has_chosen() -> None:
    """Of what callers ask about themselves, they may read what the scope shows, and decline an invitation."""
    assert [each.name for each in LENT if each.about.tag == ME and each.method != "GET"] == ["declineInvitation"]


async def test_application_leaves_what_lasts_alone_whatever_it_was_allowed() -> None:
    """Ways to sign in, tokens of seats, whom one follows, blocks and does not hear, reports, notices, and vacations."""
    async with opened(Settings(features=(OauthSettings(oauth=True),))) as table:
        _, token = await table.player("Anna")
        other, _ = await table.player("Bert")
        access = (await (await app_of(table)).tokens(token, scope="read play create"))["access_token"]
        match = await table.open(access)
        report = {"room": "seats", "n": 1, "reason": "insult"}
        for method, path, content in (
            ("POST", "/me/passkey-options", None),
            ("POST", "/me/passkeys", {"client_data": "", "attestation": ""}),
            ("DELETE", f"/me/passkeys/k{'0' * 26}", None),
            ("POST", "/me/openid/attempts", None),
            ("DELETE", "/me/openid", None),
            ("DELETE", f"/me/tokens/t{'0' * 26}", None),
            ("POST", f"/matches/{match}/seats/0/tokens", None),
            ("PUT", f"/me/followed/{other}", None),
            ("PUT", f"/me/blocked/{other}", None),
            ("DELETE", f"/me/blocked/{other}", None),
            ("PUT", f"/me/muted/{other}", None),
            ("DELETE", f"/me/muted/{other}", None),
            ("POST", f"/matches/{match}/talk/reports", report),
            ("PUT", "/me/notices/mail", {"address": "a@example.com"}),
            ("PUT", "/me/vacation", {"until_ms": table.now_ms + 86_400_000}),
        ):
            refused = await table.ask(method, API + path, token=access, content=content, key=table.key())
            assert told(refused) == (403, "urn:tafelrunde:problem:scope-missing"), path


async def test_application_stays_registered_when_players_let_it_act_and_not_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """What anyone can send keeps none: its time of 90 days starts again with tokens that are given."""
    async with opened(Settings(features=(OauthSettings(oauth=True),))) as table:
        _, token = await table.player("Anna")
        app = await app_of(table)
        kept: list[str] = []

        async def renew_client(client: str) -> bool:
            kept.append(client)
            return True

        monkeypatch.setattr(STORE.of(table.application.stores), "renew_client", renew_client)
        await app.fill_in("revocation", token="nothing", client_id=app.client)
        await app.refresh("nothing")
        await app.exchange("nothing")
        assert kept == []
        await app.refresh((await app.tokens(token))["refresh_token"])
        assert kept == [app.client, app.client]


async def test_player_is_not_there_when_an_application_listens_for_it() -> None:
    """Its streams are its own: notices still come, and the player's own streams have their room."""
    async with opened(Settings(features=(OauthSettings(oauth=True),))) as table:
        player, token = await table.player("Anna")
        match = await table.begin(token, (await table.player("Bert"))[1])
        access = (await (await app_of(table)).tokens(token))["access_token"]
        streams = table.app.state.running.streams
        for path in ("/me/inbox/stream", f"/matches/{match}/stream", f"/matches/{match}/talk/stream"):
            async with table.listen(f"{API}{path}", token=access) as heard:
                assert (await heard.begin()).status == 200
                assert (streams.count, [*streams.players()]) == (1, [])
                async with table.listen(f"{API}{path}", token=token) as own:
                    assert (await own.begin()).status == 200
                    assert (streams.count, [*streams.players()]) == (2, [player])
