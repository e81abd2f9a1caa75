"""The client beside the contract: every operation has its method, and both clients are alike."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import msgspec
import pytest

from tafelrunde.audit.record_sources import split_record
from tafelrunde.client import ApiError, AsyncClient, Client, InboxItem
from tafelrunde.client.shapes import Avatar, Branch, BrowserKeys, Placing
from tafelrunde.service.signing.notes import Kind, PrivateKey, read_note
from tests.support.authenticator import Authenticator
from tests.support.paths import ROOT
from tests.support.served import Service, service
from tools.python_names import LEFT_OUT

pytestmark = pytest.mark.xdist_group("client")

CONTRACT: dict[str, Any] = json.loads((ROOT / "openapi" / "openapi.json").read_bytes())
CUP = {"name": "Cup", "game": "coup", "seats": 2, "kind": "swiss"}
UNSIGNED = {"key": "00" * 32, "version": "1", "signed_ms": 1, "signature": "00" * 64}


class Listener(httpx.HTTPTransport):
    """A connection that notes which operations of the contract were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: set[str] = set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Note and pass on."""
        self.heard.add(operation_of(request.method, request.url.path))
        return super().handle_request(request)


def operation_of(method: str, path: str) -> str:
    """Return the operation that a request is for; paths without parameters count first."""
    for template, methods in sorted(CONTRACT["paths"].items(), key=lambda each: each[0].count("{")):
        pattern = "/api/v1" + re.sub(r"\{\w+\}", "[^/]+", template)
        if method.lower() in methods and re.fullmatch(pattern, path):
            return methods[method.lower()]["operationId"]
    raise AssertionError(f"{method} {path} is not in the contract")


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


def finished(client: Client) -> str:
    """Play a match of two seats against a bot to its end, and wait until the transparency log has it."""
    match = client.open_match("coup", 2, bots={1: "random"}, start=True).match
    for _ in client.follow(match):
        question = client.view(match).question
        if question is not None:
            client.try_out(match, question.decision, question.legal[0])
            client.play(match, question.decision, question.legal[0])
    assert client.views(match, limit=2).more
    while not logged(client, match):
        time.sleep(0.05)
    return match


def logged(client: Client, match: str) -> bool:
    """Return whether a match is in the transparency log."""
    try:
        return client.log_proofs(match).match == match
    except ApiError as error:
        if error.problem.type != "urn:tafelrunde:problem:not-in-log":
            raise
        return False


def test_every_operation_has_a_method(served: Service) -> None:
    """Whatever the contract offers can be asked for, and the answer has its shape; what is left out has a reason."""
    transport = Listener()
    with Client(served.url, served.master, transport=transport) as client:
        _look_around(client)
        _manage_players(client, Client(served.url, transport=transport))
        _sign_in(Client(served.url, transport=transport), served.url)
        _arrange_tables(client)
        match = finished(client)
        _check(client, match)
        _advise(client, match)
        _puzzled(client)
        _talk(client, match)
        _correct(client, match)
        _have_messages_sent(client)
        _compete(client)
        _have_notices(client)
        _have_no_provider(client)
        _listen(client)
    offered = {operation["operationId"] for methods in CONTRACT["paths"].values() for operation in methods.values()}
    assert transport.heard == offered - LEFT_OUT.keys()


def _advise(client: Client, match: str) -> None:
    assert client.ask_for_coaching(match).seat == 0
    while not (coaching := client.coaching(match, 0)).whole:
        time.sleep(0.05)
    assert all(each.played in each.legal for each in coaching.puzzles)
    again = client.what_if(match, coaching.line[0].decision, coaching.seat)
    hint = client.hint(again.match)
    assert client.play(again.match, hint.decision, hint.moves[0].command)


def _puzzled(client: Client) -> None:
    """A service that has just begun has no puzzle yet, and yesterday's is over."""
    with pytest.raises(ApiError) as refused:
        client.puzzle("coup")
    assert refused.value.problem.type == "urn:tafelrunde:problem:no-puzzle"
    with pytest.raises(ApiError) as refused:
        client.answer_puzzle("coup", "2023-11-14", {"type": "coup.claim-tax"})
    assert refused.value.problem.type == "urn:tafelrunde:problem:puzzle-over"


