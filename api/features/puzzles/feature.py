"""What puzzles add to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from .routes import OPERATIONS

API = ApiFeature(
    operations=OPERATIONS,
    links={
        ("listGames", 200): {"puzzle": link("getPuzzle", game="items/0/id")},
        ("answerPuzzle", 200): {"match": link("getMatch", match="yours/match")},
    },
)
