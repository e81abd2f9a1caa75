"""What the transparency log adds to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from .routes import OPERATIONS, PAGES, TAG

_PROOFS = {"logProofs": link("getLogProofs", match="match")}
API = ApiFeature(
    operations=OPERATIONS,
    pages=PAGES,
    tags={TAG: "The transparency log of all finished matches, with proofs that nothing in it was changed."},
    links={
        ("getMatch", 200): _PROOFS,
        ("abortMatch", 200): _PROOFS,
        ("getCheckpoint", 200): {"consistency": link("getLogConsistency", to="size")},
    },
)
