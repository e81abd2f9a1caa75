"""What records add to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from . import bulk, routes

WHEN_OVER = {"record": link("getRecord", match="match"), "verification": link("getVerification", match="match")}

API = ApiFeature(
    operations=(*routes.OPERATIONS, *bulk.OPERATIONS),
    links={
        ("getMatch", 200): WHEN_OVER,
        ("abortMatch", 200): WHEN_OVER,
        ("getVerification", 200): {"record": link("getRecord", match="match")},
    },
)
