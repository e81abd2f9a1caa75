"""Plays a match of every game with a client made from the core contract: python play.py <address of a service>."""

import random
import secrets
import sys
import uuid
from typing import TypeVar

from tafelrunde_core import AuthenticatedClient, Client
from tafelrunde_core.api.games import list_games
from tafelrunde_core.api.matches import open_match, start_match, take_seat
from tafelrunde_core.api.play import get_feed, get_view, give_command
from tafelrunde_core.api.players import create_player
from tafelrunde_core.models import (
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
    SeatRequest,
    Status,
    View,
)
from tafelrunde_core.types import UNSET, Unset

Answer = TypeVar("Answer")


def expect(answer: object, kind: type[Answer]) -> Answer:
    """Return an answer of the kind that was asked for; a problem ends the program."""
    if not isinstance(answer, kind):
        raise SystemExit(f"not a {kind.__name__}: {answer}")
    return answer


def begin(client: AuthenticatedClient, game: MatchRequestGame, seats: int) -> str:
    """Open a match against bots, sit down and start it; return its id."""
    bots = [BotSeat(seat=seat, bot="random") for seat in range(1, seats)]
    request = MatchRequest(game=game, seats=seats, bots=bots, seat=None)
    match = expect(open_match.sync(client=client, body=request, idempotency_key=uuid.uuid4().hex), Receipt).match
    expect(take_seat.sync(match, client=client, body=SeatRequest(seat=0, nonce=secrets.token_hex(16))), Receipt)
    expect(start_match.sync(match, client=client), Receipt)
    return match


def play(client: AuthenticatedClient, match: str) -> View:
    """Play a match to its end; return the last view."""
    while True:
        view = expect(get_view.sync(match, client=client), View)
        if view.status is Status.OVER:
            return view
        if view.question is None or view.question.answered is not None:
            expect(get_feed.sync(match, client=client, after=view.cursor, wait=10), Feed)
            continue
        body = CommandRequest(decision=view.question.decision, command=random.choice(view.question.legal))
        given = give_command.sync(match, client=client, body=body, idempotency_key=uuid.uuid4().hex)
        if isinstance(given, Problem) and given.type_ == "urn:tafelrunde:problem:decision-closed":
            continue  # somebody else has closed the decision meanwhile
        expect(given, Receipt)


def count(client: AuthenticatedClient, match: str) -> int:
    """Return how many events the feed has."""
    events = 0
    cursor: str | Unset = UNSET
    while True:
        page = expect(get_feed.sync(match, client=client, after=cursor), Feed)
        events += len(page.items)
        cursor = page.cursor
        if not page.more:
            return events


def main(url: str) -> None:
    """Play all games as a guest."""
    base = f"{url}/api/v1"
    issued = expect(create_player.sync(client=Client(base_url=base), body=PlayerRequest()), PlayerIssued)
    with AuthenticatedClient(base_url=base, token=issued.text, raise_on_unexpected_status=True) as client:
        for game in expect(list_games.sync(client=client), GameList).items:
            match = begin(client, MatchRequestGame(game.id), game.min_seats)
            places = [placing.rank for placing in play(client, match).placings or []]
            print(f"{game.id}: {count(client, match)} events, places {places}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
