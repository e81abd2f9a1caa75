"""A way to every type of problem, over the wire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import NoReturn
from unittest.mock import patch

from tafelrunde.api.app import create_app
from tafelrunde.service.application import Application
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.features.notices.port import MOST_PUSHES
from tafelrunde.service.features.openid.service import OpenId
from tafelrunde.service.features.puzzles.service import Puzzles
from tafelrunde.service.features.quick.duty import QuickFilling
from tafelrunde.service.features.quick.service import COME_MS
from tafelrunde.service.features.talk.rooms import TalkMode
from tafelrunde.service.features.talk.settings import TalkSettings
from tafelrunde.service.features.tournaments.rules import MOST_JOINS
from tafelrunde.service.features.tournaments.settings import TournamentSettings
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.witnesses import PLACES
from tafelrunde.service.features.webhooks.player_webhooks import MOST_WEBHOOKS
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import LimitSettings, Settings
from tafelrunde.service.signing.notes import Kind, PrivateKey
from tests.support.authenticator import HOST, ORIGIN, Authenticator
from tests.support.openid import Stand, proof_of
from tests.support.table import Table, opened
from tests.support.wire import Answer, Wire

JSON = [("Content-Type", "application/json")]
NAMED = [("Host", HOST)]
Way = Callable[[Table], Awaitable[Answer]]


async def _invalid_request(table: Table) -> Answer:
    return await table.post("/players", content={"nickname": "A"})


async def _idempotency_key_missing(table: Table) -> Answer:
    return await table.post("/matches", (await table.player())[1], {"game": "duel", "seats": 2}, key=None)


async def _unauthenticated(table: Table) -> Answer:
    return await table.get("/me")


async def _scope_missing(table: Table) -> Answer:
    _, token = await table.player()
    reader = (await table.post("/me/tokens", token, {"scopes": ["read"]})).json["text"]
    return await table.post("/matches", reader, {"game": "duel", "seats": 2})


async def _spectators_off(table: Table) -> Answer:
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.get(f"/matches/{await table.begin(one, other)}/view")


async def _not_found(table: Table) -> Answer:
    return await table.get("/games/chess")


async def _not_in_log(table: Table) -> Answer:
    return await table.get("/log/consistency?from=9")


async def _no_puzzle(table: Table) -> Answer:
    return await table.get("/puzzles/today?game=duel")


async def _puzzle_over(table: Table) -> Answer:
    content = {"game": "duel", "day": "2023-11-13", "command": {"type": "duel.bid", "tricks": 0}}
    return await table.post("/puzzles/today", (await table.player())[1], content, key=None)


async def _not_a_choice(table: Table) -> Answer:
    """Answer a puzzle that has no choice at all; to have one made takes a match and a search."""

    async def of(*_: object) -> SimpleNamespace:
        return SimpleNamespace(puzzle=SimpleNamespace(legal=[]))

    with patch.object(table.application.get(Puzzles), "of", of):
        content = {"game": "duel", "day": table.application.get(Puzzles).today(), "command": {"type": "duel.bid", "tricks": 0}}
        return await table.post("/puzzles/today", (await table.player())[1], content, key=None)


async def _method_not_allowed(table: Table) -> Answer:
    return await table.ask("PUT", "/api/v1/games")


async def _refused(table: Table) -> Answer:
    _, token = await table.player()
    return await table.post(f"/matches/{await table.open(token)}/start", token)


async def _decision_closed(table: Table) -> Answer:
    (_, one), (_, other) = await table.player(), await table.player()
    content = {"decision": 9, "command": {"type": "duel.bid", "tricks": 0}}
    return await table.post(f"/matches/{await table.begin(one, other)}/commands", one, content)


async def _not_over(table: Table) -> Answer:
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.get(f"/matches/{await table.begin(one, other)}/record", one)


async def _cursor_unknown(table: Table) -> Answer:
    _, token = await table.player()
    return await table.get(f"/matches/{await table.open(token)}/view?at=1-00000000", token)


async def _too_many_tokens(table: Table) -> Answer:
    _, token = await table.player()
    return [await table.post("/me/tokens", token, {}) for _ in range(50)][-1]


async def _statement_refused(table: Table) -> Answer:
    return await table.ask("DELETE", "/api/v1/me/program", token=(await table.player())[1])


async def _talk_apart(table: Table) -> Answer:
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.get(f"/matches/{await table.begin(one, other)}/talk?room=stands", one)


async def _talk_off(_: Table) -> Answer:
    async with opened(Settings(features=(TalkSettings(talk=TalkMode.OFF),))) as table:
        token = (await table.player())[1]
        return await table.post(f"/matches/{await table.open(token)}/talk", token, {"phrase": "hello"})


async def _talk_refused(table: Table) -> Answer:
    _, token = await table.player()
    return await table.post(f"/matches/{await table.open(token)}/talk", token, {"phrase": "abracadabra"})


async def _act(table: Table, kind: str | None) -> tuple[str, Answer]:
    """Have an operator do something about a new player; return the player's token, and the answer."""
    player, token = await table.player()
    wish = {"kind": kind or "suspend", "player": player, "reason": "You insulted another player."}
    until = {"until_ms": table.now_ms + 7 * 86_400_000} if kind is not None else {}
    return token, await table.post("/moderation/acts", await table.operator(), {**wish, **until})


