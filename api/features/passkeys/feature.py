"""What passkeys add to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .routes import OFF, OPERATIONS, TAG
from .schema import PASSKEY_ID

API = ApiFeature(
    operations=OPERATIONS,
    tags={TAG: "Sign in by a passkey, where the deployment has switched that on."},
    parameters={"passkey": (PASSKEY_ID, "The id of a passkey.")},
    problems={
        OFF: Kind(
            409,
            "Hier meldet man sich nicht mit Passkeys an.",
            "Passkeys are switched off here.",
            "The operator has decided so. `features` of /games has `passkeys` where one can sign in by them.",
        ),
        "passkey-challenge-ended": Kind(
            409,
            "Das hat zu lange gedauert. Versuch es noch einmal.",
            "That took too long. Try again.",
            "A challenge counts once, for five minutes, and for the player who asked for it. Ask for new options.",
        ),
        "passkey-refused": Kind(
            422,
            "Dieser Passkey passt nicht.",
            "This passkey does not fit.",
            "`detail` says why. Send what the browser answered to the options, from a page of the service itself.",
        ),
        "passkey-unknown": Kind(
            404,
            "Diesen Passkey kennt der Dienst nicht mehr. Lösch ihn auf deinem Gerät.",
            "The service does not know this passkey any more. Delete it on your device.",
            "It was removed, or its player was deleted.",
        ),
        "passkey-known": Kind(
            409,
            "Diesen Passkey hast du schon.",
            "You already have this passkey.",
            "Nothing is left to do.",
        ),
        "passkey-copied": Kind(
            403,
            "Dieser Passkey wurde vielleicht kopiert. Lösch ihn in deinem Profil und leg einen neuen an.",
            "This passkey may have been copied. Remove it on your own page, and add a new one.",
            "Its authenticator counts signatures, and this count is not above the last one.",
        ),
        "too-many-passkeys": Kind(
            409,
            "Mehr Passkeys kannst du nicht haben.",
            "You already have the maximum number of passkeys.",
            "Remove one that you no longer use. At most 10.",
        ),
    },
    links={
        ("listPasskeys", 200): {"remove": link("removePasskey", passkey="items/0/id")},
        ("addPasskey", 200): {"rename": link("renamePasskey", passkey="id"), "remove": link("removePasskey", passkey="id")},
    },
)
