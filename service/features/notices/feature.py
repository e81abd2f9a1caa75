"""Notices as a feature."""

from __future__ import annotations

import hmac
import re
from functools import partial

import msgspec

from ...core import Core
from ...errors import StartupRefused
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer, Ownership, Step
from ...settings import Settings
from ...signing.signer import signing_keys
from ..inbox.followers import Followers
from .duty import Postman, Ways
from .mailer import Mailer, SmtpMailer
from .memory import MemoryNotices
from .planner import Planner
from .port import NoticeStore
from .presence import Presence
from .redis import RedisNotices
from .service import Choices
from .settings import NoticeSettings
from .web_push import PushKey

STORE = FeatureStore[NoticeStore]("notices", redis=lambda backing: RedisNotices(backing.client), memory=MemoryNotices)
POSTMAN = "postman"
MAIL_POSTMAN = "postman-mail"
"""The names of leases on the server: processes of several releases may run side by side, so never rename them."""
VARIABLE = "TAFELRUNDE_PUSH_KEY"
_WORD, _LABEL = r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+", r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@.{{1,189}}\Z){_WORD}(?:\.{_WORD})*@{_LABEL}(?:\.{_LABEL})*")
"""An address as it stands in a header by itself: no `?`, which begins an encoded word, and no empty part."""
_CONTACT = re.compile(r"mailto:[^\s@]+@[^\s@]+|https://\S+")


def _attach(core: Core, mailer: Mailer | None = None) -> Attached:
    settings = core.settings.of(NoticeSettings)
    store = STORE.of(core.stores)
    mails = mailer or (SmtpMailer(settings) if settings.smtp_host else None)
    key = PushKey(_seed(settings, core.stores.id_key), _contact(core.settings))
    choices = Choices(
        store, core.now_ms, core.stores.id_key, core.accounts, core.budgets, core.post.why_not_new, mails=mails is not None
    )
    presence = Presence(store, core.now_ms, core.hooks.connected)
    planner = Planner(store, core.now_ms, settings.notice_delay_seconds)
    core.get(Followers).all.append(planner)
    ways = Ways(core.post, key, mails, settings.mail_from or "", (core.settings.public_url or "").rstrip("/"))
    postman = Postman(store, choices, presence, core.repository, core.budgets, ways, core.now_ms)
    return Attached(
        services={PushKey: key, Choices: choices, Presence: presence, Planner: planner, Postman: postman},
        duties=[
            partial(_duty, core, "notices", POSTMAN, partial(postman.step, mail=False)),
            partial(_duty, core, "notice mail", MAIL_POSTMAN, partial(postman.step, mail=True)),
        ],
        background_tasks=[("presence", presence.run)],
        erase=[choices.forget],
        export=choices.export,
    )


def _duty(core: Core, name: str, lease: str, step: Step) -> Consumer:
    return Consumer(name, step, Ownership(core.stores.leases, [lease]))


def _seed(settings: NoticeSettings, id_key: bytes) -> bytes:
    """Return what the key of push messages is made of: the setting, or something of the deployment's own."""
    if settings.push_key is None:
        return hmac.digest(id_key, b"tafelrunde.push-key.1", "sha256")
    return signing_keys(settings.push_key, VARIABLE)[0]


def _contact(settings: Settings) -> str | None:
    """Return how makers of browsers reach the operator: as it is set, or by what else is public; None if nothing is known."""
    mine = settings.of(NoticeSettings)
    public = settings.public_url if (settings.public_url or "").startswith("https://") else None
    return mine.push_contact or public or (f"mailto:{mine.mail_from}" if mine.mail_from else None)


def _check(settings: Settings) -> None:
    mine = settings.of(NoticeSettings)
    if mine.push_key is not None:
        signing_keys(mine.push_key, VARIABLE)
    if mine.push_contact is not None and _CONTACT.fullmatch(mine.push_contact) is None:
        raise StartupRefused("TAFELRUNDE_PUSH_CONTACT is neither mailto: with an address nor an https address.")
    if mine.mail_from is not None and _ADDRESS.fullmatch(mine.mail_from) is None:
        raise StartupRefused(
            "TAFELRUNDE_MAIL_FROM is no plain address like cards@example.org: words with dots between them, @, and a domain."
        )
    _check_mail(mine, settings.public_url)


def _check_mail(mine: NoticeSettings, public_url: str | None) -> None:
    for name in ("smtp_user", "smtp_password"):
        if getattr(mine, name) is not None and mine.smtp_host is None:
            raise StartupRefused(f"TAFELRUNDE_{name.upper()} needs TAFELRUNDE_SMTP_HOST: the server that it is for.")
    if mine.smtp_host is None:
        return
    if not mine.smtp_host.strip():
        raise StartupRefused("TAFELRUNDE_SMTP_HOST is empty: name a server, or leave it out, and no mail is offered.")
    if mine.mail_from is None:
        raise StartupRefused("TAFELRUNDE_SMTP_HOST needs TAFELRUNDE_MAIL_FROM: the address that mail comes from.")
    if not public_url:
        raise StartupRefused("TAFELRUNDE_SMTP_HOST needs TAFELRUNDE_PUBLIC_URL: mail has links to the service.")
    if (mine.smtp_user is None) is not (mine.smtp_password is None):
        raise StartupRefused("TAFELRUNDE_SMTP_USER and TAFELRUNDE_SMTP_PASSWORD need each other.")


FEATURE = Feature(
    name="notices",
    attach=_attach,
    needs=("inbox",),
    settings=NoticeSettings,
    check=_check,
    key_files={"push_key": "push.key"},
)


def notices_with(mailer: Mailer) -> Feature:
    """Return the feature with mail of the host's own, for `registry.with_own`."""
    return msgspec.structs.replace(FEATURE, attach=partial(_attach, mailer=mailer))
