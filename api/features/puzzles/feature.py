"""What puzzles add to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .routes import OPERATIONS

API = ApiFeature(
    operations=OPERATIONS,
    problems={
        "no-puzzle": Kind(
            404,
            "Im Moment gibt es hier kein Rätsel.",
            "There is no puzzle right now.",
            "No reviewed match has one yet, or it was withdrawn. One may still be made today: ask again later, or try another "
            "game.",
        ),
        "puzzle-over": Kind(
            409,
            "Das war nicht das Rätsel von heute.",
            "This was not the puzzle of today.",
            "Its day is over, or has not begun. Get today's from /puzzles/today.",
        ),
        "not-a-choice": Kind(
            422,
            "Dieser Zug steht im Rätsel nicht zur Wahl.",
            "This move is not one of the puzzle's choices.",
            "Answer with one of the commands in `legal`.",
        ),
    },
    links={
        ("listGames", 200): {"puzzle": link("getPuzzle", game="items/0/id")},
        ("answerPuzzle", 200): {"match": link("getMatch", match="yours/match")},
    },
)
