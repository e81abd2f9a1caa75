"""A running service with matches in every state, and tokens of every role: for tests that send arbitrary requests."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service

CLOCK = {"turn_seconds": 604_800, "reaction_seconds": 604_800, "stand_in_after": 0}
PEOPLE = ("person", "player", "spectator")
ROLES = ("stranger", "spectator", "player", "seat", "operator")


class World(NamedTuple):
    """What there is: tokens by role (a stranger has none), matches in every state, and places in their feeds."""

    tokens: Mapping[str, str]
    matches: tuple[str, ...]
    cursors: tuple[str, ...]


class _Asker:
    """Asks as one player."""

    def __init__(self, client: httpx.Client, token: str = "") -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, content: object = None) -> Any:
        """Ask, and return what was answered; every request has a key of its own."""
        headers = {**self._headers, "Idempotency-Key": uuid.uuid4().hex}
        return self._client.request(method, path, json=content, headers=headers).raise_for_status().json()


def world(service: Service) -> World:
    """Make players and matches: a person and the role `player` sit in a running one with public spectators, with a bot."""
    with httpx.Client(base_url=f"{service.url}/api/v1", timeout=PATIENCE_SECONDS) as client:
        tokens = {name: _Asker(client).ask("POST", "/players", {"name": name})["text"] for name in PEOPLE}
        person, player = _Asker(client, tokens["person"]), _Asker(client, tokens["player"])
        here = _running(person, player)
        seat: str = player.ask("POST", f"/matches/{here}/seats/1/tokens")["text"]
        spectator: str = _Asker(client, tokens["spectator"]).ask("POST", "/me/tokens", {"scopes": ["read"]})["text"]
        matches = (here, _open(person), _played(player), _aborted(person))
        watchers = (_Asker(client), player)
        cursors = tuple(cursor for watcher in watchers for match in matches[:3:2] for cursor in _cursors(watcher, match))
    of_roles = {"spectator": spectator, "player": tokens["player"], "seat": seat, "operator": service.master}
    return World(of_roles, matches, cursors)


def _running(person: _Asker, player: _Asker) -> str:
    wish = {"game": "coup", "seats": 3, "spectators": "public", "clock": CLOCK, "bots": [{"seat": 2, "bot": "random"}]}
    match: str = person.ask("POST", "/matches", wish)["match"]
    player.ask("POST", f"/matches/{match}/seats", {"seat": 1})
    person.ask("POST", f"/matches/{match}/start")
    return match


def _cursors(watcher: _Asker, match: str) -> list[str]:
    """Return the cursors of the first item, of one in the middle, and of the last."""
    items = watcher.ask("GET", f"/matches/{match}/feed?limit=500")["items"]
    return [items[place]["cursor"] for place in (0, len(items) // 2, -1)]


def _open(person: _Asker) -> str:
    return person.ask("POST", "/matches", {"game": "mondkrone", "seats": 4})["match"]


def _aborted(person: _Asker) -> str:
    match: str = person.ask("POST", "/matches", {"game": "matchmaster", "seats": 2})["match"]
    person.ask("POST", f"/matches/{match}/abort")
    return match


def _played(player: _Asker) -> str:
    bots = [{"seat": 1, "bot": "random"}]
    match: str = player.ask(
        "POST", "/matches", {"game": "coup", "seats": 2, "seat": 0, "bots": bots, "start": True, "spectators": "public"}
    )["match"]
    chance = random.Random(1)
    cursor = ""
    while (view := player.ask("GET", f"/matches/{match}/view"))["status"] == "running":
        if (question := view["question"]) is not None:
            content = {"decision": question["decision"], "command": chance.choice(question["legal"])}
            cursor = player.ask("POST", f"/matches/{match}/commands", content)["cursor"]
        else:
            cursor = player.ask("GET", f"/matches/{match}/feed?wait=5" + (f"&after={cursor}" if cursor else ""))["cursor"]
    return match
