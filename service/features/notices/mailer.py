"""Sends mail over SMTP, one message for each connection. The library is imported when the first one is sent."""

from __future__ import annotations

import asyncio
from email.message import EmailMessage
from typing import TYPE_CHECKING, Protocol

from .settings import NoticeSettings, SmtpTls

if TYPE_CHECKING:
    import aiosmtplib

SECONDS = 20.0
"""How long a message may take in all."""
AT_ONCE = 4
"""How many are on their way at once."""


class MailRefused(Exception):
    """The server takes no mail for this address, and will not later; `code` is its answer."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


class MailDelayed(Exception):
    """The mail server could not be reached, does not take mail of this service, or asks for a later attempt."""


class Mailer(Protocol):
    """Sends mail."""

    async def send(self, message: EmailMessage) -> None:
        """Hand a message over; raise MailRefused, MailDelayed."""
        ...


class SmtpMailer:
    """Sends over the server of the settings."""

    def __init__(self, settings: NoticeSettings, *, seconds: float = SECONDS) -> None:
        self._settings = settings
        self._seconds = seconds
        self._places = asyncio.Semaphore(AT_ONCE)

    async def send(self, message: EmailMessage) -> None:
        """Hand a message over; raise MailRefused, MailDelayed, which tell nothing of it."""
        import aiosmtplib

        try:
            async with self._places, asyncio.timeout(self._seconds):
                await self._send(message)
        except aiosmtplib.SMTPRecipientsRefused as error:
            raise _read_refusal(error.recipients[0].code) from None
        except aiosmtplib.SMTPDataError as error:
            raise _read_refusal(error.code) from None
        except aiosmtplib.SMTPResponseException as error:  # it does not like the service, which an operator can change
            raise MailDelayed(str(error.code)) from None
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise MailDelayed(type(error).__name__) from None

    async def _send(self, message: EmailMessage) -> None:
        import aiosmtplib

        chosen = self._settings
        client: aiosmtplib.SMTP = aiosmtplib.SMTP(
            hostname=chosen.smtp_host,
            port=chosen.smtp_port,
            username=chosen.smtp_user,
            password=chosen.smtp_password,
            use_tls=chosen.smtp_tls is SmtpTls.TLS,
            start_tls=chosen.smtp_tls is SmtpTls.STARTTLS,
        )
        try:
            async with client:
                await client.send_message(message)
        finally:
            client.close()


def _read_refusal(code: int) -> MailRefused | MailDelayed:
    """Return what an answer of the server means: from 500 on it is final."""
    return MailRefused(code) if code >= 500 else MailDelayed(str(code))
