"""A bot of one's own: it plays any game of a Tafelrunde service. `python bot.py http://127.0.0.1:8000 [match]`."""

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


def main(url: str, match: str | None = None) -> None:
    """Sit down at a table, or play one match of each game against bots of the house."""
    with Client(url) as client:
        client.sign_up("Example Bot", bot=True)
        if match is not None:
            client.take_seat(match)
            play(client, match)
        for game in client.games() if match is None else ():
            bots = dict.fromkeys(range(1, game.min_seats), "random")
            opened = client.open_match(game.id, game.min_seats, bots=bots, start=True).match
            play(client, opened)
            ranks = {placing.seat: placing.rank for placing in client.match(opened).placings or ()}
            print(f"{game.id}: rank {ranks[0]} of {game.min_seats}")


if __name__ == "__main__":
    main(*sys.argv[1:])
