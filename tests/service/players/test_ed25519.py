"""Signatures: those of RFC 8032 and of a library are right, and none that anyone has changed."""

from __future__ import annotations

import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tafelrunde.service.players.ed25519 import ORDER, P, is_signature

# RFC 8032, section 7.1: public key, message, signature
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_signatures_of_the_standard_are_right(key: str, message: str, signature: str) -> None:
    """The key has signed this message, and no other."""
    assert is_signature(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))
    assert not is_signature(bytes.fromhex(key), bytes.fromhex(message) + b"\0", bytes.fromhex(signature))


def test_verdict_is_that_of_a_library_whatever_is_changed() -> None:
    """One flipped bit anywhere in key, message or signature, and it is no signature any more."""
    rng = random.Random(1)
    for _ in range(12):
        own, message = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)), rng.randbytes(rng.randrange(1, 80))
        key, signature = own.public_key().public_bytes_raw(), own.sign(message)
        assert is_signature(key, message, signature)
        for part in range(3):
            parts = [bytearray(key), bytearray(message), bytearray(signature)]
            place = rng.randrange(len(parts[part]))
            parts[part][place] ^= 1 << rng.randrange(8)
            assert not is_signature(*map(bytes, parts))


def test_only_canonical_forms_are_signatures() -> None:
    """A scalar that is too large, a point with a second form, a key of small order and wrong lengths are refused."""
    key, message, signature = (bytes.fromhex(part) for part in VECTORS[0])
    scalar = int.from_bytes(signature[32:], "little")
    assert not is_signature(key, message, signature[:32] + (scalar + ORDER).to_bytes(32, "little"))
    neutral, second = (1).to_bytes(32, "little"), (P + 1).to_bytes(32, "little")
    for small in (neutral, second, bytes(32)):
        assert not is_signature(small, message, neutral + bytes(32))
    for wrong in (b"", signature[:63], signature + b"\0"):
        assert not is_signature(key, message, wrong)
    assert not is_signature(key[:31], message, signature)
