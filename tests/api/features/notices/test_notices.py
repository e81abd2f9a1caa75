"""Notices by push and by mail: chosen by their player, one for each decision and way, and nothing of a match that is secret."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from email.message import EmailMessage
from typing import Any
from unittest.mock import AsyncMock, patch

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.environment import read_settings
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.feature import Feature
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.feature import STORE as INBOXES
from tafelrunde.service.features.inbox.followers import Followers
from tafelrunde.service.features.notices import duty as postman_module
from tafelrunde.service.features.notices.duty import LEASE_MS, PAUSES_MS, Postman
from tafelrunde.service.features.notices.feature import STORE
from tafelrunde.service.features.notices.mailer import MailDelayed, SmtpMailer
from tafelrunde.service.features.notices.port import MOST_PUSHES
from tafelrunde.service.features.notices.presence import Presence
from tafelrunde.service.features.notices.service import Choices
from tafelrunde.service.features.notices.settings import NoticeSettings, SmtpTls
from tafelrunde.service.features.notices.texts import Envelope
from tafelrunde.service.features.notices.web_push import PushKey
from tafelrunde.service.features.registry import FEATURES, without
from tafelrunde.service.players.quota_table import OTHER_NOTICES, TURN_NOTICES
from tafelrunde.service.ports.stores import Stores
from tests.support.notices import Browser, Mailbox, Shown, mail_server, push_service
from tests.support.receiver import status
from tests.support.table import API, Table, opened

pytestmark = pytest.mark.anyio

PUBLIC = "https://cards.example"
DAYS = {"turn_seconds": 259_200, "reaction_seconds": 259_200}
DELAY_MS = 20_000


class House(Table):
    """A service with a mail server and a push service of its own."""

    mailbox: Mailbox
    browser: Browser

    async def tell(self, later_ms: int = DELAY_MS) -> None:
        """Let some time pass, and send what is due."""
        await self.application.get(Outbox).catch_up()
        self.now_ms += later_ms
        for mail in (False, True):
            while await self.application.get(Postman).portion(mail=mail):
                pass

    async def push_to(self, token: str, browser: Browser | None = None) -> str:
        """Have notices shown in a browser; return its id."""
        chosen = browser or self.browser
        chosen.server_key = (await self.get("/notices/push-key")).json["key"]
        answer = await self.post("/me/notices/push", token, {**chosen.subscription, "language": "de"})
        assert answer.status == 200, answer
        return answer.json["id"]

    async def mail_to(self, token: str, address: str = "anna@example.org", language: str = "en") -> None:
        """Have mail sent to an address, and confirm it."""
        await self.ask_mail(token, address, language)
        await self.tell(0)
        [code] = re.findall(r"[0-9]{8}", self.mailbox.got[-1]["Subject"])
        answer = await self.post("/me/notices/mail/confirmation", token, {"code": code})
        assert answer.json["mail"] == {"address": address, "language": language, "confirmed": True}
        self.mailbox.got.clear()

    async def ask_mail(self, token: str, address: str = "anna@example.org", language: str = "en") -> Any:
        """Give an address."""
        return await self.ask("PUT", f"{API}/me/notices/mail", token=token, content={"address": address, "language": language})

    def shown(self) -> list[Shown]:
        """Return what the browser has shown."""
        return [self.browser.read(each) for each in self.browser.service.got]


@asynccontextmanager
async def receiving_house(stores: Stores | None = None, features: Sequence[Feature] = FEATURES) -> AsyncGenerator[House]:
    """Give a running service with both ways."""
    async with mail_server() as mailbox, push_service() as browser:
        settings = read_settings(
            {
                "TAFELRUNDE_SMTP_HOST": "127.0.0.1",
                "TAFELRUNDE_SMTP_PORT": str(mailbox.port),
                "TAFELRUNDE_SMTP_TLS": "none",
                "TAFELRUNDE_MAIL_FROM": "table@cards.example",
                "TAFELRUNDE_PUBLIC_URL": PUBLIC,
                "TAFELRUNDE_WEBHOOK_NETWORKS": "127.0.0.0/8",
                "TAFELRUNDE_WEBHOOK_HTTP": "true",
                "TAFELRUNDE_WEBHOOK_PORTS": "*",
                "TAFELRUNDE_RATE_LIMITS": "false",
                "TAFELRUNDE_BOT_PAUSE_MS": "0",
            }
        )
        async with opened(settings, stores=stores, features=features, kind=House) as house:
            assert isinstance(house, House)
            house.mailbox, house.browser = mailbox, browser
            yield house
            await house.application.close()


@pytest.fixture(params=("memory_stores", "redis_stores"))
def stores(request: pytest.FixtureRequest) -> Stores:
    """Empty stores, in memory and on a server."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Stores)
    return found


