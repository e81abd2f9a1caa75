"""Push messages: as the standards have them, byte for byte."""

from __future__ import annotations

from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from tafelrunde.service.features.notices.web_push import (
    CURVE,
    RENEW_SECONDS,
    TOKEN_SECONDS,
    PushKey,
    encrypt,
    is_public_key,
    url_text,
)
from tests.support.notices import bytes_of

RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SECRET, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_message_is_encrypted_as_in_the_example_of_rfc_8291() -> None:
    """With the keys and the salt of its section 5, the body is the one that stands there."""
    own = ec.derive_private_key(int.from_bytes(bytes_of(SENDER), "big"), CURVE)
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        bytes_of(RECEIVER),
        bytes_of(SECRET),
        own=lambda: own,
        salt=lambda _: bytes_of(SALT),
    )
    assert url_text(body) == SEALED


def test_no_two_messages_are_encrypted_alike() -> None:
    """Keys and salt are fresh for each."""
    key, secret = bytes_of(RECEIVER), bytes_of(SECRET)
    assert encrypt(b"same", key, secret)[:86] != encrypt(b"same", key, secret)[:86]


def test_only_points_of_the_curve_are_keys() -> None:
    """Anything else would fail when something is sent."""
    good = bytes_of(RECEIVER)
    assert is_public_key(good)
    for wrong in (b"", good[:-1], good[:1] + bytes(64), good[:-1] + bytes([good[-1] ^ 1])):
        assert not is_public_key(wrong)


def test_sender_says_who_it_is() -> None:
    """The token is for one push service, ends within a day, and is used for an hour (RFC 8292)."""
    key = PushKey(bytes(31) + b"\x05", "mailto:cards@example.org")
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, bytes_of(key.public))
    endpoint = "https://push.example:8443/some/place?x=1"

    def token(now_s: int) -> str:
        scheme, _, rest = key.headers(endpoint, now_s)["authorization"].partition(" ")
        parts = dict(each.strip().split("=", 1) for each in rest.split(","))
        assert (scheme, parts["k"]) == ("vapid", key.public)
        return parts["t"]

    first = token(1_000)
    assert jwt.get_unverified_header(first) == {"typ": "JWT", "alg": "ES256"}
    claims = jwt.decode(first, public, algorithms=["ES256"], options={"verify_aud": False, "verify_exp": False})
    place = urlsplit(endpoint)
    assert claims == {"aud": f"{place.scheme}://{place.netloc}", "exp": 1_000 + TOKEN_SECONDS, "sub": "mailto:cards@example.org"}
    assert token(1_000 + RENEW_SECONDS - 1) == first
    assert token(1_000 + RENEW_SECONDS) != first


def test_key_is_the_same_for_the_same_seed() -> None:
    """Any 32 bytes make a key: browsers that have subscribed stay with it."""
    for seed in (bytes(32), b"\xff" * 32, bytes(range(32))):
        assert PushKey(seed, None).public == PushKey(seed, None).public
        assert is_public_key(bytes_of(PushKey(seed, None).public))
    assert PushKey(bytes(32), None).public != PushKey(bytes(range(32)), None).public
