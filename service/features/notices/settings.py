"""Settings of notices."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import msgspec


class SmtpTls(Enum):
    """How a connection to the mail server is encrypted: from the start, from a command on, or not at all."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = "none"


class NoticeSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of notices by push and by mail.

    - smtp_host, smtp_port: the server that takes mail; without it, no mail is offered. Mail also needs mail_from and public_url.
    - smtp_user, smtp_password: how the service signs in there, if it has to.
    - smtp_tls: how the connection is encrypted: `starttls`, `tls` or `none`.
    - mail_from: the address that mail comes from.
    - push_key: the key that signs push messages, 64 hex digits, or the path of a file with it. Without it, a file in the data
      folder of the embedded server, which is made at its first start; on the server that REDIS_URL names, a key that is derived
      from the deployment's own data. With another key no browser gets notices before its player asks for them again.
    - push_contact: how the makers of browsers reach the operator: `mailto:` and an address, or an https address.
    - notice_delay_seconds: how long after something has happened a notice is sent, if the player has not been there since.
    """

    smtp_host: str | None = None
    smtp_port: Annotated[int, msgspec.Meta(ge=1, le=65_535)] = 587
    smtp_user: str | None = None
    smtp_password: str | None = None
    smtp_tls: SmtpTls = SmtpTls.STARTTLS
    mail_from: str | None = None
    push_key: str | None = None
    push_contact: str | None = None
    notice_delay_seconds: Annotated[int, msgspec.Meta(ge=10, le=3_600)] = 20
