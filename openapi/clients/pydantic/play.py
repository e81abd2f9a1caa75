"""Plays a match of every game with the generated models, over httpx: python play.py <address of a service>."""

import random
import sys
import uuid
from typing import TypeVar

import httpx
import models as m
from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)


class Service:
    """A connection as a new guest. Every answer is validated."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=f"{url}/api/v1", timeout=40)
        issued = self.post(m.PlayerIssued, "/players", m.PlayerRequest())
        self.http.headers["Authorization"] = f"Bearer {issued.text}"

    def get(self, kind: type[Model], path: str, **query: str | int) -> Model:
        """Return an answer as a model."""
        return self._read(kind, self.http.get(path, params=query))

    def post(self, kind: type[Model], path: str, body: BaseModel) -> Model:
        """Send a model with a new key, and return the answer as a model."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        return self._read(kind, self.http.post(path, content=body.model_dump_json(exclude_unset=True), headers=headers))

    def _read(self, kind: type[Model], answer: httpx.Response) -> Model:
        if answer.is_success:
            return kind.model_validate_json(answer.content)
        raise RuntimeError(m.Problem.model_validate_json(answer.content).type)


def play(service: Service, game: m.GameFacts) -> m.View:
    """Play a match against bots to its end; return the last view."""
    bots = [m.BotSeat(seat=seat, bot="random") for seat in range(1, game.min_seats)]
    request = m.MatchRequest(game=m.Game(game.id), seats=game.min_seats, bots=bots, start=True)
    here = f"/matches/{service.post(m.Receipt, '/matches', request).match}"
    after = {}
    while (view := service.get(m.View, f"{here}/view")).status is not m.Status.over:
        if view.question is None or view.question.answered is not None:
            after = {"after": service.get(m.Feed, f"{here}/feed", wait=10, **after).cursor}
            continue
        answer = m.CommandRequest(decision=view.question.decision, command=random.choice(view.question.legal))
        try:
            service.post(m.Receipt, f"{here}/commands", answer)
        except RuntimeError as problem:
            if str(problem) != "/problems/decision-closed":  # somebody else has closed the decision meanwhile
                raise
    return view


def read(service: Service, match: str) -> str:
    """Read the whole feed; return how many events it has, and how many are of a kind that these models do not know."""
    page = service.get(m.Feed, f"/matches/{match}/feed")
    events = [item.event.root for item in page.items]
    while page.more:
        page = service.get(m.Feed, f"/matches/{match}/feed", after=page.cursor)
        events += [item.event.root for item in page.items]
    return f"{len(events)} events, {sum(isinstance(event, m.UnknownKind) for event in events)} unknown"


def main(url: str) -> None:
    """Play all games as a guest."""
    service = Service(url)
    for game in service.get(m.GameList, "/games").items:
        view = play(service, game)
        places = [placing.rank for placing in view.placings or []]
        print(f"{game.id}: {read(service, view.match)}, places {places}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