async def _act_refused(table: Table) -> Answer:
    return (await _act(table, None))[1]


async def _suspended(table: Table) -> Answer:
    return await table.post("/matches", (await _act(table, "suspend"))[0], {"game": "coup", "seats": 2})


async def _silenced(table: Table) -> Answer:
    token, _ = await _act(table, "silence")
    return await table.post(f"/matches/{await table.open(token)}/talk", token, {"phrase": "hello"})


async def _hook(table: Table, token: str) -> str:
    wish = {"url": "https://example.com/", "events": ["match.ended"]}
    return (await table.post("/webhooks", token, wish)).json["webhook"]["id"]


async def _webhook_url_refused(table: Table) -> Answer:
    wish = {"url": "https://127.0.0.1/", "events": ["match.ended"]}
    return await table.post("/webhooks", (await table.player())[1], wish)


async def _too_many_people(table: Table) -> Answer:
    _, token = await table.player()
    other, _ = await table.player()
    with patch("tafelrunde.service.features.people.service.MOST_RELATED", 0):
        return await table.ask("PUT", f"/api/v1/me/followed/{other}", token=token)


async def _not_invitable(table: Table) -> Answer:
    player, token = await table.player()
    return await table.post(f"/matches/{await table.open(token)}/invitations", token, {"player": player})


async def _device_code_unknown(table: Table) -> Answer:
    return await table.post("/device-codes", content={"code": "A" * 60})


async def _passkey(table: Table, token: str, device: Authenticator) -> Answer:
    options = (await table.post("/me/passkey-options", token, headers=NAMED)).json
    return await table.post("/me/passkeys", token, device.make(options), headers=NAMED)


async def _sign_in(table: Table, device: Authenticator) -> Answer:
    options = (await table.post("/passkey-options", headers=NAMED)).json
    return await table.post("/passkey-sign-ins", None, device.sign(options), headers=NAMED)


async def _passkeys_off(_: Table) -> Answer:
    async with opened(Settings()) as table:
        return await table.post("/passkey-options")


async def _passkey_challenge_ended(table: Table) -> Answer:
    return await table.post("/passkey-sign-ins", None, Authenticator().sign({"challenge": "AAAA"}))


async def _passkey_refused(table: Table) -> Answer:
    return await _sign_in(table, await _lost(table, origin="https://elsewhere.example"))


async def _passkey_unknown(table: Table) -> Answer:
    return await _sign_in(table, Authenticator())


async def _passkey_known(table: Table) -> Answer:
    (_, token), device = await table.player(), Authenticator()
    await _passkey(table, token, device)
    return await _passkey(table, token, device)


async def _passkey_copied(table: Table) -> Answer:
    device = await _lost(table)
    await _sign_in(table, device)
    device.counter = 0
    return await _sign_in(table, device)


async def _lost(table: Table, origin: str = ORIGIN) -> Authenticator:
    """Return a device that has made a passkey, and is at that origin from then on."""
    device = Authenticator()
    assert (await _passkey(table, (await table.player())[1], device)).status == 200
    device.origin = origin
    return device


