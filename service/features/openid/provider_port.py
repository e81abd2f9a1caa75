"""What signing in needs of a provider of OpenID Connect."""

from __future__ import annotations

from typing import Protocol


class ProviderDown(Exception):
    """The provider does not answer, or not as one: no one can sign in for now."""


class SignInRefused(Exception):
    """The provider does not say who this is; *reason* is a word for it, which may be shown and logged."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Provider(Protocol):
    """Says who someone is. Every method may raise ProviderDown."""

    async def address(self, state: str, nonce: str, verifier: str) -> str:
        """Return where a browser goes to sign in."""
        ...

    async def subject(self, code: str, nonce: str, verifier: str) -> str:
        """Return who has signed in, as the provider names it, by the code that the browser brought; raise SignInRefused."""
        ...
