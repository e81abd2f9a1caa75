"""Token texts that show which deployment made them: nonsense is refused without asking the store.

A text is `tr_` and, in base64url, 32 random bytes and the first 8 of an HMAC-SHA256 over them. The key follows from that of the
deployment, so all processes know it, also after a restart. Clients treat a text as opaque.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Sequence
from enum import Enum

PREFIX = "tr_"
SECRET_BYTES = 32
SEAL_BYTES = 8
USES = (b"tafelrunde.token-seal.1",)
"""What the keys are derived for, newest first. To rotate the key, put a further one in front; the former ones stay accepted."""
_SEALED = re.compile(r"tr_[A-Za-z0-9_-]{54}")
_UNSEALED = re.compile(r"tr_[A-Za-z0-9_-]{43}")


class TokenForm(Enum):
    """What a text shows of its origin.

    `SEALED`: it was made here; `UNSEALED`: it may have been, before tokens had a seal; `FOREIGN`: it was not.
    """

    SEALED = "sealed"
    UNSEALED = "unsealed"
    FOREIGN = "foreign"


class TokenSeal:
    """Makes token texts with the first of its keys, and recognizes those that any of them has made."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = tuple(keys)

    def make_text(self, secret: bytes) -> str:
        """Return the text of a token with these random bytes."""
        return PREFIX + base64.urlsafe_b64encode(secret + _mac(self._keys[0], secret)).decode().rstrip("=")

    def form_of(self, text: str) -> TokenForm:
        """Return what a text shows of its origin. Cost: some 3 microseconds."""
        if _SEALED.fullmatch(text) is None:
            return TokenForm.UNSEALED if _UNSEALED.fullmatch(text) is not None else TokenForm.FOREIGN
        try:
            whole = base64.urlsafe_b64decode(text.removeprefix(PREFIX) + "==")
        except binascii.Error:
            return TokenForm.FOREIGN
        secret, seal = whole[:SECRET_BYTES], whole[SECRET_BYTES:]
        is_ours = any(hmac.compare_digest(seal, _mac(key, secret)) for key in self._keys)
        return TokenForm.SEALED if is_ours else TokenForm.FOREIGN


def token_seal_of(id_key: bytes) -> TokenSeal:
    """Return the seal of a deployment by its key."""
    return TokenSeal([hmac.digest(id_key, use, "sha256") for use in USES])


def _mac(key: bytes, secret: bytes) -> bytes:
    return hmac.digest(key, secret, "sha256")[:SEAL_BYTES]
