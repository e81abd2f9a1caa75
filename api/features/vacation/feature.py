"""What vacation adds to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .routes import OPERATIONS, TAG

API = ApiFeature(
    operations=OPERATIONS,
    tags={TAG: "Days on which slow matches wait for a player."},
    problems={
        "vacation-too-long": Kind(
            422,
            "So viel Urlaub hast du dieses Jahr nicht mehr.",
            "You do not have that much vacation left this year.",
            "`detail` says how many days are left. Choose an earlier `until_ms`.",
        ),
    },
    links={("listVacations", 200): {"match": link("getMatch", match="match")}},
)
