"""A bot of your own: it plays any game of a Tafelrunde service. `python bot.py http://127.0.0.1:8000 [match...]`."""

import os
import random
import sys

from tafelrunde.client import ApiError, Client, Question, Reset, View


def choose(view: View, question: Question) -> dict:
    """Return one of the legal commands. Here is where a better bot thinks about `view.table`."""
    return random.choice(question.legal)


def play(client: Client, match: str) -> None:
    """Answer whatever the own seat is asked, until the match is over."""
    answered = 0
    for item in client.follow(match):  # every event, over any number of lost connections
        asks = isinstance(item, Reset) or item.event["type"] == "match.decision-opened.1"
        if asks and (view := client.view(match)).question and view.question.decision > answered:
            answered = view.question.decision
            try:
                client.play(match, answered, choose(view, view.question))
            except ApiError as error:  # the time ran out, or somebody else was faster
                print(error.problem.title, file=sys.stderr)


def open_all(client: Client) -> list[str]:
    """Open one match of each game against bots of the house."""
    games = {game.id: game.min_seats for game in client.games()}
    tables = ((game, seats, dict.fromkeys(range(1, seats), "random")) for game, seats in games.items())
    return [client.open_match(game, seats, bots=bots, start=True).match for game, seats, bots in tables]


def main(url: str, *matches: str) -> None:
    """Sit down in the matches named and play them to the end; the player is the one whose token is in the environment, or new."""
    with Client(url, os.environ.get("TAFELRUNDE_TOKEN")) as client:
        me = client.player() if client.token else client.sign_up("Example Bot", bot=True)
        for match in matches or open_all(client):
            if not any(chair.player == me.id for chair in client.match(match).chairs):
                client.take_seat(match)
            play(client, match)
            table = client.match(match)
            ranks = {table.chairs[placing.seat].player: placing.rank for placing in table.placings or ()}
            print(f"{table.game}: rank {ranks.get(me.id)} of {table.seats}")


if __name__ == "__main__":
    main(*sys.argv[1:])