async def _too_many_passkeys(table: Table) -> Answer:
    _, token = await table.player()
    with patch("tafelrunde.service.features.passkeys.service.MOST_PASSKEYS", 0):
        return await table.post("/me/passkey-options", token)


async def _too_many_webhooks(table: Table) -> Answer:
    _, token = await table.player()
    for _ in range(MOST_WEBHOOKS):
        await _hook(table, token)
    return await table.post("/webhooks", token, {"url": "https://example.com/", "events": ["match.ended"]})


async def _webhook_paused(table: Table) -> Answer:
    _, token = await table.player()
    hook = await _hook(table, token)
    await table.ask("PATCH", f"/api/v1/webhooks/{hook}", token=token, content={"paused": True})
    return await table.post(f"/webhooks/{hook}/ping", token)


async def _delivery_pending(table: Table) -> Answer:
    _, token = await table.player()
    hook = await _hook(table, token)
    made = (await table.post(f"/webhooks/{hook}/ping", token)).json["id"]
    return await table.post(f"/webhooks/{hook}/deliveries/{made}/redeliveries", token)


async def _cup(table: Table, token: str, **wishes: object) -> str:
    wish = {"name": "Cup", "game": "duel", "seats": 2, "kind": "swiss", **wishes}
    return f"/tournaments/{(await table.post('/tournaments', token, wish)).json['facts']['tournament']}"


async def _join(table: Table, cup: str) -> Answer:
    return await table.ask("PUT", f"/api/v1{cup}/entries/me", token=(await table.player())[1])


async def _tournament_closed(table: Table) -> Answer:
    _, token = await table.player()
    cup = await _cup(table, token)
    await table.ask("DELETE", f"/api/v1{cup}", token=token)
    return await _join(table, cup)


async def _tournament_full(table: Table) -> Answer:
    cup = await _cup(table, (await table.player())[1], places=4)
    return [await _join(table, cup) for _ in range(4)][-1]


async def _tournament_too_few(table: Table) -> Answer:
    _, token = await table.player()
    return await table.post(f"{await _cup(table, token)}/start", token)


async def _joined_too_often(table: Table) -> Answer:
    (_, one), (_, other) = await table.player(), await table.player()
    entry = f"/api/v1{await _cup(table, one)}/entries/me"
    for _ in range(MOST_JOINS):
        await table.ask("PUT", entry, token=other)
        await table.ask("DELETE", entry, token=other)
    return await table.ask("PUT", entry, token=other)


async def _not_organiser(table: Table) -> Answer:
    cup = await _cup(table, (await table.player())[1])
    return await table.post(f"{cup}/start", (await table.player())[1])


async def _too_many_tournaments(_: Table) -> Answer:
    async with opened(Settings(features=(TournamentSettings(tournaments_per_player=1),))) as table:
        token = (await table.player())[1]
        wish = {"name": "Cup", "game": "duel", "seats": 2, "kind": "swiss"}
        return [await table.post("/tournaments", token, wish) for _ in range(2)][-1]


async def _too_large(table: Table) -> Answer:
    return await table.post("/players", raw=b" " * 65_537, headers=JSON)


async def _unsupported_media_type(table: Table) -> Answer:
    return await table.post("/players", raw=b"{}", headers=[("Content-Type", "text/plain")])


async def _key_reused(table: Table) -> Answer:
    _, token = await table.player()
    return [await table.post("/matches", token, {"game": "duel", "seats": seats}, key="k") for seats in (2, 3)][-1]


async def _invalid_options(table: Table) -> Answer:
    return await table.post("/matches", (await table.player())[1], {"game": "coup", "seats": 9})


async def _nonce_with_opening(table: Table) -> Answer:
    return await table.post("/matches", (await table.player())[1], {"game": "duel", "seats": 2, "nonce": "mine"})


async def _invalid_name(table: Table) -> Answer:
    return await table.post("/players", content={"name": " "})


async def _ends_too_soon(table: Table) -> Answer:
    _, token = await table.player()
    return await table.post("/me/tokens", token, {"expires_ms": table.now_ms + 59_999})


async def _too_many_requests(_: Table) -> Answer:
    async with opened(Settings(limits=LimitSettings(reads_per_minute=60))) as table:
        token = (await table.player())[1]
        return [await table.get("/games", token) for _ in range(61)][-1]


