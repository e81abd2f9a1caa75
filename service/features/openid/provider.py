"""The provider of OpenID Connect: where it sends browsers, and who it says that someone is."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast
from urllib.parse import quote_plus, urlencode

import msgspec
import structlog
from joserfc import jwk, jws, jwt
from joserfc.errors import BadSignatureError, ClaimError, InvalidClaimError, InvalidKeyIdError, JoseError

from .exchange import Wire, unusable
from .provider_port import ProviderDown, SignInRefused
from .settings import OpenIdSettings, is_safe

KEPT_MS = 3_600_000
"""How long a process remembers what the provider publishes of itself, and its keys."""
PAUSE_MS = 5_000
"""For how long no request is made to a provider that was down."""
LEEWAY_SECONDS = 60
"""By how much the clocks of the two may differ."""
LONGEST_SUBJECT = 255
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""The signatures that are accepted: by keys of which the provider publishes one half."""
_PUBLIC = {"RSA", "EC", "OKP"}

log = structlog.get_logger(__name__)

S = TypeVar("S", bound=msgspec.Struct)


class Metadata(msgspec.Struct, frozen=True):
    """What a provider publishes of itself, as far as it is needed."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class _Tokens(msgspec.Struct, frozen=True):
    """The answer to a code; the access token is not read: nothing is asked with it."""

    id_token: str


class _Failure(msgspec.Struct, frozen=True):
    """The refusal of a code."""

    error: str


class _Keys(msgspec.Struct, frozen=True):
    """The keys of a provider."""

    keys: list[dict[str, Any]]


class HttpProvider:
    """A provider as it describes itself by OpenID Connect Discovery. *redirect* is where it sends browsers back to.

    Nothing is asked of it before someone wants to sign in.
    """

    def __init__(self, settings: OpenIdSettings, redirect: str, now_ms: Callable[[], int], wire: Wire | None = None) -> None:
        self._issuer = settings.openid_issuer or ""
        self._client = settings.openid_client_id or ""
        self._secret = settings.openid_client_secret or ""
        self._redirect = redirect
        self._now_ms = now_ms
        self._wire = wire or Wire()
        self._metadata: tuple[int, Metadata] | None = None
        self._keys: tuple[int, jwk.KeySet] | None = None
        self._down_ms: int | None = None
        self._looking = asyncio.Lock()

    async def address(self, state: str, nonce: str, verifier: str) -> str:
        """Return where a browser goes to sign in; raise ProviderDown. Nothing but who it is, is asked for."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "scope": "openid",
            "client_id": self._client,
            "redirect_uri": self._redirect,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        endpoint = (await self._describe()).authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    async def subject(self, code: str, nonce: str, verifier: str) -> str:
        """Return the subject of the ID token that a code stands for; raise ProviderDown, SignInRefused."""
        described = await self._describe()
        text = await self._id_token(described, code, verifier)
        try:
            claims = await self._claims(described, text)
            return self._judge(claims, nonce)
        except ClaimError as error:
            reason = f"{error.error}: {error.claim}"
        except JoseError as error:
            reason = error.error
        except (ValueError, TypeError):  # what is no token at all
            reason = "no_token"
        log.warning("sign-in refused, the ID token does not hold", reason=reason)
        raise SignInRefused(reason)

    async def _id_token(self, described: Metadata, code: str, verifier: str) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect,
            "code_verifier": verifier,
        }
        auth: tuple[str, str] | None = None
        if "client_secret_basic" in described.token_endpoint_auth_methods_supported:
            auth = (quote_plus(self._client), quote_plus(self._secret))
        else:
            form |= {"client_id": self._client, "client_secret": self._secret}
        status, body = await self._wire.post(described.token_endpoint, form, auth)
        if status == 200:
            return _read(body, _Tokens).id_token
        if _read(body, _Failure).error == "invalid_grant":
            raise SignInRefused("invalid_grant")
        unusable("it does not accept the id and secret of this service", status)
        raise SignInRefused("service_refused")

    async def _claims(self, described: Metadata, text: str) -> dict[str, Any]:
        """Return what a token says, if a key of the provider has signed it. Keys that changed meanwhile are fetched once more."""
        known = self._keys is not None and self._is_fresh(self._keys[0])
        registry = jws.JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)
        try:
            return jwt.decode(text, await self._key_set(described), registry=registry).claims
        except (InvalidKeyIdError, BadSignatureError):
            if not known:
                raise
        self._keys = None
        return jwt.decode(text, await self._key_set(described), registry=registry).claims

    def _judge(self, claims: dict[str, Any], nonce: str) -> str:
        """Return whom a token names, if it is this provider's, for this service, of now and of this attempt; raise JoseError."""
        audience = claims.get("aud")
        several = isinstance(audience, list) and len(cast("list[object]", audience)) > 1
        jwt.JWTClaimsRegistry(
            now=self._now_ms() // 1_000,
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": self._issuer},
            aud={"essential": True, "value": self._client},
            azp={"essential": several, "value": self._client},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        ).validate(claims)
        subject: str = claims["sub"]
        if len(subject) > LONGEST_SUBJECT or not subject.isascii():
            raise InvalidClaimError("sub")
        return subject

    def _is_fresh(self, since_ms: int) -> bool:
        return 0 <= self._now_ms() - since_ms < KEPT_MS

    async def _describe(self) -> Metadata:
        """Return what the provider publishes of itself; raise ProviderDown. Many who ask at once cause one request."""
        async with self._looking:
            if self._metadata is not None and self._is_fresh(self._metadata[0]):
                return self._metadata[1]
            if self._down_ms is not None and 0 <= self._now_ms() - self._down_ms < PAUSE_MS:
                raise ProviderDown
            try:
                found = _read(await self._wire.get(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"), Metadata)
                self._check(found)
            except ProviderDown:
                self._down_ms = self._now_ms()
                raise
            self._metadata = (self._now_ms(), found)
            return found

    def _check(self, found: Metadata) -> None:
        """Raise ProviderDown for a description that is another provider's, or that would send secrets over an open line."""
        endpoints = (found.authorization_endpoint, found.token_endpoint, found.jwks_uri)
        plain = self._issuer.startswith("http://")
        if found.issuer != self._issuer:
            raise unusable("it is not the issuer that is set, to the last character")
        for each in endpoints:
            if not is_safe(each.partition("?")[0]) or "#" in each or (each.startswith("http://") and not plain):
                raise unusable("it names an address that is not safe")

    async def _key_set(self, described: Metadata) -> jwk.KeySet:
        if self._keys is not None and self._is_fresh(self._keys[0]):
            return self._keys[1]
        keys: list[jwk.Key] = []
        for each in _read(await self._wire.get(described.jwks_uri), _Keys).keys:
            if each.get("kty") in _PUBLIC and each.get("use") != "enc":
                with suppress(JoseError, ValueError, TypeError):  # of a kind that is not known here: no token needs it
                    keys.append(jwk.import_key(each))
        if not keys:
            raise unusable("it has no key of a known kind")
        self._keys = (self._now_ms(), found := jwk.KeySet(keys))
        return found


def _read(body: bytes, shape: type[S]) -> S:
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise unusable("its answer cannot be read") from None