def _look_around(client: Client) -> None:
    sheet = client.game(client.games()[0].id)
    assert sheet.refusals
    assert sheet.cards
    assert client.rules(sheet.id, "de").startswith("#")
    assert client.leaderboard(sheet.id).game == sheet.id
    taught = client.lesson("coup")
    assert {line.when.prompt for line in taught.lines} >= {"coup.prompt.action"}
    assert client.match(client.open_lesson(taught.game).match).lesson
    opened, deal = client.open_daily("coup"), client.daily("coup")
    assert deal.yours is not None
    assert deal.yours.match == opened.match
    assert client.match(opened.match).daily == deal.today.day
    assert client.daily_ranking("coup").day == deal.today.day
    assert client.today().day == deal.today.day


def _manage_players(client: Client, guest: Client) -> None:
    with guest:
        assert guest.sign_up().guest
        assert guest.rename("Bea").name == "Bea"
        made = guest.create_token("a page", ["read"])
        assert made.token.scopes == ("read",)
        assert made.token in guest.tokens()
        guest.revoke_token(made.token.id)
        assert made.token not in guest.tokens()
        bea = guest.player()
        assert client.player(bea.id) == bea
        for refused in (guest.revoke_program, lambda: client.program(bea.id), lambda: guest.declare_program(**UNSIGNED)):
            with pytest.raises(ApiError):
                refused()
        _meet_people(client, guest)
        guest.delete_me()
        with pytest.raises(ApiError):
            guest.player()


def _meet_people(client: Client, guest: Client) -> None:
    bea, host = guest.player(), client.player()
    owl = Avatar(figure="owl", colour="teal")
    assert guest.change_profile(avatar={"figure": "owl", "colour": "teal"}, languages=["de"]).avatar == owl
    assert guest.export_me().player == guest.player()
    assert guest.rating_history(host.id).player == host.id
    assert guest.player_matches(host.id).items == guest.recent_players() == ()
    guest.follow_player(host.id)
    assert [each.player for each in guest.followed().items] == [host.id]
    guest.unfollow_player(host.id)
    match = client.open_match("coup", 2).match
    assert client.invite_player(match, bea.id).other.name == "Bea"
    assert [each.other.player for each in guest.invitations()] == [host.id]
    guest.decline_invitation(match)
    assert [each.declined for each in client.match_invitations(match).items] == [True]
    client.withdraw_invitation(match, bea.id)
    client.abort(match)
    guest.block_player(host.id)
    assert [each.player for each in guest.blocked().items] == [host.id]
    guest.unblock_player(host.id)
    code = guest.create_device_code().code
    assert guest.redeem_device_code(code, label="phone").player.id == bea.id
    guest.drop_device_codes()
    assert guest.applications() == ()
    with pytest.raises(ApiError):
        guest.revoke_application("g" + 26 * "0")


def _sign_in(guest: Client, url: str) -> None:
    player, device = guest.sign_up("Cleo"), Authenticator(url)
    wanted = guest.prepare_passkey()
    passkey = guest.add_passkey(**device.make(msgspec.to_builtins(wanted)), label="Phone")
    assert guest.rename_passkey(passkey.id, "My phone") == guest.passkeys()[0]
    answer = device.sign(msgspec.to_builtins(guest.prepare_passkey_sign_in()))
    assert guest.sign_in_by_passkey(**answer).player == player
    guest.remove_passkey(passkey.id)
    assert guest.passkeys() == ()


def _arrange_tables(client: Client) -> None:
    match = client.open_match("coup", 3).match
    assert client.matches(own=False, game="coup") is not None
    client.seat_bot(match, 1, "random")
    client.clear_seat(match, 1)
    assert client.pass_host(match, client.player().id).items == ()
    assert all(each.your_turn for each in client.my_turns())
    assert client.begin_vacation(int(time.time() * 1_000) + 60_000).days_left == 29
    assert client.vacation().until_ms is not None
    assert client.vacations(match) == ()
    assert client.end_vacation().until_ms is None
    place = client.seek_quick_match("coup", "blitz", 60, seats=2)
    assert client.quick_matches()[0].seekers == 1
    client.leave(place.match)
    seated = client.seat_user(match, "user-1", name="Cora")
    assert (seated.match, seated.seat, seated.token.seat) == (match, 1, 1)
    assert client.seat_token(match, 0).token.match == match
    client.seat_bot(match, 2, "random")
    client.start(match)
    client.leave(match)
    client.take_seat(match, 0)
    client.abort(match)
    assert client.feed(match).items


