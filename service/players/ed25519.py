"""Signatures by Ed25519 (RFC 8032, section 5.1.7): checked, never made, so nothing here is secret and no time tells anything.

Coordinates are extended ones: x = X/Z, y = Y/Z, xy = T/Z. What is not in its one canonical form is no signature.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias

Point: TypeAlias = tuple[int, int, int, int]

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""
NEUTRAL: Point = (0, 1, 1, 0)


def is_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a signature of 64 bytes of a message was made by the owner of a public key of 32 bytes. Cost: some 5 ms."""
    scalar = int.from_bytes(signature[32:], "little")
    own, random = _point(key), _point(signature[:32])
    if len(signature) != 64 or scalar >= ORDER or own is None or random is None or _same(_times(8, own), NEUTRAL):
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return _same(_times(scalar, BASE), _sum(random, _times(challenge, own)))


def _point(encoded: bytes) -> Point | None:
    """Return the point of 32 bytes; None if they are none, or not its canonical form."""
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _sum(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(factor: int, point: Point) -> Point:
    found = NEUTRAL
    while factor:
        if factor & 1:
            found = _sum(found, point)
        point, factor = _sum(point, point), factor >> 1
    return found


def _same(one: Point, other: Point) -> bool:
    return not (one[0] * other[2] - other[0] * one[2]) % P and not (one[1] * other[2] - other[1] * one[2]) % P


_base = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert _base is not None, "the base point of RFC 8032"
BASE: Point = _base
