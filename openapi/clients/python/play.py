"""Plays a match of every game with the generated client: python play.py <address of a service>."""

import random
import sys
import uuid
from typing import TypeVar

from tafelrunde_generated import AuthenticatedClient, Client
from tafelrunde_generated.api.games import list_games
from tafelrunde_generated.api.matches import open_match
from tafelrunde_generated.api.play import get_feed, get_view, give_command
from tafelrunde_generated.api.players import create_player
from tafelrunde_generated.models import (
    BotSeat,
    CommandRequest,
    Feed,
    GameList,
    MatchRequest,
    MatchRequestGame,
    PlayerIssued,
    PlayerRequest,
    Problem,
    Receipt,
    Status,
    UnknownKind,
    View,
)
from tafelrunde_generated.types import UNSET

Answer = TypeVar("Answer")


def told(answer: object, kind: type[Answer]) -> Answer:
    """Return an answer of the kind that was asked for; a problem ends the program."""
    if not isinstance(answer, kind):
        raise SystemExit(f"not a {kind.__name__}: {answer}")
    return answer


def play(client: AuthenticatedClient, game: MatchRequestGame, seats: int) -> View:
    """Play a match against bots to its end; return the last view."""
    bots = [BotSeat(seat=seat, bot="random") for seat in range(1, seats)]
    request = MatchRequest(game=game, seats=seats, bots=bots, start=True)
    match = told(open_match.sync(client=client, body=request, idempotency_key=uuid.uuid4().hex), Receipt).match
    cursor = UNSET
    while True:
        view = told(get_view.sync(match, client=client), View)
        if view.status is Status.OVER:
            return view
        if view.question is None or view.question.answered is not None:
            cursor = told(get_feed.sync(match, client=client, after=cursor, wait=10), Feed).cursor
            continue
        body = CommandRequest(decision=view.question.decision, command=random.choice(view.question.legal))
        given = give_command.sync(match, client=client, body=body, idempotency_key=uuid.uuid4().hex)
        if isinstance(given, Problem) and given.type_ == "/problems/decision-closed":
            continue  # somebody else has closed the decision meanwhile
        cursor = told(given, Receipt).cursor


def read(client: AuthenticatedClient, match: str) -> str:
    """Read the whole feed; return how many events it has, and how many are of a kind that this client does not know."""
    page = told(get_feed.sync(match, client=client), Feed)
    events = [item.event for item in page.items]
    while page.more:
        page = told(get_feed.sync(match, client=client, after=page.cursor), Feed)
        events += [item.event for item in page.items]
    return f"{len(events)} events, {sum(isinstance(event, UnknownKind) for event in events)} unknown"


def main(url: str) -> None:
    """Play all games as a guest."""
    base = f"{url}/api/v1"
    issued = told(create_player.sync(client=Client(base_url=base), body=PlayerRequest()), PlayerIssued)
    with AuthenticatedClient(base_url=base, token=issued.text, raise_on_unexpected_status=True) as client:
        for game in told(list_games.sync(client=client), GameList).items:
            view = play(client, MatchRequestGame(game.id), game.min_seats)
            places = [placing.rank for placing in view.placings or []]
            print(f"{game.id}: {read(client, view.match)}, places {places}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
