"""Signed notes: texts with signatures below, as C2SP's signed-note and tlog-cosignature say. Pure functions.

A note is its text, which ends with a line feed, an empty line, and a line for each signature: an em dash, a blank, the name of
the key, a blank, and base64 of the key's id (4 bytes) and the signature. A public key is written as `name+id+base64`, where the
base64 has a byte for the kind of signature, then the 32 bytes of the key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from enum import Enum

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LONGEST = 20_000
MOST_SIGNATURES = 100
NAME = re.compile(r"[^\s+]{1,200}")
_LINE = re.compile("\u2014 ([^ +\n]{1,200}) ([A-Za-z0-9+/=]{8,400})")


class BadNote(ValueError):
    """A text is no signed note, or a key is none."""


class Kind(Enum):
    """What a key signs: the text itself (Ed25519), or that it saw a checkpoint at a time (cosignature/v1)."""

    ED25519 = 1
    COSIGNATURE = 4


class PublicKey(msgspec.Struct, frozen=True):
    """A public key with its name."""

    name: str
    raw: bytes
    kind: Kind = Kind.ED25519

    @property
    def id(self) -> bytes:
        """The first 4 bytes of the sha256 over the name, a line feed, the kind, and the key."""
        return hashlib.sha256(b"%s\n%c%s" % (self.name.encode(), self.kind.value, self.raw)).digest()[:4]

    @property
    def text(self) -> str:
        """The key as `name+id+base64`."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([self.kind.value]) + self.raw).decode()}"


class Signature(msgspec.Struct, frozen=True):
    """One signature of a note: the name and id of its key, and its bytes."""

    name: str
    id: bytes
    raw: bytes

    @property
    def line(self) -> str:
        """The line of the note, without its line feed."""
        return f"\u2014 {self.name} {base64.b64encode(self.id + self.raw).decode()}"


class Note(msgspec.Struct, frozen=True):
    """A text, which ends with a line feed, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n" + "".join(f"{each.line}\n" for each in self.signatures)


class PrivateKey:
    """A private key of 32 bytes with its name. Its representation tells nothing of it."""

    def __init__(self, name: str, seed: bytes, kind: Kind = Kind.ED25519) -> None:
        if NAME.fullmatch(name) is None or len(seed) != 32:
            raise BadNote("a private key has a name without blanks or plus signs, and 32 bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicKey(name, self._key.public_key().public_bytes_raw(), kind)

    def raw_signature(self, message: bytes) -> bytes:
        """Return the 64 bytes that sign a message; always the same for the same message. Cost: some 30 microseconds."""
        return self._key.sign(message)

    def sign(self, text: str) -> Note:
        """Return a text as a note with one signature."""
        return Note(text, (Signature(self.public.name, self.public.id, self.raw_signature(text.encode())),))

    def cosign(self, text: str, time: int) -> Signature:
        """Return the signature of a witness who saw the text of a checkpoint at a time (Unix seconds)."""
        raw = time.to_bytes(8, "big") + self.raw_signature(_cosigned_bytes(text, time))
        return Signature(self.public.name, self.public.id, raw)


def read_public(text: str) -> PublicKey:
    """Return the public key of a text; raise BadNote."""
    name, _, rest = text.strip().partition("+")
    try:
        raw = base64.b64decode(rest.partition("+")[2], validate=True)
        key = PublicKey(name, raw[1:], Kind(raw[0] if len(raw) == 33 else 0))
    except (binascii.Error, ValueError):
        raise BadNote("a public key is written as name+id+base64") from None
    if NAME.fullmatch(name) is None or key.text != text.strip():
        raise BadNote("the name or the id of a public key does not fit it")
    return key


def read_note(text: str) -> Note:
    """Return the note of a text; raise BadNote. Its signatures are not checked."""
    body, gap, lines = text.rpartition("\n\n")
    found = [_LINE.fullmatch(line) for line in lines.splitlines()]
    known = [each for each in found if each is not None]
    bounded = len(text) <= LONGEST and 0 < len(known) <= MOST_SIGNATURES
    if not gap or not lines.endswith("\n") or not bounded or len(known) < len(found):
        raise BadNote("not a signed note: a text, an empty line, and signatures")
    return Note(f"{body}\n", tuple(_signature(each[1], each[2]) for each in known))


def _signature(name: str, coded: str) -> Signature:
    try:
        raw = base64.b64decode(coded, validate=True)
    except binascii.Error as error:
        raise BadNote("a signature is not written in base64") from error
    return Signature(name, raw[:4], raw[4:])


def is_signed(note: Note, key: PublicKey) -> bool:
    """Return whether a note has a valid signature by that key; False for a key of witnesses."""
    message = note.text.encode()
    return key.kind is Kind.ED25519 and any(is_valid(key, message, each.raw) for each in _by(note, key))


def cosigned_at(note: Note, witness: PublicKey) -> int | None:
    """Return when a witness signed that it saw a checkpoint (Unix seconds, its newest signature); None if it did not."""
    if witness.kind is not Kind.COSIGNATURE:
        return None
    times = [(int.from_bytes(each.raw[:8], "big"), each.raw[8:]) for each in _by(note, witness)]
    return max((time for time, raw in times if is_valid(witness, _cosigned_bytes(note.text, time), raw)), default=None)


def _by(note: Note, key: PublicKey) -> list[Signature]:
    return [each for each in note.signatures if (each.name, each.id) == (key.name, key.id)]


def _cosigned_bytes(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def is_valid(key: PublicKey, message: bytes, signature: bytes) -> bool:
    """Return whether a signature of 64 bytes is that of a message by a key. Cost: some 100 microseconds."""
    try:
        Ed25519PublicKey.from_public_bytes(key.raw).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
