"""Push messages as browsers take them: encrypted for one of them (RFC 8291, coded as RFC 8188 says), and signed (RFC 8292)."""

from __future__ import annotations

import base64
import hmac
import os
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
KEY_BYTES, SECRET_BYTES, SALT_BYTES, NUMBER_BYTES = 65, 16, 16, 32
RECORD_BYTES = 4_096
LONGEST = 3_000
"""Bytes of a message: every push service takes as many."""
TOKEN_SECONDS = 12 * 3_600
"""How long a token is valid; a day is the maximum."""
RENEW_SECONDS = 3_600
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve: private keys are from 1 to one less."""
_LAST_RECORD = b"\x02"


def url_text(raw: bytes) -> str:
    """Return bytes in the form of base64 that addresses and tokens have."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def is_public_key(raw: bytes) -> bool:
    """Return whether bytes are a point of the curve, which a browser's key is."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, raw)
    except ValueError:
        return False
    return len(raw) == KEY_BYTES


def encrypt(
    message: bytes,
    key: bytes,
    secret: bytes,
    *,
    own: Callable[[], ec.EllipticCurvePrivateKey] = lambda: ec.generate_private_key(CURVE),
    salt: Callable[[int], bytes] = os.urandom,
) -> bytes:
    """Return a message of at most `LONGEST` bytes that only the browser with this public key and secret can read.

    `own` and `salt` are fresh for every message.
    """
    assert len(message) <= LONGEST, "a push service may refuse more"
    sender = own()
    drawn = salt(SALT_BYTES)
    public = _point(sender)
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, key))
    both = _derive(secret, shared, b"WebPush: info\0" + key + public, 32)
    cipher = AESGCM(_derive(drawn, both, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derive(drawn, both, b"Content-Encoding: nonce\0", 12)
    head = drawn + RECORD_BYTES.to_bytes(4, "big") + bytes([len(public)]) + public
    return head + cipher.encrypt(nonce, message + _LAST_RECORD, None)


def _derive(salt: bytes, secret: bytes, info: bytes, size: int) -> bytes:
    """Return up to 32 bytes by HKDF with SHA-256 (RFC 5869)."""
    return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\1", "sha256")[:size]


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class PushKey:
    """The key by which push services know this deployment; *contact* is how they reach its operator."""

    def __init__(self, seed: bytes, contact: str | None) -> None:
        self._key = ec.derive_private_key(int.from_bytes(seed, "big") % (ORDER - 1) + 1, CURVE)
        self._contact = contact
        self._tokens: dict[str, tuple[int, str]] = {}
        self.public = url_text(_point(self._key))

    def headers(self, endpoint: str, now_s: int) -> Mapping[str, str]:
        """Return what a message to an address says about its sender; the token is used for an hour."""
        parts = urlsplit(endpoint)
        audience = f"{parts.scheme}://{parts.netloc}"
        made_s, token = self._tokens.get(audience, (now_s - RENEW_SECONDS, ""))
        if not made_s <= now_s < made_s + RENEW_SECONDS:
            if len(self._tokens) > 100:  # push services are few; made-up ones may be many
                self._tokens.clear()
            token = self._token(audience, now_s)
            self._tokens[audience] = (now_s, token)
        return {"authorization": f"vapid t={token}, k={self.public}"}

    def _token(self, audience: str, now_s: int) -> str:
        claims = {"aud": audience, "exp": now_s + TOKEN_SECONDS}
        claims |= {"sub": self._contact} if self._contact is not None else {}
        head = url_text(msgspec.json.encode({"typ": "JWT", "alg": "ES256"}))
        signed = f"{head}.{url_text(msgspec.json.encode(claims))}"
        numbers = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{url_text(b''.join(each.to_bytes(NUMBER_BYTES, 'big') for each in numbers))}"
