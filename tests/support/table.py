"""A running service for tests: the app over a house in memory, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from tafelrunde.api.app import create_app, running
from tafelrunde.domain.game import AnyGame, GameId
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.service.application import Application
from tafelrunde.service.feature import Feature
from tafelrunde.service.features.oauth.settings import OauthSettings
from tafelrunde.service.features.passkeys.settings import PasskeySettings
from tafelrunde.service.features.registry import FEATURES
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.runtime.siblings import Siblings
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support import contract
from tests.support.own import GAMES as OWN
from tests.support.wire import Answer, Wire

API = "/api/v1"
NOW_MS = 1_700_000_000_000
GAMES: Mapping[GameId, AnyGame] = {**REGISTERED, **OWN}
ON: tuple[msgspec.Struct, ...] = (PasskeySettings(passkeys=True), OauthSettings(oauth=True))
"""What a deployment has to switch on."""
PLAIN = Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False), features=ON)


class Table(Wire):
    """The wire to a service with all games and the tests' own, and short ways for what tests do often."""

    def __init__(
        self,
        settings: Settings = PLAIN,
        games: Mapping[GameId, AnyGame] = GAMES,
        stores: Stores | None = None,
        siblings: Siblings | None = None,
        features: Sequence[Feature] = FEATURES,
    ) -> None:
        self.now_ms = NOW_MS
        self.application = Application(
            stores or memory_stores(), settings, games=games, now_ms=lambda: self.now_ms, features=features
        )
        super().__init__(create_app(settings, application=self.application, siblings=siblings))
        self._keys = 0

    def key(self) -> str:
        """Return an idempotency key that was not used yet."""
        self._keys += 1
        return f"key-{self._keys}"

    async def ask(self, method: str, path: str, **more: Any) -> Answer:
        """Ask, and make sure that the contract promises the answer."""
        answer = await super().ask(method, path, **more)
        contract.check(method, path, answer)
        return answer

    async def get(self, path: str, token: str | None = None, **more: Any) -> Answer:
        """Look at something."""
        return await self.ask("GET", API + path, token=token, **more)

    async def post(self, path: str, token: str | None = None, content: object = None, **more: Any) -> Answer:
        """Ask for something to be done, with a fresh key."""
        return await self.ask("POST", API + path, **{"token": token, "content": content, "key": self.key(), **more})

    async def player(self, name: str | None = None, **more: Any) -> tuple[str, str]:
        """Make a player; return its id and its token."""
        made = (await self.post("/players", content={} if name is None else {"name": name}, **more)).json
        return made["player"]["id"], made["text"]

    async def operator(self) -> str:
        """Make a player and return a token of it with the scope `admin`, which only the service itself can issue."""
        player, _ = await self.player()
        return (await self.application.accounts.issue(PlayerId(player), "operator", ["admin"], None))[1]

    async def open(self, token: str, **wishes: Any) -> str:
        """Open a match of Duel with two seats and return its id."""
        answer = await self.post("/matches", token, {"game": "duel", "seats": 2, **wishes})
        assert answer.status == 201, answer
        return answer.json["match"]

    async def begin(self, one: str, other: str, **wishes: Any) -> str:
        """Open a match, seat both players, and start it."""
        match = await self.open(one, **wishes)
        assert (await self.post(f"/matches/{match}/seats", other)).status == 200
        assert (await self.post(f"/matches/{match}/start", one)).status == 200
        return match

    async def view(self, match: str, token: str | None = None) -> Any:
        """Return a view."""
        answer = await self.get(f"/matches/{match}/view", token)
        assert answer.status == 200, answer
        return answer.json

    async def play(self, match: str, token: str, index: int = 0, **more: Any) -> Answer:
        """Give one of the legal commands."""
        question = (await self.view(match, token))["question"]
        content = {"decision": question["decision"], "command": question["legal"][index]}
        return await self.post(f"/matches/{match}/commands", token, content, **more)

    async def finish(self, match: str, *tokens: str) -> None:
        """Play the first legal commands until the match is over."""
        while (await self.view(match, tokens[0]))["status"] == "running":
            for token in tokens:
                if (await self.view(match, token))["question"] is not None:
                    assert (await self.play(match, token)).status == 200

    async def agree_rematch(self, match: str, *tokens: str) -> str:
        """Let all players of a finished match agree to a rematch; return its id."""
        for token in tokens:
            assert (await self.post(f"/matches/{match}/rematch", token)).status == 200
        return (await self.view(match, tokens[0]))["rematch"]

    async def play_again(self, match: str, *tokens: str) -> str:
        """Let all players of a finished match agree to a rematch and take their seats there; return its id."""
        successor = await self.agree_rematch(match, *tokens)
        for token in tokens:
            assert (await self.post(f"/matches/{successor}/seats", token)).status == 200
        return successor

    async def play_bots(self, match: str) -> None:
        """Let the bots of a match play until a player is asked."""
        await self.application.process_manager.play_bots(MatchId(match))

    async def project(self, match: str) -> None:
        """Bring the lists up to date with a match."""
        await self.application.projector.catch_up(shard_of(MatchId(match)))


@asynccontextmanager
async def opened(
    settings: Settings = PLAIN,
    *,
    stores: Stores | None = None,
    siblings: Siblings | None = None,
    features: Sequence[Feature] = FEATURES,
    kind: type[Table] = Table,
) -> AsyncGenerator[Table]:
    """Give a running service, or one process of it."""
    table = kind(settings, stores=stores, siblings=siblings, features=features)
    async with running(table.app):
        yield table
