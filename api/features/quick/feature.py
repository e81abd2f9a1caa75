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
        "seat-not-taken": Kind(
            409,
            "Ein Platz war für dich freigehalten, und du hast ihn nicht eingenommen. Bitte warte etwas.",
            "A seat was kept for you, and you did not take it. Please wait a little.",
            "Ask again after the time that `message` and `detail` name: 20 seconds, and twice as long each time.",
        ),
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
