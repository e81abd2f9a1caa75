"""The deployment's own keys: where they come from, and what they sign.

They come from the setting `signing_key`: a file, or the keys themselves. `serve` with the embedded server makes such a file in
the data folder at its first start. Without the setting, the key is derived from the deployment's `id_key`: so all machines that
share a store sign alike, although they share no folder.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ..errors import StartupRefused
from .notes import Note, PrivateKey, PublicKey
from .statements import Mark, Origin, checkpoint_text, mark_text

VARIABLE = "TAFELRUNDE_SIGNING_KEY"
KEPT = 1_024
"""How many signed marks are remembered: all spectators of a match ask for the same ones."""
_KEYS = re.compile(r"\s*[0-9a-f]{64}(\s+[0-9a-f]{64})*\s*")


class Signer:
    """Signs in the name of a deployment, with the first of its keys. The others are former ones, newest first."""

    def __init__(self, origin: Origin, keys: Sequence[bytes]) -> None:
        self.origin = origin
        self._key, *self._former = (PrivateKey(origin, each) for each in keys)
        self.mark = lru_cache(KEPT)(self._mark)

    @property
    def public(self) -> PublicKey:
        """The public key that signs now."""
        return self._key.public

    def has(self, key: str) -> bool:
        """Return whether a public key, as text, is that of one of the keys."""
        return key in {each.public.text for each in (self._key, *self._former)}

    def checkpoint(self, size: int, root: bytes) -> Note:
        """Return the signed checkpoint of the log with that many leaves. Cost: some 30 microseconds."""
        return self._key.sign(checkpoint_text(self.origin, size, root))

    def _mark(self, mark: Mark) -> str:
        """Return a mark as a signed note, always the same for the same mark. Cost: some 30 microseconds."""
        return str(self._key.sign(mark_text(self.origin, mark)))

    def handed_over(self, former: PublicKey, message: bytes) -> bytes:
        """Return the signature of a message by a former key; empty if that is not here any more."""
        return next((each.raw_signature(message) for each in self._former if each.public == former), b"")


def origin_of(id_key: bytes) -> Origin:
    """Return the name of the deployment with that id key; it tells nothing of the key."""
    return Origin(f"tafelrunde/{hashlib.sha256(b'tafelrunde.origin.1|' + id_key).hexdigest()[:16]}")


def signer_of(signing_key: str | None, id_key: bytes) -> Signer:
    """Return the signer of a deployment: with the keys of the setting, or with one of its own; raise StartupRefused."""
    if signing_key is None:
        return Signer(origin_of(id_key), [hmac.digest(id_key, b"tafelrunde.signing-key.1", "sha256")])
    return Signer(origin_of(id_key), signing_keys(signing_key))


def signing_keys(setting: str, named: str = VARIABLE) -> list[bytes]:
    """Return the keys that a setting has, or the file that it names; raise StartupRefused, which tells nothing of them.

    *named* is what the sentence calls it.
    """
    text = setting if _KEYS.fullmatch(setting) else _content(Path(setting), named)
    return [bytes.fromhex(each) for each in text.split()]


def _content(path: Path, named: str) -> str:
    try:
        text = path.read_text()
    except (OSError, ValueError):  # what it is not may be a key with a slip of the pen: it is not repeated
        raise StartupRefused(f"{named} is neither keys of 64 hex digits nor a file that can be read.") from None
    if not _KEYS.fullmatch(text):
        raise StartupRefused(f"{named}: the file has no keys, of which each is a line of 64 hex digits (0-9, a-f).")
    return text
