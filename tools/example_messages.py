"""The part of the example run about what comes to a player by itself: webhooks, the inbox and notices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tafelrunde.api.features.webhooks.schema import MessageType
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.notices.service import Choices
from tafelrunde.service.features.webhooks.duty import Dispatcher
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.features.webhooks.port import AttemptOutcome
from tafelrunde.service.outgoing.http_sender import Result
from tools.example_run import Recorder


class Received:
    """A receiver that accepts everything."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Result:
        """Return success."""
        return Result(AttemptOutcome.DELIVERED, 204)


async def webhooks(run: Recorder) -> None:
    """A webhook, from its making to its end, and one message of each type."""
    application = run.table.application
    application.provide(Dispatcher, Dispatcher(WEBHOOKS.of(application.stores), Received(), application.now_ms))
    token = (await run.table.player("My server"))[1]
    wish = {"url": "https://example.com/tafelrunde", "events": [each.value for each in MessageType]}
    hook = (await run.ask("createWebhook", "POST", "/webhooks", token, wish))["webhook"]["id"]
    here = f"/webhooks/{hook}"
    await run.ask("rotateWebhookSecret", "POST", f"{here}/secret", token)
    ping = (await run.ask("pingWebhook", "POST", f"{here}/ping", token))["id"]
    await application.get(Dispatcher).portion()
    await _told(run, token)
    await run.ask("getDelivery", "GET", f"{here}/deliveries/{ping}", token)
    await run.ask("redeliver", "POST", f"{here}/deliveries/{ping}/redeliveries", token)
    await run.ask("listDeliveries", "GET", f"{here}/deliveries?limit=2", token)
    run.found["webhooks"] = await _newest(run, here, token)
    await run.ask("changeWebhook", "PATCH", here, token, {"events": ["match.ended"], "game": "coup", "paused": True})
    await run.ask("getWebhook", "GET", here, token)
    await run.ask("listWebhooks", "GET", "/webhooks", token)
    await run.ask("deleteWebhook", "DELETE", here, token)


async def _told(run: Recorder, token: str) -> None:
    """Play the whole example."""
    other = (await run.table.player("Dora"))[1]
    match = await run.table.begin(token, other, game="coup", options={"first_seat": 0})
    await run.table.finish(match, token, other)
    for each in (token, other):
        await run.table.post(f"/matches/{match}/rematch", each)
    await run.table.application.process_manager.open_rematch(MatchId(match))
    await run.table.application.corrections.void(PlayerId("operator"), MatchId(match), "Nobody can say what happened.", "void")
    await run.table.post(f"/matches/{await run.table.open(token, game='coup')}/abort", token)
    await run.table.application.get(Outbox).catch_up()


async def inbox(run: Recorder) -> None:
    """An inbox with its stream, and then notices."""
    token = (await run.table.player("Emil"))[1]
    start = (await run.table.get("/me/inbox", token)).json["cursor"]
    await run.table.open(token, game="coup", bots=[{"seat": 1, "bot": "honest"}], start=True)
    await run.table.application.get(Outbox).catch_up()
    page = await run.ask("getInbox", "GET", f"/me/inbox?after={start}", token)
    await run.listen("streamInbox", f"/me/inbox/stream?after={page['items'][-2]['cursor']}", token)
    await _notices(run)


async def _notices(run: Recorder) -> None:
    """A player who gets notices by mail and in a browser."""
    choices = run.table.application.get(Choices)
    choices.mails = True
    player, token = await run.table.player("Grete")
    await run.ask("getPushKey", "GET", "/notices/push-key")
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    wish = {"endpoint": "https://push.example/send/4711", "keys": keys, "language": "de"}
    browser = (await run.ask("addNoticeBrowser", "POST", "/me/notices/push", token, wish))["id"]
    await run.ask("setNoticeMail", "PUT", "/me/notices/mail", token, {"address": "grete@example.org", "language": "de"})
    mail = (await choices.of(PlayerId(player))).mail
    assert mail is not None
    code = choices.code_of(PlayerId(player), mail)
    await run.ask("confirmNoticeMail", "POST", "/me/notices/mail/confirmation", token, {"code": code})
    await run.ask("chooseNotices", "PUT", "/me/notices", token, {"occasions": ["turn", "invitation"]})
    await run.ask("getNotices", "GET", "/me/notices", token)
    await run.ask("deleteNoticeMail", "DELETE", "/me/notices/mail", token)
    await run.ask("removeNoticeBrowser", "DELETE", f"/me/notices/push/{browser}", token)
    choices.mails = False


async def _newest(run: Recorder, here: str, token: str) -> dict[str, Any]:
    """Return one message of each type."""
    page = (await run.table.get(f"{here}/deliveries?limit=100", token)).json
    assert page["cursor"] is None
    return {each["type"]: each["message"] for each in page["items"]}
