"""What WebAuthn has a relying party check, by the library fido2. Imported only where passkeys are switched on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar, cast

from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    PublicKeyCredentialRpEntity,
    RegistrationResponse,
)

from .port import Passkey
from .site import ALGORITHMS, NAME, Assertion, PasskeyRefused, Site

T = TypeVar("T")


class Registered(NamedTuple):
    """The id of a credential at its authenticator, the same with its public key, and the counter of its signatures."""

    credential: bytes
    key: bytes
    counter: int


class Ceremony:
    """Reads and checks what authenticators answer. Every method raises PasskeyRefused, saying why."""

    def challenge(self, client_data: bytes) -> bytes:
        """Return the challenge that an answer is for."""
        return _read(lambda: CollectedClientData(client_data).challenge)

    def register(self, site: Site, challenge: bytes, client_data: bytes, attestation: bytes) -> Registered:
        """Return the credential of an answer to `navigator.credentials.create`. Which model it is from is not kept."""
        data = _client_data(site, client_data)
        answer = _read(
            lambda: AuthenticatorAttestationResponse(client_data=data, attestation_object=AttestationObject(attestation))
        )
        response = RegistrationResponse(raw_id=b"", response=answer)
        made = _check(lambda: _server(site).register_complete(_state(challenge), response))
        found = made.credential_data
        if found is None or found.public_key.ALGORITHM not in ALGORITHMS:
            raise PasskeyRefused("the key is of a kind that was not asked for")
        kept = AttestedCredentialData.create(Aaguid.NONE, found.credential_id, found.public_key)
        return Registered(found.credential_id, bytes(kept), made.counter)

    def authenticate(self, site: Site, challenge: bytes, passkey: Passkey, answer: Assertion) -> int:
        """Return the counter of an answer to `navigator.credentials.get` that the passkey has signed."""
        data = _client_data(site, answer.client_data)
        signed = _read(lambda: AuthenticatorData(answer.authenticator_data))
        said = AuthenticatorAssertionResponse(client_data=data, authenticator_data=signed, signature=answer.signature)
        response = AuthenticationResponse(raw_id=answer.credential, response=said)
        known = [AttestedCredentialData(passkey.key)]
        _check(lambda: _server(site).authenticate_complete(_state(challenge), known, response))
        return signed.counter


class _Server(Protocol):
    """What is used of the library's server, whose own signatures say less."""

    def register_complete(self, state: object, response: RegistrationResponse) -> AuthenticatorData: ...

    def authenticate_complete(
        self, state: object, credentials: Sequence[AttestedCredentialData], response: AuthenticationResponse
    ) -> AttestedCredentialData: ...


def _server(site: Site) -> _Server:
    party = PublicKeyCredentialRpEntity(name=NAME, id=site.host)
    return cast("_Server", Fido2Server(party, verify_origin=lambda origin: origin == site.origin))


def _state(challenge: bytes) -> dict[str, object]:
    """Return what the library's own options would have led to."""
    return {"challenge": websafe_encode(challenge), "user_verification": None}


def _client_data(site: Site, raw: bytes) -> CollectedClientData:
    """Return what the browser says of itself; the origin is checked here first, because it is the one that users meet."""
    data = _read(lambda: CollectedClientData(raw))
    if data.origin != site.origin or data.cross_origin:
        raise PasskeyRefused(f"the page is not one of {site.origin}")
    return data


def _read(step: Callable[[], T]) -> T:
    """Return what the library reads: from a hostile text it may raise anything."""
    try:
        return step()
    except Exception:
        raise PasskeyRefused("it cannot be read") from None


def _check(step: Callable[[], T]) -> T:
    """Return what the library returns if all that it checks holds: with a hostile key it may raise anything."""
    try:
        return step()
    except Exception:
        raise PasskeyRefused("it is not signed as it should be, or for another service") from None
