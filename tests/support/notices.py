"""Where notices arrive: a mail server and a push service on this machine, each as strict as a real one."""

from __future__ import annotations

import asyncio
import base64
import hmac
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any, NamedTuple

import jwt
import msgspec
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.support.receiver import Got, Receiver, receiving

CURVE = ec.SECP256R1()


class Mailbox:
    """Takes mail, or answers with `refusal`; `password`: what has to be given before, if any."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.raw: list[bytes] = []
        self.to: list[str] = []
        self.refusal: str | None = None
        self.port = 0

    async def handle_RCPT(  # noqa: N802 - as the library calls it
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a receiver, or refuse it."""
        if self.refusal is not None:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - the name that aiosmtpd calls
        """Take a message."""
        assert isinstance(envelope.content, bytes)
        self.raw.append(envelope.content)
        found = message_from_bytes(envelope.content, policy=default)
        assert isinstance(found, EmailMessage)
        self.got.append(found)
        self.to += envelope.rcpt_tos
        return "250 OK"


@asynccontextmanager
async def mail_server(*, user: tuple[bytes, bytes] | None = None) -> AsyncGenerator[Mailbox]:
    """Run a mail server; with a *user*, it takes mail from that one alone."""
    mailbox = Mailbox()

    def judge(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
        return AuthResult(success=(given.login, given.password) == user, handled=False)

    def made() -> SMTP:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a password without encryption: on this machine only
            return SMTP(
                mailbox,
                authenticator=judge if user is not None else None,
                auth_required=user is not None,
                auth_require_tls=False,
                enable_SMTPUTF8=True,
                loop=asyncio.get_running_loop(),
            )

    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    mailbox.port = server.sockets[0].getsockname()[1]
    try:
        yield mailbox
    finally:
        server.close()


class Shown(NamedTuple):
    """A push message as its browser reads it: what it says, and the claims of its sender."""

    content: Any
    claims: dict[str, Any]
    headers: Any


class Browser:
    """A browser with a subscription at a push service on this machine."""

    def __init__(self, service: Receiver) -> None:
        self.service = service
        self._key = ec.generate_private_key(CURVE)
        self._secret = b"0123456789abcdef"
        self.server_key = ""

    @property
    def subscription(self) -> dict[str, Any]:
        """What it tells the service of itself."""
        public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": text_of(public), "auth": text_of(self._secret)}
        return {"endpoint": self.service.url, "keys": keys}

    def read(self, got: Got) -> Shown:
        """Return what a request says; fail unless it is for this browser, and signed by whom it subscribed with."""
        scheme, _, rest = got.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(each.strip().split("=", 1) for each in rest.split(","))
        assert parts["k"] == self.server_key
        signer = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, bytes_of(parts["k"]))
        origin = self.service.url.rpartition("/")[0]
        claims = jwt.decode(parts["t"], signer, algorithms=["ES256"], audience=origin, options={"verify_exp": False})
        assert got.headers["content-encoding"] == "aes128gcm"
        return Shown(msgspec.json.decode(self._open(got.body)), claims, got.headers)

    def _open(self, body: bytes) -> bytes:
        """Decrypt a message, as RFC 8188 and RFC 8291 say it of receivers."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= int.from_bytes(body[16:20], "big")
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        own = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        secret = hkdf(self._secret, shared, b"WebPush: info\0" + own + sender, 32)
        key, nonce = (
            hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16),
            hkdf(salt, secret, b"Content-Encoding: nonce\0", 12),
        )
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\2")
        return plain[:-1]


def hkdf(salt: bytes, secret: bytes, info: bytes, size: int) -> bytes:
    """Return bytes as RFC 5869 derives them, of one block."""
    return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\x01", "sha256")[:size]


def text_of(raw: bytes) -> str:
    """Return bytes in base64url."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """Return what a text in base64url stands for."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@asynccontextmanager
async def push_service() -> AsyncGenerator[Browser]:
    """Run a push service, and give a browser that has subscribed there."""
    async with receiving() as receiver:
        yield Browser(receiver)
