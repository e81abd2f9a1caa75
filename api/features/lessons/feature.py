"""What lessons add to the API."""

from __future__ import annotations

from ...http.feature import OF_MATCH, ApiFeature, link
from .routes import OPERATIONS

API = ApiFeature(
    operations=OPERATIONS,
    links={
        ("listGames", 200): {"lesson": link("getLesson", game="items/0/id")},
        ("getLesson", 200): {"open": link("openLesson", game="game")},
        ("openLesson", 201): OF_MATCH,
    },
    describe=lambda game: {"lesson": game.lesson is not None},
)
