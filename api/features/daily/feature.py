"""What the deal of the day adds to the API."""

from __future__ import annotations

from ...http.feature import OF_MATCH, ApiFeature, link
from .routes import OPERATIONS, TAG

API = ApiFeature(
    operations=OPERATIONS,
    tags={TAG: "The deal of the day, the same for all, its ranking, and the puzzle of the day."},
    links={
        ("listGames", 200): {"daily": link("getDaily", game="items/0/id")},
        ("getToday", 200): {"deal": link("getDaily", game="items/0/game")},
        ("getDaily", 200): {"open": link("openDaily", game="game"), "ranking": link("getDailyRanking", game="game")},
        ("openDaily", 201): OF_MATCH,
        ("getDailyRanking", 200): {"next": link("getDailyRanking", game="game", day="day", after="cursor")},
    },
)
