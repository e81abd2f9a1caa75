"""What tournaments add to the API."""

from __future__ import annotations

from ....service.features.tournaments.messages import RoundStarted
from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from ...schema.fields import NUMBER
from .routes import OPERATIONS, TAG
from .schema import TOURNAMENT_ID

ONE = {"again": link("getTournament", tournament="facts/tournament"), "match": link("getMatch", match="facts/your_match")}
FIRST = {"first": link("getTournament", tournament="items/0/tournament")}

API = ApiFeature(
    operations=OPERATIONS,
    notices=(RoundStarted,),
    tags={TAG: "Small tournaments, round robin and Swiss, of players and bots, over any game."},
    parameters={
        "tournament": (TOURNAMENT_ID, "The id of a tournament."),
        "number": (NUMBER, "Number of a round, from 1."),
    },
    links={
        ("openTournament", 201): {
            **ONE,
            "start": link("startTournament", tournament="facts/tournament"),
            "join": link("joinTournament", tournament="facts/tournament"),
            "cancel": link("cancelTournament", tournament="facts/tournament"),
        },
        ("listTournaments", 200): {**FIRST, "next": link("listTournaments", after="cursor")},
        ("listMyTournaments", 200): FIRST,
        ("getTournament", 200): {
            "match": link("getMatch", match="facts/your_match"),
            "round": link("getTournamentRound", tournament="facts/tournament", number="facts/round"),
        },
        ("getTournamentRound", 200): {"match": link("getMatch", match="tables/0/match")},
        ("joinTournament", 200): {**ONE, "leave": link("leaveTournament", tournament="facts/tournament")},
        ("leaveTournament", 200): ONE,
        ("startTournament", 200): ONE,
        ("cancelTournament", 200): ONE,
    },
    problems={
        "tournament-closed": Kind(
            409,
            "Das geht bei diesem Turnier nicht mehr.",
            "It is too late for that in this tournament.",
            "It has begun, or is over. Get the tournament: `stage` says where it is.",
        ),
        "tournament-full": Kind(
            409,
            "In diesem Turnier ist kein Platz mehr frei.",
            "There is no place left in this tournament.",
            "Try again if a player leaves before the start, or open a tournament of your own.",
        ),
        "tournament-too-few": Kind(
            409,
            "Für dieses Turnier sind noch zu wenige da.",
            "Too few have joined this tournament.",
            "It takes four, enough for one table, and a player among them. Wait for others, or open one with bots.",
        ),
        "joined-too-often": Kind(
            409,
            "Du bist bei diesem Turnier schon zu oft ein- und ausgestiegen.",
            "You have joined and left this tournament too often.",
            "A player can join the same tournament five times.",
        ),
        "not-organiser": Kind(
            403,
            "Das darf nur, wer das Turnier eröffnet hat.",
            "Only the player who opened the tournament may do this.",
            "Ask that player: the tournament says who it is.",
        ),
        "too-many-tournaments": Kind(
            429,
            "Du bist schon bei so vielen Turnieren dabei, wie erlaubt sind.",
            "You already have as many tournaments as a player may have.",
            "`detail` gives the limit: of tournaments that are not over, or of those opened in a day. Leave one, or wait.",
        ),
    },
)
