"""Players over HTTP that do not give up: a request whose answer was lost is sent again with the same key."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx

from tests.support.patience import PATIENCE_SECONDS

API = "/api/v1"
PAUSE_SECONDS = 0.05


class Client:
    """One player at one service."""

    def __init__(self, http: httpx.AsyncClient, token: str, player: str) -> None:
        self._http = http
        self.headers = {"Authorization": f"Bearer {token}"}
        self.player = player
        self.lost = 0

    @classmethod
    async def register(cls, http: httpx.AsyncClient) -> Client:
        """Become a guest."""
        answer = (await http.post(f"{API}/players", json={})).raise_for_status().json()
        return cls(http, answer["text"], answer["player"]["id"])

    async def try_get(self, path: str) -> dict[str, Any] | None:
        """Return what is there, None if it may not be seen."""
        answer = await self._persist("GET", path, self.headers)
        return answer.json() if answer.status_code == 200 else None

    async def post(self, path: str, key: str, body: dict[str, Any]) -> httpx.Response:
        """Give a command; a refusal is an answer, too."""
        return await self._persist("POST", path, {**self.headers, "Idempotency-Key": key}, body)

    async def _persist(
        self, method: str, path: str, headers: dict[str, str], body: dict[str, Any] | None = None
    ) -> httpx.Response:
        limit = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                answer = await self._http.request(method, f"{API}{path}", headers=headers, json=body)
                if answer.status_code != 503:
                    return answer
            except httpx.TransportError:
                self.lost += 1
            if time.monotonic() > limit:
                raise TimeoutError(path)
            await asyncio.sleep(PAUSE_SECONDS)
