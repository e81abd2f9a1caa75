"""An application of others, as the tests of OAuth need it."""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.support.table import API, Table
from tests.support.wire import Answer

BACK = "https://clock.example/back"
VERIFIER = "a-long-text-that-the-application-keeps-to-itself"
FORM = [("Content-Type", "application/x-www-form-urlencoded")]


def challenge_of(verifier: str) -> str:
    """Return the challenge that a verifier answers (S256)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def answer_in(redirect: str) -> dict[str, str]:
    """Return what an address says to the application that it leads to."""
    return {name: value for name, [value] in parse_qs(urlsplit(redirect).query).items()}


class App:
    """An application that is registered with a service. `ask` is what it sends players with."""

    def __init__(self, table: Table, client: str, back: str) -> None:
        self.table = table
        self.client = client
        self.ask: dict[str, str] = {
            "response_type": "code",
            "client_id": client,
            "redirect_uri": back,
            "scope": "read play",
            "state": "s-t-a-t-e",
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
        }

    async def look(self, **other: str) -> Answer:
        """Ask for what a player will be shown."""
        return await self.table.get(f"/oauth/authorization?{urlencode({**self.ask, **other})}")

    async def decide(self, token: str, allowed: bool = True, /, **other: str) -> Answer:
        """Let a player decide."""
        return await self.table.post("/oauth/authorization", token, {**self.ask, **other, "allowed": allowed})

    async def code(self, token: str, **other: str) -> str:
        """Let a player allow it, and return the code."""
        decided = await self.decide(token, **other)
        assert decided.status == 200, decided
        return answer_in(decided.json["redirect"])["code"]

    async def fill_in(self, path: str, **fields: str) -> Answer:
        """Send a form."""
        return await self.table.ask("POST", f"{API}/oauth/{path}", raw=urlencode(fields).encode(), headers=FORM)

    async def exchange(self, code: str, /, **other: str) -> Answer:
        """Show a code."""
        form = {"grant_type": "authorization_code", "client_id": self.client, "redirect_uri": self.ask["redirect_uri"]}
        return await self.fill_in("token", **{**form, "code": code, "code_verifier": VERIFIER, **other})

    async def refresh(self, token: str, /, **other: str) -> Answer:
        """Show a refresh token."""
        form = {"grant_type": "refresh_token", "client_id": self.client, "refresh_token": token}
        return await self.fill_in("token", **{**form, **other})

    async def tokens(self, token: str, **other: str) -> Any:
        """Let a player allow it, and return its tokens."""
        given = await self.exchange(await self.code(token, **other))
        assert given.status == 200, given
        return given.json


async def app_of(table: Table, back: str = BACK, name: str = "Chess clock") -> App:
    """Register an application."""
    made = await table.post("/oauth/applications", content={"redirect_uris": [back], "client_name": name})
    assert made.status == 201, made
    return App(table, made.json["client_id"], back)
