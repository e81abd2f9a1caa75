"""The transparency log of a service under test, and whose keys sign there."""

from __future__ import annotations

from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.signing.signer import Signer
from tests.support.served import Service


def log_of(served: Service) -> TransparencyLog:
    """Return the log that a service shows."""
    assert served.application is not None
    return served.application.get(TransparencyLog)


def sign_with(served: Service, signer: Signer) -> None:
    """Let a service sign with other keys, as a restart with them does."""
    assert served.application is not None
    application = served.application
    application.signer = application.matches._signer = log_of(served).signer = signer
