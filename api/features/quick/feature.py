"""What quick matches add to the API."""

from __future__ import annotations

from ....service.features.quick.messages import Matched
from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .routes import OPERATIONS, TAG

API = ApiFeature(
    operations=OPERATIONS,
    notices=(Matched,),
    tags={TAG: "A table with others who want to play the same, filled with bots when you have waited long enough."},
    problems={
        "too-many-seek": Kind(
            429,
            "Gerade warten schon zu viele auf eine solche Partie.",
            "Too many players already wait for such a match.",
            "Wait a moment and ask again, or ask for another pace or number of seats.",
        ),
    },
    links={
        ("seekQuickMatch", 200): {
            "match": link("getMatch", match="match"),
            "sit": link("takeSeat", match="match"),
            "leave": link("leaveSeat", match="match"),
        },
    },
)
