"""How one key of a deployment hands over to the next: by a leaf of the log that it has signed. Pure functions."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from ...dealing import merkle
from ...signing.notes import BadNote, Kind, Note, PublicKey, is_valid, read_public
from .checks import check_consistency, key_content
from .port import LeafKind


def successor(key: PublicKey, text: str) -> PublicKey | None:
    """Return the key that the text of a leaf hands over to; None unless *key* has signed that."""
    kind, following, time_ms, signature, *_ = (*text.split("\n"), "", "", "")
    if kind != LeafKind.KEY.value or not signature:
        return None
    try:
        found = read_public(following)
        signed = is_valid(key, key_content(following, int(time_ms)), base64.b64decode(signature, validate=True))
    except (BadNote, ValueError, binascii.Error):
        return None
    return found if signed and (found.name, found.kind) == (key.name, Kind.ED25519) else None


def is_added(leaf: bytes, number: int, before: bytes, after: bytes, path: Sequence[bytes]) -> bool:
    """Return whether a consistency proof from *number* leaves to one more shows that the one more is *leaf* (its hash)."""
    place = 1 if number & (number - 1) else 0  # a whole tree before it is not in the path itself
    return path[place : place + 1] == [leaf] and check_consistency(number, before, number + 1, after, path)


def leaf_of(text: str) -> bytes:
    """Return the hash of the leaf with this text."""
    return merkle.leaf_hash(text.encode())


def is_by_other(note: Note, keys: Sequence[PublicKey]) -> bool:
    """Return whether a note names a key of the same deployment that is none of *keys*, as one does that was handed over to."""
    own, names = {each.id for each in keys}, {each.name for each in keys}
    return any(each.name in names and each.id not in own for each in note.signatures)
