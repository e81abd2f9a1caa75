"""What signing in by OpenID Connect adds to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .callback import PAGES
from .routes import OPERATIONS, TAG

API = ApiFeature(
    operations=OPERATIONS,
    pages=PAGES,
    tags={TAG: "Sign in by a provider of OpenID Connect, where the operator has chosen one."},
    problems={
        "openid-off": Kind(
            409,
            "Hier gibt es diese Anmeldung nicht.",
            "This way to sign in is not available here.",
            "The operator has set up no provider. `features` of `GET /games` lacks `openid` then.",
        ),
        "openid-unavailable": Kind(
            503,
            "Der Anmeldedienst antwortet gerade nicht.",
            "The sign-in provider is not responding.",
            "Retry after the time in Retry-After, with the same Idempotency-Key: the attempt still counts.",
        ),
        "openid-attempt-unknown": Kind(
            404,
            "Diese Anmeldung gilt nicht mehr. Fang noch einmal an.",
            "This sign-in is no longer valid. Please start again.",
            "It was used, began more than ten minutes ago, in another browser, or for another player. Begin another one.",
        ),
        "openid-refused": Kind(
            403,
            "Der Anmeldedienst hat nicht bestätigt, wer du bist. Fang noch einmal an.",
            "The sign-in provider has not confirmed who you are. Please start again.",
            "`detail` says what was wrong with its answer. Begin another attempt; if it fails again, the operator has to look.",
        ),
        "openid-taken": Kind(
            409,
            "Mit diesem Zugang meldet sich schon jemand anderes an.",
            "This identity already belongs to another player.",
            "Sign in by it to be that player. To link it with this one, unlink it there first.",
        ),
        "openid-linked": Kind(
            409,
            "Du hast schon einen anderen Zugang verbunden.",
            "You have already linked another identity.",
            "Unlink it first: a player has one at each provider.",
        ),
    },
    links={
        ("getOpenid", 200): {"begin": link("beginOpenidSignIn")},
        ("getOpenidLink", 200): {"begin": link("beginOpenidLink")},
    },
)
