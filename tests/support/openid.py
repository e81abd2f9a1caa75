"""A provider of OpenID Connect on this machine, as strict as a real one, which also answers wrongly on demand."""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

import httpx
import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from tafelrunde.service.features.openid.provider_port import ProviderDown, SignInRefused
from tafelrunde.service.features.openid.settings import OpenIdSettings
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.patience import PATIENCE_SECONDS

CLIENT, SECRET = "tafelrunde at home", "a secret: with / and +"
"""What the service is called at the provider, and its password: with characters that have to be escaped."""


@cache
def key_of(kid: str) -> Any:
    """Return the private key of that name; those that begin with an E are elliptic."""
    return (
        ec.generate_private_key(ec.SECP256R1())
        if kid.startswith("E")
        else rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )


def algorithm_of(kid: str) -> str:
    """Return how that key signs."""
    return "ES256" if kid.startswith("E") else "RS256"


CODE = "SplxlOBeZQQYbYS6WxSbIA"
"""The one code that a stand-in takes."""


class Stand:
    """What stands in for a provider where no browser goes to one: it says that `subject` is there; None: it is down."""

    def __init__(self, subject: str | None = "anna") -> None:
        self.subject_now = subject

    async def address(self, state: str, nonce: str, verifier: str) -> str:
        """Return an address that has the state, and nothing else that counts."""
        if self.subject_now is None:
            raise ProviderDown
        return f"https://login.example/authorize?{urlencode({'response_type': 'code', 'scope': 'openid', 'state': state})}"

    async def subject(self, code: str, nonce: str, verifier: str) -> str:
        """Return who is there; refuse all codes but one."""
        if self.subject_now is None:
            raise ProviderDown
        if code != CODE:
            raise SignInRefused("invalid_grant")
        return self.subject_now


def proof_of(begun: Any, code: str = "") -> dict[str, str]:
    """Return what ends an attempt at a stand-in."""
    [state] = parse_qs(urlsplit(begun["address"]).query)["state"]
    return {"state": state, "code": code or CODE, "secret": begun["secret"]}


class Asked(NamedTuple):
    """What a code stands for: the request by which a browser came, and who was there."""

    query: dict[str, str]
    subject: str


class OpenIdProvider:
    """Signs in `subject` at once, without a page; `claims` take the place of those of the ID token, where None leaves one out.

    `kids` are the keys that it publishes, and signs with the first, unless `signed` makes the token. `refusal` is what browsers
    come back with instead of a code. `asked` are the paths of all requests; `held` is cleared while answers have to wait.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.url = ""
        self.now_ms = now_ms
        self.subject = "anna"
        self.kids = ["one"]
        self.claims: dict[str, Any] = {}
        self.signed: Callable[[dict[str, Any]], str] | None = None
        self.refusal = ""
        self.auth_methods = ["client_secret_basic", "client_secret_post"]
        self.metadata: dict[str, Any] = {}
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.location = ""
        self.held = threading.Event()
        self.held.set()
        self.asked: list[str] = []
        self.codes: dict[str, Asked] = {}

    def settings(self, public_url: str, name: str = "Example") -> Settings:
        """Return settings of a service that uses this provider."""
        mine = OpenIdSettings(openid_issuer=self.url, openid_client_id=CLIENT, openid_client_secret=SECRET, openid_name=name)
        return Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False), public_url=public_url, features=(mine,))

    def token(self, asked: Asked) -> str:
        """Return an ID token."""
        now = self.now_ms() // 1_000
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "sub": asked.subject,
            "nonce": asked.query["nonce"],
            "iat": now,
            "exp": now + 300,
            "name": "Anna Example",
            "email": "anna@example.org",
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.signed is not None:
            return self.signed(claims)
        kid = self.kids[0]
        return jwt.encode(claims, key_of(kid), algorithm=algorithm_of(kid), headers={"kid": kid})

    def answer(self, method: str, path: str, form: dict[str, str], authorization: str) -> tuple[int, bytes, str]:
        """Return the status, the body, and where a redirect leads."""
        place = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(place.query).items()}
        self.asked.append(place.path)
        self.held.wait(PATIENCE_SECONDS)
        if place.path in self.answers:
            return *self.answers[place.path], self.location
        match method, place.path:
            case "GET", "/.well-known/openid-configuration":
                return 200, msgspec.json.encode(self._described()), ""
            case "GET", "/keys":
                return 200, msgspec.json.encode({"keys": [_published(kid) for kid in self.kids]}), ""
            case "GET", "/authorize":
                return 302, b"", self.authorize(query)
            case "POST", "/token":
                status, body = self._exchange(form, authorization)
                return status, msgspec.json.encode(body), ""
            case _:
                return 404, b"", ""

    def _described(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "token_endpoint_auth_methods_supported": self.auth_methods,
            **self.metadata,
        }

    def authorize(self, query: dict[str, str]) -> str:
        """Return where a browser is sent back to."""
        assert (query["response_type"], query["scope"], query["client_id"]) == ("code", "openid", CLIENT)
        assert query["code_challenge_method"] == "S256"
        back = query["redirect_uri"]
        if self.refusal:
            return f"{back}?{urlencode({'error': self.refusal, 'state': query['state'], 'error_description': '<b>no</b>'})}"
        code = f"{secrets.token_urlsafe(8)}/+ &="
        self.codes[code] = Asked(query, self.subject)
        return f"{back}?{urlencode({'code': code, 'state': query['state'], 'iss': self.url, 'session_state': '1'})}"

    def _exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        if authorization:
            name, _, password = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
            given = (unquote_plus(name), unquote_plus(password))
        else:
            given = (form.get("client_id"), form.get("client_secret"))
        if given != (CLIENT, SECRET) or ("client_secret_basic" not in self.auth_methods) is bool(authorization):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form["code"], None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if asked is None or form["redirect_uri"] != asked.query["redirect_uri"] or challenge != asked.query["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "unused", "token_type": "Bearer", "id_token": self.token(asked)}


def _published(kid: str) -> dict[str, Any]:
    public = key_of(kid).public_key()
    described = (ECAlgorithm if kid.startswith("E") else RSAAlgorithm).to_jwk(public, as_dict=True)
    return {**described, "kid": kid, "use": "sig", "alg": algorithm_of(kid)}


@contextmanager
def openid_provider(now_ms: Callable[[], int] = lambda: int(time.time() * 1_000)) -> Generator[OpenIdProvider]:
    """Run a provider, with a clock of its own."""
    provider = OpenIdProvider(now_ms)

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(raw).items()}
            status, body, location = provider.answer(self.command, self.path, form, self.headers.get("authorization", ""))
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            if location:
                self.send_header("location", location)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = _serve  # noqa: N815 - the names that the server calls

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the server gives it
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.held.set()
        server.shutdown()
        server.server_close()


def visit(address: str) -> dict[str, str]:
    """Go where a browser goes to sign in, and return with what it comes back with."""
    back = httpx.get(address, follow_redirects=False, trust_env=False).headers["location"]
    return {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}
