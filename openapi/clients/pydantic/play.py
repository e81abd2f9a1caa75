"""Plays a match of every game with the generated models, over httpx: python play.py <address of a service>."""

import hashlib
import json
import random
import secrets
import sys
import uuid
from pathlib import Path
from typing import Any, TypeVar

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

    def hear(self, kept: dict[str, Any], wait: int = 0, **after: str) -> dict[str, str]:
        """Read what is new in the feed; keep the chain over all that was sent, and the newest signature. Return where it ends."""
        answer = self.http.get(f"/matches/{kept['match']}/feed", params={"wait": wait, **after})
        page, feed = self._read(m.Feed, answer), kept["feed"]
        for item in answer.json()["items"]:
            if item["n"] == feed["n"] + 1:
                said = json.dumps([item["n"], item["at_ms"], item["event"]], ensure_ascii=False, separators=(",", ":"))
                feed["n"], feed["chain"] = item["n"], hashlib.sha256(bytes.fromhex(feed["chain"]) + said.encode()).hexdigest()
        kept["marks"][1:] = [page.signed]
        return self.hear(kept, after=page.cursor) if page.more else {"after": page.cursor}

    def post(self, kind: type[Model], path: str, body: BaseModel | None = None) -> Model:
        """Send a model with a new key, and return the answer as a model."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        content = None if body is None else body.model_dump_json(exclude_unset=True)
        return self._read(kind, self.http.post(path, content=content, headers=headers))

    def _read(self, kind: type[Model], answer: httpx.Response) -> Model:
        if answer.is_success:
            return kind.model_validate_json(answer.content)
        raise RuntimeError(m.Problem.model_validate_json(answer.content).type)


def sit(service: Service, game: m.GameFacts) -> dict[str, Any]:
    """Open a match against bots and begin it; return what proves how it is dealt, with the commitment to its secret."""
    bots = [m.BotSeat(seat=seat, bot="random") for seat in range(1, game.min_seats)]
    request = m.MatchRequest(game=m.Game(game.id), seats=game.min_seats, bots=bots, seat=None)
    match = service.post(m.Receipt, "/matches", request).match
    commitment = service.get(m.MatchFacts, f"/matches/{match}").commitment
    keys = service.get(m.SigningKeys, "/log/keys")
    checkpoint = service.get(m.Checkpoint, "/log/checkpoint")
    # The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
    nonce = secrets.token_hex(16)
    taken = service.post(m.Receipt, f"/matches/{match}/seats", m.SeatRequest(seat=0, nonce=nonce))
    service.post(m.Receipt, f"/matches/{match}/start")
    kept: dict[str, Any] = {"format": "tafelrunde.kept.1", "service": sys.argv[1], "origin": keys.origin, "keys": keys.keys}
    kept |= {"match": match, "commitment": commitment, "seat": 0, "nonce": nonce}
    kept |= {"marks": [taken.signed], "checkpoints": [checkpoint.signed]}
    kept["feed"] = {"seat": 0, "n": 0, "chain": "00" * 32}
    keep(kept)
    return kept


def keep(kept: dict[str, Any]) -> None:
    """Write the file that `tafelrunde verify ADDRESS --kept FILE` compares the match with."""
    Path("kept").mkdir(exist_ok=True)
    Path("kept", f"{kept['match']}.kept.json").write_text(json.dumps(kept), encoding="utf-8")


def check(service: Service, kept: dict[str, Any]) -> None:
    """Write what was kept up to the end, and check that a match was dealt from the secret that it began with."""
    match = kept["match"]
    keep(kept)
    secret = service.get(m.ProofList, f"/matches/{match}/proofs").secret
    if hashlib.sha256(f"tafelrunde/commitment/1|{match}|{secret}".encode()).hexdigest() != kept["commitment"]:
        raise RuntimeError(f"{match} was not dealt from the secret that it began with")


def play(service: Service, game: m.GameFacts) -> m.View:
    """Play a match against bots to its end; return the last view."""
    kept = sit(service, game)
    here = f"/matches/{kept['match']}"
    after = dict[str, str]()
    while (view := service.get(m.View, f"{here}/view")).status is not m.Status.over:
        if view.question is None or view.question.answered is not None:
            after = service.hear(kept, wait=10, **after)
            continue
        answer = m.CommandRequest(decision=view.question.decision, command=random.choice(view.question.legal))
        try:
            service.post(m.Receipt, f"{here}/commands", answer)
        except RuntimeError as problem:
            if str(problem) != "/problems/decision-closed":  # somebody else has closed the decision meanwhile
                raise
    service.hear(kept, **after)
    check(service, kept)
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
