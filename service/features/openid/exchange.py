"""Requests to the provider: bounded in time and size, to the address that is named and to no other."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping

import httpx
import structlog

from .provider_port import ProviderDown

TIMEOUT_SECONDS = 5.0
"""How long an answer is waited for, in all."""
MOST_BYTES = 262_144
"""The longest answer that is read."""

log = structlog.get_logger(__name__)


def unusable(reason: str, status: int | None = None) -> ProviderDown:
    """Log why the provider cannot be used, for the operator, and return what to raise."""
    log.error("sign-in provider cannot be used", reason=reason, **({} if status is None else {"status": status}))
    return ProviderDown()


class Wire:
    """Sends requests. No redirect is followed, no proxy asked, and nothing kept: sign-ins are rare."""

    def __init__(self, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._timeout_seconds = timeout_seconds
        self._trust: ssl.SSLContext | None = None

    async def get(self, url: str) -> bytes:
        """Return what is there; raise ProviderDown."""
        status, body = await self._ask(httpx.Request("GET", url), None)
        if status != 200:
            raise unusable("it does not answer as it should", status)
        return body

    async def post(self, url: str, form: Mapping[str, str], auth: tuple[str, str] | None) -> tuple[int, bytes]:
        """Return the status of the answer to a form, 200 or one that blames the form, and its body; raise ProviderDown."""
        status, body = await self._ask(httpx.Request("POST", url, data=dict(form)), auth)
        if status != 200 and (not 400 <= status < 500 or status == 429):
            raise unusable("it does not answer as it should", status)
        return status, body

    async def _ask(self, request: httpx.Request, auth: tuple[str, str] | None) -> tuple[int, bytes]:
        self._trust = self._trust or httpx.create_ssl_context()
        request.headers.update({"accept": "application/json", "accept-encoding": "identity", "user-agent": "tafelrunde"})
        try:
            async with (
                asyncio.timeout(self._timeout_seconds),
                httpx.AsyncClient(verify=self._trust, trust_env=False, timeout=self._timeout_seconds) as client,
            ):
                return await _answer(client, request, auth)
        except (TimeoutError, OSError, httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise unusable(f"it cannot be reached, {type(error).__name__}") from None


async def _answer(client: httpx.AsyncClient, request: httpx.Request, auth: tuple[str, str] | None) -> tuple[int, bytes]:
    answer = await client.send(request, auth=auth, stream=True, follow_redirects=False)
    try:
        body = bytearray()
        async for part in answer.aiter_raw():
            body += part
            if len(body) > MOST_BYTES:
                raise ValueError("the answer is too long")
        return answer.status_code, bytes(body)
    finally:
        await answer.aclose()
