"""What ratings add to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from .routes import OPERATIONS

API = ApiFeature(
    operations=OPERATIONS,
    links={
        ("listGames", 200): {"leaderboard": link("getLeaderboard", game="items/0/id")},
        ("getPlayer", 200): {"ratings": link("getRatingHistory", player="id")},
        ("getLeaderboard", 200): {"next": link("getLeaderboard", game="game", after="cursor")},
    },
)
