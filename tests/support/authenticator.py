"""An authenticator in software: it makes passkeys and signs with them, as a device or a password manager does."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

HOST = "service.test"
ORIGIN = f"http://{HOST}"
"""Where the service is, unless a test says otherwise."""
Options = Mapping[str, Any]
"""What the service wants asked."""


def written(raw: bytes) -> str:
    """Return bytes as the API has them."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read(text: str) -> bytes:
    """Return the bytes of a text of the API."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """One passkey, for the page at *origin*. It counts its signatures, unless *counter* is None."""

    origin: str = ORIGIN
    counter: int | None = 0
    user: str = ""
    host: str = ""
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: Options, **other: object) -> dict[str, str]:
        """Return the body with which a passkey is added; *other* takes the place of what it says of itself."""
        self.user, self.host = options["user"], options["rp_id"]
        public = ES256.from_cryptography_key(self.key.public_key())
        made = AttestedCredentialData.create(Aaguid(b"a model of which".ljust(16)), self.credential, public)
        attestation = AttestationObject.create("none", self._data(self.host, made), {})
        return {"client_data": self._said("webauthn.create", options, **other), "attestation": written(attestation)}

    def sign(self, options: Options, *, host: str | None = None, **other: object) -> dict[str, str]:
        """Return the body with which a player signs in."""
        if self.counter is not None:
            self.counter += 1
        data, said = self._data(host or self.host), self._said("webauthn.get", options, **other)
        signature = self.key.sign(data + hashlib.sha256(read(said)).digest(), ec.ECDSA(SHA256(), deterministic_signing=True))
        return {
            "credential": written(self.credential),
            "client_data": said,
            "authenticator_data": written(data),
            "signature": written(signature),
            "user": self.user,
        }

    def _data(self, host: str, made: AttestedCredentialData | None = None) -> AuthenticatorData:
        flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV
        if made is not None:
            flags |= AuthenticatorData.FLAG.AT
        return AuthenticatorData.create(hashlib.sha256(host.encode()).digest(), flags, self.counter or 0, made or b"")

    def _said(self, kind: str, options: Options, **other: object) -> str:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False, **other}
        return written(json.dumps(said, separators=(",", ":")).encode())
