"""Plays a match of every game with the generated client: python play.py <address of a service>."""

import hashlib
import json
import random
import secrets
import sys
import uuid
from pathlib import Path
from typing import Any, TypeVar

from tafelrunde_generated import AuthenticatedClient, Client
from tafelrunde_generated.api.games import list_games
from tafelrunde_generated.api.log import get_checkpoint, get_signing_keys
from tafelrunde_generated.api.matches import get_match, open_match, start_match, take_seat
from tafelrunde_generated.api.play import get_feed, get_view, give_command, list_proofs
from tafelrunde_generated.api.players import create_player
from tafelrunde_generated.models import (
    BotSeat,
    Checkpoint,
    CommandRequest,
    Feed,
    GameList,
    MatchFacts,
    MatchRequest,
    MatchRequestGame,
    PlayerIssued,
    PlayerRequest,
    Problem,
    ProofList,
    Receipt,
    SeatRequest,
    SigningKeys,
    Status,
    UnknownKind,
    View,
)
from tafelrunde_generated.types import UNSET, Unset

Answer = TypeVar("Answer")


def expect(answer: object, kind: type[Answer]) -> Answer:
    """Return an answer of the kind that was asked for; a problem ends the program."""
    if not isinstance(answer, kind):
        raise SystemExit(f"not a {kind.__name__}: {answer}")
    return answer


def sit(client: AuthenticatedClient, game: MatchRequestGame, seats: int) -> dict[str, Any]:
    """Open a match against bots and begin it; return what proves how it is dealt, with the commitment to its secret."""
    bots = [BotSeat(seat=seat, bot="random") for seat in range(1, seats)]
    request = MatchRequest(game=game, seats=seats, bots=bots, seat=None)
    match = expect(open_match.sync(client=client, body=request, idempotency_key=uuid.uuid4().hex), Receipt).match
    commitment = expect(get_match.sync(match, client=client), MatchFacts).commitment
    keys = expect(get_signing_keys.sync(client=client), SigningKeys)
    checkpoint = expect(get_checkpoint.sync(client=client), Checkpoint)
    # The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
    nonce = secrets.token_hex(16)
    taken = expect(take_seat.sync(match, client=client, body=SeatRequest(seat=0, nonce=nonce)), Receipt)
    expect(start_match.sync(match, client=client), Receipt)
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


def hear(client: AuthenticatedClient, kept: dict[str, Any], cursor: str | Unset, wait: int = 0) -> str:
    """Read what is new in the feed; keep the chain over all that was sent, and the newest signature. Return the new cursor."""
    page, feed = json.loads(get_feed.sync_detailed(kept["match"], client=client, after=cursor, wait=wait).content), kept["feed"]
    for item in page["items"]:
        if item["n"] == feed["n"] + 1:
            said = json.dumps([item["n"], item["at_ms"], item["event"]], ensure_ascii=False, separators=(",", ":"))
            feed["n"], feed["chain"] = item["n"], hashlib.sha256(bytes.fromhex(feed["chain"]) + said.encode()).hexdigest()
    kept["marks"][1:] = [page["signed"]]
    return hear(client, kept, page["cursor"]) if page["more"] else page["cursor"]


def check(client: AuthenticatedClient, kept: dict[str, Any]) -> None:
    """Write what was kept up to the end, and check that a match was dealt from the secret that it began with."""
    match = kept["match"]
    keep(kept)
    secret = expect(list_proofs.sync(match, client=client), ProofList).secret
    if hashlib.sha256(f"tafelrunde/commitment/1|{match}|{secret}".encode()).hexdigest() != kept["commitment"]:
        raise SystemExit(f"{match} was not dealt from the secret that it began with")


def play(client: AuthenticatedClient, game: MatchRequestGame, seats: int) -> View:
    """Play a match against bots to its end; return the last view."""
    kept = sit(client, game, seats)
    match = kept["match"]
    cursor: str | Unset = UNSET
    while True:
        view = expect(get_view.sync(match, client=client), View)
        if view.status is Status.OVER:
            hear(client, kept, cursor)
            check(client, kept)
            return view
        if view.question is None or view.question.answered is not None:
            cursor = hear(client, kept, cursor, wait=10)
            continue
        body = CommandRequest(decision=view.question.decision, command=random.choice(view.question.legal))
        given = give_command.sync(match, client=client, body=body, idempotency_key=uuid.uuid4().hex)
        if isinstance(given, Problem) and given.type_ == "urn:tafelrunde:problem:decision-closed":
            continue  # somebody else has closed the decision meanwhile
        expect(given, Receipt)


def read(client: AuthenticatedClient, match: str) -> str:
    """Read the whole feed; return how many events it has, and how many are of a kind that this client does not know."""
    page = expect(get_feed.sync(match, client=client), Feed)
    events = [item.event for item in page.items]
    while page.more:
        page = expect(get_feed.sync(match, client=client, after=page.cursor), Feed)
        events += [item.event for item in page.items]
    return f"{len(events)} events, {sum(isinstance(event, UnknownKind) for event in events)} unknown"


def main(url: str) -> None:
    """Play all games as a guest."""
    base = f"{url}/api/v1"
    issued = expect(create_player.sync(client=Client(base_url=base), body=PlayerRequest()), PlayerIssued)
    with AuthenticatedClient(base_url=base, token=issued.text, raise_on_unexpected_status=True) as client:
        for game in expect(list_games.sync(client=client), GameList).items:
            view = play(client, MatchRequestGame(game.id), game.min_seats)
            places = [placing.rank for placing in view.placings or []]
            print(f"{game.id}: {read(client, view.match)}, places {places}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