def _check(client: Client, match: str) -> None:
    assert client.verification(match).right
    assert json.loads(split_record(client.record(match))[0])["match"] == match
    for own in (True, False):
        assert client.records(own=own).endswith(b'{"line":"page","cursor":null}\n')
    deals = client.proofs(match)
    assert deals.secret is not None
    shown = deals.items[0].cards[0]
    assert client.proof(match, deals.items[0].deal, shown.index).card == shown.card
    checkpoint = client.checkpoint()
    assert client.log_proofs(match, checkpoint.size).root == checkpoint.root
    assert client.signed_checkpoint().decode() == checkpoint.signed
    assert checkpoint.signed.startswith(f"{client.signing_keys().origin}\n{checkpoint.size}\n")
    assert client.log_entries(limit=1).entries[0].hash == client.log_leaves(limit=1).hashes[0]
    witness = PrivateKey("witness.example.org", bytes(range(32)), Kind.COSIGNATURE)
    note = read_note(checkpoint.signed)
    client.add_cosignature(witness.public.text, f"{note}{witness.cosign(note.text, 1).line}\n")
    assert [each.witness for each in client.cosignatures().items] == [witness.public.text]
    opening = client.opening_proof(match)
    assert (opening.text.splitlines()[0], opening.root) == ("tafelrunde.opening.1", checkpoint.root)
    today = client.daily("coup").today
    assert client.day_proof(today.day).text.splitlines() == ["tafelrunde.day.1", today.day, today.commitment]
    consistency = client.log_consistency(1)
    assert consistency.earlier == 1
    assert len(client.log_leaves().hashes) >= consistency.later >= checkpoint.size
    branch = client.what_if(match, 1, 0, bot="random").match
    assert client.match(branch).branch == Branch(match=match, decision=1)
    assert {each.match for each in client.matches(own=True).items} >= {match}
    client.rematch(match)


def _talk(client: Client, match: str) -> None:
    assert "hello" in {each.id for each in client.talk_phrases().phrases}
    line = client.say(match, phrase="well-played")
    assert client.talk(match, "table").items == (line,)
    assert client.talk(match, after=line.n).items == ()
    assert client.report_talk(match, "table", line.n, "other").n == line.n
    assert [each.said for each in client.reports()] == ["well-played"]
    author = line.author.player
    [report] = client.reports()
    closed = client.create_moderation_act("close-report", "Nothing to be seen.", report=report.id)
    assert client.moderation_acts() == (closed,)
    assert [each.report for each in client.my_moderation_acts()] == [report.id]
    with pytest.raises(ApiError):
        client.lift_moderation_act(closed.id)
    assert client.mute_player(author) == client.muted()
    assert client.unmute_player(author) == ()


def _correct(client: Client, match: str) -> None:
    with pytest.raises(ApiError):
        client.end_application("a" + 26 * "0")
    voided = client.void(match, "a test")
    assert voided.correction is not None
    assert voided.correction.reason == "a test"
    judged = client.adjudicate(match, [Placing(seat=0, rank=1), Placing(seat=1, rank=2)], "another one")
    assert judged.correction is not None
    assert judged.correction.kind == "adjudicated"


def _have_messages_sent(client: Client) -> None:
    made = client.create_webhook("https://example.com/hook", ["match.ended"], game="coup")
    hook = made.webhook.id
    assert made.secret != client.rotate_webhook_secret(hook).secret
    assert [each.id for each in client.webhooks()] == [hook]
    assert client.change_webhook(hook, events=["match.started"]).events == client.webhook(hook).events == ("match.started",)
    ping = client.ping_webhook(hook)
    assert client.deliveries(hook).items[0].id == client.delivery(hook, ping.id).id == ping.id
    with pytest.raises(ApiError, match="delivery-pending"):
        client.redeliver(hook, ping.id)
    client.delete_webhook(hook)
    assert client.webhooks() == ()


def _compete(client: Client) -> None:
    cup = client.open_tournament(**CUP, bots=["random"] * 3, rounds=1, joins=False).facts.tournament
    assert client.join_tournament(cup, nonce="mine").facts.entry == 3
    assert cup in {each.tournament for each in client.my_tournaments()}
    assert cup not in {each.tournament for each in client.tournaments().items}
    assert client.start_tournament(cup).facts.stage == "running"
    while (found := client.tournament(cup)).newest is None:
        time.sleep(0.05)
    assert client.tournament_round(cup, 1).tables[0].match == found.newest.tables[0].match
    assert client.leave_tournament(cup).facts.withdrawn
    assert client.cancel_tournament(cup).facts.cancelled == "organiser"


