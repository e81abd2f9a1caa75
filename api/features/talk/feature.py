"""What talk adds to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .frames import ASKING
from .routes import OPERATIONS, TAG

API = ApiFeature(
    operations=OPERATIONS,
    asking=ASKING,
    tags={TAG: "What players and spectators say to each other. Nothing of it is in a match's log."},
    problems={
        "talk-apart": Kind(
            403,
            "Was dort gesprochen wird, hörst du erst nach der Partie.",
            "You cannot hear that room before the match is over.",
            "Players hear the table, all others the stands: omit `room` to get your own.",
        ),
        "talk-off": Kind(
            403,
            "Hier wird nicht geschrieben.",
            "Writing is switched off here.",
            "The operator has decided so. `mode` of /talk/phrases says whether ready phrases can be said.",
        ),
        "talk-refused": Kind(
            422,
            "Das kannst du so nicht sagen.",
            "This cannot be said.",
            "`detail` says why. Send exactly one of a phrase, a reaction and a text; /talk/phrases lists the first two.",
        ),
    },
    links={
        ("getTalk", 200): {"match": link("getMatch", match="match"), "next": link("getTalk", match="match", after="cursor")},
        ("listReports", 200): {"match": link("getMatch", match="items/0/match"), "next": link("listReports", after="cursor")},
        ("getMatch", 200): {"talk": link("getTalk", match="match")},
    },
)
