"""What coaching adds to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from .routes import OPERATIONS

_ASK = {"coaching": link("askForCoaching", match="match")}
API = ApiFeature(
    operations=OPERATIONS,
    links={
        ("getMatch", 200): _ASK,
        ("abortMatch", 200): _ASK,
        ("askForCoaching", 202): {"coaching": link("getCoaching", match="match", seat="seat")},
    },
)
