"""A stranger's library for OAuth gets along with the service over real HTTP: it knows its RFCs, and nothing of this code."""

from __future__ import annotations

import os
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.httpx_client import OAuth2Client

from tests.support.served import service

BACK = "http://127.0.0.1/back"
HERE = "http://127.0.0.1:50123/back"
"""Where the stranger listens: on any port."""


def test_stranger_gets_renews_and_ends_tokens_by_its_library() -> None:
    """From the address of the service alone; the page that asks the player is left out, and what it asks the service is not."""
    with service() as running, patch.dict(os.environ, {"AUTHLIB_INSECURE_TRANSPORT": "1"}):
        found = httpx.get(f"{running.url}/.well-known/oauth-authorization-server").raise_for_status().json()
        wish = {"client_name": "Stranger", "redirect_uris": [BACK], "grant_types": ["authorization_code", "refresh_token"]}
        made = httpx.post(found["registration_endpoint"], json=wish)
        assert made.status_code == 201
        stranger: Any = OAuth2Client(
            made.json()["client_id"],
            redirect_uri=HERE,
            scope="read play",
            token_endpoint_auth_method=made.json()["token_endpoint_auth_method"],
            code_challenge_method="S256",
            token_endpoint=found["token_endpoint"],
        )
        with stranger:
            verifier = generate_token(48)
            address, state = stranger.create_authorization_url(found["authorization_endpoint"], code_verifier=verifier)
            redirect = _allow(running.url, address)
            answer = parse_qs(urlsplit(redirect).query)
            assert (answer["iss"], answer["state"]) == ([found["issuer"]], [state])
            with pytest.raises(OAuthError, match="invalid_grant"):
                stranger.fetch_token(authorization_response=redirect, state=state, code_verifier=generate_token(48))
            first = stranger.fetch_token(authorization_response=redirect, state=state, code_verifier=verifier)
            assert stranger.get(f"{running.url}/api/v1/me").json()["name"] == "Ada"
            second = stranger.refresh_token(found["token_endpoint"], refresh_token=first["refresh_token"])
            assert second["access_token"] != first["access_token"]
            assert stranger.get(f"{running.url}/api/v1/me").status_code == 200
            ended = stranger.revoke_token(found["revocation_endpoint"], token=second["refresh_token"])
            assert ended.status_code == 200
            assert httpx.get(f"{running.url}/api/v1/me", headers=_bearer(second["access_token"])).status_code == 401
            with pytest.raises(OAuthError, match="invalid_grant"):
                stranger.refresh_token(found["token_endpoint"], refresh_token=second["refresh_token"])


def _allow(url: str, address: str) -> str:
    """Follow the address as a browser does, and decide as its page does; return where the browser goes then."""
    shown = httpx.get(address)
    assert shown.status_code == 303
    asked = {name: value for name, [value] in parse_qs(shown.headers["location"].partition("?")[2]).items()}
    player = httpx.post(f"{url}/api/v1/players", json={"name": "Ada"}).json()["text"]
    decided = httpx.post(f"{url}/api/v1/oauth/authorization", json={**asked, "allowed": True}, headers=_bearer(player))
    assert decided.status_code == 200, decided.text
    assert decided.json()["redirect"].startswith(f"{HERE}?")
    return decided.json()["redirect"]


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
