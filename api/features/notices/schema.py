"""Shapes of notices: what a player is notified about while no page is open, and by which ways."""

from __future__ import annotations

import base64
from enum import Enum
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ....service.features.notices.port import Chosen, Occasion, Push
from ...schema.common import Request
from ...schema.fields import END, Moment

BROWSER_ID = r"^b[0-9a-f]{26}" + END
STOP_TOKEN = r"^p[0-9a-f]{66}" + END

# With = and ? a name could be an encoded word (RFC 2047), which mail programs read as something else: another address, say.
Address: TypeAlias = Annotated[
    str,
    Meta(
        min_length=6,
        max_length=254,
        pattern=r"^[A-Za-z0-9!#$%&'*+/^_`{|}~-](\.?[A-Za-z0-9!#$%&'*+/^_`{|}~-]){0,63}"
        r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,63}" + END,
        examples=["anna@example.org"],
        description="An e-mail address in ASCII, without = and ? before the @.",
    ),
]
Code: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9]{8}" + END, description="The code from the mail.")]
Endpoint: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1_024, pattern=r"^[!-~]*" + END)]
Spoken: TypeAlias = Annotated[Literal["de", "en"], Meta(description="The language of the notices.")]
Occasions: TypeAlias = Annotated[tuple[Occasion, ...], Meta(max_length=4, description="About what: see the names.")]


class NoticeWay(Enum):
    """A way by which this deployment can tell you something."""

    PUSH = "push"
    MAIL = "mail"


class MailFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Where you get mail. Nothing but a code is sent there until it is `confirmed`."""

    address: str
    language: Spoken
    confirmed: bool


class BrowserFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A browser that shows notices. `service` is the host of its push service."""

    id: Annotated[str, Meta(pattern=BROWSER_ID)]
    service: str
    language: Spoken
    created_ms: Moment


class NoticeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What you have chosen, and the ways that this deployment offers."""

    ways: tuple[NoticeWay, ...]
    occasions: tuple[Occasion, ...]
    mail: MailFacts | None
    browsers: tuple[BrowserFacts, ...]


class NoticeRequest(Request, frozen=True):
    """What you want to be notified about: your turn, an invitation or a kept seat, a tournament's round, a match's end."""

    occasions: Occasions


class NoticeMailRequest(Request, frozen=True):
    """The address of a player for mail, and the language of mail."""

    address: Address
    language: Spoken


class NoticeCodeRequest(Request, frozen=True):
    """The code that was sent to the address."""

    code: Code


class BrowserKeys(Request, frozen=True):
    """The keys of a browser in base64url, as `PushSubscription.toJSON()` names them."""

    p256dh: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{87}=?" + END)]
    auth: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}(==)?" + END)]


class BrowserRequest(Request, frozen=True):
    """A browser's subscription with the deployment's key, and the language of its notices."""

    endpoint: Endpoint
    keys: BrowserKeys
    language: Spoken


class PushKeyFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The public key for `applicationServerKey`: a point of P-256 in base64url."""

    key: str


def browser_facts(push: Push) -> BrowserFacts:
    """Return a browser without its address and keys."""
    service = push.endpoint.partition("://")[2].partition("/")[0]
    return BrowserFacts(id=push.id, service=service, language=push.language.value, created_ms=push.created_ms)


def notice_facts(chosen: Chosen, *, mails: bool) -> NoticeFacts:
    """Return what a player has chosen; *mails*: whether the deployment sends mail."""
    mail = chosen.mail
    return NoticeFacts(
        ways=(NoticeWay.PUSH, NoticeWay.MAIL) if mails else (NoticeWay.PUSH,),
        occasions=chosen.occasions,
        mail=MailFacts(address=mail.address, language=mail.language.value, confirmed=mail.confirmed)
        if mail is not None
        else None,
        browsers=tuple(map(browser_facts, chosen.pushes)),
    )


def raw_of(text: str) -> bytes:
    """Return what a text in base64url stands for."""
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