async def _headers_too_large(table: Table) -> Answer:
    return await table.get("/games", headers=[("X-Long", "x" * 16_384)])


async def _too_many_streams(table: Table) -> Answer:
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    for _ in range(table.application.settings.limits.max_streams):
        table.app.state.running.streams.enter((await table.get("/me", one)).json["id"], "")
    return await table.get(f"/matches/{match}/stream", one)


async def _format_unknown(table: Table) -> Answer:
    return await table.get("/oembed?url=x&format=xml")


async def _cosignature_refused(table: Table) -> Answer:
    return await table.post("/log/cosignatures", content={"witness": "x", "note": "y"})


async def _too_many_witnesses(table: Table) -> Answer:
    _, note = await table.application.get(TransparencyLog).sign_checkpoint()
    answers: list[Answer] = []
    for number in range(PLACES + 1):
        witness = PrivateKey(f"witness-{number}", bytes(32), Kind.COSIGNATURE)
        line = witness.cosign(note.text, table.now_ms // 1000).line
        answers.append(await table.post("/log/cosignatures", content={"witness": witness.public.text, "note": f"{note}{line}\n"}))
    return answers[-1]


async def internal(table: Table) -> Answer:
    """Ask a service that breaks down inside."""

    async def break_down(*_: object) -> NoReturn:
        raise RuntimeError("the duke is hidden")

    object.__setattr__(table.application.queries, "summary", break_down)
    return await table.get("/matches/m" + "a" * 24)


async def _unavailable(table: Table) -> Answer:
    async def stay_away(*_: object) -> NoReturn:
        raise StoreUnavailable("redis://secret:6379 is away")

    object.__setattr__(table.application.queries, "summary", stay_away)
    return await table.get("/matches/m" + "a" * 24)


async def _lifespan_not_run(_: Table) -> Answer:
    application = Application(memory_stores(), Settings())
    return await Wire(create_app(application=application)).ask("POST", "/api/v1/players")


async def _too_many_seats(table: Table) -> Answer:
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(open_seats_per_player=1))) as other:
        _, token = await other.player()
        await other.open(token)
        return await other.post("/matches", token, {"game": "duel", "seats": 2})


async def _vacation_too_long(table: Table) -> Answer:
    content = {"until_ms": table.now_ms + 31 * 86_400_000}
    return await table.ask("PUT", "/api/v1/me/vacation", token=(await table.player())[1], content=content)


async def _seat_not_taken(table: Table) -> Answer:
    _, token = await table.player()
    wish = {"game": "coup", "pace": "quick", "patience_seconds": 60}
    await table.post("/quick-matches", token, wish)
    table.now_ms += COME_MS
    await table.application.get(QuickFilling).step()
    return await table.post("/quick-matches", token, wish)


async def _too_many_seek(table: Table) -> Answer:
    with patch("tafelrunde.service.features.quick.service.MOST_TABLES", 0):
        wish = {"game": "coup", "pace": "blitz", "patience_seconds": 30}
        return await table.post("/quick-matches", (await table.player())[1], wish)


async def _too_many_bot_matches(table: Table) -> Answer:
    bots = [{"seat": seat, "bot": "steady"} for seat in range(2)]
    wish = {"game": "duel", "seats": 2, "seat": None, "bots": bots, "start": True}
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(bot_matches_per_host=1))) as other:
        _, token = await other.player()
        await other.post("/matches", token, wish)
        return await other.post("/matches", token, wish)


async def _mail_off(table: Table) -> Answer:
    wish = {"address": "anna@example.org", "language": "de"}
    return await table.ask("PUT", "/api/v1/me/notices/mail", token=(await table.player())[1], content=wish)


async def _code_wrong(table: Table) -> Answer:
    return await table.post("/me/notices/mail/confirmation", (await table.player())[1], {"code": "01234567"})


async def _oauth_off(_: Table) -> Answer:
    async with opened(Settings()) as table:
        return await table.get("/me/applications", (await table.player())[1])


async def _application_unknown(table: Table) -> Answer:
    return await table.get("/oauth/authorization?client_id=a" + 26 * "0")


async def _application_refused(table: Table) -> Answer:
    back = "https://app.example/back"
    made = (await table.post("/oauth/applications", content={"redirect_uris": [back]})).json
    asked = {"client_id": made["client_id"], "redirect_uri": back, "allowed": True}
    return await table.post("/oauth/authorization", (await table.player())[1], asked)