@pytest.fixture
async def house(stores: Stores) -> AsyncIterator[House]:
    """A running service with both ways, over each store."""
    async with receiving_house(stores) as house:
        yield house


async def begun(house: House, **wishes: Any) -> tuple[str, str, str]:
    """Begin a match over days in which the first of two players is asked; return it with their tokens."""
    (_, one), (_, other) = await house.player("Anna"), await house.player("Bert")
    await house.push_to(one)
    await house.mail_to(one)
    return await house.begin(one, other, options={"first_seat": 0}, clock=DAYS, **wishes), one, other


async def test_player_is_notified_of_its_turn_once_by_each_way(house: House) -> None:
    """By push in its language, and by mail, each with the game, the match and the time left; and not before some seconds."""
    match, _, _ = await begun(house)
    await house.tell(DELAY_MS - 1)
    assert (house.shown(), house.mailbox.got) == ([], [])
    await house.tell(1)
    [shown] = house.shown()
    assert set(shown.content) == {"title", "body", "match", "tag"}
    assert shown.content["match"] == match
    assert shown.content["title"].endswith(": Du bist am Zug")
    assert shown.content["body"] == "Deine Entscheidung ist gefragt. Zeit: 2 Tage."
    assert (shown.headers["topic"], shown.headers["ttl"]) == (shown.content["tag"], str((259_200_000 - DELAY_MS) // 1_000))
    assert shown.claims["sub"] == PUBLIC
    [mail] = house.mailbox.got
    assert (mail["From"], mail["To"]) == ("Tafelrunde <table@cards.example>", "anna@example.org")
    assert mail["Subject"].endswith(": your turn")
    text = mail.get_content()
    assert "Time left: 2 days." in text
    assert f"{PUBLIC}/match/{match}" in text
    assert (mail["Auto-Submitted"], mail["List-Unsubscribe-Post"]) == ("auto-generated", "List-Unsubscribe=One-Click")
    await INBOXES.of(house.application.stores).advance(dict.fromkeys(range(64), "0-0"))
    await house.tell()
    assert (len(house.shown()), len(house.mailbox.got)) == (1, 1)


async def test_nothing_is_sent_while_a_page_is_open(house: House) -> None:
    """Nor to one who was there after the decision was opened, and has gone since; one who left before is notified."""
    (_, one), (_, other) = await house.player("Anna"), await house.player("Bert")
    await house.push_to(one)
    match = await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    async with house.listen(f"{API}/matches/{match}/stream", token=one) as stream:
        assert (await stream.begin()).status == 200
        await house.application.get(Presence).note()
    await house.tell()
    assert house.shown() == []
    await house.play(match, one)
    assert (await house.view(match, other))["question"] is not None
    await house.play(match, other)
    await house.application.get(Presence).note()
    await house.tell()
    assert len(house.shown()) == 1


async def test_nothing_is_sent_that_is_of_no_use(house: House) -> None:
    """A decision that was answered meanwhile, and one whose clock has nearly run out."""
    match, one, _ = await begun(house)
    await house.play(match, one)
    await house.tell()
    assert (house.shown(), house.mailbox.got) == ([], [])
    (_, other), (_, third) = await house.player(), await house.player()
    await house.push_to(other)
    blitz = {"turn_seconds": 30, "reaction_seconds": 30, "away_seconds": 0}
    await house.begin(other, third, options={"first_seat": 0}, clock=blitz)
    await house.tell()
    assert house.shown() == []


async def test_player_is_notified_of_the_occasions_it_has_chosen(house: House) -> None:
    """The end of a match, for instance, but not the decisions before."""
    (_, one), (_, other) = await house.player("Anna"), await house.player("Bert")
    await house.push_to(one)
    chosen = await house.ask("PUT", f"{API}/me/notices", token=one, content={"occasions": ["end", "end"]})
    assert chosen.json["occasions"] == ["end"]
    match = await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    await house.finish(match, one, other)
    await house.tell()
    assert [each.content["title"].partition(": ")[2] for each in house.shown()] == ["Die Partie ist zu Ende"]


async def test_notice_comes_twice_rather_than_never(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sender that dies after it has sent, and before it has noted that, leads to one more with the same name."""
    await begun(house)
    store = STORE.of(house.application.stores)
    with monkeypatch.context() as patched:

        async def die(*_: object) -> None:
            raise StoreUnavailable("killed")

        patched.setattr(store, "finish", die)
        with pytest.raises(StoreUnavailable):
            await house.tell()
    await house.browser.service.reached(1)
    await house.tell(LEASE_MS)
    await house.tell(LEASE_MS)
    assert len({each.content["tag"] for each in house.shown()}) == 1
    assert len(house.shown()) == 2
    assert len({each["Message-ID"] for each in house.mailbox.got}) == 1


async def test_notices_are_sent_when_webhooks_are_off() -> None:
    """By push and by mail; they need the inbox alone."""
    async with receiving_house(features=without("webhooks")) as house:
        await begun(house)
        await house.tell(DELAY_MS)
        assert (len(house.shown()), len(house.mailbox.got)) == (1, 1)


async def test_notice_is_sent_by_one_of_many_senders(house: House) -> None:
    """Although each looks at the same time, and although several processes read the log together."""
    await begun(house)
    application = house.application
    others = [
        Outbox(
            application.stores,
            application.repository,
            application.feeds,
            application.now_ms,
            INBOXES.of(application.stores),
            followers=application.get(Followers),
        )
        for _ in range(3)
    ]
    await asyncio.gather(*(each.catch_up() for each in others))
    house.now_ms += DELAY_MS
    counts = await asyncio.gather(*(application.get(Postman).portion(mail=mail) for mail in (False, True) * 4))
    assert sum(counts) == 2
    assert (len(house.shown()), len(house.mailbox.got)) == (1, 1)


async def test_notice_is_the_same_whatever_is_hidden() -> None:
    """Two matches that differ in all cards and secrets lead to the same notices, but for their ids."""
    seen: list[list[tuple[Any, ...]]] = []
    for secret in ("a" * 64, "b" * 64):
        async with receiving_house() as house:
            with patch("tafelrunde.service.matches.setup.new_secret", lambda _=0, secret=secret: secret):
                match, one, other = await begun(house)
            hands = [(await house.view(match, token))["table"] for token in (one, other)]
            await house.tell()
            await house.finish(match, one, other)
            await house.tell()
            words = [
                (each.content["title"], each.content["body"], set(each.content), each.headers["ttl"]) for each in house.shown()
            ]
            words += [
                (each["Subject"], each.get_content().split("/stop-mail/")[0].replace(match, "")) for each in house.mailbox.got
            ]
            seen.append([*words, ("hands", str(hands))])
    assert seen[0][-1] != seen[1][-1], "the worlds differ"
    assert seen[0][:-1] == seen[1][:-1]


@pytest.mark.filterwarnings("ignore:Session.login_data")  # the server's own
async def test_mail_is_sent_over_a_server_that_wants_a_password() -> None:
    """And not without it: an operator can mend that, so it is tried again."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "table@cards.example", "anna@example.org", "A test"
    async with mail_server(user=(b"cards", b"secret")) as mailbox:
        own = NoticeSettings(smtp_host="127.0.0.1", smtp_port=mailbox.port, smtp_tls=SmtpTls.NONE)
        known = msgspec.structs.replace(own, smtp_user="cards", smtp_password="secret")
        await SmtpMailer(known).send(message)
        assert mailbox.to == ["anna@example.org"]
        for unknown in (own, msgspec.structs.replace(known, smtp_password="wrong")):
            with pytest.raises(MailDelayed):
                await SmtpMailer(unknown).send(message)
        with pytest.raises(MailDelayed):
            await SmtpMailer(msgspec.structs.replace(known, smtp_tls=SmtpTls.STARTTLS)).send(message)
    with pytest.raises(MailDelayed):
        await SmtpMailer(known).send(message)
    assert len(mailbox.got) == 1


async def test_push_does_not_wait_for_a_mail_server_that_answers_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way is a duty of its own."""
    await begun(house)
    await house.application.get(Outbox).catch_up()
    house.now_ms += DELAY_MS
    asked, answers = asyncio.Event(), asyncio.Event()

    async def wait(*_: object) -> None:
        asked.set()
        await answers.wait()

    monkeypatch.setattr(SmtpMailer, "send", wait)
    postman = house.application.get(Postman)
    mail = asyncio.create_task(postman.portion(mail=True))
    await asked.wait()
    assert (await postman.portion(mail=False), len(house.shown())) == (1, 1)
    answers.set()
    assert await mail == 1


async def test_browser_that_is_gone_is_forgotten(house: House) -> None:
    """By the answer of its push service; one that asks for patience gets the notice later, a few times at most."""
    (_, one), (_, other) = await house.player(), await house.player()
    await house.push_to(one)
    house.browser.service.answers = [status(503), status(429), status(201)]
    await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    for pause_ms in PAUSES_MS[:2]:
        await house.tell(pause_ms)
    assert len(house.browser.service.got) == 3
    await house.tell(PAUSES_MS[3])
    assert len(house.browser.service.got) == 3
    house.browser.service.answers = [status(410)]
    await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    assert (await house.get("/me/notices", one)).json["browsers"] == []
    (_, third) = await house.player()
    await house.push_to(third)
    house.browser.service.answers = [status(500)] * 20
    before = len(house.browser.service.got)
    await house.begin(third, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    for pause_ms in (*PAUSES_MS, *PAUSES_MS):
        await house.tell(pause_ms)
    assert len(house.browser.service.got) - before == 1 + len(PAUSES_MS)


async def test_browser_is_forgotten_when_its_device_is_signed_out(house: House) -> None:
    """Its notices end with the token that added it; those of the player's other browsers go on."""
    (_, one), (_, other) = await house.player(), await house.player()
    made = await house.post("/me/tokens", one, {"label": "phone", "scopes": ["create"]})
    await house.push_to(made.json["text"])
    wish = {**house.browser.subscription, "endpoint": f"{house.browser.service.url}?here", "language": "en"}
    here = (await house.post("/me/notices/push", one, wish)).json["id"]
    assert (await house.ask("DELETE", f"{API}/me/tokens/{made.json['token']['id']}", token=one)).status == 204
    await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    assert [each["id"] for each in (await house.get("/me/notices", one)).json["browsers"]] == [here]
    assert len(house.browser.service.got) == 1


async def test_mail_waits_for_a_code(house: House) -> None:
    """Nothing but the code is sent to an address before; a wrong one, a late one and a fourth for an address are refused."""
    (_, one), (_, other) = await house.player("Anna"), await house.player("Bert")
    assert (await house.post("/me/notices/mail/confirmation", one, {"code": "00000000"})).json[
        "type"
    ] == "urn:tafelrunde:problem:code-wrong"
    given = await house.ask_mail(one)
    assert given.json["mail"] == {"address": "anna@example.org", "language": "en", "confirmed": False}
    await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    [code_mail] = house.mailbox.got
    assert "List-Unsubscribe" not in code_mail
    [code] = re.findall(r"[0-9]{8}", code_mail["Subject"])
    wrong = f"{(int(code) + 1) % 10**8:08d}"
    for _ in range(5):
        assert (await house.post("/me/notices/mail/confirmation", one, {"code": wrong})).status == 409
    assert (await house.post("/me/notices/mail/confirmation", one, {"code": code})).status == 409, "five were wrong"
    await house.ask_mail(one)
    await house.tell(3_600_000)
    [code] = re.findall(r"[0-9]{8}", house.mailbox.got[-1]["Subject"])
    assert (await house.post("/me/notices/mail/confirmation", one, {"code": code})).status == 409, "an hour has passed"
    assert (await house.ask_mail(other)).status == 200
    refused = await house.ask_mail((await house.player())[1])
    assert (refused.status, refused.json["detail"]) == (429, "codes for mail addresses")
    assert int(refused.header("retry-after") or 0) > 3_600


async def test_address_gets_one_code_when_it_was_given_after_others(house: House) -> None:
    """A code that is not yet sent ends with its address: none follows to the address that takes its place."""
    _, token = await house.player("Anna")
    for name in ("nobody", "no-one", "none", "neither", "victim"):
        assert (await house.ask_mail(token, f"{name}@example.org")).status == 200
    await house.tell(0)
    assert house.mailbox.to == ["victim@example.org"]


async def test_address_in_other_spellings_has_one_budget_for_codes(house: House) -> None:
    """Dots, capitals and what follows a plus sign lead to the same mailbox on many servers; another domain does not."""
    tokens = [(await house.player(name))[1] for name in ("Anna", "Bert", "Cora")]
    assert [(await house.ask_mail(tokens[0], each)).status for each in ("a.b@example.org", "ab@example.org")] == [200, 200]
    refused = [(await house.ask_mail(tokens[0], address)).status for address in ("ab+2@example.org", "A.B@example.org")]
    assert refused == [429, 429], "a player sends two codes a day to one address"
    assert (await house.ask_mail(tokens[1], "ab+3@EXAMPLE.org")).status == 200
    assert (await house.ask_mail(tokens[2], "a.b+4@example.org")).status == 429, "the address has had its three"
    assert (await house.ask_mail(tokens[2], "ab@example.com")).status == 200


@pytest.mark.parametrize(
    "address",
    [
        "=?utf-8?q?=76ictim?=@example.org",
        "=?utf-8?q?a=0D=0ABcc=3A_x=40y.org?=@example.org",
        "a..b@example.org",
        ".a@example.org",
        "a.@example.org",
        "a?b@example.org",
    ],
)
async def test_address_that_mail_programs_read_otherwise_is_refused(table: Table, address: str) -> None:
    """An encoded word stands for other letters, so it would go to an address that was counted for nothing."""
    _, token = await table.player("Anna")
    content = {"address": address, "language": "en"}
    refused = await table.ask("PUT", f"{API}/me/notices/mail", token=token, content=content)
    assert (refused.status, refused.json["type"]) == (400, "urn:tafelrunde:problem:invalid-request")


async def test_mail_goes_to_the_address_as_it_was_given(house: House) -> None:
    """With all that a name can have."""
    _, token = await house.player("Anna")
    address = "a.b!#$%&'*+/^_`{|}~-c@mail.example.org"
    assert (await house.ask_mail(token, address)).status == 200
    await house.tell(0)
    assert house.mailbox.to == [address]
    assert house.mailbox.got[0]["To"].addresses[0].addr_spec == address


async def test_notice_that_fails_holds_up_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is given up, and the log says neither for whom it was nor what was wrong with its text."""
    (_, one), (_, other) = await house.player("Anna"), await house.player("Bert")
    sent = postman_module.mail

    def failing(envelope: Envelope, *rest: Any) -> EmailMessage:
        if envelope.to.startswith("bert"):
            raise ValueError(envelope.to)
        return sent(envelope, *rest)

    monkeypatch.setattr(postman_module, "mail", failing)
    await house.ask_mail(other, "bert@example.org")
    await house.ask_mail(one)
    await house.tell(0)
    assert house.mailbox.to == ["anna@example.org"]
    await house.tell(LEASE_MS)
    assert house.mailbox.to == ["anna@example.org"]
    logged = capsys.readouterr().out
    assert "ValueError" in logged
    assert "bert@" not in logged


async def test_mail_is_stopped_without_signing_in(house: House) -> None:
    """By one click of a mail program, or on a page; to look at the page changes nothing, and a token is for one address."""
    _, one, _ = await begun(house)
    await house.tell()
    stop = house.mailbox.got[0]["List-Unsubscribe"].strip("<>")
    assert stop.startswith(f"{PUBLIC}/stop-mail/p")
    assert stop in house.mailbox.got[0].get_content()
    assert f"\r\nList-Unsubscribe: <{stop}>\r\n".encode() in house.mailbox.raw[-1], (
        "programs decode nothing there, nor join lines"
    )
    path = stop.removeprefix(PUBLIC)
    page = await super(Table, house).ask("GET", path)
    assert (page.status, b"<form method" in page.body) == (200, True)
    assert b"no-store" in dict(page.headers)[b"cache-control"]
    assert (await house.get("/me/notices", one)).json["mail"]["confirmed"]
    wrong = path[:-1] + ("0" if path[-1] != "0" else "1")
    click = [("Content-Type", "application/x-www-form-urlencoded")]
    for asked, left in ((wrong, True), (path, False), (path, False)):
        answer = await super(Table, house).ask("POST", asked, headers=click, raw=b"List-Unsubscribe=One-Click")
        assert answer.status == 200
        assert ((await house.get("/me/notices", one)).json["mail"] is not None) is left
    await house.mail_to(one)
    await super(Table, house).ask("POST", path, headers=click)
    assert (await house.get("/me/notices", one)).json["mail"]["confirmed"], "the token was for the address as it was given before"


async def test_mail_is_stopped_by_deleting_the_address(house: House) -> None:
    """The address is forgotten, and nothing is sent; a second time changes nothing."""
    _, one, _ = await begun(house)
    for _ in range(2):
        assert (await house.ask("DELETE", f"{API}/me/notices/mail", token=one)).status == 204
        assert (await house.get("/me/notices", one)).json["mail"] is None
    await house.tell()
    assert house.mailbox.got == []


async def test_refused_mail_is_not_repeated(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """What the server refuses for good is logged without the address; what it puts off comes later."""
    await begun(house)
    house.mailbox.refusal = "451 later"
    await house.tell()
    house.mailbox.refusal = None
    await house.tell(PAUSES_MS[0])
    assert len(house.mailbox.got) == 1
    (_, one), (_, other) = await house.player(), await house.player()
    await house.mail_to(one, "bert@example.org")
    house.mailbox.refusal = "550 no such user"
    await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    house.mailbox.refusal = None
    for pause_ms in PAUSES_MS:
        await house.tell(pause_ms)
    assert house.mailbox.got == []
    logged = "".join(capsys.readouterr())
    assert "mail refused" in logged
    assert "bert" not in logged.lower()


@pytest.mark.parametrize("half", [False, True])
async def test_browser_is_of_the_player_who_asked_last_there(house: House, half: bool) -> None:
    """Two players who use one browser: what concerns the first does not appear before the eyes of the second.

    A process that was killed between the two leaves it to both, until the next message would be sent.
    """
    (_, one), (_, other), (_, third) = [await house.player(name) for name in ("Anna", "Bert", "Cleo")]
    await house.push_to(one)
    with patch.object(Choices, "_drop", AsyncMock()) if half else nullcontext():
        await house.push_to(other)
    if not half:
        assert (await house.get("/me/notices", one)).json["browsers"] == []
    await house.begin(one, third, clock=DAYS)
    await house.tell()
    assert house.shown() == []
    assert [len((await house.get("/me/notices", each)).json["browsers"]) for each in (one, other)] == [0, 1]
    mine = await house.push_to(one)
    assert (await house.get("/me/notices", other)).json["browsers"] == []
    assert (await house.ask("DELETE", f"{API}/me/notices/push/{mine}", token=one)).status == 204
    await house.push_to(other)


async def test_browsers_are_known_by_their_address(house: House) -> None:
    """One that comes again keeps its place; there is room for a few; and no address leads into the network of the service."""
    (_, one), (_, other) = await house.player(), await house.player()
    first = await house.push_to(one)
    assert await house.push_to(one) == first
    wish = {**house.browser.subscription, "language": "en"}
    for number in range(MOST_PUSHES - 1):
        assert (await house.post("/me/notices/push", one, {**wish, "endpoint": f"https://push.example/{number}"})).status == 200
    full = await house.post("/me/notices/push", one, {**wish, "endpoint": "https://push.example/more"})
    assert full.json["type"] == "urn:tafelrunde:problem:too-many-browsers"
    facts = (await house.get("/me/notices", one)).json["browsers"]
    assert len(facts) == MOST_PUSHES
    assert set(facts[0]) == {"id", "service", "language", "created_ms"}
    assert (await house.ask("DELETE", f"{API}/me/notices/push/{first}", token=other)).status == 404
    assert (await house.ask("DELETE", f"{API}/me/notices/push/{first}", token=one)).status == 204
    assert (await house.ask("DELETE", f"{API}/me/notices/push/{first}", token=one)).status == 404
    for endpoint in ("https://10.0.0.1/x", "https://[::1]/x", "ftp://push.example/x"):
        refused = await house.post("/me/notices/push", other, {**wish, "endpoint": endpoint})
        assert (refused.status, refused.json["type"]) == (422, "urn:tafelrunde:problem:push-address-refused")
    unfit: dict[str, Any] = {**wish, "keys": {"p256dh": "A" * 87, "auth": "A" * 22}}
    assert (await house.post("/me/notices/push", other, unfit)).status == 422


async def test_deployment_without_a_mail_server_says_so(table: Table) -> None:
    """It offers push alone, and refuses an address."""
    _, token = await table.player()
    facts = (await table.get("/me/notices", token)).json
    assert facts == {"ways": ["push"], "occasions": ["turn", "invitation", "round", "end"], "mail": None, "browsers": []}
    wish = {"address": "anna@example.org", "language": "de"}
    answer = await table.ask("PUT", f"{API}/me/notices/mail", token=token, content=wish)
    assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:mail-off")


async def test_what_a_deleted_player_has_chosen_is_forgotten(house: House) -> None:
    """With what is planned for it: nothing is sent any more."""
    _, one, _ = await begun(house)
    await house.application.get(Outbox).catch_up()
    player = PlayerId((await house.get("/me", one)).json["id"])
    await house.application.erasure.forget(player)
    assert await STORE.of(house.application.stores).of([player]) == {}
    await house.tell()
    assert (house.shown(), house.mailbox.got) == ([], [])


async def test_export_has_what_was_chosen(house: House) -> None:
    """Addresses, but nothing by which others could send to them."""
    _, one, _ = await begun(house)
    kept = (await house.get("/me/export", one)).json["features"]["notices"]
    assert kept["mail"] == {"address": "anna@example.org", "confirmed": True, "language": "en"}
    assert [each["endpoint"] for each in kept["browsers"]] == [house.browser.service.url]
    assert set(kept) == {"occasions", "mail", "browsers", "seen_ms"}


async def test_only_an_own_token_sees_what_was_chosen(house: House) -> None:
    """An address is not for a page that has a token to read."""
    _, one, _ = await begun(house)
    reader = (await house.post("/me/tokens", one, {"scopes": ["read"]})).json["text"]
    assert (await house.get("/me/notices", reader)).status == 403
    assert (await house.get("/me/notices")).status == 401


async def test_player_gets_no_flood(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number in an hour they are dropped."""
    row = msgspec.structs.replace(TURN_NOTICES, one=2)
    monkeypatch.setattr(house.application.get(Postman), "_turns", house.application.budgets.of_row(row))
    (_, one), (_, other) = await house.player(), await house.player()
    await house.push_to(one)
    for _ in range(4):
        await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    assert len(house.shown()) == 2


async def test_invitations_silence_no_turn(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many come, the player still hears that it is asked."""
    row = msgspec.structs.replace(OTHER_NOTICES, one=2)
    monkeypatch.setattr(house.application.get(Postman), "_others", house.application.budgets.of_row(row))
    (anna, one), (_, other) = await house.player(), await house.player()
    await house.push_to(one)
    await house.get("/me/inbox", one)
    for _ in range(4):
        match = await house.open(other)
        assert (await house.post(f"/matches/{match}/invitations", other, {"player": anna})).status == 200
    await house.tell()
    assert len(house.shown()) == 2
    await house.begin(one, other, options={"first_seat": 0}, clock=DAYS)
    await house.tell()
    assert [each.content["title"] for each in house.shown()[2:]] == ["Duell: Du bist am Zug"]


async def test_key_of_push_messages_stays(house: House) -> None:
    """It follows from the deployment's own data, so browsers that have subscribed stay with it."""
    async with opened(stores=house.application.stores) as again:
        assert again.application.get(PushKey).public == house.application.get(PushKey).public
        assert (await again.get("/notices/push-key")).json == {"key": house.application.get(PushKey).public}
    assert len(house.application.get(Followers).all) == 1
