"""Places in a list that its readers may not see in full: a place may be at a match that is not listed, so it is sealed."""

from __future__ import annotations

import base64
import binascii
import hmac
import re

from ....domain.match import MatchId

MARK = 16
"""How many bytes of a sealed place prove that it is one of this deployment."""
_PLACE = re.compile(r"(\d{1,15})\.([a-z0-9]{1,40})")


class SealedPlaces:
    """Seals places with the deployment's key: the same place is always the same text, and says nothing without the key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seal(self, at_ms: int, match_id: MatchId) -> str:
        """Return a place, a time and a match, as letters, digits, `-` and `_`."""
        plain = f"{at_ms}.{match_id}".encode()
        mark = self._mark(plain)
        return base64.urlsafe_b64encode(mark + self._mix(mark, plain)).decode().rstrip("=")

    def unseal(self, text: str) -> tuple[int, MatchId] | None:
        """Return the place that a text stands for; None if it was not sealed here."""
        try:
            sealed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except binascii.Error:
            return None
        mark = sealed[:MARK]
        plain = self._mix(sealed[:MARK], sealed[MARK:])
        if not hmac.compare_digest(mark, self._mark(plain)):
            return None
        found = _PLACE.fullmatch(plain.decode())
        return (int(found[1]), MatchId(found[2])) if found is not None else None

    def _mark(self, plain: bytes) -> bytes:
        return hmac.digest(self._key, b"place|" + plain, "sha256")[:MARK]

    def _mix(self, mark: bytes, text: bytes) -> bytes:
        """Return a text mixed with what the key and its mark lead to; mixing it again gives the text. At most 64 bytes."""
        return bytes(
            one ^ other for one, other in zip(text, hmac.digest(self._key, b"place-mix|" + mark, "sha512"), strict=False)
        )