async def _add_browser(table: Table, token: str, endpoint: str) -> Answer:
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    return await table.post("/me/notices/push", token, {"endpoint": endpoint, "keys": keys, "language": "en"})


async def _push_address_refused(table: Table) -> Answer:
    return await _add_browser(table, (await table.player())[1], "https://127.0.0.1/push")


async def _too_many_browsers(table: Table) -> Answer:
    _, token = await table.player()
    for number in range(MOST_PUSHES):
        await _add_browser(table, token, f"https://push.example/{number}")
    return await _add_browser(table, token, "https://push.example/more")


async def _openid_off(table: Table) -> Answer:
    return await table.get("/openid")


async def _openid_unavailable(table: Table) -> Answer:
    with _signing_in(table, None):
        return await table.post("/openid/attempts")


async def _openid_attempt_unknown(table: Table) -> Answer:
    with _signing_in(table, "anna"):
        begun = (await table.post("/openid/attempts")).json
        return await table.post("/openid/sign-ins", content={**proof_of(begun), "secret": "x" * 43})


async def _openid_refused(table: Table) -> Answer:
    with _signing_in(table, "anna"):
        return await table.post("/openid/sign-ins", content=proof_of((await table.post("/openid/attempts")).json, "wrong"))


async def _link_openid(table: Table, token: str) -> Answer:
    begun = (await table.post("/me/openid/attempts", token)).json
    return await table.post("/me/openid", token, proof_of(begun))


async def _openid_taken(table: Table) -> Answer:
    with _signing_in(table, "greta"):
        await _link_openid(table, (await table.player())[1])
        return await _link_openid(table, (await table.player())[1])


async def _openid_linked(table: Table) -> Answer:
    _, token = await table.player()
    with _signing_in(table, "hugo"):
        await _link_openid(table, token)
    with _signing_in(table, "ida"):
        return await _link_openid(table, token)


@contextmanager
def _signing_in(table: Table, subject: str | None) -> Generator[None]:
    openid = table.application.get(OpenId)
    openid.provider = Stand(subject)
    try:
        yield
    finally:
        openid.provider = None


WAYS: dict[str, Way] = {
    way.__name__.strip("_").replace("_", "-"): way
    for way in (
        _invalid_request,
        _format_unknown,
        _idempotency_key_missing,
        _unauthenticated,
        _scope_missing,
        _spectators_off,
        _not_found,
        _not_in_log,
        _no_puzzle,
        _puzzle_over,
        _not_a_choice,
        _cosignature_refused,
        _too_many_witnesses,
        _method_not_allowed,
        _refused,
        _decision_closed,
        _not_over,
        _cursor_unknown,
        _too_many_tokens,
        _statement_refused,
        _too_many_webhooks,
        _too_many_people,
        _not_invitable,
        _device_code_unknown,
        _passkeys_off,
        _passkey_challenge_ended,
        _passkey_refused,
        _passkey_unknown,
        _passkey_known,
        _passkey_copied,
        _too_many_passkeys,
        _webhook_paused,
        _webhook_url_refused,
        _delivery_pending,
        _talk_apart,
        _talk_off,
        _talk_refused,
        _act_refused,
        _suspended,
        _silenced,
        _tournament_closed,
        _tournament_full,
        _tournament_too_few,
        _joined_too_often,
        _not_organiser,
        _too_many_tournaments,
        _mail_off,
        _code_wrong,
        _push_address_refused,
        _too_many_browsers,
        _openid_off,
        _openid_unavailable,
        _openid_attempt_unknown,
        _openid_refused,
        _openid_taken,
        _openid_linked,
        _oauth_off,
        _application_unknown,
        _application_refused,
        _too_large,
        _unsupported_media_type,
        _key_reused,
        _invalid_options,
        _nonce_with_opening,
        _invalid_name,
        _ends_too_soon,
        _too_many_requests,
        _headers_too_large,
        _too_many_streams,
        _too_many_seats,
        _too_many_bot_matches,
        _seat_not_taken,
        _too_many_seek,
        _vacation_too_long,
        internal,
        _unavailable,
        _lifespan_not_run,
    )
}