def _have_notices(client: Client) -> None:
    keys = BrowserKeys(
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
    )
    assert len(client.push_key().key) == 87
    browser = client.add_notice_browser("https://push.example/a", keys, "de")
    assert client.choose_notices(["turn"]).browsers == client.notices().browsers == (browser,)
    client.remove_notice_browser(browser.id)
    with pytest.raises(ApiError, match="mail-off"):
        client.set_notice_mail("anna@example.org", "en")
    with pytest.raises(ApiError, match="code-wrong"):
        client.confirm_notice_mail("01234567")
    client.delete_notice_mail()


def _have_no_provider(client: Client) -> None:
    proof = {"state": "s" * 43, "code": "code", "secret": "k" * 43}
    for ask in (
        client.openid,
        client.begin_openid_sign_in,
        lambda: client.finish_openid_sign_in(**proof, label="laptop"),
        client.openid_link,
        client.begin_openid_link,
        lambda: client.finish_openid_link(**proof),
        client.unlink_openid,
    ):
        with pytest.raises(ApiError, match="openid-off"):
            ask()


def _listen(client: Client) -> None:
    """Follow two matches at once, cut off in between, and take the page that the cursor leads to."""
    start = client.inbox().cursor
    matches = [client.open_match("coup", 2, bots={1: "random"}, start=True).match for _ in range(2)]
    turns: set[str] = set()
    first = ""
    for item in client.follow_inbox(start):
        assert isinstance(item, InboxItem)
        first = first or item.cursor
        if item.kind == "match.decision-opened" and item.your_seats == (0,):
            turns.add(item.match)
        if turns >= set(matches):  # what was written shortly before may come too
            break
    assert client.inbox(first, limit=1).items[0].n == 2
    for match in matches:
        client.leave(match)


def methods_of(kind: type) -> dict[str, inspect.Signature]:
    """Return the public methods of a client."""
    found = inspect.getmembers(kind, inspect.isfunction)
    return {name: inspect.signature(each) for name, each in found if not name.startswith("_")}


SAID: Mapping[str, Any] = {
    "seats": 2,
    "seat": 1,
    "decision": 1,
    "deal": 1,
    "index": 0,
    "earlier": 1,
    "placings": (),
    "command": {"type": "x"},
}
METHODS = [name for name in methods_of(Client) if name not in {"close", "follow", "follow_inbox"}]


@pytest.mark.parametrize("name", METHODS)
def test_both_clients_ask_the_same(name: str) -> None:
    """The same method with the same arguments is the same request, blocking or not."""
    signature = methods_of(Client)[name]
    assert [*methods_of(AsyncClient)[name].parameters.items()] == [*signature.parameters.items()]
    arguments = [
        SAID.get(each.name, "abc")
        for each in list(signature.parameters.values())[1:]
        if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    sent: list[tuple[str, str, bytes]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append((request.method, str(request.url), request.content))
        return httpx.Response(404, json={"type": "urn:tafelrunde:problem:not-found", "title": "", "status": 404})

    async def ask() -> None:
        async with AsyncClient("http://localhost", transport=httpx.MockTransport(answer)) as client:
            with pytest.raises(ApiError):
                await getattr(client, name)(*arguments)

    with Client("http://localhost", transport=httpx.MockTransport(answer)) as client, pytest.raises(ApiError):
        getattr(client, name)(*arguments)
    asyncio.run(ask())
    assert len(sent) == 2
    assert sent[0] == sent[1]
    operation_of(sent[0][0], httpx.URL(sent[0][1]).path)


def test_page_names_every_method() -> None:
    """docs/python-client.md has them by what they are about, and none that there is not."""
    page = (ROOT / "docs" / "python-client.md").read_text(encoding="utf-8")
    rows = page.split("## What it can ask")[1].split("\nEach operation")[0]
    named = {name for row in rows.splitlines() for name in re.findall(r"`(\w+)`", row.rpartition("| ")[2])}
    assert named - {"at"} == methods_of(Client).keys() - {"close"}
